#include "engine/place/needed_sizes.hpp"

#include <algorithm>

#include "engine/place/definitions.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using math::Constraint;

bool all_in_range(const Analysis& analysis, const std::vector<Constraint>& sizes) {
  text::Diagnostics said;
  check_ranges(analysis, sizes, said);
  return !said.has_errors();
}

}  // namespace

std::vector<Constraint> needed_sizes(const Analysis& analysis) {
  std::vector<Constraint> values, needed;
  for (const Constraint& c : usual_sizes(analysis.program))
    add_once(c.relation == math::Relation::equal ? values : needed, c);
  const auto suffice = [&](std::vector<Constraint> sizes) {
    sizes.insert(sizes.end(), values.begin(), values.end());
    return all_in_range(analysis, sizes);
  };
  if (suffice({})) return {};
  for (std::size_t k = 0; k < needed.size();) {
    std::vector<Constraint> others = needed;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(k));
    if (suffice(others)) needed = std::move(others);
    else ++k;
  }
  return needed;
}

}  // namespace trellis::place
