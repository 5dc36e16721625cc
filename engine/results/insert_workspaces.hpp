#pragma once
// Makes results in sparse formats writable. Behind this pass each of them is only appended to: `C(…) = e`, without an
// operator, in strictly rising storage order, from an empty C on; what is read of it is finished by then
// (append_obstacle). Where the loops write otherwise, they write a workspace that takes values in any order, and a copy
// appends from there:
//
//   for i { for k { for j { C(i,j) += A(i,k)*B(k,j) } } }        C: csr
//   →   for i { tensor C_w(n): {bytemap}; C_w .= 0; for k { for j { C_w(j) += A(i,k)*B(k,j) } }
//               for j { C(i,j) = C_w(j) } }
//
// A result whose mask is stored in the result's own layout needs neither: it has the mask's entries from the start, and
// is written where they are, in any order (docs/design/recurrences.md#known-patterns).
//
// An operand that a `workspace` command is about is copied into one (copy_operand.hpp).
// Tensors that are all dense are left as they are, and so are loops that write no others.

#include <optional>
#include <vector>

#include "engine/lang/schedule.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"
#include "engine/results/written.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::results {

struct Insertion {
  loop::Stmt loops;
  std::vector<Written> written;  ///< in the order in which the loops mention them
};

/// `loops` after the schedule. Empty when a `workspace` command does not fit, which is reported.
std::optional<Insertion> insert_workspaces(const loop::Stmt& loops, const lang::Kernel& kernel,
                                           const lang::Program& program, math::Solver& solver,
                                           text::Diagnostics& diagnostics);

}  // namespace trellis::results
