#pragma once
// Lets each slice of a result be collected in a workspace: all writes that agree in the outermost `fixed` coordinates
// of its storage order go there, within the loops that these coordinates name, and one copy appends the slice behind
// them.
//
//   for i { for k { for j { C(i,j) += … } } }            fixed 1: C_w(n), around the loops k and j
//   for i { for j { for k { C(i,j) += … } } }            fixed 2: C_w, a scalar, around loop k
//
// Whether the copies then come in storage order, and reads find what is finished, is for append_obstacle to say.

#include <optional>
#include <string>
#include <vector>

#include "engine/math/solver.hpp"
#include "engine/results/workspace.hpp"

namespace trellis::results {

struct Slices {
  loop::Stmt loops;
  std::vector<lang::TensorInfo> workspaces;  ///< a part of the loops that has its own prefix has its own workspace
};

/// `loops` is numbered, its root a Block. Empty when the slices are not those of enclosing loops, or no workspace is
/// needed for them. `name` and `kind` are those of the workspaces. They start with the elements of `old`, a tensor of
/// the same shape; null: at the fill.
std::optional<Slices> collect_slices(const loop::Stmt& loops, const lang::TensorInfo& tensor, std::size_t fixed,
                                     const std::string& name, WorkspaceKind kind, const lang::Program& program,
                                     math::Solver& solver, const lang::TensorInfo* old = nullptr);

}  // namespace trellis::results
