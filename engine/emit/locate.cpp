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
  if (at && at->several) return {c::token(out_.names.variable(at->name)), c::token(out_.names.variable(at->name + "_end"))};
  c::Expr p = out_.expressions.offset(parent);
  c::Expr next = is_zero(p) ? c::number(1) : plus(p, c::number(1));
  if (workspace(tensor)) {
    if (facts.locate == format::Locate::hash) {
      const std::string start = workspace_part(out_, tensor, level, "start");
      return {index(c::token(start), p), index(c::token(start), next)};
    }
    c::Expr first = is_zero(p) ? p : times(p, out_.expressions.expr(tensor.levels[static_cast<std::size_t>(level)].size));
    c::Expr count = c::token(workspace_part(out_, tensor, level, "count"));
    if (level > 0) count = index(count, p);
    return {first, is_zero(first) ? count : plus(first, count)};
  }
  if (facts.locate == format::Locate::one) {  // one region, or none
    c::Expr stored = c::binary(">=", index(out_.expressions.array(tensor, level, Array::coordinates), p), c::number(0));
    return {p, is_zero(p) ? stored : plus(p, stored)};
  }
  if (!facts.positions) return {p, next};
  c::Expr positions = out_.expressions.array(tensor, level, Array::positions);
  return {index(positions, p), index(positions, next)};
}

// The position of a coordinate in a fiber, or -1.
c::Expr Statements::found(const Tensor& tensor, int level, const flow::Position& parent, c::Expr coordinate) {
  const format::Facts& facts = facts_of(tensor, level);
  if (facts.locate == format::Locate::direct) {
    c::Expr size = out_.expressions.expr(tensor.levels[static_cast<std::size_t>(level)].size);
    c::Expr table = workspace(tensor) ? c::token(workspace_part(out_, tensor, level, "set")) : out_.expressions.array(tensor, level, Array::table);
    return c::call(out_.prelude.use_find_direct(), {table, out_.expressions.offset(parent), size, coordinate});
  }
  if (workspace(tensor)) return c::call(out_.prelude.use_find_entry(), {c::expr(c::Unary{"&", c::token(workspace_part(out_, tensor, level, "entries"))}), out_.expressions.offset(parent), coordinate});
  const auto [first, last] = fiber(tensor, level, parent);
  c::Expr crd = out_.expressions.array(tensor, level, Array::coordinates);
  if (facts.locate == format::Locate::hash)
    return c::call(out_.prelude.use_find_hashed(facts.wide), {out_.expressions.array(tensor, level, Array::table), crd, out_.expressions.offset(parent), first, last, coordinate});
  return c::call(out_.prelude.use_find(facts.wide, facts.ordered ? (facts.decreasing ? Prelude::Sorted::falling : Prelude::Sorted::rising) : Prelude::Sorted::no),
                 {crd, first, last, coordinate});
}

// The same by the fiber's pointer, which has passed all smaller coordinates.
c::Expr Statements::marched(const flow::Locate& l, c::Expr coordinate) {
  const Tensor& tensor = *out_.flow.tensor(l.tensor);
  const std::string next = out_.names.fix("#" + l.march, l.march);
  memory_.hoist("int64_t", next, c::call(out_.prelude.use_zeroed(), {out_.expressions.count(tensor, l.level), c::number(8)}));
  const auto [first, last] = fiber(tensor, l.level, l.parent);
  c::Expr pointer = c::expr(c::Unary{"&", index(c::token(next), out_.expressions.offset(l.parent))});
  return c::call(out_.prelude.use_march(tensor.levels[static_cast<std::size_t>(l.level)].facts.wide),
                 {out_.expressions.array(tensor, l.level, Array::coordinates), pointer, first, last, coordinate});
}

void Statements::locate(const flow::Locate& l, const text::Origin& origin, bool last) {
  const Tensor& tensor = *out_.flow.tensor(l.tensor);
  if (!last) out_.open();
  c::Expr coordinate = out_.expressions.expr(l.coordinate);
  if (l.check) coordinate = out_.expressions.checked(coordinate, *l.check, tensor, l.level);
  const format::Facts& facts = facts_of(tensor, l.level);
  const bool region =
      !workspace(tensor) && (facts.region != format::Region::point || facts.locate == format::Locate::one);
  c::Expr position = region            ? region_found(l, coordinate)
                     : l.march.empty() ? found(tensor, l.level, l.parent, coordinate)
                                       : marched(l, coordinate);
  if (l.exists && !region) position = c::expr(c::Conditional{out_.expressions.expr(*l.exists), position, c::number(-1)});
  const std::string name = out_.bind(l.name);
  out_.expressions.forget_base(l.name);
  out_.add(c::stmt(c::Declaration{"const int64_t", name, {}, position}, origin));
  if (l.several) {
    const auto [first, stop] = fiber(tensor, l.level, l.parent);
    c::Expr crd = out_.expressions.array(tensor, l.level, Array::coordinates);
    const bool wide = tensor.levels[static_cast<std::size_t>(l.level)].facts.wide;
    const std::string end = out_.bind(l.name + "_end");
    c::Expr present = c::binary(">=", c::token(name), c::number(0));
    out_.add(constant(end, c::expr(c::Conditional{present, c::call(out_.prelude.use_find_end(wide), {crd, c::token(name), stop}), c::number(-1)})));
  }
  stmt(l.body, true);
  if (!last) out_.add(out_.close());
}

}  // namespace trellis::emit
