#pragma once
// What is stored takes the place of tensors: loops over logical arrays become loops over what layouts store, an operand
// each and a digit each, in which every result is written as its format takes values. In this order, since each step
// leaves what the next one looks for:
//
//   stored_masks        masks are patterns to the loops, unless their values count
//   apply_masks         those that ask for elements, as long as there are elements
//   loop::in_storage    tensors become what their layouts store
//   loop::arrange       each operand has the loops that read it, each digit of an index a loop
//   share_results       sums grow in the elements of masked results
//   apply_masks         those that are stored as their results are
//   insert_workspaces   what cannot be appended to is collected first

#include <optional>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"
#include "engine/results/written.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::results {

struct Stored {
  lang::Program program;         ///< of logical arrays, with twins of masks
  lang::Program in_storage;      ///< with tensors as layouts store them: what `loops` are about
  lang::Kernel kernel;           ///< its masks are those that the loops see
  loop::Stmt loops;              ///< numbered
  std::vector<Written> written;  ///< results in sparse formats, and the workspaces that they need
};

/// `loops` after the schedule. Empty, and E0253 or what insert_workspaces reports, where a result cannot be stored so.
std::optional<Stored> store(const loop::Stmt& loops, const lang::Program& program, const lang::Kernel& kernel,
                            math::Solver& solver, text::Diagnostics& diagnostics);

}  // namespace trellis::results
