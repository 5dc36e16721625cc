#pragma once
// Parts of a matrix's graph between which few entries lie, by METIS: which rank should have which rows.
//
//   rows 0 2 4 and 1 3 5 lead to each other     two parts: 0 1 0 1 0 1     numbers on ranks: 0 3 1 4 2 5, cut at 3
//
// Source: Karypis and Kumar, A fast and high quality multilevel scheme for partitioning irregular graphs, section 3.

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/distribute/cuts.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::distribute {

/// Where a matrix stores entries: those of row i are columns[first[i]] … columns[first[i+1] - 1], in any order.
struct Pattern {
  std::vector<std::int64_t> first, columns;
  std::int64_t rows() const { return static_cast<std::int64_t>(first.size()) - 1; }
};
/// Of a tensor with two dimensions; `along`: which of them are the rows.
Pattern pattern_of(const tensor::Tensor& matrix, std::size_t along = 0);

/// Of each row itself and its entries; of a tensor's slices along a dimension.
std::vector<std::int64_t> weights_of(const Pattern& pattern);
std::vector<std::int64_t> weights_of(const tensor::Tensor& tensor, std::size_t along);

/// By row of a square matrix the part, below `parts`, that it is in; the same each time. Rows weigh as `weights_of`
/// says, and edges are entries of A or of its transpose, but for the diagonal. Empty when METIS is refused memory, or
/// there are more edges than its 32 bits count.
std::optional<std::vector<std::int64_t>> parts_of(const Pattern& pattern, std::int64_t parts);

/// Part by part; in each as they were.
Numbering numbering_of(const std::vector<std::int64_t>& part, std::int64_t parts);
/// Where the parts begin in that numbering, and where the last one ends.
std::vector<std::int64_t> places_of(const std::vector<std::int64_t>& part, std::int64_t parts);

/// How many columns of a square matrix, over all parts, rows of a part lead to that are in another one.
std::int64_t ghosts_of(const Pattern& pattern, const std::vector<std::int64_t>& part, std::int64_t parts);
/// Into which part each coordinate falls.
std::vector<std::int64_t> parts_between(const std::vector<std::int64_t>& places);

/// The largest part's weight beside the mean.
double largest_part(const std::vector<std::int64_t>& weights, const std::vector<std::int64_t>& part,
                    std::int64_t parts);

}  // namespace trellis::distribute
