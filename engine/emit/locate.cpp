#include "engine/emit/locate.hpp"

#include "engine/emit/shorthand.hpp"
#include "engine/emit/workspace.hpp"

namespace trellis::emit {

using flow::Tensor;
using format::Array;

namespace {

// The position of a coordinate in a fiber, or -1.
c::Expr found(Context& out, const Tensor& tensor, int level, const flow::Position& parent, const c::Expr& coordinate) {
  const format::Facts& facts = facts_of(tensor, level);
  if (facts.locate == format::Locate::direct) {
    const c::Expr size = out.expressions.size(tensor, level);
    const c::Expr table = workspace(tensor) ? c::token(workspace_part(out, tensor, level, "set"))
                                            : out.expressions.array(tensor, level, Array::table);
    return c::call(out.prelude.use_find_direct(), {table, out.expressions.offset(parent), size, coordinate});
  }
  if (workspace(tensor)) {
    const c::Expr entries = address(workspace_part(out, tensor, level, "entries"));
    return c::call(out.prelude.use_find_entry(), {entries, out.expressions.offset(parent), coordinate});
  }
  const auto [first, last] = fiber(out, tensor, level, parent);
  const c::Expr crd = out.expressions.array(tensor, level, Array::coordinates);
  if (facts.locate == format::Locate::hash) {
    const c::Expr table = out.expressions.array(tensor, level, Array::table);
    const c::Expr above = out.expressions.offset(parent);
    return c::call(out.prelude.use_find_hashed(facts.wide), {table, crd, above, first, last, coordinate});
  }
  const Prelude::Sorted order = facts.decreasing ? Prelude::Sorted::falling : Prelude::Sorted::rising;
  const std::string find = out.prelude.use_find(facts.wide, facts.ordered ? order : Prelude::Sorted::no);
  return c::call(find, {crd, first, last, coordinate});
}

// The same by the fiber's pointer, which has passed all smaller coordinates.
c::Expr marched(Context& out, Memory& memory, const flow::Locate& l, const c::Expr& coordinate) {
  const Tensor& tensor = *out.flow.tensor(l.tensor);
  if (!memory.on_thread()) allocate_pointers(out, memory, l);
  const std::string next = out.names.fix("'pointers." + l.march, l.march);
  const auto [first, last] = fiber(out, tensor, l.level, l.parent);
  const c::Expr pointer = c::expr(c::Unary{"&", index(c::token(next), out.expressions.offset(l.parent))});
  const c::Expr crd = out.expressions.array(tensor, l.level, Array::coordinates);
  const bool wide = facts_of(tensor, l.level).wide;
  const bool exactly = l.near == flow::Locate::Near::no && !l.certain;
  return c::call(exactly ? out.prelude.use_march(wide, l.returns) : out.prelude.use_march_near(wide, l.returns),
                 {crd, pointer, first, last, coordinate});
}

c::Expr held(Context& out, const flow::Locate::Held& held) {
  return index(c::token(out.names.fix("'table." + held.array, held.array)), out.expressions.expr(held.index));
}

// First what is near: loops begin or end there.
c::Expr found_near(Context& out, Memory& memory, const flow::Locate& l, const c::Expr& coordinate) {
  const Tensor& tensor = *out.flow.tensor(l.tensor);
  const auto [first, last] = fiber(out, tensor, l.level, l.parent);
  const c::Expr crd = out.expressions.array(tensor, l.level, Array::coordinates);
  const std::string stop = out.bind(l.name + "'stop");
  out.add(constant(stop, last));
  const auto likely = l.near == flow::Locate::Near::first ? Prelude::Likely::first : Prelude::Likely::last;
  const std::string near = out.bind(l.name + "'near");
  out.add(constant(near, l.held             ? held(out, *l.held)
                         : !l.march.empty() ? marched(out, memory, l, coordinate)
                                            : c::call(out.prelude.use_seek(facts_of(tensor, l.level).wide, likely),
                                                      {crd, first, c::token(stop), coordinate})));
  if (l.certain) return c::token(near);
  const c::Expr there = c::binary("==", index(crd, c::token(near)), coordinate);
  return choose(c::binary("&&", c::binary("<", c::token(near), c::token(stop)), there), c::token(near), c::number(-1));
}

// The region that holds the coordinate, or -1: the first that does not end before it, if it has begun.
c::Expr region_found(Context& out, const flow::Locate& l, c::Expr coordinate) {
  const Tensor& tensor = *out.flow.tensor(l.tensor);
  const format::Facts& facts = facts_of(tensor, l.level);
  const c::Expr exists = l.exists ? out.expressions.expr(*l.exists) : c::Expr{};
  if (!coordinate.as<c::Token>()) {  // which may be a fault where it is not asked for
    const std::string at = out.bind(l.name + "'sought");
    out.add(constant(at, exists ? choose(exists, coordinate, c::number(0)) : coordinate));
    coordinate = c::token(at);
  }
  auto [first, last] = fiber(out, tensor, l.level, l.parent);
  const bool one = facts.locate == format::Locate::one;
  if (exists) {
    first = choose(exists, first, c::number(0));
    last = choose(exists, last, c::number(0));
  }
  const std::string begin = out.bind(l.name + "'begin");
  out.add(constant(begin, first));
  const c::Expr crd = out.expressions.array(tensor, l.level, Array::coordinates);
  const std::string near = out.bind(l.name + "'near");
  const auto sought = [&] {
    return c::call(out.prelude.use_seek(facts.wide, false), {crd, c::token(begin), last, coordinate});
  };
  out.add(constant(near, one ? c::token(begin) : sought()));
  const bool point = facts.points();
  const c::Expr stored = index(crd, c::token(near));
  c::Expr there = point ? c::binary("==", coordinate, stored)
                  : one ? c::binary("<=", coordinate, stored)
                        : c::binary("<", c::token(near), last);
  if (one && exists) there = c::binary("&&", exists, there);
  if (!point && !facts.full()) {
    const c::Expr start = stored_first(out, tensor, l.level, c::token(near), c::token(begin));
    there = c::binary("&&", there, c::binary("<=", start, coordinate));
  }
  return choose(there, c::token(near), c::number(-1));
}

c::Expr position_found(Context& out, Memory& memory, const flow::Locate& l) {
  const Tensor& tensor = *out.flow.tensor(l.tensor);
  const format::Facts& facts = facts_of(tensor, l.level);
  c::Expr coordinate = out.expressions.expr(l.coordinate);
  if (l.check) coordinate = out.expressions.checked(coordinate, *l.check, tensor, l.level);
  const bool points = facts.points() && facts.locate != format::Locate::one;
  if (!workspace(tensor) && !points) return region_found(out, l, coordinate);
  if (l.near != flow::Locate::Near::no) return found_near(out, memory, l, coordinate);
  if (l.held) return held(out, *l.held);
  const c::Expr position =
      l.march.empty() ? found(out, tensor, l.level, l.parent, coordinate) : marched(out, memory, l, coordinate);
  return l.exists ? choose(out.expressions.expr(*l.exists), position, c::number(-1)) : position;
}

}  // namespace

c::Expr stored_first(Context& out, const flow::Tensor& tensor, int level, const c::Expr& entry, const c::Expr& begin) {
  const format::Facts& facts = facts_of(tensor, level);
  const auto of = [&](Array which, c::Expr at) {
    return index(out.expressions.array(tensor, level, which), std::move(at));
  };
  if (facts.starts) return of(Array::starts, entry);
  if (facts.region == format::Region::block) {
    if (facts.width > 0) return minus(of(Array::coordinates, entry), c::number(facts.width - 1));
    const c::Expr length = minus(of(Array::offsets, plus(entry, c::number(1))), of(Array::offsets, entry));
    return minus(plus(of(Array::coordinates, entry), c::number(1)), length);
  }
  const c::Expr behind = plus(of(Array::coordinates, minus(entry, c::number(1))), c::number(1));
  return choose(c::binary(">", entry, begin), behind, c::number(0));
}

std::pair<c::Expr, c::Expr> fiber(Context& out, const Tensor& tensor, int level, const flow::Position& parent) {
  const format::Facts& facts = facts_of(tensor, level);
  const auto* at = parent.as<flow::At>();
  if (at && at->several)
    return {c::token(out.names.variable(at->name)), c::token(out.names.variable(at->name + "'end"))};
  const c::Expr p = out.expressions.offset(parent);
  const c::Expr next = is_zero(p) ? c::number(1) : plus(p, c::number(1));
  if (workspace(tensor)) {
    if (facts.locate == format::Locate::hash) {
      const std::string start = workspace_part(out, tensor, level, "start");
      return {index(c::token(start), p), index(c::token(start), next)};
    }
    c::Expr first = p;
    if (!is_zero(p)) first = times(p, out.expressions.size(tensor, level));
    c::Expr count = c::token(workspace_part(out, tensor, level, "count"));
    if (level > 0) count = index(count, p);
    return {first, is_zero(first) ? count : plus(first, count)};
  }
  if (facts.locate == format::Locate::one) {  // one region, or none
    const c::Expr crd = out.expressions.array(tensor, level, Array::coordinates);
    const c::Expr stored = c::binary(">=", index(crd, p), c::number(0));
    return {p, is_zero(p) ? stored : plus(p, stored)};
  }
  if (facts.slots > 0) return {times(p, c::number(facts.slots)), times(next, c::number(facts.slots))};
  if (!facts.positions) return {p, next};
  const c::Expr positions = out.expressions.array(tensor, level, Array::positions);
  return {index(positions, p), index(positions, next)};
}

std::pair<c::Expr, c::Expr> where_it_exists(Context& out, const flow::Cursor& cursor,
                                            std::pair<c::Expr, c::Expr> entries) {
  if (!cursor.exists) return entries;
  const c::Expr exists = out.expressions.expr(*cursor.exists);
  return {choose(exists, entries.first, c::number(0)), choose(exists, entries.second, c::number(0))};
}

std::pair<c::Expr, c::Expr> fiber(Context& out, const flow::Cursor& cursor) {
  return where_it_exists(out, cursor, fiber(out, *out.flow.tensor(cursor.tensor), cursor.level, cursor.parent));
}

void allocate_pointers(Context& out, Memory& memory, const flow::Locate& l) {
  const c::Expr fibers = out.expressions.count(*out.flow.tensor(l.tensor), l.level);
  memory.hoist("int64_t", out.names.fix("'pointers." + l.march, l.march),
               c::call(out.prelude.use_zeroed(), {fibers, c::number(8)}));
}

void locate(Context& out, Memory& memory, const flow::Locate& l, const text::Origin& origin) {
  const Tensor& tensor = *out.flow.tensor(l.tensor);
  const c::Expr position = position_found(out, memory, l);
  const std::string name = out.bind(l.name);
  out.expressions.forget_base(l.name);
  out.add(c::stmt(c::Declaration{"const int64_t", name, {}, position}, origin));
  if (!l.several) return;
  const c::Expr stop = fiber(out, tensor, l.level, l.parent).second;
  const c::Expr crd = out.expressions.array(tensor, l.level, Array::coordinates);
  const std::string end = out.bind(l.name + "'end");
  const c::Expr present = c::binary(">=", c::token(name), c::number(0));
  const std::string helper = out.prelude.use_find_end(facts_of(tensor, l.level).wide);
  out.add(constant(end, choose(present, c::call(helper, {crd, c::token(name), stop}), c::number(-1))));
}

}  // namespace trellis::emit
