#pragma once
// `march L i`: what is looked up in L at coordinates that rise with the loop over i is found by pointers that rise with
// it, one for each fiber, rather than by bisection.
//
//   for i { for k { … L(i,k) … } }    L: csc      locate pL = march(L.2, [k], i)      a pointer for each column k
//
// Each look-up has pointers of its own, which start at the first entries: within one run of an ascending loop over i
// the coordinates that it asks a fiber for never fall, so that a pointer passes each entry once. Where that loop runs
// many times, inside of another, a pointer that stands behind what it is asked for goes back, by bisection, once in
// each run. Source: RECUMA, on iterating over rows of matrices that are stored by columns.

#include <string>
#include <variant>

#include "engine/flow/flow.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::flow {

/// Why nothing marches.
struct NoMarch {
  std::string reason;
};

/// Why there is no pointer for each fiber that is looked up in, whatever it is asked for; empty: there may be one.
std::string no_pointers(const Tensor& tensor, const Locate& locate);

std::variant<Flow, NoMarch> march(const Flow& flow, const std::string& tensor, const std::string& variable);

/// Everything that an inner loop over entries asks fibers for, at a coordinate that rises with the outermost loop, or
/// with another one over entries alone: of operands, of results that have the entries of one, and of those that are
/// appended to, as their entries stay. What one fiber is asked for once is sought.
/// (docs/design/recurrences.md#marching-pointers)
Flow march_where_it_wins(const Flow& flow);

/// Every `march` of the kernel's schedule, one after the other; empty, and E0912, when one is of no use.
std::optional<Flow> march_as_scheduled(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics);

}  // namespace trellis::flow
