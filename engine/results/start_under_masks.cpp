#include "engine/results/start_under_masks.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "engine/schedule/nests.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

/// `for v { t(v) = constant }`.
bool starts(const Stmt& stmt, const std::string& tensor) {
  const auto* f = stmt.as<loop::For>();
  const Stmt only = f && !f->until ? schedule::only_statement(f->body) : Stmt();
  const auto* a = only ? only.as<loop::Assign>() : nullptr;
  const auto* target = a && !a->op ? a->target.as<lang::Access>() : nullptr;
  if (!target || target->tensor != tensor || target->indices.size() != 1 || !a->value.as<lang::Constant>())
    return false;
  const auto* v = target->indices.front().as<lang::Variable>();
  return v && v->name == f->variable;
}

/// Under which one condition, of an element that the index `position` stands for, are all elements used?
class UsesUnderMasks {
 public:
  UsesUnderMasks(std::string tensor, const std::set<std::string>& masks) : tensor_(std::move(tensor)), masks_(masks) {}

  /// Of the index `as`, in terms of it; empty: there is none.
  std::optional<Expr> condition(const std::vector<Stmt>& behind, const std::string& as) {
    as_ = as;
    for (const Stmt& s : behind) visit(s);
    return fits_ ? found_ : std::nullopt;
  }

 private:
  void visit(const Stmt& s) {
    if (const auto* f = s.as<loop::For>()) {
      read(f->low), read(f->high);
      if (f->until) read(*f->until);
      inner_.push_back(f->variable);
      visit(f->body);
      inner_.pop_back();
      return;
    }
    if (const auto* l = s.as<loop::Let>()) {
      read(l->value);
      inner_.push_back(l->name);
      visit(l->body);
      inner_.pop_back();
      return;
    }
    if (const auto* i = s.as<loop::If>()) {
      read(i->condition);
      conditions_.push_back(i->condition);
      visit(i->then);
      conditions_.pop_back();
      if (i->otherwise) visit(*i->otherwise);
      return;
    }
    if (const auto* a = s.as<loop::Assign>()) {
      const auto* target = a->target.as<lang::Access>();
      fits_ = fits_ && (target->tensor != tensor_ || a->op);  // an update leaves what it began with
      for (const Expr& index : target->indices) read(index);
      read(a->value);
      return;
    }
    if (const auto* r = s.as<loop::Reset>()) fits_ = fits_ && r->tensor != tensor_;
    if (s.as<loop::While>() && schedule::mentions(s, tensor_)) fits_ = false;
    loop::for_each_child(
        s, [&](const Stmt& child) { visit(child); }, [&](const Expr& e) { read(e); });
  }

  void read(const Expr& e) {
    lang::for_each_child(e, [&](const Expr& child) { read(child); });
    const auto* access = e.as<lang::Access>();
    if (!access || access->tensor != tensor_) return;
    const auto* at = access->indices.size() == 1 ? access->indices.front().as<lang::Variable>() : nullptr;
    const std::optional<Expr> here = at ? guard(at->name) : std::nullopt;
    fits_ = fits_ && here && (!found_ || *found_ == *here);
    found_ = here;
  }

  /// The innermost condition around that is about this index, and otherwise about what stands still meanwhile.
  std::optional<Expr> guard(const std::string& index) const {
    for (auto c = conditions_.rbegin(); c != conditions_.rend(); ++c) {
      const std::vector<std::string> variables = lang::free_variables(*c);
      const bool fixed = std::ranges::all_of(variables, [&](const std::string& v) {
        return v == index || (v != as_ && std::ranges::count(inner_, v) == 0);
      });
      if (fixed && std::ranges::count(variables, index) > 0 && asks_masks(*c))
        return lang::substitute(*c, {{index, lang::variable(as_)}});
    }
    return std::nullopt;
  }

  bool asks_masks(const Expr& e) const {
    if (const auto* access = e.as<lang::Access>())
      return masks_.contains(access->tensor) &&
             std::ranges::all_of(access->indices, [](const Expr& i) { return lang::affine(i).has_value(); });
    bool all = !e.as<lang::Call>() && !e.as<lang::Apply>(), any = e.as<lang::Constant>() != nullptr;
    lang::for_each_child(e, [&](const Expr& child) { all = all && asks_masks(child), any = true; });
    return all && any;
  }

  const std::string tensor_;
  const std::set<std::string>& masks_;
  std::string as_;
  std::vector<std::string> inner_;  ///< variables of loops around, inside the block
  std::vector<Expr> conditions_;    ///< around
  std::optional<Expr> found_;
  bool fits_ = true;
};

class Starting {
 public:
  explicit Starting(const std::set<std::string>& masks) : masks_(masks) {}

  Stmt visit(const Stmt& stmt) const {
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* block = inner.as<loop::Block>();
    if (!block) return inner;
    loop::Block next = *block;
    bool changed = false;
    for (const Stmt& s : block->statements)
      if (const auto* d = s.as<loop::Declare>(); d && d->tensor.shape.size() == 1 && d->tensor.format.all_dense())
        changed |= start(next.statements, d->tensor.name);
    return changed ? Stmt(loop::StmtNode{std::move(next), inner->span}, inner.origin(), inner.id()) : inner;
  }

 private:
  /// The first statement that has to do with the tensor starts all of it.
  bool start(std::vector<Stmt>& all, const std::string& tensor) const {
    const auto concerns = [&](const Stmt& s) { return !s.as<loop::Declare>() && schedule::mentions(s, tensor); };
    const auto first = std::ranges::find_if(all, concerns);
    if (first == all.end() || !starts(*first, tensor)) return false;
    loop::For next = *first->as<loop::For>();
    const auto condition = UsesUnderMasks(tensor, masks_).condition({first + 1, all.end()}, next.variable);
    if (!condition) return false;
    const Stmt guard(loop::StmtNode{loop::If{*condition, next.body, std::nullopt}, (*first)->span}, first->origin());
    next.body = loop::block({guard});
    *first = Stmt(loop::StmtNode{std::move(next), (*first)->span}, first->origin(), first->id());
    return true;
  }

  const std::set<std::string>& masks_;
};

}  // namespace

Stmt start_under_masks(const Stmt& loops, const std::set<std::string>& masks) {
  return masks.empty() ? loops : Starting(masks).visit(loops);
}

}  // namespace trellis::results
