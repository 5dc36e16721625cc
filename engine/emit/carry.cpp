#include "engine/emit/carry.hpp"

#include <algorithm>
#include <optional>

#include "engine/emit/blocks.hpp"

namespace trellis::emit::c {

namespace {

using Positions = std::set<std::string>;

/// Does `holds` for the statement or one in it? Loops in it are entered on demand.
template <class Holds>
bool any_in(const Stmt& s, bool through_loops, const Holds& holds) {
  if (holds(s)) return true;
  const auto inner = [&](const Stmt& child) { return any_in(child, through_loops, holds); };
  if (const auto* b = s.as<Block>()) return std::any_of(b->statements.begin(), b->statements.end(), inner);
  if (const auto* i = s.as<If>()) return inner(i->then) || (i->otherwise && inner(*i->otherwise));
  if (const auto* f = s.as<For>()) return through_loops && inner(f->body);
  if (const auto* w = s.as<While>()) return through_loops && inner(w->body);
  return false;
}

bool loops(const Stmt& body) {
  return any_in(body, false, [](const Stmt& s) { return s.as<For>() || s.as<While>(); });
}
bool jumps_somewhere(const Stmt& body) {
  return any_in(body, true, [](const Stmt& s) { return s.as<Goto>() != nullptr; });
}
/// Does a round of the loop around the statement, or the loop itself, end in it?
bool ends_round(const Stmt& s) {
  return any_in(s, false, [](const Stmt& inner) { return inner.as<Continue>() || inner.as<Break>(); });
}
bool ends_loop(const Stmt& body) {
  return any_in(body, false, [](const Stmt& s) { return s.as<Break>() != nullptr; });
}

bool counts_up(const For& f) { return f.first && f.step == f.variable + "++"; }

/// `positions[at]`, of an array that is known.
const Index* bound(const Expr& e, const Positions& positions) {
  const auto* index = e.as<Index>();
  const auto* array = index ? index->array.as<Token>() : nullptr;
  return array && positions.count(array->text) > 0 ? index : nullptr;
}

/// Rounds are for 0, 1, 2 … or for the entries of a level from its first one on.
bool begins_at_first(const For& f, const Positions& positions) {
  if (!counts_up(f)) return false;
  const Index* const first = bound(*f.first, positions);
  return *f.first == number(0) || (first && first->index == number(0));
}

/// for (p = positions[q]; p < positions[q + 1]; p++), to its end. Where an entry takes a loop of its own, the wait for the
/// first one does not matter, and a variable more to keep around that loop costs more.
bool walks_fiber(const Stmt& s, const std::string& q, const Positions& positions) {
  const auto* f = s.as<For>();
  const Index* const first = f && counts_up(*f) ? bound(*f->first, positions) : nullptr;
  if (!first || first->index != token(q) || ends_loop(f->body) || loops(f->body)) return false;
  const Expr end = expr(Index{first->array, binary("+", token(q), number(1))});
  return f->condition == binary("<", token(f->variable), end);
}

/// The loop behind the declarations of the positions that it carries, or nothing.
std::optional<Block> carrying(const Stmt& whole, const Positions& positions) {
  const For& loop = *whole.as<For>();
  const auto* block = loop.body.as<Block>();
  if (!block || jumps_somewhere(loop.body)) return {};
  std::vector<Stmt> statements = block->statements;
  std::vector<Stmt> together;
  for (std::size_t k = 0; k < statements.size() && !ends_round(statements[k]); ++k) {
    const Stmt walk = statements[k];
    const bool governed = k > 0 && statements[k - 1].as<Pragma>();
    if (governed || !walks_fiber(walk, loop.variable, positions)) continue;
    const auto& [p, first, condition, step, body] = *walk.as<For>();
    Mentioned beside{loop.variable};
    collect(loop.condition, beside);
    for (std::size_t other = 0; other < statements.size(); ++other)
      if (other != k) collect(statements[other], beside);
    if (beside.count(p) > 0) continue;
    together.push_back(stmt(Declaration{"int64_t", p, {}, expr(Index{first->as<Index>()->array, *loop.first})}, walk.origin()));
    statements[k] = stmt(For{p, {}, condition, step, body}, walk.origin());
  }
  if (together.empty()) return {};
  Stmt body = stmt(Block{std::move(statements)}, loop.body.origin());
  together.push_back(stmt(For{loop.variable, loop.first, loop.condition, loop.step, std::move(body)}, whole.origin()));
  return Block{std::move(together)};
}

}  // namespace

const Index* carried_until(const Stmt& s, const Positions& positions) {
  const auto* walk = s.as<For>();
  const auto* condition = walk && !walk->first && walk->step == walk->variable + "++" ? walk->condition.as<Binary>() : nullptr;
  return condition && condition->op == "<" && condition->left == token(walk->variable) ? bound(condition->right, positions) : nullptr;
}

Stmt carrying_positions(const Stmt& whole, const Positions& positions) {
  if (positions.empty()) return whole;
  return rewrite_blocks(whole, [&](std::vector<Stmt> statements) {
    for (std::size_t k = 0; k < statements.size(); ++k) {
      const auto* loop = statements[k].as<For>();
      const bool governed = k > 0 && statements[k - 1].as<Pragma>();
      if (!loop || governed || !begins_at_first(*loop, positions)) continue;
      if (auto together = carrying(statements[k], positions)) statements[k] = stmt(std::move(*together));
    }
    return statements;
  });
}

}  // namespace trellis::emit::c
