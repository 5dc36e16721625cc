#pragma once
// Lets the loops read a copy of an operand where they read it against its storage: `workspace w for A(:,:) hash`.
//
//   for i, j { C(i,j) = A(i,j) + A(j,i) }        A: csr
//   →   tensor w(n, n): {hashed, hashed} @ (1, 0); w .= 0; for i, j { w(i,j) = A(i,j) }; for i, j { C(i,j) = A(i,j) + w(j,i) }
//
// The copy is made in the order of A, and stored in that of the loops: entries that would be searched for are walked.
// It also puts entries into an order that are stored in none.

#include <optional>
#include <string>

#include "engine/loop/stmt.hpp"
#include "engine/results/workspace.hpp"
#include "engine/results/written.hpp"

namespace trellis::results {

struct OperandCopy {
  loop::Stmt loops;
  Written written;
};

/// What is read of the copy: what goes against the operand's storage, or everything.
enum class Copied { crossing, everything };

/// `loops`: a Block that does not write the tensor. Empty when it reads the tensor nowhere, or only in the order of its
/// storage.
std::optional<OperandCopy> copy_operand(const loop::Stmt& loops, const lang::TensorInfo& tensor,
                                        const std::string& name, WorkspaceKind kind, const lang::Program& program,
                                        Copied what = Copied::crossing);

}  // namespace trellis::results
