#include "engine/place/bounds.hpp"

#include <algorithm>
#include <set>

#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Affine;
using math::Relation;

/// From `form >= 0`, where `form` is `factor * variable + rest`.
void add_bound(Bounds& bounds, std::int64_t factor, const Affine& rest) {
  if (factor == 1) return add_once(bounds.lows, -rest);
  if (factor == -1) return add_once(bounds.highs, rest + 1);
  if (factor > 0) return add_once(bounds.lows, -Affine::div(rest, factor));
  add_once(bounds.highs, Affine::div(rest, -factor) + 1);
}

}  // namespace

Bounds bounds_of(const std::string& variable, const std::vector<math::Constraint>& constraints,
                 const std::function<bool(const std::string&)>& allowed) {
  Bounds bounds;
  for (const math::Constraint& c : constraints) {
    Affine form = c.right - c.left;
    std::int64_t factor = form.coefficient(variable);
    if (factor == 0 || c.relation == Relation::not_equal) continue;
    Affine rest = form - Affine::name(variable, factor);
    std::set<std::string> names;
    rest.collect_names(names);
    if (!std::all_of(names.begin(), names.end(), [&](const std::string& n) { return n != variable && allowed(n); }))
      continue;
    switch (c.relation) {
      case Relation::less: add_bound(bounds, factor, rest - 1); break;
      case Relation::less_equal: add_bound(bounds, factor, rest); break;
      case Relation::greater: add_bound(bounds, -factor, -rest - 1); break;
      case Relation::greater_equal: add_bound(bounds, -factor, -rest); break;
      default: add_bound(bounds, factor, rest); add_bound(bounds, -factor, -rest);
    }
  }
  return bounds;
}

math::Constraint at_least(const std::string& variable, const math::Affine& low) {
  return {low, Relation::less_equal, Affine::name(variable)};
}

math::Constraint below(const std::string& variable, const math::Affine& high) {
  return {Affine::name(variable), Relation::less, high};
}

}  // namespace trellis::place
