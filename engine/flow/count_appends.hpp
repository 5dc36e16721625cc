#pragma once
// Results in sparse formats that the iterations of a parallel loop append to. Entries stand one behind the other, so
// nobody knows where those of iteration i begin before all earlier ones are counted: the loop runs twice, on all
// threads each time.
//
//   loop i parallel { … append C(i, j) = e }     →     loop i parallel counting { … count C(i, j) } then { … append C(i, j) = e }
//
// Of a scattered result the entries of each fiber are counted, in the same way.
//
// Between the two the counts become positions. What only makes values is left out of the first; workspaces of an
// iteration belong to its thread. The entries are the same as those of the serial loop, in the same order, whatever the
// number of threads.

#include <string>
#include <variant>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// A loop whose iterations need each other's entries.
struct NotApart {
  std::string variable;
  std::string reason;  ///< "its iterations append to C"
  std::string note;    ///< what it would take
};

std::variant<Flow, NotApart> count_appends(const Flow& flow);

/// The same; empty, and E0147 at the kernel's `parallel`, where a loop cannot run as it was asked to.
std::optional<Flow> count_parallel_appends(const Flow& flow, const lang::Kernel& kernel,
                                           text::Diagnostics& diagnostics);

}  // namespace trellis::flow
