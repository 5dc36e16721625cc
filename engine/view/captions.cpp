#include "engine/view/captions.hpp"

#include <algorithm>
#include <cstdio>

#include "engine/tensor/allocate.hpp"

namespace trellis::view {

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return text;
}

namespace {

std::string counted(std::int64_t n) { return std::to_string(n) + (n == 1 ? " element" : " elements"); }

/// `, from -1 to 3; 2 are not finite`.
std::string range_of(const Extent& extent) {
  const std::string range =
      extent.empty() ? "" : ", from " + short_number(extent.least) + " to " + short_number(extent.greatest);
  const std::int64_t n = extent.not_finite;
  return range + (n == 0 ? "" : "; " + std::to_string(n) + (n == 1 ? " is" : " are") + " not finite");
}

}  // namespace

std::string caption(const Extent& extent, const tensor::Tensor& tensor, const std::string& name) {
  return name + ": " + tensor::shape_text(tensor.shape()) + range_of(extent);
}

std::string cell_caption(const Cells& cells) {
  if (!cells.aggregates()) return "";
  return "a cell is the mean of up to " + std::to_string(cells.block_rows) + " x " +
         std::to_string(cells.block_columns) + " elements";
}

std::string spy_caption(const Cells& cells, const tensor::Tensor& matrix, const std::string& name) {
  const auto count = static_cast<double>(matrix.count());
  const char* const what = !matrix.dense()     ? " stored"
                           : cells.stored == 1 ? " differs from the fill"
                                               : " differ from the fill";
  const std::string share =
      count > 0 ? " (" + short_number(100 * static_cast<double>(cells.stored) / count) + " %)" : "";
  const std::string padding = cells.padding > 0 ? ", and " + std::to_string(cells.padding) + " of padding" : "";
  return name + ": " + tensor::shape_text(matrix.shape()) + ", " + counted(cells.stored) + what + share + padding;
}

std::string caption(const Histogram& histogram, const std::string& name) {
  const bool sparse = histogram.not_stored > 0;
  const std::int64_t count = histogram.extent.finite + histogram.extent.not_finite;
  const std::string out = name + ": " + counted(count) + (sparse ? " stored" : "") + range_of(histogram.extent);
  return sparse ? out + "; " + std::to_string(histogram.not_stored) + " are not stored" : out;
}

std::string padded(const std::string& text, std::size_t width) {
  return std::string(std::max(width, text.size()) - text.size(), ' ') + text;
}

}  // namespace trellis::view
