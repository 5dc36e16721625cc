#include "engine/loop/hoist_guards.hpp"

#include <algorithm>
#include <utility>

#include "engine/loop/context.hpp"
#include "engine/loop/isolate.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::loop {

namespace {

using format::Function;
using math::Affine;
using math::Constraint;

/// Constraints without which the statement has no effect; empty optional: it has none at all.
using Needs = std::optional<std::vector<Constraint>>;

Needs needs(const Stmt& stmt, const Context& known);

/// The constraints that each part needs, perhaps because it needs a stronger one.
Needs common(const Block& body, const Context& known) {
  Needs all;
  for (const Stmt& stmt : body.statements) {
    Needs next = needs(stmt, known);
    if (!next) continue;
    if (!all) {
      all = std::move(next);
      continue;
    }
    auto implied_by = [&](const std::vector<Constraint>& stronger) {
      Context inner = known;
      for (const Constraint& c : stronger) inner = inner.where(c);
      return inner;
    };
    const Context first = implied_by(*all), second = implied_by(*next);
    std::vector<Constraint> both;
    for (const Constraint& c : *all) {
      if (second.implies(c)) both.push_back(c);
    }
    for (const Constraint& c : *next) {
      if (first.implies(c)) add_once(both, c);
    }
    all = std::move(both);
  }
  return all;
}

void without(Needs& all, const std::string& name) {
  if (all) std::erase_if(*all, [&](const Constraint& c) { return c.mentions(name); });
}

Needs needs_of_if(const If& i, const Context& known) {
  if (i.otherwise) return std::vector<Constraint>{};
  Needs inner = needs(i.then, known.where(i.condition));
  if (!inner) return inner;
  std::vector<Constraint> all;
  for (const Expr& part : conjuncts(i.condition)) {
    // What stands behind a possible fault must not keep it from happening.
    if (may_fault(part)) return all;
    if (auto constraints = lang::affine_condition(part))
      all.insert(all.end(), constraints->begin(), constraints->end());
  }
  all.insert(all.end(), inner->begin(), inner->end());
  return all;
}

Needs needs(const Stmt& stmt, const Context& known) {
  const Needs nothing = std::vector<Constraint>{};
  return stmt.match([&](const Block& b) { return common(b, known); },
                    [&](const If& i) { return needs_of_if(i, known); },
                    [&](const For& f) {
                      if (f.until || may_fault(f.low) || may_fault(f.high)) return nothing;
                      Needs inner = needs(f.body, known.inside(f));
                      without(inner, f.variable);
                      return inner;
                    },
                    [&](const Let& l) {
                      if (may_fault(l.value)) return nothing;
                      Needs inner = needs(l.body, known.inside(l));
                      without(inner, l.name);
                      return inner;
                    },
                    [&](const While&) { return nothing; }, [&](const Assign&) { return nothing; },
                    [&](const Reset&) { return nothing; }, [&](const Lifecycle&) { return nothing; },
                    [&](const Exchange&) { return nothing; }, [&](const Declare&) { return Needs{}; },
                    [&](const Note&) { return Needs{}; });
}

/// The tighter of the two bounds, or both when neither is always tighter.
Expr tighter(const Expr& bound, const Affine& limit, Function function, const Context& known) {
  const std::vector<Affine> now = alternatives(bound, function);
  const auto beats = [&](const Affine& a, const Affine& b) {
    return function == Function::max ? known.at_most(b, a) : known.at_most(a, b);
  };
  if (std::any_of(now.begin(), now.end(), [&](const Affine& one) { return beats(one, limit); })) return bound;
  if (now.size() == arguments(bound, function).size() &&
      std::all_of(now.begin(), now.end(), [&](const Affine& one) { return beats(limit, one); })) {
    return known.to_expr(limit);
  }
  return Expr(lang::ExprNode{lang::Call{function, {bound, known.to_expr(limit)}}, bound->type, bound->span},
              bound.origin(), bound.id());
}

Stmt with_bounds(const Stmt& stmt, For f) { return Stmt(StmtNode{std::move(f), stmt->span}, stmt.origin(), stmt.id()); }

Stmt hoist_from_for(const Stmt& stmt, const Context& known) {
  For f = *stmt.as<For>();
  if (f.until) return stmt;  // its condition is evaluated after iterations without effect as well
  const Needs all = needs(f.body, known.inside(f));
  if (!all) return stmt;
  std::vector<Expr> outside;
  Context guarded = known;
  for (const Constraint& c : *all) {
    if (c.mentions(f.variable)) continue;
    if (guarded.inside(f).implies(c)) continue;
    guarded = guarded.where(c);
    outside.push_back(known.to_expr(c));
  }
  bool tightened = false;
  for (const Constraint& c : *all) {
    auto interval = isolate(c, f.variable);
    if (!interval || guarded.inside(f).implies(c)) continue;
    if (interval->low) f.low = tighter(f.low, *interval->low, Function::max, guarded);
    if (interval->high) f.high = tighter(f.high, *interval->high, Function::min, guarded);
    tightened = true;
  }
  Stmt loop = tightened ? with_bounds(stmt, std::move(f)) : stmt;
  if (outside.empty()) return loop;
  return Stmt(StmtNode{If{conjunction(outside), block({loop}, stmt.origin()), std::nullopt}, stmt->span},
              stmt.origin());
}

Stmt hoist(const Stmt& stmt, const Context& known) {
  bool first = true;
  const Stmt next = map_children(
      stmt, [&](const Stmt& child) { return hoist(child, known.within(stmt, std::exchange(first, false))); },
      [](const Expr& expr) { return expr; });
  return next.as<For>() ? hoist_from_for(next, known) : next;
}

}  // namespace

Stmt hoist_guards(const Stmt& stmt, math::Solver& solver) { return hoist(stmt, Context(solver)); }

}  // namespace trellis::loop
