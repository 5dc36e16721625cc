#include "engine/check/nest.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::check {

using math::Affine;
using math::Constraint;
using math::Relation;

namespace {

/// `form >= 0` for each side of the constraint that is one; disequalities have none.
std::vector<Affine> inequalities(const Constraint& c) {
  const Affine rise = c.right - c.left;
  switch (c.relation) {
    case Relation::less: return {rise - Affine(1)};
    case Relation::less_equal: return {rise};
    case Relation::greater: return {-rise - Affine(1)};
    case Relation::greater_equal: return {-rise};
    case Relation::equal: return {rise, -rise};
    case Relation::not_equal: return {};
  }
  return {};
}

bool in_quotient(const Affine& form, const std::string& name) {
  return std::any_of(form.quotients.begin(), form.quotients.end(),
                     [&](const math::Quotient& q) { return q.numerator->mentions(name); });
}

/// Adds what `form >= 0` says about the level's variable.
void add_bound(Level& level, const Affine& form) {
  const std::int64_t c = form.coefficient(level.variable);
  if (c == 0 || in_quotient(form, level.variable)) return;
  const Affine rest = form - c * Affine::name(level.variable);
  if (c > 0) level.lower.push_back({-rest, c});
  else level.upper.push_back({rest, -c});
}

/// What the system says when `name` is left out.
std::vector<Affine> eliminate(const std::vector<Affine>& system, const std::string& name) {
  std::vector<Affine> kept, below, above;
  for (const Affine& form : system) {
    if (in_quotient(form, name)) continue;
    const std::int64_t c = form.coefficient(name);
    (c == 0 ? kept : c > 0 ? below : above).push_back(form);
  }
  for (const Affine& low : below)
    for (const Affine& high : above) {
      Affine sum = -high.coefficient(name) * low + low.coefficient(name) * high;
      if (!sum.is_constant()) add_once(kept, std::move(sum));
    }
  return kept;
}

}  // namespace

Nest nest_of(const math::Domain& domain, const Values& parameters) {
  Nest nest;
  for (const std::string& name : domain.variables) nest.levels.push_back({name, {}, {}, {}});
  std::vector<Affine> system;
  for (const Constraint& written : domain.constraints) {
    const Constraint constraint = written.substitute(parameters);
    for (Affine& form : inequalities(constraint)) system.push_back(std::move(form));
    auto last = std::find_if(nest.levels.rbegin(), nest.levels.rend(),
                             [&](const Level& level) { return constraint.mentions(level.variable); });
    (last == nest.levels.rend() ? nest.conditions : last->conditions).push_back(constraint);
  }
  for (auto level = nest.levels.rbegin(); level != nest.levels.rend(); ++level) {
    for (const Affine& form : system) add_bound(*level, form);
    system = eliminate(system, level->variable);
  }
  // A condition that became a bound of its own level needs no test.
  for (Level& level : nest.levels)
    std::erase_if(level.conditions, [&](const Constraint& c) {
      return c.relation != Relation::not_equal && (c.right - c.left).coefficient(level.variable) != 0 &&
             !in_quotient(c.left, level.variable) && !in_quotient(c.right, level.variable);
    });
  return nest;
}

}  // namespace trellis::check
