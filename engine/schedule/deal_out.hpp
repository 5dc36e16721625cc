#pragma once
// `parallel A`: threads get as many of an operand's rows and entries each, whatever the rows. A row that several
// threads share is added up by all of them.
//
//   for i in 0:n { y(i) = 0; for j { y(i) += A(i,j)*x(j) } }
//
//   →   for i in 0:n { y(i) = 0 }
//       forall i in 0:n parallel by A reduces y { for j { y(i) += A(i,j)*x(j) } }
//
// Source: Merrill and Garland, Merge-based parallel sparse matrix-vector multiplication, 2016.

#include "engine/lang/program.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// The loops over what the tensor's two outer levels store.
struct RowLoops {
  std::string rows, entries;
};
/// E0150 where the tensor has no rows of entries, or its indices there are no variables.
std::variant<RowLoops, Unfit> row_loops(const loop::Stmt& loops, const lang::TensorInfo& tensor);

/// The loop over rows holds that over entries, and nothing else; what stood beside it has loops of its own.
Transformed rows_alone(const loop::Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver);

/// Marks the loop over rows that holds the one over entries.
loop::Stmt dealt_out(const loop::Stmt& loops, const RowLoops& names, const lang::TensorInfo& tensor,
                     const std::vector<std::string>& reduces);

}  // namespace trellis::schedule
