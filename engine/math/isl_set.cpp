#include "engine/math/isl_set.hpp"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/mat.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>
#include <utility>

#include "engine/math/simplex.hpp"

namespace trellis::math {
namespace {

/// One conjunction in isl's matrix form: rows have a coefficient for each name, then one for each quotient. `q = a div
/// d` is an existential with `d*q <= a < d*q + d`.
struct System {
  const Names* names;
  std::size_t quotients = 0;
  std::vector<Row> equalities, inequalities;
  std::vector<std::pair<Affine, std::int64_t>> divided = {};  ///< numerators and divisors, by quotient

  /// Adds the form, so many times.
  void add(Row& to, const Affine& affine, std::int64_t factor) {
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
  std::size_t column_of(const Quotient& quotient) {
    Row remainder;
    add(remainder, *quotient.numerator, 1);  // those inside come first
    const auto known = std::ranges::find(divided, std::pair(*quotient.numerator, quotient.divisor));
    const std::size_t column = 1 + names->size() + static_cast<std::size_t>(known - divided.begin());
    if (known != divided.end()) return column;
    divided.emplace_back(*quotient.numerator, quotient.divisor), ++quotients;
    if (remainder.size() <= column) remainder.resize(column + 1, 0);
    remainder[column] -= quotient.divisor;
    inequalities.push_back(remainder);
    for (std::int64_t& c : remainder) c = -c;
    remainder[0] += quotient.divisor - 1;
    inequalities.push_back(std::move(remainder));
    return column;
  }

  void require(const Affine& left, Relation relation, const Affine& right) {
    const bool rises = relation == Relation::greater || relation == Relation::greater_equal;
    const bool strict = relation == Relation::less || relation == Relation::greater;
    const bool equality = relation == Relation::equal || relation == Relation::not_equal;
    Row row;
    add(row, left, rises || equality ? 1 : -1);
    add(row, right, rises || equality ? -1 : 1);
    if (strict) row[0] -= 1;
    (equality ? equalities : inequalities).push_back(std::move(row));
  }

  isl_mat* matrix(isl_ctx* context, const std::vector<Row>& rows) const {
    unsigned columns = static_cast<unsigned>(1 + names->size() + quotients);
    isl_mat* result = isl_mat_alloc(context, static_cast<unsigned>(rows.size()), columns);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      for (std::size_t c = 0; c < columns; ++c) {
        std::int64_t value = c < rows[r].size() ? rows[r][c] : 0;
        const int row = static_cast<int>(r), column = static_cast<int>(c);
        result = std::in_range<int>(value)
                     ? isl_mat_set_element_si(result, row, column, static_cast<int>(value))  // needs no isl_val
                     : isl_mat_set_element_val(result, row, column, isl_val_int_from_si(context, value));
      }
    }
    return result;
  }

  isl_set* set(isl_ctx* context) const {
    isl_space* space = isl_space_set_alloc(context, 0, static_cast<unsigned>(names->size()));
    isl_basic_set* basic =
        isl_basic_set_from_constraint_matrices(space, matrix(context, equalities), matrix(context, inequalities),
                                               isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div);
    isl_set* result = isl_set_from_basic_set(basic);
    return quotients > 0 ? isl_set_compute_divs(result) : result;
  }

  /// Has it a solution? Then so it has where quotients are unknowns like others, of which nobody asks what they are.
  bool is_empty(isl_ctx* context) const {
    isl_space* space = isl_space_set_alloc(context, 0, static_cast<unsigned>(names->size() + quotients));
    isl_basic_set* points =
        isl_basic_set_from_constraint_matrices(space, matrix(context, equalities), matrix(context, inequalities),
                                               isl_dim_cst, isl_dim_param, isl_dim_set, isl_dim_div);
    const bool empty = points && isl_basic_set_is_empty(points) == isl_bool_true;
    isl_basic_set_free(points);
    return empty;
  }
};

/// `a != b` is a union; each way of resolving all of them is one system.
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

std::vector<System> systems(const Names& names, const std::vector<Constraint>& constraints) {
  std::vector<System> all;
  expand(System{&names, 0, {}, {}}, constraints, 0, all);
  return all;
}

std::int64_t scaled(isl_val* value, std::int64_t by) {
  value = isl_val_mul_ui(value, static_cast<unsigned long>(by));
  std::int64_t result = isl_val_get_num_si(value);
  isl_val_free(value);
  return result;
}

/// The form times its denominator, which is returned beside it.
std::pair<Affine, std::int64_t> to_affine(isl_aff* aff, const Names& names) {
  std::int64_t denominator = scaled(isl_aff_get_denominator_val(aff), 1);
  Affine result(scaled(isl_aff_get_constant_val(aff), denominator));
  for (std::size_t k = 0; k < names.size(); ++k) {
    std::int64_t c = scaled(isl_aff_get_coefficient_val(aff, isl_dim_in, static_cast<int>(k)), denominator);
    if (c != 0) result = result + Affine::name(names[k], c);
  }
  for (int k = 0; k < isl_aff_dim(aff, isl_dim_div); ++k) {
    std::int64_t c = scaled(isl_aff_get_coefficient_val(aff, isl_dim_div, k), denominator);
    if (c == 0) continue;
    isl_aff* inner = isl_aff_get_div(aff, k);
    auto [numerator, divisor] = to_affine(inner, names);
    isl_aff_free(inner);
    result = result + c * Affine::div(numerator, divisor);
  }
  return {result, denominator};
}

/// `form >= 0` or `form = 0` with its negative terms moved to the left side.
Constraint readable(const Affine& form, bool equality) {
  Affine left, right;
  for (const auto& [name, c] : form.terms)
    (c < 0 ? left : right) = (c < 0 ? left : right) + Affine::name(name, c < 0 ? -c : c);
  for (const Quotient& q : form.quotients) {
    Quotient copy = q;
    copy.coefficient = q.coefficient < 0 ? -q.coefficient : q.coefficient;
    (q.coefficient < 0 ? left : right).quotients.push_back(copy);
  }
  Relation relation = equality ? Relation::equal : Relation::less_equal;
  std::int64_t constant = form.constant;
  if (!equality && constant < 0) relation = Relation::less, constant += 1;
  (constant < 0 ? left : right).constant += constant < 0 ? -constant : constant;
  return {left, relation, right};
}

struct Extraction {
  const Names& names;
  std::vector<std::vector<Constraint>> result;
};

isl_stat extract_constraint(isl_constraint* constraint, void* user) {
  auto& out = *static_cast<Extraction*>(user);
  isl_aff* aff = isl_constraint_get_aff(constraint);
  out.result.back().push_back(
      readable(to_affine(aff, out.names).first, isl_constraint_is_equality(constraint) == isl_bool_true));
  isl_aff_free(aff);
  isl_constraint_free(constraint);
  return isl_stat_ok;
}

isl_stat extract_piece(isl_basic_set* piece, void* user) {
  static_cast<Extraction*>(user)->result.emplace_back();
  isl_stat status = isl_basic_set_foreach_constraint(piece, extract_constraint, user);
  isl_basic_set_free(piece);
  return status;
}

}  // namespace

OwnedSet to_set(isl_ctx* context, const Names& names, const std::vector<Constraint>& constraints) {
  isl_set* result = nullptr;
  for (const System& one : systems(names, constraints)) {
    isl_set* mine = one.set(context);
    result = result ? isl_set_union(result, mine) : mine;
  }
  return OwnedSet(result);
}

std::optional<bool> is_empty_by_fractions(const Names& names, const std::vector<Constraint>& constraints) {
  bool known = true;
  for (const System& one : systems(names, constraints)) {
    const auto told = has_no_solution(one.equalities, one.inequalities);
    if (told == false) return false;
    known = known && told;
  }
  return known ? std::optional(true) : std::nullopt;
}

bool is_empty(isl_ctx* context, const Names& names, const std::vector<Constraint>& constraints) {
  return std::ranges::all_of(systems(names, constraints), [&](const System& one) { return one.is_empty(context); });
}

std::vector<std::vector<Constraint>> to_constraints(OwnedSet set, const Names& names) {
  Extraction out{names, {}};
  OwnedSet simple(isl_set_remove_redundancies(isl_set_coalesce(isl_set_compute_divs(set.release()))));
  if (simple) isl_set_foreach_basic_set(simple.get(), extract_piece, &out);
  return std::move(out.result);
}

bool is_empty(const OwnedSet& set) { return set && isl_set_is_empty(set.get()) == isl_bool_true; }

std::optional<std::vector<std::int64_t>> smallest_point(const OwnedSet& set) {
  if (!set || is_empty(set)) return std::nullopt;
  int dimensions = static_cast<int>(isl_set_dim(set.get(), isl_dim_set));
  isl_set* bounded = isl_set_copy(set.get());
  for (int k = 0; k < dimensions && bounded; ++k) {
    if (isl_set_dim_has_lower_bound(set.get(), isl_dim_set, static_cast<unsigned>(k)) != isl_bool_true) {
      bounded = isl_set_lower_bound_si(bounded, isl_dim_set, static_cast<unsigned>(k), 0);
    }
  }
  isl_point* point = isl_set_sample_point(isl_set_lexmin(bounded));
  if (isl_point_is_void(point) == isl_bool_true) {
    isl_point_free(point);
    point = isl_set_sample_point(isl_set_copy(set.get()));
  }
  std::vector<std::int64_t> result;
  for (int k = 0; k < dimensions; ++k) result.push_back(scaled(isl_point_get_coordinate_val(point, isl_dim_set, k), 1));
  isl_point_free(point);
  return result;
}

}  // namespace trellis::math
