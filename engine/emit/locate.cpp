// Fibers, and what is looked up in them: by bisection, by hashing, at once, or from the first entry on, as the level allows.

#include "engine/emit/shorthand.hpp"
#include "engine/emit/statement.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

// The entries of a level below a position: from the first to before the second.
std::pair<c::Expr, c::Expr> Statements::fiber(const Tensor& tensor, int level, const flow::Position& parent) {
  const format::Facts& facts = facts_of(tensor, level);
  const auto* at = parent.as<flow::At>();
  if (at && at->several) return {c::token(names_.variable(at->name)), c::token(names_.variable(at->name + "_end"))};
  c::Expr p = expressions_.offset(parent);
  c::Expr next = is_zero(p) ? c::number(1) : plus(p, c::number(1));
  if (workspace(tensor)) {
    if (facts.locate == format::Locate::hash) {
      const std::string start = part(tensor, level, "start");
      return {index(c::token(start), p), index(c::token(start), next)};
    }
    c::Expr first = is_zero(p) ? p : times(p, expressions_.expr(tensor.levels[static_cast<std::size_t>(level)].size));
    c::Expr count = c::token(part(tensor, level, "count"));
    if (level > 0) count = index(count, p);
    return {first, is_zero(first) ? count : plus(first, count)};
  }
  if (facts.locate == format::Locate::one) {  // one region, or none
    c::Expr stored = c::binary(">=", index(expressions_.array(tensor, level, Array::coordinates), p), c::number(0));
    return {p, is_zero(p) ? stored : plus(p, stored)};
  }
  if (!facts.positions) return {p, next};
  c::Expr positions = expressions_.array(tensor, level, Array::positions);
  return {index(positions, p), index(positions, next)};
}

// The position of a coordinate in a fiber, or -1.
c::Expr Statements::found(const Tensor& tensor, int level, const flow::Position& parent, c::Expr coordinate) {
  const format::Facts& facts = facts_of(tensor, level);
  if (facts.locate == format::Locate::direct) {
    c::Expr size = expressions_.expr(tensor.levels[static_cast<std::size_t>(level)].size);
    c::Expr table = workspace(tensor) ? c::token(part(tensor, level, "set")) : expressions_.array(tensor, level, Array::table);
    return c::call(prelude_.use_find_direct(), {table, expressions_.offset(parent), size, coordinate});
  }
  if (workspace(tensor)) return c::call(prelude_.use_find_entry(), {c::expr(c::Unary{"&", c::token(part(tensor, level, "entries"))}), expressions_.offset(parent), coordinate});
  const auto [first, last] = fiber(tensor, level, parent);
  c::Expr crd = expressions_.array(tensor, level, Array::coordinates);
  if (facts.locate == format::Locate::hash)
    return c::call(prelude_.use_find_hashed(facts.wide), {expressions_.array(tensor, level, Array::table), crd, expressions_.offset(parent), first, last, coordinate});
  return c::call(prelude_.use_find(facts.wide, facts.ordered ? (facts.decreasing ? Prelude::Sorted::falling : Prelude::Sorted::rising) : Prelude::Sorted::no),
                 {crd, first, last, coordinate});
}

// The same by the fiber's pointer, which has passed all smaller coordinates.
c::Expr Statements::marched(const flow::Locate& l, c::Expr coordinate) {
  const Tensor& tensor = *flow_.tensor(l.tensor);
  const std::string next = names_.fix("#" + l.march, l.march);
  hoist("int64_t", next, c::call(prelude_.use_zeroed(), {expressions_.count(tensor, l.level), c::number(8)}));
  const auto [first, last] = fiber(tensor, l.level, l.parent);
  c::Expr pointer = c::expr(c::Unary{"&", index(c::token(next), expressions_.offset(l.parent))});
  return c::call(prelude_.use_march(tensor.levels[static_cast<std::size_t>(l.level)].facts.wide),
                 {expressions_.array(tensor, l.level, Array::coordinates), pointer, first, last, coordinate});
}

void Statements::locate(const flow::Locate& l, const text::Origin& origin, bool last) {
  const Tensor& tensor = *flow_.tensor(l.tensor);
  if (!last) open();
  c::Expr coordinate = expressions_.expr(l.coordinate);
  if (l.check) coordinate = expressions_.checked(coordinate, *l.check, tensor, l.level);
  const format::Facts& facts = facts_of(tensor, l.level);
  const bool region =
      !workspace(tensor) && (facts.region != format::Region::point || facts.locate == format::Locate::one);
  c::Expr position = region            ? region_found(l, coordinate)
                     : l.march.empty() ? found(tensor, l.level, l.parent, coordinate)
                                       : marched(l, coordinate);
  if (l.exists && !region) position = c::expr(c::Conditional{expressions_.expr(*l.exists), position, c::number(-1)});
  const std::string name = bind(l.name);
  expressions_.forget_base(l.name);
  add(c::stmt(c::Declaration{"const int64_t", name, {}, position}, origin));
  if (l.several) {
    const auto [first, stop] = fiber(tensor, l.level, l.parent);
    c::Expr crd = expressions_.array(tensor, l.level, Array::coordinates);
    const bool wide = tensor.levels[static_cast<std::size_t>(l.level)].facts.wide;
    const std::string end = bind(l.name + "_end");
    c::Expr present = c::binary(">=", c::token(name), c::number(0));
    add(constant(end, c::expr(c::Conditional{present, c::call(prelude_.use_find_end(wide), {crd, c::token(name), stop}), c::number(-1)})));
  }
  stmt(l.body, true);
  if (!last) add(close());
}

}  // namespace trellis::emit
