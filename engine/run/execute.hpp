#pragma once
// What execute and repeat share: a kernel, run several times in one child.

#include <span>
#include <string>

#include "engine/run/kernel.hpp"

namespace trellis::run {

/// Runs the kernel times.size() times, each on the arrays' present values, and stores each run's milliseconds.
/// Arrays can be abandoned after a single run only: several begin with the same values.
Outcome execute_times(const Kernel& kernel, const Bindings& bindings, const Limits& limits, std::span<double> times,
                      AfterFailure arrays = AfterFailure::restored);

struct Ending;
struct Report;
/// The child's end and its report, as one outcome. Only Ending::Kind::returned makes the report complete.
Outcome judge(const emit::Module& module, const Ending& ending, const Report& report, const Limits& limits,
              std::size_t memory);

/// What went wrong at that site, as one line for people: "index a(i) of T is out of range".
std::string fault_message(const emit::Module& module, emit::FaultKind kind, int site);

}  // namespace trellis::run
