#include "engine/results/append_anew.hpp"

#include <algorithm>

#include "engine/loop/find_updates.hpp"
#include "engine/loop/instead_of.hpp"
#include "engine/results/along_storage.hpp"
#include "engine/results/appends.hpp"
#include "engine/results/collect_slices.hpp"
#include "engine/results/element_updates.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

/// Each assignment makes a new element of the old one.
class Anew {
 public:
  Anew(const lang::TensorInfo& tensor, const lang::TensorInfo& old, const lang::Program& program)
      : tensor_(tensor), old_(old), program_(program) {}

  /// Empty when a statement cannot be written so.
  std::optional<Stmt> of(const Stmt& loops) {
    const Stmt made = visit(loops);
    return possible_ ? std::optional(made) : std::nullopt;
  }

 private:
  Stmt visit(const Stmt& stmt) {
    const auto* r = stmt.as<loop::Reset>();
    if (r && r->tensor == tensor_.name) possible_ = false;
    const auto* a = stmt.as<loop::Assign>();
    const auto* target = a ? a->target.as<lang::Access>() : nullptr;
    if (target && target->tensor == tensor_.name) {
      const Expr value = with_old(a->value, target->indices);
      const auto next = a->op ? updated(*a->op, old(a->target), value) : std::optional(value);
      const bool same = !a->op || loop::is_same_either_way(*a, program_);
      possible_ = possible_ && same && next && (*next)->type == a->target->type;
      return next ? loop::instead_of(stmt, loop::Assign{a->target, std::nullopt, *next}) : stmt;
    }
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* f = inner.as<loop::For>();
    if (!f || std::ranges::count(f->reduces, tensor_.name) == 0) return inner;
    loop::For next = *f;
    std::erase(next.reduces, tensor_.name);
    return loop::instead_of(stmt, std::move(next));
  }

  Expr with_old(const Expr& e, const std::vector<Expr>& indices) const {
    const auto* access = e.as<lang::Access>();
    if (access && access->tensor == tensor_.name && access->indices == indices) return old(e);
    return lang::map_children(e, [&](const Expr& child) { return with_old(child, indices); });
  }

  Expr old(const Expr& element) const {
    lang::Access access = *element.as<lang::Access>();
    access.tensor = old_.name;
    return Expr(lang::ExprNode{std::move(access), element->type, element->span}, element.origin(), element.id());
  }

  const lang::TensorInfo& tensor_;
  const lang::TensorInfo& old_;
  const lang::Program& program_;
  bool possible_ = true;
};

}  // namespace

std::optional<Whole> append_anew(const Stmt& loops, const lang::TensorInfo& tensor, const lang::Program& program,
                                 math::Solver& solver) {
  FreshNames names(loops, program);
  const lang::TensorInfo old = temporary_like(tensor, names.take(tensor.name + "_old"), hashed_like(tensor.format));
  const auto fits = [&](const Stmt& made) {
    const auto all = schedule::sites(loop::number(made));
    return overwrites(all, tensor, solver) && !append_obstacle(all, tensor, solver);
  };
  const Stmt turned = along_storage(loops, tensor, program);
  std::optional<Stmt> anew = Anew(tensor, old, program).of(turned);
  std::vector<lang::TensorInfo> workspaces{old};
  if (!anew || !fits(*anew)) anew.reset();
  for (std::size_t fixed = tensor.shape.size(); !anew && fixed > 0; --fixed) {
    const auto slices =
        collect_slices(turned, tensor, fixed, tensor.name + "_w", WorkspaceKind::bytemap, program, solver, &old);
    if (!slices || !fits(slices->loops)) continue;
    anew = slices->loops;
    std::ranges::copy(slices->workspaces, std::back_inserter(workspaces));
  }
  if (!anew) return std::nullopt;

  const Stmt from = first_write(loops, tensor.name);
  loop::Block all{{declare(old, from), start_at_fill(old, from),
                   copy_all(old, tensor, tensor.format.order, tensor, loops, names), start_at_fill(tensor, from)}};
  const auto& rest = anew->as<loop::Block>()->statements;
  all.statements.insert(all.statements.end(), rest.begin(), rest.end());
  return Whole{loop::instead_of(loops, std::move(all)), std::move(workspaces)};
}

}  // namespace trellis::results
