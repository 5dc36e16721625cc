#include "engine/coiterate/known_indices.hpp"

#include <algorithm>

#include "engine/coiterate/reduce.hpp"

namespace trellis::coiterate {

namespace {

using math::Affine;
using math::Relation;

struct LevelRange {
  Affine index, size;
};

std::optional<LevelRange> range_of(const Literal& literal, const Surroundings& around) {
  const auto& access = *literal.access.as<lang::Access>();
  const lang::TensorInfo& info = *around.tensor(access.tensor);
  const std::optional<Affine> index = lang::affine(level_index(access, info, literal.level()));
  if (!index) return std::nullopt;
  return LevelRange{*index, access::level_size(info, literal.level())};
}

bool is_certain(const Affine& form) { return form.is_constant() && form.constant >= 0; }

/// Is the form, which rises or falls with the loop's variable, at least 0 at all of its coordinates?
bool is_certain(const Affine& form, const loop::For& loop) {
  const std::optional<Affine> low = lang::affine(loop.low), high = lang::affine(loop.high);
  if (!low || !high || !form.quotients.empty()) return false;
  const Affine worst = form.coefficient(loop.variable) > 0 ? *low : *high - Affine(1);
  return is_certain(form.substitute({{loop.variable, worst}}));
}

/// The form that is at least 0 where the comparison holds.
std::optional<Affine> form_of(const lang::Expr& comparison) {
  if (!comparison.as<lang::Binary>()) return std::nullopt;
  const auto constraints = lang::affine_condition(comparison);
  if (!constraints || constraints->size() != 1) return std::nullopt;
  const auto& [left, relation, right] = constraints->front();
  switch (relation) {
    case Relation::less: return right - left - Affine(1);
    case Relation::less_equal: return right - left;
    case Relation::greater: return left - right - Affine(1);
    case Relation::greater_equal: return left - right;
    case Relation::equal:
    case Relation::not_equal: break;
  }
  return std::nullopt;
}

lang::Expr decided(const lang::Expr& e, const Known& known) {
  if (const std::optional<Affine> form = form_of(e)) {
    const auto follows = [&](const Affine& other) {
      return std::ranges::any_of(known, [&](const Affine& one) { return is_certain(other - one); });
    };
    if (follows(*form)) return lang::constant(format::Value::truth(true));
    if (follows(-*form - Affine(1))) return lang::constant(format::Value::truth(false));
  }
  return lang::map_children(e, [&](const lang::Expr& child) { return decided(child, known); });
}

loop::Stmt decided(const loop::Stmt& s, const Known& known) {
  return loop::map_children(
      s, [&](const loop::Stmt& child) { return decided(child, known); },
      [&](const lang::Expr& e) { return decided(e, known); });
}

}  // namespace

Known where_present(const Literal& literal, const Surroundings& around) {
  const std::optional<LevelRange> range = range_of(literal, around);
  if (!range) return {};
  return {range->index, range->size - range->index - Affine(1)};
}

Known where_absent(const Literal& literal, const loop::For& loop, const Surroundings& around) {
  const bool full = literal.stored().full() && literal.level() == 0;
  const std::optional<LevelRange> range = full ? range_of(literal, around) : std::nullopt;
  if (!range) return {};
  if (is_certain(range->size - range->index - Affine(1), loop)) return {-range->index - Affine(1)};
  if (is_certain(range->index, loop)) return {range->index - range->size};
  return {};
}

loop::Stmt with_known(const loop::Stmt& body, const Known& known, const Surroundings& around) {
  if (known.empty()) return body;
  const loop::Stmt next = decided(body, known);
  return next.same(body) ? body : reduce(next, around);
}

}  // namespace trellis::coiterate
