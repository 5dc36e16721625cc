#include "engine/math/system.hpp"

#include <algorithm>

namespace trellis::math {
namespace {

void expand(System system, const std::vector<Constraint>& constraints, std::size_t next, std::vector<System>& all) {
  for (; next < constraints.size(); ++next) {
    const Constraint& c = constraints[next];
    if (c.relation == Relation::not_equal) {
      System below = system;
      below.require(c.left, Relation::less, c.right);
      expand(std::move(below), constraints, next + 1, all);
      system.require(c.left, Relation::greater, c.right);
    } else {
      system.require(c.left, c.relation, c.right);
    }
  }
  all.push_back(std::move(system));
}

}  // namespace

/// Adds the form, so many times.
void System::add(Row& to, const Affine& affine, std::int64_t factor) {
  if (to.size() < 1 + names->size()) to.resize(1 + names->size(), 0);
  to[0] += factor * affine.constant;
  for (const auto& [name, coefficient] : affine.terms) {
    const auto at = std::find(names->begin(), names->end(), name);
    to[1 + static_cast<std::size_t>(at - names->begin())] += factor * coefficient;
  }
  for (const Quotient& quotient : affine.quotients) {
    const std::size_t column = column_of(quotient);
    const std::int64_t many = factor * quotient.coefficient;
    const bool div = quotient.kind == Quotient::Kind::div;
    if (!div) add(to, *quotient.numerator, many);
    if (to.size() <= column) to.resize(column + 1, 0);
    to[column] += div ? many : -many * quotient.divisor;
  }
}

/// Where the quotient is an unknown, whose remainder is at least 0 and less than the divisor.
std::size_t System::column_of(const Quotient& quotient) {
  Row remainder;
  add(remainder, *quotient.numerator, 1);  // those inside come first
  const auto known = std::ranges::find(divided, std::pair(*quotient.numerator, quotient.divisor));
  const std::size_t column = 1 + names->size() + static_cast<std::size_t>(known - divided.begin());
  if (known != divided.end()) return column;
  divided.emplace_back(*quotient.numerator, quotient.divisor);
  if (remainder.size() <= column) remainder.resize(column + 1, 0);
  remainder[column] -= quotient.divisor;
  inequalities.push_back(remainder);
  for (std::int64_t& c : remainder) c = -c;
  remainder[0] += quotient.divisor - 1;
  inequalities.push_back(std::move(remainder));
  return column;
}

void System::require(const Affine& left, Relation relation, const Affine& right) {
  const bool rises = relation == Relation::greater || relation == Relation::greater_equal;
  const bool strict = relation == Relation::less || relation == Relation::greater;
  const bool equality = relation == Relation::equal || relation == Relation::not_equal;
  Row row;
  add(row, left, rises || equality ? 1 : -1);
  add(row, right, rises || equality ? -1 : 1);
  if (strict) row[0] -= 1;
  (equality ? equalities : inequalities).push_back(std::move(row));
}

std::vector<System> systems(System from, const std::vector<Constraint>& constraints) {
  std::vector<System> all;
  expand(std::move(from), constraints, 0, all);
  return all;
}

}  // namespace trellis::math
