#include "engine/tensor/sort_entries.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "engine/tensor/column.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

constexpr std::size_t usual_in_bucket = 1 << 13, most_in_buffer = 1 << 16;
constexpr int most_bucket_bits = 14, bits_at_once = 8, most_digit_bits = 11;

/// Levels that make one key, and how many bits it has.
struct Group {
  std::size_t begin, end;
  int bits;
};

struct Keyed {
  std::uint64_t key;
  std::uint32_t entry;
};

/// Sorts by the lowest `bits` of the keys, which alone differ; equal keys stay in their order.
void sort_keys(std::vector<Keyed>& buffer, std::vector<Keyed>& spare, int bits) {
  constexpr std::size_t few = 48;
  if (buffer.size() <= few) {
    for (std::size_t k = 1; k < buffer.size(); ++k) {
      const Keyed one = buffer[k];
      std::size_t at = k;
      for (; at > 0 && one.key < buffer[at - 1].key; --at) buffer[at] = buffer[at - 1];
      buffer[at] = one;
    }
    return;
  }
  spare.resize(buffer.size());
  const int digits = (bits + most_digit_bits - 1) / most_digit_bits;
  for (int digit = 0, shift = 0; digit < digits; ++digit) {
    const int width = (bits - shift) / (digits - digit);
    const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
    std::array<std::uint32_t, (1 << most_digit_bits) + 1> starts{};
    for (const Keyed& one : buffer) ++starts[(one.key >> shift & mask) + 1];
    for (std::size_t d = 0; d < mask; ++d) starts[d + 1] += starts[d];
    for (const Keyed& one : buffer) spare[starts[one.key >> shift & mask]++] = one;
    std::swap(buffer, spare);
    shift += width;
  }
}

class Sorter {
 public:
  Sorter(const std::vector<SortColumn>& levels, std::size_t count, const TakeEntries& take)
      : levels_(levels), count_(count), take_(take) {
    std::int64_t product = 1;
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
      groups_.push_back(
          {begin, end,
           static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(1, product) - 1)))});
      begin = end;
      product = 1;
    };
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const bool fits =
          times(product, std::max<std::int64_t>(1, levels[l].size)) < std::numeric_limits<std::int64_t>::max();
      if (!fits && l > begin) close(l);
      product = times(product, std::max<std::int64_t>(1, levels[l].size));
    }
    close(levels.size());
  }

  bool run() {
    if (count_ == 0) return true;
    const Group& first = groups_.front();
    const int wanted = static_cast<int>(std::bit_width(count_ / usual_in_bucket));
    const int bits = std::min({wanted, most_bucket_bits, first.bits});
    const int shift = first.bits - bits;
    std::vector<std::uint32_t> starts((std::size_t{1} << bits) + 1, 0);
    for (std::size_t e = 0; e < count_; ++e) ++starts[(key(first, e) >> shift) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    order_.resize(count_);
    for (std::size_t e = 0; e < count_; ++e) order_[starts[key(first, e) >> shift]++] = static_cast<std::uint32_t>(e);
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket + 1 < starts.size(); ++bucket) {  // each start is its bucket's end by now
      if (begin < starts[bucket] && !split(0, begin, starts[bucket], shift, Entries::rise)) return false;
      begin = starts[bucket];
    }
    return true;
  }

 private:
  std::uint64_t key(const Group& group, std::size_t entry) const {
    std::uint64_t key = 0;
    for (std::size_t l = group.begin; l < group.end; ++l) {
      const SortColumn& level = levels_[l];
      const std::int64_t c = level.column[entry];
      key = key * static_cast<std::uint64_t>(level.size) +
            static_cast<std::uint64_t>(level.falling ? level.size - 1 - c : c);
    }
    return key;
  }

  /// Sorts a range of order_ by a group's key, whose bits from `shift` on are the same all over it. Entries of one key
  /// come in rising order; splitting loses that for a while.
  enum class Entries { rise, lost };
  bool split(std::size_t group, std::size_t begin, std::size_t end, int shift, Entries entries) {
    const bool small = shift == 0 || end - begin <= most_in_buffer;
    if (small && entries == Entries::lost)
      std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.begin() + static_cast<std::ptrdiff_t>(end));
    if (shift == 0) return tie(group, begin, end);  // equal keys
    if (small) return sort_in_buffer(group, begin, end, shift);
    const int lower = std::max(0, shift - bits_at_once);
    const std::size_t mask = (std::size_t{1} << (shift - lower)) - 1;
    const auto digit = [&](std::uint32_t entry) { return (key(groups_[group], entry) >> lower) & mask; };
    std::array<std::size_t, (1 << bits_at_once) + 1> starts{};
    for (std::size_t k = begin; k < end; ++k) ++starts[digit(order_[k]) + 1];
    starts[0] = begin;
    for (std::size_t d = 0; d <= mask; ++d) starts[d + 1] += starts[d];
    auto next = starts;
    for (std::size_t d = 0; d <= mask; ++d)
      while (next[d] < starts[d + 1]) {
        const std::size_t home = digit(order_[next[d]]);
        if (home == d) ++next[d];
        else std::swap(order_[next[d]], order_[next[home]++]);
      }
    for (std::size_t d = 0; d <= mask; ++d)
      if (starts[d] < starts[d + 1] && !split(group, starts[d], starts[d + 1], lower, Entries::lost)) return false;
    return true;
  }

  /// Goes on with the next group among entries whose keys were equal so far.
  bool tie(std::size_t group, std::size_t begin, std::size_t end) {
    if (group + 1 < groups_.size()) return split(group + 1, begin, end, groups_[group + 1].bits, Entries::rise);
    return take_({order_.data() + begin, end - begin});
  }

  bool sort_in_buffer(std::size_t group, std::size_t begin, std::size_t end, int bits) {
    buffer_.resize(end - begin);
    for (std::size_t k = begin; k < end; ++k) buffer_[k - begin] = {key(groups_[group], order_[k]), order_[k]};
    sort_keys(buffer_, spare_, bits);
    for (std::size_t k = begin; k < end; ++k) order_[k] = buffer_[k - begin].entry;
    if (group + 1 == groups_.size()) return take_({order_.data() + begin, end - begin});
    std::vector<std::size_t> ends;  // of equal keys
    for (std::size_t k = begin + 1; k < end; ++k)
      if (buffer_[k - begin].key != buffer_[k - 1 - begin].key) ends.push_back(k);
    ends.push_back(end);
    for (const std::size_t to : ends) {
      if (!tie(group, begin, to)) return false;
      begin = to;
    }
    return true;
  }

  const std::vector<SortColumn>& levels_;
  std::size_t count_;
  const TakeEntries& take_;
  std::vector<Group> groups_;
  Column<std::uint32_t> order_;
  std::vector<Keyed> buffer_, spare_;
};

}  // namespace

bool is_sorted(const std::vector<SortColumn>& levels, std::size_t count) {
  for (std::size_t e = 1; e < count; ++e)
    for (const SortColumn& level : levels) {
      const std::int64_t before = level.column[e - 1], here = level.column[e];
      if (before == here) continue;
      if ((before < here) == level.falling) return false;
      break;
    }
  return true;
}

bool sort_entries(const std::vector<SortColumn>& levels, std::size_t count, const TakeEntries& take) {
  return Sorter(levels, count, take).run();
}

}  // namespace trellis::tensor
