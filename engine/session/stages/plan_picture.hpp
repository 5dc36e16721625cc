#pragma once
// The plan of a kernel's equations, with its runner-up, to look at: `plan K`, windows and the report show the same
// value. Nothing is computed by it; once a kernel has run, what its results store stands beside what was expected.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "engine/lazy/from_equation.hpp"
#include "engine/lazy/why.hpp"
#include "engine/session/running/plan_choice.hpp"
#include "engine/session/state/state.hpp"
#include "engine/view/drawing.hpp"

namespace trellis::session {

struct PlannedKernel {
  lazy::Why why;
  std::vector<std::string> unfilled = {};  ///< sparse operands without data, which count as full
};

/// By what its operands store now.
std::variant<PlannedKernel, lazy::NoQuery> plan_of(const State& state, const lang::Program& program,
                                                   const lang::Kernel& kernel);

struct PlanPicture {
  PlanChoice choice;
  std::string refused;  ///< why its equations are no queries; else empty
  PlannedKernel of;
  view::Drawing chosen, second;  ///< the second one is empty where there is no other way
  /// Is there more to see than that the kernel is one query, which there is one way to compute?
  bool has_choices() const { return choice.ways.size() > 1 || of.why.second || of.why.chosen.kernels.size() > 1; }
};

PlanPicture plan_picture(State& state, const lang::Program& program, const lang::Kernel& kernel,
                         view::FontSize font = {});

/// {"choice", "chosen": {"caption": "chosen, about 31 ms, 16 ms as compiled", "drawing"}, "second": likewise or null,
/// "remarks": [what would change the choice, and what was done before]}; both null where the equations are no queries.
nlohmann::ordered_json to_json(const PlanPicture& picture);

}  // namespace trellis::session
