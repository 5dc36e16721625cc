#include "engine/tensor/bring_together.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <numeric>
#include <utility>

#include "engine/tensor/spill.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {
namespace {

constexpr std::size_t parts_of_memory = 16;  ///< a part and what it is sorted into are there at once
constexpr std::size_t most_parts = 4096;     ///< a page each is written at once
constexpr std::size_t asked_every = 1 << 14;
__extension__ using Product = unsigned __int128;

/// The part that an entry belongs to, by the coordinates that are stored outermost: as many of them as tell parts
/// apart.
class Parts {
 public:
  Parts(const Coordinates& c, const std::vector<int>& order, std::size_t count) : c_(c), count_(count) {
    constexpr std::int64_t finer = 64;  // than parts, so that they come out alike
    for (const int d : order) {
      if (keys_ >= static_cast<std::int64_t>(count) * finer) break;
      const std::int64_t size = std::max<std::int64_t>(1, c.shape[static_cast<std::size_t>(d)]);
      if (times(keys_, size) == INT64_MAX) break;
      keys_ *= size;
      dimensions_.push_back(static_cast<std::size_t>(d));
    }
  }

  std::size_t of(std::size_t entry) const {
    const auto index = c_.index(entry);
    std::int64_t key = 0;
    for (const std::size_t d : dimensions_) key = key * std::max<std::int64_t>(1, c_.shape[d]) + index[d];
    return static_cast<std::size_t>(static_cast<Product>(key) * count_ / static_cast<Product>(keys_));
  }

 private:
  const Coordinates& c_;
  std::size_t count_;
  std::int64_t keys_ = 1;
  std::vector<std::size_t> dimensions_;
};

}  // namespace

bool bring_together(Coordinates& c, const std::vector<int>& order, const Cancelled& cancelled) {
  const std::size_t bytes = c.count * c.entry_bytes();
  if (!is_column_spilled(bytes) || order.empty()) return true;
  const std::size_t count = std::min(most_parts, std::bit_ceil(bytes / (spills_beyond() / parts_of_memory + 1) + 2));
  const Parts parts(c, order, count);
  const auto stops = [&](std::size_t entry) { return entry % asked_every == 0 && cancelled && cancelled(); };
  std::vector<std::size_t> next(count + 1, 0);
  bool there = true;
  for (std::size_t e = 0, before = 0; e < c.count; ++e) {
    if (stops(e)) return false;
    const std::size_t part = parts.of(e);
    ++next[part + 1];
    there = there && before <= part;
    before = part;
  }
  if (there) return true;
  std::partial_sum(next.begin(), next.end(), next.begin());

  Coordinates near;
  near.indices.resize(c.indices.size());
  near.reals.resize(c.reals.size());
  near.integers.resize(c.integers.size());
  near.lines.resize(c.lines.size());
  for (std::size_t e = 0; e < c.count; ++e) {
    if (stops(e)) return false;
    const std::size_t at = next[parts.of(e)]++;
    std::ranges::copy(c.index(e), near.indices.begin() + static_cast<std::ptrdiff_t>(at * c.rank()));
    if (!c.reals.empty()) near.reals[at] = c.reals[e];
    if (!c.integers.empty()) near.integers[at] = c.integers[e];
    if (!c.lines.empty()) near.lines[at] = c.lines[e];
  }
  c.indices = std::move(near.indices);
  c.reals = std::move(near.reals);
  c.integers = std::move(near.integers);
  c.lines = std::move(near.lines);
  return true;
}

}  // namespace trellis::tensor
