#pragma once
// A quasi-affine form that is evaluated at many points: its names are places in a point, found once.

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::math {

class Evaluator {
 public:
  /// Every name of the form is one of `names`: the value of the k-th is that of `point[k]`.
  Evaluator(const Affine& form, const std::vector<std::string>& names);
  std::int64_t operator()(std::span<const std::int64_t> point) const;

 private:
  struct Part {
    std::int64_t coefficient;
    Quotient::Kind kind;
    std::int64_t divisor;
    std::vector<Evaluator> numerator;  ///< one
  };
  std::int64_t constant_;
  std::vector<std::pair<std::size_t, std::int64_t>> terms_;
  std::vector<Part> parts_;
};

/// A comparison that is made at many points.
class Comparison {
 public:
  Comparison(const Constraint& constraint, const std::vector<std::string>& names);
  bool operator()(std::span<const std::int64_t> point) const;

 private:
  Evaluator difference_;  ///< left - right
  Relation relation_;
};

}  // namespace trellis::math
