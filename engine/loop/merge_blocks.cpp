#include "engine/loop/merge_blocks.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/format/neutral_element.hpp"
#include "engine/loop/context.hpp"
#include "engine/loop/simplify_expressions.hpp"

namespace trellis::loop {

namespace {

Expr rename(const Expr& expr, const std::string& from, const std::string& to) {
  const Expr inner = lang::map_children(expr, [&](const Expr& child) { return rename(child, from, to); });
  auto* access = inner.as<lang::Access>();
  if (!access || access->tensor != from) return inner;
  lang::ExprNode node = *inner;
  std::get<lang::Access>(node.is).tensor = to;
  return Expr(std::move(node), inner.origin(), inner.id());
}

Stmt rename(const Stmt& stmt, const std::string& from, const std::string& to) {
  const Stmt inner = map_children(
      stmt, [&](const Stmt& child) { return rename(child, from, to); },
      [&](const Expr& expr) { return rename(expr, from, to); });
  StmtNode node = *inner;
  if (auto* d = std::get_if<Declare>(&node.is); d && d->tensor.name == from) {
    d->tensor.name = to;
  } else if (auto* r = std::get_if<Reset>(&node.is); r && r->tensor == from) {
    r->tensor = to;
  } else if (auto* f = std::get_if<For>(&node.is)) {
    std::replace(f->reduces.begin(), f->reduces.end(), from, to);
  } else if (auto* l = std::get_if<Lifecycle>(&node.is); l && l->tensor == from) {
    l->tensor = to;
  } else {
    return inner;
  }
  return Stmt(std::move(node), inner.origin(), inner.id());
}

bool is_note(const Stmt& stmt) { return stmt.as<Note>() != nullptr; }

bool has_effect(const Stmt& body) {
  const auto& all = body.as<Block>()->statements;
  return std::any_of(all.begin(), all.end(), [](const Stmt& s) { return !is_note(s) && !s.as<Declare>(); });
}

bool updates_by_nothing(const Assign& a) {
  auto* value = a.value.as<lang::Constant>();
  return value && a.op && format::neutral_element(*a.op, a.value->type) == value->value && !may_fault(a.target);
}

class Merger {
 public:
  explicit Merger(const Stmt& whole) {
    for_each(whole, [&](const Stmt& stmt) {
      if (auto* d = stmt.as<Declare>()) ++declared_[d->tensor.name];
    });
  }

  Stmt merge(const Stmt& stmt) {
    const Stmt inner = map_children(
        stmt, [&](const Stmt& child) { return merge(child); }, [](const Expr& expr) { return expr; });
    if (auto* b = inner.as<Block>()) return flatten(inner, *b);
    if (auto* i = inner.as<If>()) return merge_if(inner, *i);
    if (auto* f = inner.as<For>(); f && !has_effect(f->body) && !may_fault(f->low) && !may_fault(f->high))
      return block({});
    if (auto* l = inner.as<Let>(); l && !has_effect(l->body) && !may_fault(l->value)) return block({});
    if (auto* a = inner.as<Assign>(); a && updates_by_nothing(*a)) return block({});
    return inner;
  }

 private:
  /// The statements of an inner block, its temporaries under names of their own.
  std::vector<Stmt> dissolve(Stmt inner) {
    std::vector<std::string> shared;
    for (const Stmt& stmt : inner.as<Block>()->statements) {
      auto* d = stmt.as<Declare>();
      if (d && declared_[d->tensor.name] > 1) shared.push_back(d->tensor.name);
    }
    for (const std::string& name : shared) {
      std::string fresh = name;
      for (int k = 2; declared_.contains(fresh); ++k) fresh = name + "_" + std::to_string(k);
      --declared_[name];
      ++declared_[fresh];
      inner = rename(inner, name, fresh);
    }
    return inner.as<Block>()->statements;
  }

  Stmt flatten(const Stmt& stmt, const Block& b) {
    std::vector<Stmt> flat;
    bool changed = false;
    for (const Stmt& child : b.statements) {
      if (child.as<Block>()) {
        changed = true;
        for (Stmt& inner : dissolve(child)) changed |= append(flat, std::move(inner));
      } else {
        changed |= append(flat, child);
      }
    }
    return changed ? Stmt(StmtNode{Block{std::move(flat)}, stmt->span}, stmt.origin(), stmt.id()) : stmt;
  }

  /// Joins the statement with the one before where both are ifs with one condition; true if it did.
  bool append(std::vector<Stmt>& flat, Stmt next) {
    auto* second = next.as<If>();
    auto* first = flat.empty() ? nullptr : flat.back().as<If>();
    if (!first || !second || first->otherwise || second->otherwise || !(first->condition == second->condition) ||
        writes_what_reads(first->then, first->condition)) {
      flat.push_back(std::move(next));
      return false;
    }
    const Stmt body = block({first->then, second->then}, text::merge(first->then.origin(), second->then.origin()));
    If joined{first->condition, flatten(body, *body.as<Block>()), std::nullopt};
    flat.back() = Stmt(StmtNode{std::move(joined), text::cover(flat.back()->span, next->span)},
                       text::merge(flat.back().origin(), next.origin()), flat.back().id());
    return true;
  }

  Stmt merge_if(const Stmt& stmt, const If& i) {
    If next = i;
    if (next.otherwise && !has_effect(*next.otherwise)) next.otherwise.reset();
    if (!has_effect(next.then)) {
      if (!next.otherwise) return may_fault(i.condition) ? stmt : block({});
      const Expr opposite(
          lang::ExprNode{lang::Unary{format::UnaryOp::logical_not, i.condition}, i.condition->type, i.condition->span});
      next = If{simplify(opposite), *next.otherwise, std::nullopt};
    }
    const auto& body = next.then.as<Block>()->statements;
    const If* only = body.size() == 1 ? body.front().as<If>() : nullptr;
    if (only && !next.otherwise && !only->otherwise) {
      next = If{lang::binary(format::BinaryOp::logical_and, next.condition, only->condition), only->then, std::nullopt};
    }
    if (next == i) return stmt;
    return Stmt(StmtNode{std::move(next), stmt->span}, stmt.origin(), stmt.id());
  }

  std::map<std::string, int> declared_;
};

}  // namespace

Stmt merge_blocks(const Stmt& stmt) { return Merger(stmt).merge(stmt); }

}  // namespace trellis::loop
