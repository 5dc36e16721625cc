#include "engine/loop/cut_loop.hpp"

#include <algorithm>

#include "engine/loop/drop_implied_guards.hpp"
#include "engine/loop/merge_blocks.hpp"

namespace trellis::loop {

namespace {

using format::Function;
using math::Affine;

Expr bound(const Expr& given, const Affine& cut, Function function, const Context& known) {
  const Expr limit = known.to_expr(cut);
  return Expr(lang::ExprNode{lang::Call{function, {given, limit}}, limit->type, given->span});
}

/// The loop on one side of the cut.
Stmt part(const Stmt& stmt, Expr low, Expr high, const Context& known) {
  For f = *stmt.as<For>();
  f.low = std::move(low);
  f.high = std::move(high);
  const Stmt loop(StmtNode{std::move(f), stmt->span}, stmt.origin());
  return merge_blocks(drop_implied_guards(loop, known));
}

bool is_inside(const Affine& cut, const For& f, const Context& known) {
  const auto lows = alternatives(f.low, Function::max);
  const auto highs = alternatives(f.high, Function::min);
  return std::none_of(lows.begin(), lows.end(), [&](const Affine& low) { return known.at_most(cut, low); }) &&
         std::none_of(highs.begin(), highs.end(), [&](const Affine& high) { return known.at_most(high, cut); });
}

}  // namespace

std::optional<Cut> cut_loop(const Stmt& loop, const Affine& at, const Context& known) {
  const For& f = *loop.as<For>();
  if (!is_inside(at, f, known)) return std::nullopt;
  return Cut{part(loop, f.low, bound(f.high, at, Function::min, known), known),
             part(loop, bound(f.low, at, Function::max, known), f.high, known)};
}

Stmt in_order(const Stmt& loop, const Cut& cut, const std::function<Stmt(const Stmt&)>& further) {
  const Stmt below = further(cut.lower), above = further(cut.upper);
  const bool down = loop.as<For>()->descending;
  return down ? block({above, below}, loop.origin()) : block({below, above}, loop.origin());
}

}  // namespace trellis::loop
