#include "engine/tensor/keeps_promises.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_set>

#include "engine/tensor/for_each_entry.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

namespace {

/// Neighbours along the last dimension.
std::optional<std::string> broken_by_neighbours(const format::Promises& promises, std::int64_t before,
                                                std::int64_t value) {
  const std::string strictly = promises.strictly ? "(strictly)" : "";
  if (promises.sorted && (value < before || (promises.strictly && value == before))) return "sorted" + strictly;
  if (promises.decreasing && (value > before || (promises.strictly && value == before))) return "decreasing" + strictly;
  return std::nullopt;
}

Index first_with(const Tensor& tensor, std::int64_t value) {
  std::optional<Index> found;
  for_each_index(tensor.shape(), [&](const Index& index) {
    if (!found && tensor.get(index).as_integer() == value) found = index;
  });
  return found.value_or(Index{});
}

bool same_fiber(const Index& a, const Index& b) { return std::equal(a.begin(), a.end() - 1, b.begin()); }

}  // namespace

std::string in_words(const BrokenPromise& broken, const std::string& tensor) {
  const std::string first = text::element_text(tensor, broken.first);
  if (broken.second.empty()) return first + " is " + std::to_string(broken.value_first);
  const std::string second = text::element_text(tensor, broken.second);
  if (broken.value_first == broken.value_second)
    return first + " and " + second + " are both " + std::to_string(broken.value_first);
  return first + " is " + std::to_string(broken.value_first) + ", and " + second + " is " +
         std::to_string(broken.value_second);
}

std::optional<BrokenPromise> broken_promise(const Tensor& tensor, const format::Promises& promises,
                                            std::optional<std::int64_t> low, std::optional<std::int64_t> high) {
  std::optional<BrokenPromise> broken;
  std::unordered_set<std::int64_t> seen;
  std::optional<std::pair<Index, std::int64_t>> before;
  for_each_index(tensor.shape(), [&](const Index& index) {
    if (broken) return;
    const std::int64_t value = tensor.get(index).as_integer();
    if ((low && value < *low) || (high && value >= *high)) {
      broken = {"range(" + (low ? std::to_string(*low) : "") + ", " + (high ? std::to_string(*high) : "") + ")",
                index,
                {},
                value,
                0};
    } else if (before && same_fiber(before->first, index)) {
      if (const auto promise = broken_by_neighbours(promises, before->second, value))
        broken = {*promise, before->first, index, before->second, value};
    }
    if (!broken && promises.injective && !seen.insert(value).second)
      broken = {"injective", first_with(tensor, value), index, value, value};
    before = {index, value};
  });
  return broken;
}

bool fill_as_promised(Tensor& tensor, const format::Promises& promises, std::int64_t low, std::int64_t high,
                      std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::int64_t count = tensor.count(), room = high - low;
  const std::int64_t row = tensor.shape().back();
  const bool ordered = promises.sorted || promises.decreasing;
  const bool distinct = promises.injective || promises.strictly;
  if (room < (count > 0 ? 1 : 0) || (promises.injective && room < count) || (promises.strictly && room < row))
    return false;
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end));
  };
  // Distinct ones in as many steps as are wanted: Floyd's sampling ("Programming pearls: a sample of brilliance",
  // 1987).
  const auto drawn = [&](std::int64_t wanted) {
    std::vector<std::int64_t> values;
    std::unordered_set<std::int64_t> taken;
    for (std::int64_t k = 0; k < wanted; ++k) {
      const std::int64_t last = room - wanted + k;
      std::int64_t value = below(distinct ? last + 1 : room);
      if (distinct && !taken.insert(value).second) taken.insert(value = last);
      values.push_back(low + value);
    }
    std::shuffle(values.begin(), values.end(), random);
    return values;
  };
  std::vector<std::int64_t> values = promises.injective ? drawn(count) : std::vector<std::int64_t>{};
  for (std::int64_t begin = 0; begin < count && row > 0; begin += row) {
    if (!promises.injective) {
      const std::vector<std::int64_t> more = drawn(row);
      values.insert(values.end(), more.begin(), more.end());
    }
    const auto from = values.begin() + begin;
    if (ordered) std::sort(from, from + row);
    if (promises.decreasing) std::reverse(from, from + row);
  }
  auto next = values.begin();
  for_each_index(tensor.shape(),
                 [&](const Index& index) { tensor.set(index, format::Value::of_integer(tensor.type(), *next++)); });
  return true;
}

}  // namespace trellis::tensor
