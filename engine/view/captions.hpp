#pragma once
// What pictures say about what they show, in letters and in pixels alike: sizes, ranges, and what a cell stands for.

#include <string>

#include "engine/tensor/tensor.hpp"
#include "engine/view/cells.hpp"
#include "engine/view/histogram.hpp"

namespace trellis::view {

/// Four digits: `0.3333`.
std::string short_number(double value);
/// `A: 1000 x 1000, from 0 to 1000; 2 are not finite`: of the elements themselves.
std::string caption(const Extent& extent, const tensor::Tensor& tensor, const std::string& name);
/// `a cell is the mean of up to 13 x 25 elements`; empty where each element has a cell of its own.
std::string cell_caption(const Cells& cells);
/// `A: 3 x 3, 5 elements stored (55.56 %)`.
std::string spy_caption(const Cells& cells, const tensor::Tensor& matrix, const std::string& name);
/// `x: 17 elements, from 0 to 2.9; 2 are not finite`.
std::string caption(const Histogram& histogram, const std::string& name);

/// Blanks in front, so that it ends where others do.
std::string padded(const std::string& text, std::size_t width);

}  // namespace trellis::view
