#pragma once
// What the loops around a place in the control flow say about integer expressions there: enough to prove, without a
// solver, that an index is in range and that two elements differ. "No" only means "not proven".

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/flow/flow.hpp"
#include "engine/math/affine.hpp"

namespace trellis::flow {

/// Sums, differences and constant multiples of names; empty for anything else.
std::optional<math::Affine> affine(const Expr& expr);
/// Quotients and remainders by numbers, too.
std::optional<math::Affine> quasi_affine(const Expr& expr);

/// Of the dimensions of tensors that the kernel is given, of which none is negative.
std::vector<math::Affine> sizes_of_operands(const Flow& flow);

class Ranges {
 public:
  Ranges() = default;
  /// Where dimensions have these sizes, of which none is negative; any other parameter may be. Of what is assumed,
  /// values of parameters count, and numbers that they are not less than.
  explicit Ranges(const std::vector<math::Affine>& sizes, const std::vector<math::Constraint>& assumed = {});

  /// Inner scopes are added after outer ones; a variable of the same name hides the outer one.
  void enter(const Loop& loop);
  void enter(const Coiterate& loop);
  /// A variable that may have any value.
  void enter(const std::string& variable) { loops_.push_back({variable, std::nullopt, std::nullopt}); }
  void leave() { loops_.pop_back(); }

  /// Is the expression at least zero wherever the loops run? Remainders count as what they may be at worst, quotients
  /// by what is known of what is divided.
  bool non_negative(math::Affine value) const;
  bool in_range(const Position& position, const Tensor& tensor) const;
  /// Never the same element of the tensor in one iteration of all loops.
  bool distinct(const Position& a, const Position& b) const;

 private:
  /// Replaces quotients by the least that they come to; false where that is not known.
  bool without_quotients(math::Affine& value) const;
  struct Range {
    std::string variable;
    std::optional<math::Affine> low, high;
  };
  std::vector<Range> loops_;
  std::set<std::string> natural_;               ///< parameters that are at least zero
  std::map<std::string, math::Affine> values_;  ///< parameters that others, or numbers, say
  std::map<std::string, std::int64_t> least_;   ///< at least 0
};

}  // namespace trellis::flow
