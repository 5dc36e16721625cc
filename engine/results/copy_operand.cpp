#include "engine/results/copy_operand.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/format/level.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

/// Has it a level that offers its entries in no order, and finds none?
bool is_only_walked(const lang::TensorInfo& tensor) {
  return std::ranges::any_of(format::facts(tensor.format),
                             [](const format::Facts& level) { return level.locate == format::Locate::none; });
}

/// The reads of one tensor whose indices, in its storage order, are not those of ever deeper loops; all reads of one
/// that has no order.
class Crossing {
 public:
  Crossing(const lang::TensorInfo& tensor, Copied what)
      : tensor_(tensor), all_(what == Copied::everything || is_only_walked(tensor)) {}

  /// Those of them read `to`, once it is given.
  Stmt visit(const Stmt& stmt, const lang::TensorInfo* to) {
    const auto* f = stmt.as<loop::For>();
    const auto* l = stmt.as<loop::Let>();
    const std::size_t outside = bound_.size();
    if (f) bound_.push_back(f->variable);
    if (l) bound_.push_back(l->name);
    Stmt result = loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child, to); }, [&](const Expr& e) { return visit(e, to); });
    bound_.resize(outside);
    return result;
  }

  /// The dimensions by the depth of the loops, outermost first, as the deepest of these reads have them.
  std::optional<std::vector<int>> order() const {
    if (votes_.empty()) return std::nullopt;
    return std::ranges::max_element(votes_, {}, [](const auto& vote) { return vote.second; })->first;
  }

 private:
  Expr visit(const Expr& expr, const lang::TensorInfo* to) {
    const Expr inner = lang::map_children(expr, [&](const Expr& child) { return visit(child, to); });
    const auto* access = inner.as<lang::Access>();
    if (!access || access->tensor != tensor_.name) return inner;
    std::vector<std::size_t> depths;
    for (const Expr& index : access->indices) depths.push_back(depth_of(index));
    const auto depth = [&](int d) { return depths[static_cast<std::size_t>(d)]; };
    if (!all_ && std::ranges::is_sorted(tensor_.format.order, {}, depth)) return inner;
    std::vector<int> order(depths.size());
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, depth);
    votes_[order] += std::size_t{1} << std::min<std::size_t>(4 * bound_.size(), 60);
    if (!to) return inner;
    return Expr(lang::ExprNode{lang::Access{to->name, access->indices, {}}, inner->type, inner->span}, inner.origin(),
                inner.id());
  }

  /// 0 outside all loops.
  std::size_t depth_of(const Expr& index) const {
    std::size_t deepest = 0;
    if (const auto* v = index.as<lang::Variable>()) {
      const auto found = std::find(bound_.rbegin(), bound_.rend(), v->name);
      deepest = static_cast<std::size_t>(bound_.rend() - found);
    }
    lang::for_each_child(index, [&](const Expr& child) { deepest = std::max(deepest, depth_of(child)); });
    return deepest;
  }

  const lang::TensorInfo& tensor_;
  const bool all_;
  std::vector<std::string> bound_;  ///< by loops and lets, outermost first
  std::map<std::vector<int>, std::size_t> votes_;
};

}  // namespace

std::optional<OperandCopy> copy_operand(const Stmt& loops, const lang::TensorInfo& tensor, const std::string& name,
                                        WorkspaceKind kind, const lang::Program& program, Copied what) {
  Crossing crossing(tensor, what);
  crossing.visit(loops, nullptr);
  const auto order = crossing.order();
  if (!order) return std::nullopt;
  FreshNames names(loops, program);
  lang::TensorInfo workspace = tensor;
  workspace.name = names.take(name);
  workspace.kind = lang::TensorInfo::Kind::temporary;
  workspace.pad = false;
  workspace.copy = true;
  workspace.format = kind == WorkspaceKind::hash ? hashed_format(*order) : workspace_format(kind, *order);

  loop::Block all{{declare(workspace, loops), start_at_fill(workspace, loops)}};
  all.statements.push_back(copy({workspace,
                                 tensor,
                                 std::vector<std::optional<Expr>>(tensor.shape.size()),
                                 index_names(loops, tensor),
                                 {},
                                 tensor.format.order},
                                names, loops));
  const Stmt reading = crossing.visit(loops, &workspace);
  for (const Stmt& child : reading.as<loop::Block>()->statements) all.statements.push_back(child);
  const char* const reason = what == Copied::everything ? "`find` has it looked up there"
                             : is_only_walked(tensor)   ? "its entries have no order"
                                                        : "the loops read it against its storage";
  return OperandCopy{Stmt(loop::StmtNode{std::move(all), loops->span}, loops.origin(), loops.id()),
                     {tensor.name, Written::How::copied, {std::move(workspace)}, reason}};
}

}  // namespace trellis::results
