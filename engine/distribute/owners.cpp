#include "engine/distribute/owners.hpp"

#include <algorithm>
#include <numeric>

#include "engine/distribute/wants.hpp"
#include "engine/math/division.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Constraint;
using math::Relation;

struct Interval {
  std::int64_t low, high;  ///< low <= x < high
  bool empty() const { return low >= high; }
};

/// Between which coordinates a domain lies in one dimension, as far as constraints about it alone tell.
Interval hull(const math::Domain& domain, const Numbers& numbers, const std::string& name, Interval all) {
  std::map<std::string, Affine> values;
  for (const auto& [known, number] : numbers) values.emplace(known, Affine(number));
  for (const Constraint& c : domain.constraints) {
    const Affine form = (c.left - c.right).substitute(values);
    const std::int64_t a = form.coefficient(name);
    if (a == 0 || form.terms.size() != 1 || !form.quotients.empty() || c.relation == Relation::not_equal) continue;
    // a x + b REL 0
    const std::int64_t b = form.constant, size = std::abs(a);
    const bool strict = c.relation == Relation::less || c.relation == Relation::greater;
    const bool less = c.relation == Relation::less || c.relation == Relation::less_equal;
    const std::int64_t bound = a > 0 ? -b : b;
    if (c.relation == Relation::equal || less == (a > 0))
      all.high = std::min(all.high, math::floor_div(bound - strict, size) + 1);
    if (c.relation == Relation::equal || less != (a > 0))
      all.low = std::max(all.low, -math::floor_div(-(bound + strict), size));
  }
  return all;
}

/// The parts that are not empty and meet the interval.
std::vector<std::int64_t> parts_in(const std::vector<std::int64_t>& places, Interval span) {
  std::vector<std::int64_t> parts;
  if (span.empty()) return parts;
  for (auto r = std::ranges::upper_bound(places, span.low) - places.begin() - 1;
       r + 1 < std::ssize(places) && places[static_cast<std::size_t>(r)] < span.high; ++r)
    if (places[static_cast<std::size_t>(r)] < places[static_cast<std::size_t>(r) + 1]) parts.push_back(r);
  return parts;
}

/// The same, as far as one of the coordinates, which rise, is in them.
std::vector<std::int64_t> parts_of_some(const std::vector<std::int64_t>& places, Interval span,
                                        const std::vector<std::int64_t>& coordinates) {
  std::vector<std::int64_t> parts;
  for (auto x = std::ranges::lower_bound(coordinates, span.low); x != coordinates.end() && *x < span.high;) {
    const auto next = std::ranges::upper_bound(places, *x);
    if (next == places.end()) break;
    parts.push_back(next - places.begin() - 1);
    x = std::lower_bound(x, coordinates.end(), *next);
  }
  return parts;
}

}  // namespace

std::vector<std::int64_t> owners_near(const Plan& plan, const Cuts& cuts, const Exchange& exchange,
                                      const math::Domain& section, const Numbers& numbers, std::int64_t rank) {
  const Home* home = plan.home(exchange.tensor);
  const Wants* const wanted = wants(plan, cuts, exchange);
  const lang::TensorInfo& info = plan.tensors.at(exchange.tensor);
  const std::vector<std::int64_t> own = coordinates_of(cuts, rank);
  const bool ghosts = exchange.kind == Exchange::Kind::ghosts;
  std::vector<std::int64_t> ranks{0};
  for (std::size_t g = 0; g < cuts.grid.size(); ++g) {
    const std::string& name = plan.grid[g].name;
    std::optional<std::vector<std::int64_t>> along;
    for (std::size_t d = 0; home && d < home->size() && !along; ++d) {
      if ((*home)[d] < 0 || plan.partitions[static_cast<std::size_t>((*home)[d])].ranks != name) continue;
      if (plan.partitions[static_cast<std::size_t>((*home)[d])].cyclic > 0) {
        along.emplace(static_cast<std::size_t>(cuts.grid[g]));
        std::iota(along->begin(), along->end(), 0);
        continue;
      }
      const std::vector<std::int64_t>& places = cuts.places[static_cast<std::size_t>((*home)[d])];
      const Interval span = hull(section, numbers, element_name(d), {0, number_in(info.shape[d], numbers).value_or(0)});
      const bool some = wanted && wanted->dimension == d;
      along = some ? parts_of_some(places, span, wanted->of(rank)) : parts_in(places, span);
    }
    if (!along) {  // of copies the one beside, unless each computes its own
      along = std::vector<std::int64_t>{own[g]};
      if (!ghosts && contains(exchange.along, name)) {
        along->resize(static_cast<std::size_t>(cuts.grid[g]));
        std::iota(along->begin(), along->end(), 0);
      }
    }
    std::vector<std::int64_t> further;
    for (const std::int64_t before : ranks)
      for (const std::int64_t c : *along) further.push_back(before * cuts.grid[g] + c);
    ranks = std::move(further);
  }
  return ranks;
}

}  // namespace trellis::distribute
