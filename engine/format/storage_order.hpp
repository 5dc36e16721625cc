#pragma once
// Which dimension a level stores, for those who ask by level: of a Format, and of whatever else keeps `order[level]`,
// such as a tensor of the control flow. Nobody below tensor/ reads the order itself but who makes new formats of it.

#include <algorithm>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/format/format.hpp"

namespace trellis::format {

/// No order at all is row-major.
template <class Stored>
std::size_t dimension_of(const Stored& stored, std::size_t level) {
  return stored.order.empty() ? level : static_cast<std::size_t>(stored.order[level]);
}

/// The first dimension outermost.
template <class Stored>
bool is_row_major(const Stored& stored) {
  return std::ranges::is_sorted(stored.order);
}

/// The last dimension outermost.
template <class Stored>
bool is_column_major(const Stored& stored) {
  return std::ranges::is_sorted(stored.order, std::ranges::greater());
}

/// How many coordinates each level has, of a tensor with these sizes: numbers, or forms.
template <class Size>
std::vector<Size> level_sizes(const Format& format, const std::vector<Size>& shape) {
  std::vector<Size> sizes;
  if (!format.layout) {
    for (std::size_t l = 0; l < format.levels.size(); ++l) sizes.push_back(shape[dimension_of(format, l)]);
    return sizes;
  }
  for (const LevelRange& range : level_ranges(*format.layout, std::vector<math::Affine>(shape.begin(), shape.end()))) {
    if constexpr (std::is_same_v<Size, math::Affine>) sizes.push_back(range.size);
    else sizes.push_back(std::max<Size>(0, range.size.constant));
  }
  return sizes;
}

/// What a level stores: "dimension 1", or of a layout its form, "j/4".
inline std::string stored_by(const Format& format, std::size_t level) {
  return format.layout ? math::to_string(format.layout->branches.front().to[level])
                       : "dimension " + std::to_string(dimension_of(format, level));
}

/// What a declaration writes behind `@`: "1, 0".
template <class Stored>
std::string order_text(const Stored& stored) {
  std::string text;
  for (const int dimension : stored.order) text += (text.empty() ? "" : ", ") + std::to_string(dimension);
  return text;
}

/// What is known of the levels, outermost first, by dimension; `rest` for the levels below.
template <class Stored, class T>
std::vector<T> by_dimension(const Stored& stored, const std::vector<T>& by_level, const T& rest = {}) {
  std::vector<T> all(std::max(stored.order.size(), by_level.size()), rest);
  for (std::size_t level = 0; level < by_level.size(); ++level) all[dimension_of(stored, level)] = by_level[level];
  return all;
}

/// The same levels over the dimensions in all other orders, or in row-major order alone where those are too many;
/// without a name.
inline std::vector<Format> in_other_orders(const Format& format) {
  std::vector<Format> all;
  if (format.layout) return all;
  Format turned = format;
  turned.name.clear();
  std::sort(turned.order.begin(), turned.order.end());
  do {
    if (turned.order != format.order) all.push_back(turned);
  } while (turned.rank() <= 3 && std::next_permutation(turned.order.begin(), turned.order.end()));
  return all;
}

}  // namespace trellis::format
