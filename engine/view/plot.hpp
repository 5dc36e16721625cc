#pragma once
// Vectors and matrices as pictures: a line chart, a heat map with its colour bar, the places of entries, a histogram,
// an image.

#include <string>
#include <vector>

#include "engine/tensor/tensor.hpp"
#include "engine/view/histogram.hpp"
#include "engine/view/picture.hpp"

namespace trellis::view {

/// Order 1. The line breaks at elements that are not finite.
Picture line_chart(const tensor::Tensor& vector, const std::string& name);
/// Order 2. Elements that are not finite are grey.
Picture heat_map(const tensor::Tensor& matrix, const std::string& name);
/// Order 2: darker where more elements differ from the fill.
Picture spy(const tensor::Tensor& matrix, const std::string& name);
Picture bar_chart(const Histogram& histogram, const std::string& name);
/// Order 2, values 0..255, a pixel for each element.
Canvas grey_image(const tensor::Tensor& matrix);

/// The same for a terminal, at most 80 x 40 characters and a line of text.
std::string line_sketch(const tensor::Tensor& vector, const std::string& name);
std::string heat_sketch(const tensor::Tensor& matrix, const std::string& name);
std::string spy_sketch(const tensor::Tensor& matrix, const std::string& name);
std::string bar_sketch(const Histogram& histogram, const std::string& name);

/// Of a vector's elements.
Extent extent_of(const tensor::Tensor& vector);

/// Round numbers, about `count` of them, that lie between the two: 0 20 40.
std::vector<double> ticks(double low, double high, int count);

}  // namespace trellis::view
