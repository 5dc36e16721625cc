#include "engine/distribute/wants.hpp"

#include <algorithm>
#include <map>

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Constraint;
using math::Relation;

/// Marks the coordinates that a rank's rows of an operand have.
void mark(const Plan& plan, const Leader& leader, const Numbers& numbers, std::vector<char>& wanted) {
  const auto rows = leader.pattern->rows();
  const auto row = [&](std::int64_t number) {
    const auto i = static_cast<std::size_t>(leader.from ? (*leader.from)[static_cast<std::size_t>(number)] : number);
    for (std::int64_t e = leader.pattern->first[i]; e < leader.pattern->first[i + 1]; ++e) {
      const auto x = static_cast<std::size_t>(leader.pattern->columns[static_cast<std::size_t>(e)]);
      const auto at = static_cast<std::size_t>(leader.to ? (*leader.to)[x] : static_cast<std::int64_t>(x));
      if (at < wanted.size()) wanted[at] = 1;
    }
  };
  const Partition* const partition =
      leader.partition < 0 ? nullptr : &plan.partitions[static_cast<std::size_t>(leader.partition)];
  const bool in_one_piece = partition && partition->cyclic == 0;
  const std::int64_t first = in_one_piece ? numbers.at(partition->low) : 0;
  const std::int64_t last = in_one_piece ? std::min(rows, numbers.at(partition->high)) : rows;
  for (std::int64_t number = first; number < last; ++number)
    if (in_one_piece || !partition || has(*partition, numbers, number)) row(number);
}

/// What of the rising coordinates satisfies a condition about x alone, in which x has that coefficient.
template <class Holds>
void narrow(std::vector<std::int64_t>::const_iterator& begin, std::vector<std::int64_t>::const_iterator& end,
            bool up_to, const Holds& holds) {
  if (up_to) end = std::partition_point(begin, end, holds);
  else begin = std::partition_point(begin, end, [&](std::int64_t x) { return !holds(x); });
}

}  // namespace

Wants wants_of(const Plan& plan, const Cuts& cuts, const std::vector<Leader>& leaders, std::size_t dimension,
               std::int64_t size) {
  Wants made{dimension, {}};
  // Ranks that have the same rows want the same.
  std::map<std::vector<std::int64_t>, std::shared_ptr<const std::vector<std::int64_t>>> known;
  for (std::int64_t rank = 0; rank < cuts.ranks(); ++rank) {
    const Numbers numbers = numbers_of(plan, cuts, rank);
    std::vector<std::int64_t> parts;
    for (const Leader& one : leaders) {
      if (one.partition < 0) continue;
      const Partition& p = plan.partitions[static_cast<std::size_t>(one.partition)];
      parts.insert(parts.end(), {numbers.at(p.low), numbers.at(p.high)});
    }
    auto& there = known[parts];
    if (!there) {
      std::vector<char> wanted(static_cast<std::size_t>(std::max<std::int64_t>(0, size)), 0);
      for (const Leader& one : leaders) mark(plan, one, numbers, wanted);
      std::vector<std::int64_t> coordinates;
      for (std::size_t x = 0; x < wanted.size(); ++x)
        if (wanted[x]) coordinates.push_back(static_cast<std::int64_t>(x));
      there = std::make_shared<const std::vector<std::int64_t>>(std::move(coordinates));
    }
    made.by_rank.push_back(there);
  }
  return made;
}

const Wants* wants(const Plan& plan, const Cuts& cuts, const Exchange& exchange) {
  if (!cuts.wants) return nullptr;
  for (const auto& [k, wanted] : *cuts.wants)
    if (&plan.exchanges[k] == &exchange) return &wanted;
  return nullptr;
}

bool is_exact(const Cuts& cuts, const Exchange& exchange) { return exchange.lists.empty() || cuts.wants.has_value(); }

std::int64_t count_among(const math::Domain& domain, const Numbers& numbers, std::size_t dimension,
                         const std::vector<std::int64_t>& coordinates) {
  const std::string name = element_name(dimension);
  std::map<std::string, Affine> values;
  for (const auto& [known, number] : numbers) values.emplace(known, Affine(number));
  math::Domain rest{{}, {}};  // of the other dimensions, with x among its names where that cannot be told apart
  for (const std::string& variable : domain.variables)
    if (variable != name) rest.variables.push_back(variable);
  auto begin = coordinates.begin(), end = coordinates.end();
  std::vector<Constraint> each;
  bool apart = true;
  for (const Constraint& c : domain.constraints) {
    Constraint now = c.substitute(values);
    if (!now.mentions(name)) {
      rest.constraints.push_back(std::move(now));
      continue;
    }
    const Affine form = now.left - now.right;
    const bool alone = std::ranges::none_of(rest.variables, [&](const auto& other) { return now.mentions(other); });
    if (alone && form.quotients.empty() && now.relation != Relation::equal && now.relation != Relation::not_equal) {
      const std::int64_t a = form.coefficient(name), b = form.constant;
      const bool less = now.relation == Relation::less || now.relation == Relation::less_equal;
      const bool strict = now.relation == Relation::less || now.relation == Relation::greater;
      narrow(begin, end, less == (a > 0), [&](std::int64_t x) {
        const std::int64_t value = (less ? 1 : -1) * (a * x + b);
        return strict ? value < 0 : value <= 0;
      });
    } else if (alone) {
      each.push_back(std::move(now));
    } else {
      apart = false;
      rest.constraints.push_back(std::move(now));
    }
  }
  std::int64_t count = 0;
  for (auto x = begin; x != end; ++x) {
    const auto value = [&](const std::string& asked) { return asked == name ? std::optional(*x) : std::nullopt; };
    if (!std::ranges::all_of(each, [&](const Constraint& c) { return c.holds(value).value_or(false); })) continue;
    count += apart ? 1 : count_points(rest, {{name, *x}});
  }
  return apart && count > 0 ? count * count_points(rest, {}) : count;
}

std::int64_t count_wanted(const math::Domain& domain, const Numbers& numbers, const Wants* wants, std::int64_t reader) {
  return wants ? count_among(domain, numbers, wants->dimension, wants->of(reader)) : count_points(domain, numbers);
}

}  // namespace trellis::distribute
