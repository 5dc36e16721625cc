#include "engine/results/collect_whole.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "engine/loop/find_updates.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

/// How deep the innermost loop stands that the index names; 0 outside all.
std::size_t depth_of(const math::Affine& index, const schedule::Site& site) {
  std::size_t depth = 0;
  for (std::size_t k = 0; k < site.loops.size(); ++k)
    if (index.mentions(site.loops[k].variable)) depth = k + 1;
  return depth;
}

/// Every mention of a tensor becomes one of another.
class Renaming {
 public:
  Renaming(std::string from, std::string to) : from_(std::move(from)), to_(std::move(to)) {}

  Stmt rename(const Stmt& stmt) const {
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return rename(child); }, [&](const Expr& e) { return rename(e); });
    const auto made = [&](auto node) {
      return Stmt(loop::StmtNode{std::move(node), inner->span}, inner.origin(), inner.id());
    };
    if (const auto* r = inner.as<loop::Reset>(); r && r->tensor == from_) return made(loop::Reset{to_, r->value});
    if (const auto* l = inner.as<loop::Lifecycle>(); l && l->tensor == from_)
      return made(loop::Lifecycle{l->thaw, to_});
    const auto* f = inner.as<loop::For>();
    if (!f || std::ranges::count(f->reduces, from_) == 0) return inner;
    loop::For next = *f;
    std::ranges::replace(next.reduces, from_, to_);
    return made(std::move(next));
  }

 private:
  Expr rename(const Expr& expr) const {
    const Expr inner = lang::map_children(expr, [&](const Expr& child) { return rename(child); });
    const auto* access = inner.as<lang::Access>();
    if (!access || access->tensor != from_) return inner;
    return Expr(lang::ExprNode{lang::Access{to_, access->indices, {}}, inner->type, inner->span}, inner.origin(),
                inner.id());
  }

  std::string from_, to_;
};

}  // namespace

std::optional<std::vector<int>> order_of_reads(const std::vector<schedule::Site>& sites, const std::string& tensor,
                                               std::size_t rank) {
  std::map<std::vector<int>, double> votes;
  for (const schedule::Site& site : sites) {
    for (const schedule::Touch& read : site.touches) {
      if (read.kind != schedule::Touch::Kind::read || read.tensor != tensor) continue;
      const bool of_its_own = std::ranges::any_of(site.touches, [&](const schedule::Touch& other) {
        return other.kind != schedule::Touch::Kind::read && other.tensor == tensor && other.index == read.index;
      });
      if (of_its_own) continue;
      std::vector<std::size_t> depths;
      for (std::size_t d = 0; d < rank; ++d)
        depths.push_back(read.index[d] ? depth_of(*read.index[d], site) : site.loops.size());
      std::vector<int> order(rank);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, {}, [&](int d) { return depths[static_cast<std::size_t>(d)]; });
      double weight = 1;
      for (std::size_t k = 0; k < site.loops.size(); ++k) weight *= 10;
      votes[order] += weight;
    }
  }
  if (votes.empty()) return std::nullopt;
  return std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; })->first;
}

bool is_reset_to_others(const Stmt& loops, const lang::TensorInfo& tensor) {
  bool found = false;
  loop::for_each(loops, [&](const Stmt& stmt) {
    const auto* r = stmt.as<loop::Reset>();
    found |= r && r->tensor == tensor.name && !is_fill(r->value, tensor);
  });
  return found;
}

format::Format whole_format(const std::vector<schedule::Site>& sites, const lang::TensorInfo& tensor,
                            bool reset_to_others, std::optional<WorkspaceKind> wanted) {
  const auto reads = order_of_reads(sites, tensor.name, tensor.shape.size());
  const std::vector<int> order = reads.value_or(tensor.format.order);
  if (reset_to_others || wanted == WorkspaceKind::dense) return workspace_format(WorkspaceKind::dense, order);
  if (wanted == WorkspaceKind::hash) return hashed_format(order);
  if (!reads && !wanted) return hashed_like(tensor.format);
  return workspace_format(wanted.value_or(WorkspaceKind::bytemap), order);
}

Whole collect_whole(const Stmt& loops, const lang::TensorInfo& tensor, const std::string& name,
                    std::optional<WorkspaceKind> kind, Held held, const lang::Program& program) {
  FreshNames names(loops, program);
  const Stmt from = first_write(loops, tensor.name);
  const format::Format wanted = whole_format(schedule::sites(loops), tensor, is_reset_to_others(loops, tensor), kind);
  const lang::TensorInfo workspace = temporary_like(tensor, names.take(name), wanted);

  Whole result;
  loop::Block all;
  const auto add = [&](Stmt stmt) { all.statements.push_back(std::move(stmt)); };
  const auto begin = [&](const lang::TensorInfo& info) {
    result.workspaces.push_back(info);
    add(declare(info, from));
    add(start_at_fill(info, from));
  };
  const auto copied = [&](const lang::TensorInfo& to, const lang::TensorInfo& source, const std::vector<int>& order) {
    add(copy_all(to, source, order, tensor, loops, names));
  };

  begin(workspace);
  if (held == Held::kept) copied(workspace, tensor, tensor.format.order);
  const Stmt renamed = Renaming(tensor.name, workspace.name).rename(loop::find_updates_of(tensor.name, loops, program));
  for (const Stmt& child : renamed.as<loop::Block>()->statements) add(child);
  if (held != Held::nothing) add(start_at_fill(tensor, from));
  const lang::TensorInfo* last = &workspace;
  lang::TensorInfo sorted = workspace;
  if (workspace.format.order != tensor.format.order && !workspace.format.all_dense()) {
    sorted = temporary_like(tensor, names.take(name), hashed_like(tensor.format));
    begin(sorted);
    copied(sorted, workspace, workspace.format.order);
    last = &sorted;
  }
  copied(tensor, *last, tensor.format.order);
  result.loops = Stmt(loop::StmtNode{std::move(all), loops->span}, loops.origin(), loops.id());
  return result;
}

}  // namespace trellis::results
