#pragma once
// The equations of a kernel as queries, with what is known of the operands that the session holds now.

#include <string>
#include <variant>
#include <vector>

#include "engine/lazy/from_equation.hpp"
#include "engine/lazy/plan.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

struct KernelQueries {
  std::vector<lazy::Query> queries;
  lazy::Formats formats;
  lazy::CountedTables counted;
  std::vector<std::string> unfilled = {};  ///< sparse operands without data, which count as full
};

std::variant<KernelQueries, lazy::NoQuery> queries_of(const State& state, const lang::Program& program,
                                                      const lang::Kernel& kernel);

/// What is in memory by that name. Null: nothing is, or not all of it yet.
const tensor::Tensor* filled(const State& state, const std::string& name);

/// What a tensor stores, counted once.
std::shared_ptr<const lazy::Counted> counted_entries(const State& state, const tensor::Tensor& held);

/// The operands that the kernel finds, rather than computes: what is known of them is the same before each of its runs.
std::vector<std::string> inputs_of(const lang::Kernel& kernel);

}  // namespace trellis::session
