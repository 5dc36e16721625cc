#include "engine/flow/register_tile.hpp"

#include <algorithm>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

using format::BinaryOp;
using making::binary;

bool fills_vectors(const TileSide& side, format::ScalarType type) {
  constexpr std::int64_t vector_bytes = 32;
  return side.count * static_cast<std::int64_t>(format::size_of(type)) % vector_bytes == 0;
}

Tensor tile_tensor(const std::string& name, const Tensor& of, const RegisterTile& tile) {
  Tensor made;
  made.name = name;
  made.type = of.type;
  made.fill = of.fill;
  made.storage = Tensor::Storage::temporary;
  for (const TileSide* side : {&tile.rows, &tile.columns}) made.levels.push_back({integer(side->count)});
  made.order = {0, 1};
  return made;
}

Expr all_non_negative(const std::vector<Expr>& all, Around& around) {
  Expr condition;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Expr& e = all[k];
    if (std::ranges::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k), e) > 0) continue;
    if (around.non_negative(e)) continue;
    const Expr one = making::test(BinaryOp::greater_equal, e, integer(0));
    condition = condition ? making::conjunction(condition, one) : one;
  }
  return condition;
}

std::optional<TileSide> side_of(const Loop& loop) {
  if (!loop.registers || !is_plain(loop, {But::vector})) return std::nullopt;
  const auto lows = alternatives(loop.low, format::Function::max);
  const auto highs = alternatives(loop.high, format::Function::min);
  TileSide side{loop.variable, {}, {}, 0, {}, {}};
  Expr end;
  for (const Expr& low : lows)
    for (const Expr& high : highs) {
      const auto begin = affine(low), behind = affine(high);
      const auto length = begin && behind ? *behind - *begin : math::Affine();
      if (!length.is_constant() || length.constant < 1 || (side.count > 0 && length.constant >= side.count)) continue;
      side.count = length.constant;
      side.base = low;
      end = high;
    }
  if (side.count < 1 || side.count > most_of_side) return std::nullopt;
  for (const Expr& low : lows)
    for (const Expr& high : highs)
      if (!low.same(side.base) || !high.same(end))
        side.some.push_back(binary(BinaryOp::subtract, binary(BinaryOp::subtract, high, low), integer(1)));
  for (const Expr& low : lows)
    if (!low.same(side.base)) side.whole.push_back(binary(BinaryOp::subtract, side.base, low));
  for (const Expr& high : highs)
    if (!high.same(end))
      side.whole.push_back(
          binary(BinaryOp::subtract, binary(BinaryOp::subtract, high, side.base), integer(side.count)));
  return side;
}

namespace {

/// The least, or the greatest, value of the expression in any of the rows; nothing where that is not known.
enum class Extreme { least, greatest };
std::optional<Expr> extreme_in(const TileSide& rows, const Expr& expr, Extreme which) {
  if (!names(expr, rows.variable)) return expr;
  const auto form = affine(expr);
  if (!form) return std::nullopt;
  const bool falls = form->coefficient(rows.variable) < 0;
  Renaming there;
  there.values[rows.variable] =
      binary(BinaryOp::add, rows.base, integer(falls == (which == Extreme::least) ? rows.count - 1 : 0));
  return renamed(expr, there);
}

bool depends_on(const TileSide& side, const std::string& variable) {
  return names(side.base, variable) ||
         std::ranges::any_of(side.whole, [&](const Expr& e) { return names(e, variable); });
}

}  // namespace

std::optional<RegisterTile> register_tile(const Loop& rows, const Loop& columns, const std::string& sum) {
  auto outer = side_of(rows), inner = side_of(columns);
  if (!outer || !inner || names(inner->base, outer->variable)) return std::nullopt;
  for (Expr& whole : inner->whole) {
    const auto least = extreme_in(*outer, whole, Extreme::least);
    if (!least) return std::nullopt;
    whole = *least;
  }
  std::vector<Expr> some;
  for (const Expr& e : inner->some)
    if (const auto greatest = extreme_in(*outer, e, Extreme::greatest)) some.push_back(*greatest);
  inner->some = std::move(some);
  if (depends_on(*outer, sum) || depends_on(*inner, sum)) return std::nullopt;
  return RegisterTile{std::move(*outer), std::move(*inner)};
}

}  // namespace trellis::flow
