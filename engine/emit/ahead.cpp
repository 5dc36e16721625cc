// Walks that are made faster: positions that go on from fiber to fiber, entries to come, and rows that those choose.
//
//   int64_t pA = A_pos[0];                               const int64_t j = A_crd[pA];
//   for (int64_t i = 0; i < n; i++) {                    const int64_t j_ahead = A_crd[ahead(pA, A_pos[n])];
//     stream(&A_crd[pA + 512], n, A_pos[n]);             fetch(&E[j_ahead * r]);
//     for (; pA < A_pos[i + 1]; pA++) …                  for (int64_t k = 0; k < r; k++) …                   E[j * r + k]

#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

/// How many entries lie between the one at hand and the one that is fetched: a few rows, and no more than the smallest cache
/// holds.
constexpr std::int64_t distance = 512;

}  // namespace

// How many positions an operand has for the children of a level, in all fibers.
c::Expr Statements::children(const Tensor& tensor, int level) {
  if (level < 0) return c::number(1);
  const format::Facts& facts = facts_of(tensor, level);
  c::Expr parents = children(tensor, level - 1);
  if (facts.child == format::Child::product) {
    c::Expr size = expressions_.expr(tensor.levels[static_cast<std::size_t>(level)].size);
    return level == 0 ? size : times(parents, size);
  }
  return facts.positions ? index(expressions_.array(tensor, level, Array::positions), parents) : parents;
}

// The loop, whose rounds come by all fibers below its own entries or coordinates, from `first` on.
void Statements::carrying(const std::vector<flow::Carry>& carries, const c::Expr& first,
                          const std::function<void()>& loop) {
  if (carries.empty()) return loop();
  open();
  for (const flow::Carry& carry : carries) {
    const c::Expr positions = expressions_.array(*flow_.tensor(carry.tensor), carry.level, Array::positions);
    add(variable(bind(carry.cursor), index(positions, first)));
  }
  loop();
  add(close());
}

// Before the walk.
void Statements::stream(const flow::Coiterate& loop, const Walk& w) {
  for (const Array array : loop.streamed) {
    const c::Expr values = expressions_.element(w.tensor->name, flow::Position(flow::PositionNode{flow::At{w.at}}));
    const c::Expr of = array == Array::values ? values.as<c::Index>()->array
                                              : expressions_.array(*w.tensor, w.cursor->level, array);
    const c::Expr next = index(of, plus(loop.carried ? c::token(w.at) : w.first, c::number(distance)));
    const c::Expr fibers = children(*w.tensor, w.cursor->level - 1), entries = children(*w.tensor, w.cursor->level);
    add(c::stmt(c::Evaluate{c::call(prelude_.use(Helper::stream), {c::expr(c::Unary{"&", next}), fibers, entries})}));
  }
}

// In the walk's body, before anything else.
void Statements::fetch_ahead(const flow::Ahead& ahead, const Walk& w) {
  const c::Expr entry = c::call(prelude_.use(Helper::ahead), {c::token(w.at), children(*w.tensor, w.cursor->level)});
  add(constant(bind(ahead.coordinate), entry_coordinate(w, entry)));
  for (const flow::Ahead::Row& row : ahead.rows) {
    const c::Expr first = c::expr(c::Unary{"&", expressions_.element(row.tensor, row.position)});
    add(c::stmt(c::Evaluate{c::call(prelude_.use(Helper::fetch), {first})}));
  }
}

}  // namespace trellis::emit
