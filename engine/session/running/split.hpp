#pragma once
// Products that are computed in steps where that lowers the order of growth: the program with equations of its plan
// (engine/lazy/equations.hpp) in the place of the kernel's.

#include <optional>

#include "engine/session/state/state.hpp"

namespace trellis::session {

struct Split {
  lang::Program program;
  lang::Kernel kernel;   ///< of it
  lang::Order order;     ///< of the plan; empty: none
  bool differs = false;  ///< from the kernel, by more than what indices are called
  bool rounds = false;   ///< products of floating numbers are associated anew
};

/// The plan of lazy arrays for the kernel. Empty of recurrences, and where somebody has said anything of how the kernel
/// runs.
std::optional<Split> split(const State& state, const lang::Kernel& kernel);

}  // namespace trellis::session
