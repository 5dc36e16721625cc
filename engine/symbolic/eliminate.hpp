#pragma once
// Where a factorisation has entries, found in nearly as many steps as there are: by the elimination tree of a symmetric
// one, else column by column with pruned columns. (docs/design/recurrences.md#elimination)

#include <functional>

#include "engine/symbolic/elimination.hpp"
#include "engine/tensor/fill_in.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::symbolic {

/// What F has off the diagonal, by columns, and on it.
struct Factor {
  tensor::ColumnRuns columns;                         ///< of a symmetric one
  tensor::Triangles triangles;                        ///< of any other
  std::map<std::string, std::vector<char>> diagonal;  ///< of each result that has elements there
  std::vector<std::int32_t> parent;                   ///< of a symmetric one: its elimination tree
  tensor::Lists given;        ///< what the sources name off the diagonal: by rows of a symmetric one, else by columns
  std::int64_t products = 0;  ///< that the equations add up

  std::int64_t entries() const {
    return std::ssize(triangles.lower.items) + std::ssize(triangles.upper.items) + columns.entries();
  }
};
/// Entry by entry, of a symmetric one only the lower.
tensor::Triangles triangles_of(const Elimination& how, const Factor& factor);

using Leaf = std::function<const tensor::Tensor&(const std::string&)>;
using SizeOf = std::function<std::int64_t(const math::Affine&)>;

/// `leaf`: what is stored of an operand, as a pattern. Sizes below 2^31.
Factor eliminate(const Elimination& how, const Leaf& leaf, const SizeOf& size);

/// The pattern of one result. Empty when memory is refused.
std::optional<tensor::Tensor> pattern_of(const Elimination& how, const Factor& factor, const std::string& result,
                                         const format::Format& format);

}  // namespace trellis::symbolic
