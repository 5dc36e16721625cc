#include "engine/emit/ahead.hpp"

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

/// How many entries lie between the one at hand and the one that is fetched: a few rows, and no more than the smallest
/// cache holds.
constexpr std::int64_t distance = 512;

// How many positions an operand has for the children of a level, in all fibers.
c::Expr children(Context& out, const Tensor& tensor, int level) {
  if (level < 0) return c::number(1);
  const format::Facts& facts = facts_of(tensor, level);
  c::Expr parents = children(out, tensor, level - 1);
  if (facts.bounded) return index(out.expressions.array(tensor, level, Array::offsets), parents);
  if (facts.child == format::Child::product) {
    c::Expr size = out.expressions.size(tensor, level);
    return level == 0 ? size : times(parents, size);
  }
  if (facts.slots > 0) return times(parents, c::number(facts.slots));
  return facts.positions ? index(out.expressions.array(tensor, level, Array::positions), parents) : parents;
}

}  // namespace

void carrying(Context& out, const std::vector<flow::Carry>& carries, const c::Expr& first,
              const std::function<void()>& loop) {
  if (carries.empty()) return loop();
  out.open();
  for (const flow::Carry& carry : carries) {
    const Tensor& tensor = *out.flow.tensor(carry.tensor);
    const c::Expr positions = out.expressions.array(tensor, carry.level, Array::positions);
    out.add(variable(out.bind(carry.cursor), index(positions, first)));
  }
  loop();
  out.add(out.close());
}

void stream(Context& out, const flow::Coiterate& loop, const CCursor& w) {
  const int level = w.cursor->level;
  for (const Array array : loop.streamed) {
    if (array == Array::values) out.expressions.use(w.tensor->name);
    const c::Expr of = array == Array::values ? c::token(out.names.fixed(w.tensor->name))
                                              : out.expressions.array(*w.tensor, level, array);
    const c::Expr next = index(of, plus(loop.carried ? c::token(w.at) : w.first, c::number(distance)));
    const c::Expr fibers = children(out, *w.tensor, level - 1), entries = children(out, *w.tensor, level);
    const std::string helper = out.prelude.use(Helper::stream);
    out.add(c::stmt(c::Evaluate{c::call(helper, {c::expr(c::Unary{"&", next}), fibers, entries})}));
  }
}

void fetch_ahead(Context& out, const flow::Ahead& ahead, const CCursor& w) {
  const c::Expr entries = children(out, *w.tensor, w.cursor->level);
  const c::Expr entry = c::call(out.prelude.use(Helper::ahead), {c::token(w.at), entries});
  out.add(constant(out.bind(ahead.coordinate), entry_coordinate(out, w, entry)));
  for (const flow::Ahead::Row& row : ahead.rows) {
    const c::Expr first = c::expr(c::Unary{"&", out.expressions.element(row.tensor, row.position)});
    out.add(c::stmt(c::Evaluate{c::call(out.prelude.use(Helper::fetch), {first})}));
  }
}

}  // namespace trellis::emit
