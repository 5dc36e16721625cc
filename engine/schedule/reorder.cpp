#include "engine/schedule/reorder.hpp"

#include <algorithm>

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;
using math::Constraint;

using Order = std::vector<std::string>;

/// Loops of which each is all that the one before holds, and what the innermost one holds.
struct Chain {
  std::vector<Stmt> loops;
  std::vector<Stmt> body;
  bool contains(const std::string& variable) const {
    return std::ranges::any_of(loops, [&](const Stmt& loop) { return loop.as<For>()->variable == variable; });
  }
};

struct Reordering {
  std::vector<std::string> names;
  Beside beside;
  bool moved = false;
  std::optional<Unfit> unfit = {};

  Stmt walk(const Stmt& stmt, const Order& order, const loop::Context& known) {
    const auto* f = stmt.as<For>();
    if (f && std::ranges::find(order, f->variable) != order.end()) return nest(stmt, *f, order, known);
    bool first = true;
    const Stmt next = loop::map_children(
        stmt, [&](const Stmt& child) { return walk(child, order, known.within(stmt, std::exchange(first, false))); },
        [](const loop::Expr& expr) { return expr; });
    return next.as<loop::Block>() ? spliced(next, stmt) : next;
  }

  // Nests that became several stand beside each other.
  static Stmt spliced(const Stmt& next, const Stmt& before) {
    loop::Block flat;
    for (const Stmt& child : next.as<loop::Block>()->statements) {
      const auto* several = child.as<loop::Block>();
      const bool kept = !several || std::ranges::any_of(before.as<loop::Block>()->statements,
                                                        [&](const Stmt& s) { return s.same(child); });
      if (kept) flat.statements.push_back(child);
      else flat.statements.insert(flat.statements.end(), several->statements.begin(), several->statements.end());
    }
    return Stmt(loop::StmtNode{std::move(flat), next->span}, next.origin(), next.id());
  }

  Stmt nest(const Stmt& stmt, const For& f, const Order& order, const loop::Context& known) {
    Order here;
    for (const std::string& name : order)
      if (has_loop(stmt, name)) here.push_back(name);
    if (here.front() == f.variable) {  // it stays where it is
      here.erase(here.begin());
      if (here.empty()) return stmt;
      return loop::map_children(
          stmt, [&](const Stmt& child) { return walk(child, here, known.inside(f)); },
          [](const loop::Expr& expr) { return expr; });
    }
    std::vector<Chain> chains;
    collect({}, stmt, here, chains);
    if (unfit) return stmt;
    std::vector<Stmt> all;
    for (const Chain& chain : chains) all.push_back(build(chain, here, known));
    return all.size() == 1 ? all.front() : loop::block(std::move(all), stmt.origin());
  }

  // Takes the loop apart into chains down to the innermost loop that is to stand outside of one of them, one for each
  // stretch of statements beside such loops. Others stay inside, where they are.
  void collect(Chain outer, const Stmt& stmt, const Order& order, std::vector<Chain>& into) {
    const For& f = *stmt.as<For>();
    outer.loops.push_back(stmt);
    std::vector<Stmt> here;
    const auto flush = [&] {
      if (here.empty()) return;
      into.push_back(outer);
      into.back().body = std::exchange(here, {});
    };
    const auto moves_out = [&](const Stmt& child) {
      bool passes = beside == Beside::apart;  // behind a name of the chain in the order
      for (auto name = order.rbegin(); name != order.rend(); ++name) {
        if (passes && !outer.contains(*name) && has_loop(child, *name)) return true;
        passes |= outer.contains(*name);
      }
      return false;
    };
    const auto& statements = f.body.as<loop::Block>()->statements;
    const bool apart = std::ranges::any_of(statements, moves_out);
    for (const Stmt& child : statements) {
      if (child.as<loop::Note>()) continue;
      if (const auto* d = child.as<loop::Declare>(); d && apart)
        unfit = {
            "E0141",
            "loop " + f.variable + " cannot change places: it holds " + d->tensor.name +
                ", which its inner loops share",
            "loops change places when one holds nothing but the other, or statements that can have loops of their own"};
      if (!moves_out(child)) here.push_back(child);
      else if (child.as<For>()) {
        flush();
        collect(outer, child, order, into);
      } else {
        const std::string where = child.as<loop::Let>() ? "inside a let" : "behind a condition";
        unfit = {"E0141", "loop " + f.variable + " cannot change places with a loop " + where, ""};
      }
    }
    flush();
  }

  Stmt build(const Chain& chain, const Order& order, const loop::Context& known) {
    std::vector<Stmt> loops = chain.loops;
    Order wanted;
    for (const std::string& name : order)
      if (chain.contains(name)) wanted.push_back(name);
    auto next = wanted.begin();
    for (Stmt& loop : loops) {
      if (std::ranges::find(wanted, loop.as<For>()->variable) == wanted.end()) continue;
      loop = *std::ranges::find_if(chain.loops, [&](const Stmt& l) { return l.as<For>()->variable == *next; });
      ++next;
    }
    const bool same = std::ranges::equal(loops, chain.loops, [](const Stmt& a, const Stmt& b) { return a.same(b); });
    moved |= !same;
    Order rest;
    for (const std::string& name : order)
      if (!chain.contains(name)) rest.push_back(name);
    return same ? again(loops, chain.body, rest, known) : projected(loops, chain.body, rest, known);
  }

  /// The statements with the loops in them in this order.
  std::vector<Stmt> body_in(const Order& rest, const std::vector<Stmt>& body, const loop::Context& known) {
    if (rest.empty()) return body;
    return walk(loop::block(body), rest, known).as<loop::Block>()->statements;
  }

  // The loops as they are, around these statements alone.
  Stmt again(const std::vector<Stmt>& loops, const std::vector<Stmt>& body, const Order& rest, loop::Context known) {
    for (const Stmt& loop : loops) known = known.inside(*loop.as<For>());
    std::vector<Stmt> inside = body_in(rest, body, known);
    for (std::size_t k = loops.size(); k-- > 0;) {
      For f = *loops[k].as<For>();
      f.body = loop::block(std::move(inside), f.body.origin());
      inside = {rebuilt(std::move(f), loops[k])};
    }
    return inside.front();
  }

  // The same statements in loops whose bounds are found anew.
  Stmt projected(const std::vector<Stmt>& loops, const std::vector<Stmt>& body, const Order& rest,
                 const loop::Context& known) {
    std::vector<Constraint> all;
    for (const Stmt& loop : loops) {
      const auto bounds = bounds_of(*loop.as<For>(), names);
      const std::string& variable = loop.as<For>()->variable;
      if (loop.as<For>()->until)
        unfit = {"E0144", "loop " + variable + " ends early, by until, and keeps its place", ""};
      if (!bounds)
        unfit = {"E0144", "loop " + variable + " has no affine bounds, and keeps its place",
                 "its range depends on values that are only known while it runs"};
      if (unfit) return loops.front();
      all.insert(all.end(), bounds->begin(), bounds->end());
    }
    std::vector<For> placed;
    for (const Stmt& loop : loops) placed.push_back(*loop.as<For>());
    placed = with_bounds(std::move(placed), std::move(all), known, names);
    loop::Context within = known;
    for (const For& f : placed) within = within.inside(f);
    std::vector<Stmt> inside = body_in(rest, body, within);
    for (std::size_t k = loops.size(); k-- > 0;) {
      placed[k].body = loop::block(std::move(inside), loops[k].as<For>()->body.origin());
      inside = {rebuilt(std::move(placed[k]), loops[k])};
    }
    return inside.front();
  }
};

}  // namespace

Transformed reorder(const Stmt& loops, const Order& order, math::Solver& solver, Beside beside) {
  Reordering reordering{bound_names(loops), beside};
  Stmt result = reordering.walk(loops, order, loop::Context(solver));
  if (reordering.unfit) return *reordering.unfit;
  return Moved{std::move(result), {}};
}

}  // namespace trellis::schedule
