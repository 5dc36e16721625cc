#include "engine/tensor/keeps_promises.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_map>

#include "engine/tensor/walk.hpp"
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
  std::unordered_map<std::int64_t, Index> seen;
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
    if (!broken && promises.injective)
      if (const auto [at, is_new] = seen.try_emplace(value, index); !is_new)
        broken = {"injective", at->second, index, value, value};
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
  // Of so many numbers one after the other, each is taken with the chance that all that are wanted come.
  const auto drawn = [&](std::int64_t wanted) {
    std::vector<std::int64_t> values;
    for (std::int64_t v = low; distinct && v < high && std::ssize(values) < wanted; ++v)
      if (static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(high - v)) < wanted - std::ssize(values))
        values.push_back(v);
    while (std::ssize(values) < wanted)
      values.push_back(low + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(room)));
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
