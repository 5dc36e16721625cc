#pragma once
// Which dimension a level stores, for those who ask by level: of a Format, and of whatever else keeps `order[level]`,
// such as a tensor of the control flow. Nobody below tensor/ reads the order itself but who makes new formats of it.

#include <algorithm>
#include <functional>
#include <string>
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
  Format turned = format;
  turned.name.clear();
  std::sort(turned.order.begin(), turned.order.end());
  do {
    if (turned.order != format.order) all.push_back(turned);
  } while (turned.rank() <= 3 && std::next_permutation(turned.order.begin(), turned.order.end()));
  return all;
}

}  // namespace trellis::format
