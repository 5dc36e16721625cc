#pragma once
// Lets a result be collected as a whole: everything that the loops do to it, they do to a workspace of its shape, and
// it is appended behind them. Always possible. The workspace is stored in the order in which the loops read it.
//
//   for k { for i, j { C(i,j) += A(i,k)*B(k,j) } }
//   →   tensor C_w(n, n): {hashed, hashed}; C_w .= 0; for k { for i, j { C_w(i,j) += … } }; for i, j { C(i,j) = C_w(i,j) }
//
// In another order than its own, a second workspace brings the entries into the right one.

#include <optional>
#include <string>
#include <vector>

#include "engine/results/workspace.hpp"
#include "engine/schedule/instances.hpp"

namespace trellis::results {

/// The order of dimensions, outermost first, in which the loops read the tensor: that of the deepest reads. Empty when
/// they do not, or only what they are about to write.
std::optional<std::vector<int>> order_of_reads(const std::vector<schedule::Site>& sites, const std::string& tensor,
                                               std::size_t rank);

/// What takes the place of a tensor of this shape: dense if a reset writes what is not the fill; hashed where it is
/// only written; else bytemaps in rows along `order`.
format::Format whole_format(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor,
                            bool reset_to_others, std::optional<WorkspaceKind> wanted);
/// Is some reset of the tensor not to its fill?
bool is_reset_to_others(const loop::Stmt& loops, const lang::TensorInfo& tensor);

struct Whole {
  loop::Stmt loops;
  std::vector<lang::TensorInfo> workspaces;
};

/// What the tensor holds when the loops begin: nothing, what no one needs, or what stays where it is not written.
enum class Held { nothing, waste, kept };

/// `loops` is numbered, its root a Block.
Whole collect_whole(const loop::Stmt& loops, const lang::TensorInfo& tensor, const std::string& name,
                    std::optional<WorkspaceKind> kind, Held held, const lang::Program& program);

}  // namespace trellis::results
