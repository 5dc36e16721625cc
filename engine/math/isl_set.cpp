#include "engine/math/isl_set.hpp"

#include <isl/aff.h>
#include <isl/constraint.h>
#include <isl/mat.h>
#include <isl/point.h>
#include <isl/space.h>
#include <isl/val.h>

#include <algorithm>
#include <utility>

#include "engine/math/system.hpp"

namespace trellis::math {
namespace {

/// In isl's matrix form: a constant, names, then quotients.
isl_mat* matrix(isl_ctx* context, const System& system, const std::vector<Row>& rows) {
  const auto columns = static_cast<unsigned>(1 + system.unknowns());
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

/// Its points, of so many unknowns; the quotients behind these are existentials.
isl_basic_set* points(isl_ctx* context, const System& system, std::size_t unknowns) {
  isl_space* space = isl_space_set_alloc(context, 0, static_cast<unsigned>(unknowns));
  return isl_basic_set_from_constraint_matrices(space, matrix(context, system, system.equalities),
                                                matrix(context, system, system.inequalities), isl_dim_cst,
                                                isl_dim_param, isl_dim_set, isl_dim_div);
}

isl_set* to_set(isl_ctx* context, const System& system) {
  isl_set* result = isl_set_from_basic_set(points(context, system, system.names->size()));
  return system.divided.empty() ? result : isl_set_compute_divs(result);
}

/// Has it no solution? Then it has none where quotients are unknowns like others, of which nobody asks what they are.
bool is_empty(isl_ctx* context, const System& system) {
  isl_basic_set* all = points(context, system, system.unknowns());
  const bool empty = all && isl_basic_set_is_empty(all) == isl_bool_true;
  isl_basic_set_free(all);
  return empty;
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
  for (const System& one : systems({&names}, constraints)) {
    isl_set* mine = to_set(context, one);
    result = result ? isl_set_union(result, mine) : mine;
  }
  return OwnedSet(result);
}

bool is_empty(isl_ctx* context, const Names& names, const std::vector<Constraint>& constraints) {
  return std::ranges::all_of(systems({&names}, constraints), [&](const System& one) { return is_empty(context, one); });
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
