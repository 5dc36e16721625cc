#include "engine/distribute/cuts.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/math/division.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

/// Counts point by point along variables that others depend on, at once along those that stand alone.
class Counter {
 public:
  Counter(const std::vector<std::string>& variables, std::vector<Constraint> constraints)
      : variables_(variables), constraints_(std::move(constraints)) {}

  std::int64_t count(std::size_t k) {
    if (k == variables_.size()) return 1;
    const auto [low, high, alone] = bounds(k);
    if (low >= high) return 0;
    if (alone) return (high - low) * count(k + 1);
    std::int64_t sum = 0;
    for (std::int64_t x = low; x < high; ++x) {
      const std::map<std::string, Affine> here{{variables_[k], Affine(x)}};
      std::vector<Constraint> left;
      bool holds = true;
      for (const Constraint& c : constraints_) {
        Constraint now = c.substitute(here);
        if (now.left.is_constant() && now.right.is_constant())
          holds &= now.holds([](const std::string&) -> std::optional<std::int64_t> { return {}; }).value_or(false);
        else left.push_back(std::move(now));
      }
      if (holds) sum += Counter(variables_, std::move(left)).count(k + 1);
    }
    return sum;
  }

 private:
  struct Bounds {
    std::int64_t low, high;
    bool alone;
  };

  Bounds bounds(std::size_t k) const {
    const std::string& v = variables_[k];
    Bounds found{0, std::numeric_limits<std::int64_t>::max() / 4, true};
    for (const Constraint& c : constraints_) {
      if (!c.mentions(v)) continue;
      const Affine form = c.left - c.right;
      const std::int64_t a = form.coefficient(v);
      const bool simple =
          form.quotients.empty() && form.terms.size() == 1 && a != 0 && c.relation != Relation::not_equal;
      found.alone &= simple;
      if (!simple) continue;
      // a v + b REL 0
      const std::int64_t b = form.constant;
      const bool less = c.relation == Relation::less, greater = c.relation == Relation::greater;
      const bool upper = c.relation == Relation::equal || ((less || c.relation == Relation::less_equal) == (a > 0));
      const bool lower = c.relation == Relation::equal || !upper;
      const std::int64_t strict = less || greater ? 1 : 0, size = std::abs(a);
      const std::int64_t bound = a > 0 ? -b : b;  // size v REL' bound
      if (upper) found.high = std::min(found.high, math::floor_div(bound - strict, size) + 1);
      if (lower) found.low = std::max(found.low, -math::floor_div(-(bound + strict), size));
    }
    return found;
  }

  const std::vector<std::string>& variables_;
  std::vector<Constraint> constraints_;
};

}  // namespace

std::optional<std::int64_t> number_in(const Affine& form, const Numbers& numbers) {
  return form.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
    const auto found = numbers.find(name);
    return found == numbers.end() ? std::nullopt : std::optional(found->second);
  });
}

std::int64_t Cuts::ranks() const {
  return std::accumulate(grid.begin(), grid.end(), std::int64_t{1}, std::multiplies<>());
}

std::vector<std::int64_t> even_cuts(std::int64_t size, std::int64_t parts) {
  std::vector<std::int64_t> cuts;
  const std::int64_t each = size / parts, more = size % parts;
  for (std::int64_t r = 0; r <= parts; ++r) cuts.push_back(r * each + std::min(r, more));
  return cuts;
}

std::vector<std::int64_t> weighted_cuts(const std::vector<std::int64_t>& weights, std::int64_t parts) {
  const std::int64_t total = std::accumulate(weights.begin(), weights.end(), std::int64_t{0});
  std::vector<std::int64_t> cuts{0};
  std::int64_t before = 0, row = 0;
  const auto rows = static_cast<std::int64_t>(weights.size());
  for (std::int64_t r = 1; r < parts; ++r) {
    const double wanted = static_cast<double>(total) * static_cast<double>(r) / static_cast<double>(parts);
    while (row < rows) {  // a row goes to the side on which its middle is
      const std::int64_t weight = weights[static_cast<std::size_t>(row)];
      if (static_cast<double>(before) + static_cast<double>(weight) / 2 > wanted) break;
      before += weight, ++row;
    }
    cuts.push_back(row);
  }
  cuts.push_back(rows);
  return cuts;
}

std::optional<Cuts> cut(const Plan& plan, std::vector<std::int64_t> grid, Numbers sizes, const Wanted& wanted) {
  Cuts cuts{std::move(grid), std::move(sizes), {}};
  for (const Partition& p : plan.partitions) {
    const auto at = std::ranges::find(plan.grid, p.ranks, &lang::RanksInfo::name);
    const std::int64_t parts = cuts.grid[static_cast<std::size_t>(at - plan.grid.begin())];
    const auto size = number_in(p.base, cuts.sizes);
    if (!size) return std::nullopt;
    if (p.cyclic > 0) {
      cuts.places.emplace_back(static_cast<std::size_t>(parts) + 1);
      std::iota(cuts.places.back().begin(), cuts.places.back().end(), 0);
      continue;
    }
    // Sizes that differ by a number are cut at the same places.
    std::optional<std::vector<std::int64_t>> places;
    for (std::size_t k = 0; k < cuts.places.size() && !places; ++k)
      if (const Partition& other = plan.partitions[k]; other.ranks == p.ranks && other.base == p.base) {
        places = cuts.places[k];
        places->back() -= other.extra;
      }
    if (!places && wanted) places = wanted(p, parts);
    if (!places) places = even_cuts(std::max<std::int64_t>(0, *size), parts);
    places->back() += p.extra;
    cuts.places.push_back(std::move(*places));
  }
  return cuts;
}

std::vector<std::int64_t> coordinates_of(const Cuts& cuts, std::int64_t rank) {
  std::vector<std::int64_t> at(cuts.grid.size());
  for (std::size_t g = at.size(); g-- > 0; rank /= cuts.grid[g]) at[g] = rank % cuts.grid[g];
  return at;
}

bool has(const Partition& p, const Numbers& numbers, std::int64_t x) {
  if (p.cyclic > 0) return x / p.cyclic % p.parts == numbers.at(p.low);
  return numbers.at(p.low) <= x && x < numbers.at(p.high);
}

Numbers numbers_of(const Plan& plan, const Cuts& cuts, std::int64_t rank) {
  Numbers numbers = cuts.sizes;
  const std::vector<std::int64_t> at = coordinates_of(cuts, rank);
  for (std::size_t k = 0; k < plan.partitions.size(); ++k) {
    const Partition& p = plan.partitions[k];
    const auto g = std::ranges::find(plan.grid, p.ranks, &lang::RanksInfo::name) - plan.grid.begin();
    const auto r = static_cast<std::size_t>(at[static_cast<std::size_t>(g)]);
    numbers[p.low] = cuts.places[k][r];
    numbers[p.high] = cuts.places[k][r + 1];
  }
  return numbers;
}

std::int64_t count_points(const Domain& domain, const Numbers& numbers) {
  std::map<std::string, Affine> values;
  for (const auto& [name, number] : numbers) values.emplace(name, Affine(number));
  std::vector<Constraint> left;
  for (const Constraint& c : domain.constraints) {
    Constraint now = c.substitute(values);
    if (!now.left.is_constant() || !now.right.is_constant()) left.push_back(std::move(now));
    else if (!now.holds([](const std::string&) -> std::optional<std::int64_t> { return {}; }).value_or(false)) return 0;
  }
  return Counter(domain.variables, std::move(left)).count(0);
}

std::vector<Domain> elements_between(const Plan& plan, const Cuts& cuts, const Exchange& exchange, std::int64_t from,
                                     std::int64_t to) {
  const bool ghosts = exchange.kind == Exchange::Kind::ghosts;
  const std::int64_t owner = ghosts ? from : to, other = ghosts ? to : from;
  const Home* home = plan.home(exchange.tensor);
  const std::vector<std::int64_t> at = coordinates_of(cuts, owner), there = coordinates_of(cuts, other);
  std::vector<bool> homed(plan.grid.size(), false);
  std::vector<Constraint> own;
  const Numbers numbers = numbers_of(plan, cuts, owner);
  for (std::size_t d = 0; home && d < home->size(); ++d) {
    if ((*home)[d] < 0) continue;
    const Partition& p = plan.partitions[static_cast<std::size_t>((*home)[d])];
    homed[static_cast<std::size_t>(std::ranges::find(plan.grid, p.ranks, &lang::RanksInfo::name) - plan.grid.begin())] =
        true;
    const Affine e = Affine::name(element_name(d));
    for (const Constraint& c : inside(p, e))
      own.push_back(c.substitute({{p.low, Affine(numbers.at(p.low))}, {p.high, Affine(numbers.at(p.high))}}));
  }
  // Of copies the one that has the reader's own coordinates sends, or receives where it computes a copy itself.
  for (std::size_t g = 0; g < homed.size(); ++g) {
    const bool own_copy = ghosts ? !homed[g] : !contains(exchange.along, plan.grid[g].name);
    if (own_copy && at[g] != there[g]) return {};
  }
  const lang::TensorInfo& info = plan.tensors.at(exchange.tensor);
  for (std::size_t d = 0; d < info.shape.size(); ++d) {
    const Affine e = Affine::name(element_name(d));
    own.push_back({Affine(0), Relation::less_equal, e});
    own.push_back({e, Relation::less, info.shape[d]});
  }
  std::vector<Domain> between;
  for (const Domain& section : exchange.sections) {
    between.push_back(section);
    between.back().constraints.insert(between.back().constraints.end(), own.begin(), own.end());
  }
  return between;
}

}  // namespace trellis::distribute
