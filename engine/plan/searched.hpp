#pragma once
// Operands that a kernel searches, and that a plan may lay out otherwise.

#include <set>
#include <string>

#include "engine/flow/look_ups.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/function_ref.hpp"

namespace trellis::plan {

/// Those that are looked up so and stay as they are while the kernel runs, in levels that hold any entries and that
/// counting lays out: a band or a run of one order is none in another.
std::set<std::string> searched(const lang::Program& program, const lang::Kernel& kernel, const flow::LookUps& now,
                               text::FunctionRef<bool(const flow::LookUp&)> so);

}  // namespace trellis::plan
