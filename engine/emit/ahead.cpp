// Rows that the entries of a sparse operand choose are fetched from memory some entries ahead, while others are dealt with:
//
//   const int64_t j = A_crd[pA];
//   const int64_t j_ahead = A_crd[ahead(pA, A_pos[n])];
//   fetch(&E[j_ahead * r]);
//   for (int64_t k = 0; k < r; k++) …                   E[j * r + k]
//
// A row has no neighbour that a processor could guess it by. Nothing that is computed depends on it.

#include "engine/emit/rows.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

// How many positions an operand has for the children of a level, in all fibers.
c::Expr Statements::children(const Tensor& tensor, int level) {
  if (level < 0) return c::number(1);
  const format::Facts& facts = facts_of(tensor, level);
  c::Expr parents = children(tensor, level - 1);
  if (facts.child == format::Child::product) {
    c::Expr size = out_.expressions.expr(tensor.levels[static_cast<std::size_t>(level)].size);
    return level == 0 ? size : times(parents, size);
  }
  return facts.positions ? index(out_.expressions.array(tensor, level, Array::positions), parents) : parents;
}

// Before the statements of the block from `from` on, which deal with the walk's entry at coordinate `i`.
void Statements::fetch_ahead(const Walk& w, const std::string& i, std::size_t from) {
  // What is still appended to has no count of entries yet.
  if (w.tensor->storage != Tensor::Storage::operand || w.backward || w.computed) return;
  std::vector<c::Stmt>& all = out_.statements();
  const auto body = all.begin() + static_cast<std::ptrdiff_t>(from);
  const std::string later = out_.bind(i + "_ahead");
  const std::vector<c::Expr> rows = c::rows_chosen(c::stmt(c::Block{{body, all.end()}}), i, later);
  if (rows.empty()) return;
  c::Expr entry = c::call(out_.prelude.use(Helper::ahead), {c::token(w.at), children(*w.tensor, w.cursor->level)});
  std::vector<c::Stmt> fetches{constant(later, entry_coordinate(out_, w, entry))};
  for (const c::Expr& row : rows) fetches.push_back(c::stmt(c::Evaluate{c::call(out_.prelude.use(Helper::fetch), {c::expr(c::Unary{"&", row})})}));
  all.insert(body, fetches.begin(), fetches.end());
}

}  // namespace trellis::emit
