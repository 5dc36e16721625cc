#include "engine/coiterate/open_cursor.hpp"

#include <algorithm>

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/loop_parts.hpp"
#include "engine/coiterate/lower_expressions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/positions.hpp"
#include "engine/coiterate/recursion.hpp"

namespace trellis::coiterate {

namespace {

/// The fiber's parent is there, and its index in range, where the loop runs and reads it.
std::optional<Expr> has_fiber(Context& in, const Literal& literal, const loop::For& f, const std::string& missing) {
  const auto& access = *literal.access.as<lang::Access>();
  const lang::TensorInfo& described = *info(in, access.tensor);
  std::optional<Expr> all = exists(in_range(in, access, literal.sequence.first_level()), missing);
  const auto checked = [&](int level) {
    return index_check(in, access, level_index(access, described, level)).has_value();
  };
  bool any = false;
  for (int level = 0; level < literal.sequence.first_level() && !any; ++level) any = checked(level);
  if (!any) return all;
  // The loop may turn out to run nowhere, or nothing in it to read the access.
  if (!literal.only_if.empty()) all = both(any_of(in, literal.only_if), all);
  return both(runs(in, f), all);
}

}  // namespace

Cursor open_cursor(Context& in, const Literal& literal, const loop::For& f, Cursor::Role role) {
  const auto& access = *literal.access.as<lang::Access>();
  const access::Inverse& inverse = literal.sequence.inverse;
  const Tensor& of = tensor(in, access.tensor);
  const bool in_segment = in.segments.contains(literal.key);
  const Descent parent = fiber_of(in, access, literal.sequence.first_level());
  if (literal.grows) grow_live(in, of.name);
  Cursor c;
  const std::string own = position_name(of, literal.level());
  c.name = in.scope.introduce(literal.sequence.takes_segments() ? own + "_" + f.variable : own);
  c.tensor = of.name;
  c.level = literal.level();
  for (const access::Digit& digit : literal.sequence.above) c.digits.push_back({digit.level, digit.unit, digit.map});
  c.own = literal.sequence.own;
  c.parent = parent.position;
  c.exists = in_segment ? exists({}, parent.missing) : has_fiber(in, literal, f, parent.missing);
  c.reversed = inverse.reversed;
  c.stride = inverse.stride;
  c.width = inverse.width;
  c.stretch = inverse.stretch;
  c.offset = lower_expr(in, in.scope.to_expr(inverse.offset));
  c.role = role;
  c.full = literal.sequence.full;
  c.below = literal.sequence.window.below;
  c.above = literal.sequence.window.above;
  return c;
}

}  // namespace trellis::coiterate
