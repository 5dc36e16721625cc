#include "engine/results/read_under_masks.hpp"

#include <algorithm>
#include <optional>

#include "engine/results/mask_condition.hpp"
#include "engine/results/vanishes.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

class Reading {
 public:
  Reading(const lang::TensorInfo& tensor, const std::vector<const lang::TensorInfo*>& masks)
      : tensor_(tensor), masks_(masks) {}

  Stmt visit(const Stmt& stmt) const {
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* f = inner.as<loop::For>();
    const Stmt only = f ? schedule::only_statement(f->body) : Stmt();
    if (!f || f->until || (only && only.as<loop::If>())) return inner;
    const auto condition = condition_of(*f);
    if (!condition) return inner;
    loop::For next = *f;
    next.body =
        loop::block({Stmt(loop::StmtNode{loop::If{*condition, f->body, std::nullopt}, stmt->span}, stmt.origin())});
    return Stmt(loop::StmtNode{std::move(next), inner->span}, inner.origin(), inner.id());
  }

 private:
  std::optional<Expr> condition_of(const loop::For& f) const {
    const std::vector<std::string> inside = schedule::bound_names(f.body);
    std::vector<Expr> found;
    loop::for_each(f.body, [&](const Stmt& s) {
      if (const auto* a = s.as<loop::Assign>()) look(a->value, f, inside, found);
    });
    if (found.empty()) return std::nullopt;
    Expr all = found.front();
    for (std::size_t k = 1; k < found.size(); ++k) all = lang::binary(format::BinaryOp::logical_and, all, found[k]);
    return all;
  }

  void look(const Expr& e, const loop::For& f, const std::vector<std::string>& inside, std::vector<Expr>& found) const {
    lang::for_each_child(e, [&](const Expr& child) { look(child, f, inside, found); });
    const auto* access = e.as<lang::Access>();
    if (!access || access->tensor != tensor_.name || access->step) return;
    for (const Expr& index : access->indices)
      if (std::ranges::any_of(lang::free_variables(index),
                              [&](const std::string& v) { return std::ranges::count(inside, v) > 0; }))
        return;
    if (walks(tensor_, *access, f.variable)) return;
    const auto mask =
        std::ranges::find_if(masks_, [&](const lang::TensorInfo* m) { return walks(*m, *access, f.variable); });
    if (mask == masks_.end()) return;
    const auto at_fill = [&](const lang::Access& a) {
      return a.tensor == tensor_.name && a.indices == access->indices ? std::optional(tensor_.fill) : std::nullopt;
    };
    if (vanishes(f.body, at_fill)) add_once(found, mask_condition(**mask, access->indices));
  }

  /// Does the loop go along what the tensor stores innermost?
  static bool walks(const lang::TensorInfo& tensor, const lang::Access& access, const std::string& variable) {
    if (tensor.format.layout) return false;
    const std::size_t innermost =
        tensor.format.order.empty() ? access.indices.size() - 1 : static_cast<std::size_t>(tensor.format.order.back());
    const auto along = [&](std::size_t d) {
      return std::ranges::count(lang::free_variables(access.indices[d]), variable) > 0;
    };
    for (std::size_t d = 0; d < access.indices.size(); ++d)
      if (along(d) != (d == innermost)) return false;
    return !tensor.format.all_known();
  }

  const lang::TensorInfo& tensor_;
  const std::vector<const lang::TensorInfo*>& masks_;
};

}  // namespace

Stmt read_under_masks(const Stmt& loops, const lang::TensorInfo& tensor,
                      const std::vector<const lang::TensorInfo*>& masks) {
  return masks.size() < 2 ? loops : Reading(tensor, masks).visit(loops);
}

}  // namespace trellis::results
