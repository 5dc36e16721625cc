#include "engine/loop/in_storage.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/access/compose.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/loop/context.hpp"

namespace trellis::loop {

namespace {

using format::Layout;
using lang::TensorInfo;
using math::Affine;
using math::Constraint;

class Rewriter {
 public:
  Rewriter(const lang::Program& program, text::Diagnostics& diagnostics) : diagnostics_(diagnostics) {
    for (const TensorInfo& info : program.tensors) note(info);
  }

  bool needed(const Stmt& loops) {
    for_each(loops, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>()) note(d->tensor);
    });
    return !layouts_.empty();
  }

  Stmt rewritten(const Stmt& stmt, const Context& known) {
    if (const auto* d = stmt.as<Declare>())
      return Stmt(StmtNode{Declare{stored(d->tensor)}, stmt->span}, stmt.origin());
    if (const auto* r = stmt.as<Reset>()) starts_at_fill(*r, stmt);
    bool then = true;
    const auto* assign = stmt.as<Assign>();
    const auto* loop = stmt.as<For>();
    return map_children(
        stmt, [&](const Stmt& child) { return rewritten(child, known.within(stmt, std::exchange(then, false))); },
        [&](const Expr& expr) {
          const bool target = assign && expr.same(assign->target);
          const bool asked_inside = loop && loop->until && expr.same(*loop->until);
          if (asked_inside) return read(expr, known.inside(*loop));
          return target ? written(expr, known, stmt->span) : read(expr, known);
        });
  }

  static TensorInfo stored(TensorInfo info) {
    if (!info.format.layout) return info;
    info.shape = format::level_sizes(info.format, info.shape);
    info.format = info.format.stored();
    return info;
  }

  bool sound() const { return sound_; }

 private:
  void note(const TensorInfo& info) {
    if (info.format.layout) layouts_[info.name] = info;
  }

  static Expr access_in(const Expr& access, const TensorInfo& info, const Layout::Branch& branch,
                        const access::Composition& applied, const Context& known) {
    lang::Access next = *access.as<lang::Access>();
    next.indices = access::level_indices(applied, info, branch);
    for (Expr& index : next.indices)
      if (const auto form = lang::affine(index); form && !form->quotients.empty())
        index = known.to_expr(info.format.stored().all_dense() ? digits_of_tiles(cancel_digits(*form, known), known)
                                                               : cancel_digits(*form, known));
    return Expr(lang::ExprNode{std::move(next), access->type, access->span}, access.origin(), access.id());
  }

  /// Conditions that hold anyway are left out.
  Expr read(const Expr& expr, const Context& known) const {
    if (const auto* s = expr.as<lang::Select>()) {
      const Expr condition = read(s->condition, known);
      const Expr then = read(s->then, known.where(condition));
      const Expr otherwise = read(s->otherwise, known.where_not(condition));
      if (condition.same(s->condition) && then.same(s->then) && otherwise.same(s->otherwise)) return expr;
      return Expr(lang::ExprNode{lang::Select{condition, then, otherwise}, expr->type, expr->span}, expr.origin(),
                  expr.id());
    }
    const Expr inside = lang::map_children(expr, [&](const Expr& child) { return read(child, known); });
    const auto* access = inside.as<lang::Access>();
    const auto found = access ? layouts_.find(access->tensor) : layouts_.end();
    if (found == layouts_.end()) return inside;
    const TensorInfo& info = found->second;
    const Layout& layout = *info.format.layout;
    const access::Composition applied(layout, access->indices);
    Expr all = access_in(inside, info, layout.branches.back(), applied, known);
    for (std::size_t b = layout.branches.size() - 1; b-- > 0;)
      all = select(applied, layout.branches[b].where, access_in(inside, info, layout.branches[b], applied, known), all,
                   known);
    return select(applied, layout.stored, all, lang::constant(info.fill, true), known);
  }

  static Expr select(const access::Composition& applied, const std::vector<Constraint>& all, const Expr& then,
                     const Expr& otherwise, const Context& known) {
    std::vector<Expr> open;
    for (const Constraint& c : all) {
      const Expr condition = applied(c);
      const std::optional<bool> decided = known.decide(condition);
      if (decided == false) return otherwise;
      if (!decided) open.push_back(condition);
    }
    if (open.empty()) return then;
    const Expr condition = conjunction(open);
    return Expr(lang::ExprNode{lang::Select{condition, then, otherwise}, then->type, then->span});
  }

  Expr written(const Expr& target, const Context& known, text::Span stmt) {
    const auto* access = target.as<lang::Access>();
    const auto found = layouts_.find(access->tensor);
    if (found == layouts_.end()) return read(target, known);
    const Layout& layout = *found->second.format.layout;
    const Expr inside = lang::map_children(target, [&](const Expr& child) { return read(child, known); });
    const access::Composition applied(layout, inside.as<lang::Access>()->indices);
    for (const auto* some : {&layout.stored, &layout.branches.front().where})
      for (const Constraint& c : *some)
        if (sound_ && known.decide(applied(c)) != true) refuse(target, stmt, found->second, c);
    return access_in(inside, found->second, layout.branches.front(), applied, known);
  }

  /// What has no place is the fill, whatever else a tensor is reset to.
  void starts_at_fill(const Reset& reset, const Stmt& stmt) {
    const auto found = layouts_.find(reset.tensor);
    if (found == layouts_.end() || found->second.format.layout->stored.empty()) return;
    const auto* value = reset.value.as<lang::Constant>();
    if (value && value->value == found->second.fill) return;
    if (!sound_) return;
    sound_ = false;
    diagnostics_
        .error("E0253", stmt->span,
               "all of " + reset.tensor + " becomes " + lang::to_string(reset.value) + ", and " +
                   found->second.format.layout->name + " does not store all of it")
        .notes.push_back({{}, "what is not stored is its fill, " + format::to_string(found->second.fill)});
  }

  void refuse(const Expr& target, text::Span stmt, const TensorInfo& info, const Constraint& c) {
    sound_ = false;
    const std::string needed = math::to_string(c);
    std::string dimensions;
    for (const std::string& d : info.format.layout->dimensions) dimensions += (dimensions.empty() ? "" : ", ") + d;
    diagnostics_
        .error("E0253", target->span.known() ? target->span : stmt,
               lang::to_string(target) + " may be written where " + info.format.layout->name +
                   " stores nothing of its own")
        .notes.push_back(
            {{}, "it stores the elements (" + dimensions + ") where " + needed + ": constrain the equation to these"});
  }

  std::map<std::string, TensorInfo> layouts_;
  text::Diagnostics& diagnostics_;
  bool sound_ = true;
};

}  // namespace

std::optional<InStorage> in_storage(const Stmt& loops, const lang::Program& program, math::Solver& solver,
                                    text::Diagnostics& diagnostics) {
  Rewriter rewriter(program, diagnostics);
  if (!rewriter.needed(loops)) return InStorage{loops, program};
  InStorage result{rewriter.rewritten(loops, Context(solver)), program};
  for (TensorInfo& info : result.program.tensors) info = Rewriter::stored(std::move(info));
  return rewriter.sound() ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace trellis::loop
