#include "engine/emit/ahead.hpp"

#include "engine/emit/rows.hpp"
#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

// How many positions an operand has for the children of a level, in all fibers.
c::Expr children(Context& out, const Tensor& tensor, int level) {
  if (level < 0) return c::number(1);
  const format::Facts& facts = facts_of(tensor, level);
  c::Expr parents = children(out, tensor, level - 1);
  if (facts.child == format::Child::product) {
    c::Expr size = out.expressions.size(tensor, level);
    return level == 0 ? size : times(parents, size);
  }
  return facts.positions ? index(out.expressions.array(tensor, level, Array::positions), parents) : parents;
}

}  // namespace

void fetch_ahead(Context& out, const Walk& w, const std::string& i, std::size_t from) {
  // What is still appended to has no count of entries yet.
  if (w.tensor->storage != Tensor::Storage::operand || w.backward || w.computed) return;
  std::vector<c::Stmt>& all = out.statements();
  const auto body = all.begin() + static_cast<std::ptrdiff_t>(from);
  const std::string later = out.bind(i + "_ahead");
  const std::vector<c::Expr> rows = c::rows_chosen(c::stmt(c::Block{{body, all.end()}}), i, later);
  if (rows.empty()) return;
  c::Expr entry = c::call(out.prelude.use(Helper::ahead), {c::token(w.at), children(out, *w.tensor, w.cursor->level)});
  std::vector<c::Stmt> fetches{constant(later, entry_coordinate(out, w, entry))};
  for (const c::Expr& row : rows)
    fetches.push_back(c::stmt(c::Evaluate{c::call(out.prelude.use(Helper::fetch), {c::expr(c::Unary{"&", row})})}));
  all.insert(body, fetches.begin(), fetches.end());
}

}  // namespace trellis::emit
