#pragma once
// Indices and sizes while shape operators are pushed to the leaves: maps of indices (math/index_map.hpp), and the
// values that stand for sizes where no form does without.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/math/index_map.hpp"

namespace trellis::lang {

/// Whether values may stand for sizes where products of these are left.
enum class SizeValues { used, unused };

class PushedSizes {
 public:
  PushedSizes(const Program& program, SizeValues use) : program_(program), use_(use), maps_({}) {}

  void set_span(const std::string& variable, const math::Affine& span);
  /// Of the variables that run from 0 to a size.
  void set_spans(const math::Domain& domain);
  /// Sizes with quotients become numbers, where they have values.
  Shape without_quotients(Shape shape);

  /// Names with a place are there, others are themselves. Empty, here and below, where products of sizes have no form.
  std::optional<math::Index> index_of(const math::Affine& form, const std::map<std::string, math::Index>& places) const;
  /// offset + step * x
  std::optional<math::Index> strided(const math::Index& x, std::int64_t step, const math::Affine& offset) const;
  /// The index into what has the sizes multiplied, the last running fastest.
  std::optional<math::Index> joined(const std::vector<math::Index>& digits,
                                    const std::vector<math::Affine>& sizes) const;
  /// And back.
  std::optional<std::vector<math::Index>> digits(const math::Index& x, const std::vector<math::Affine>& sizes) const;
  /// False when x is never at `begin` or above, below `end`.
  bool may_meet(const math::Index& x, const math::Affine& begin, const math::Affine& end) const;

  /// As an expression, quasi-affine if that is possible, with values for sizes if it must be.
  Expr expr(const math::Index& index);
  /// Of each size whose value was used, and what that makes of products.
  std::vector<math::Constraint> assumed() const;

 private:
  bool take_values(const std::set<std::string>& names);

  const Program& program_;
  SizeValues use_;
  math::IndexMaps maps_;
  std::map<std::string, math::Affine> spans_;
  std::map<std::string, math::Affine> values_;  ///< in use
  std::set<std::string> named_;                 ///< by the operators' sizes
};

}  // namespace trellis::lang
