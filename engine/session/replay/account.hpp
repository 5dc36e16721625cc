#pragma once
// What views say about an execution beyond its steps: where each stands in its equation's own indices, which reads come
// too early and what should have come before them, and which elements end up wrong.

#include <vector>

#include "engine/explore/points.hpp"
#include "engine/explore/violations.hpp"
#include "engine/session/replay/recorded.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

struct Account {
  std::vector<explore::StepPoint> points;      ///< by step; of a loop program without fragments
  std::vector<explore::Violation> violations;  ///< of an illegal order
  std::vector<explore::WrongElement> wrong;    ///< likewise, where the execution was recorded to its end
  Boards expected = {};                        ///< the tensors that these are of, as they should be
};
Account account_of(State& state, const lang::Kernel& kernel, const Recorded& recorded);

/// How many steps are done when one has read the element of the instance too early, in that iteration.
std::optional<std::size_t> step_of(const text::Instance& instance, const explore::Trace& trace);

}  // namespace trellis::session
