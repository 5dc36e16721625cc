#include "engine/emit/solved_sizes.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "engine/math/sizes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {
namespace {

/// The one size that an extent tells when the others are known; it stands for itself, in no product and no quotient.
std::optional<SolvedSize> solve(const math::Affine& extent, const std::set<std::string>& known) {
  std::optional<SolvedSize> found;
  math::Affine rest = extent;
  for (const auto& [name, coefficient] : extent.terms) {
    std::set<std::string> factors;
    math::collect_factors(math::Affine::name(name), factors);
    if (std::ranges::includes(known, factors)) continue;
    if (found || factors.size() > 1 || math::is_product(name)) return std::nullopt;
    found = SolvedSize{.size = name, .rest = {}, .coefficient = coefficient};
  }
  if (!found) return std::nullopt;
  rest = rest - math::Affine::name(found->size, found->coefficient);
  std::set<std::string> others;
  math::collect_factors(rest, others);
  if (!std::ranges::includes(known, others)) return std::nullopt;
  found->rest = rest;
  return found;
}

}  // namespace

SolvedSizes solve_sizes(const std::vector<std::vector<math::Affine>>& shapes, const std::vector<std::string>& wanted) {
  SolvedSizes sizes;
  std::set<std::string> known, mentioned;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (std::size_t t = 0; t < shapes.size(); ++t)
      for (std::size_t d = 0; d < shapes[t].size(); ++d) {
        auto one = solve(shapes[t][d], known);
        if (!one) continue;
        one->tensor = t;
        one->dimension = d;
        known.insert(one->size);
        sizes.solved.push_back(std::move(*one));
        goes_on = true;
      }
  }
  for (const std::string& name : wanted)
    if (!known.contains(name)) add_once(sizes.given, name);
  for (const auto& shape : shapes)
    for (const math::Affine& extent : shape) math::collect_factors(extent, mentioned);
  for (const std::string& name : mentioned)
    if (!known.contains(name)) add_once(sizes.given, name);
  return sizes;
}

}  // namespace trellis::emit
