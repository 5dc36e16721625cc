#pragma once
// Logical plans of a contraction: which of its fields are eliminated early, that is, which factors are reduced before
// they meet the others (docs/design/arrays.md#plans).
//
//   ⊕[j,k] A(i,j) B(j,k) v(k)        ⊕[j] A(i,j) t(j), t(j) = ⊕[k] B(j,k) v(k)        ⊕[k] t(i,k) v(k), t(i,k) = …
//
// After bucket elimination (Dechter) and Galley.

#include <cstdint>
#include <vector>

#include "engine/text/function_ref.hpp"

namespace trellis::lazy {

/// Bit f is the f-th field of the contraction.
using FieldSet = std::uint32_t;
constexpr std::size_t most_fields = 32;

/// ⊕[gone] of a product.
struct Step {
  std::vector<int> operands;  ///< ascending; below the number of factors a factor, else the step of that number more
  FieldSet gone = 0;
  FieldSet fields = 0;  ///< of what it makes
  bool operator==(const Step&) const = default;
};

struct LogicalPlans {
  std::vector<Step> steps;   ///< of all plans: operands of a step stand before it
  std::vector<int> results;  ///< for each plan, the step that makes the result
  bool greedy = false;       ///< there are more, which were not looked at
};

struct Factors {
  std::vector<FieldSet> fields;
  std::vector<bool> sums;  ///< no product, which may be kept by itself before it meets others
  FieldSet result = 0, over = 0;
};

/// All plans; where the fields are more than six, or the plans more than 500, one in which each field is eliminated
/// where that leaves least. `size`: how much a step would store.
LogicalPlans logical_plans(const Factors& factors, text::FunctionRef<double(const LogicalPlans&, const Step&)> size);

}  // namespace trellis::lazy
