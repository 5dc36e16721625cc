#include "engine/tensor/sort_entries.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>

#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

constexpr std::size_t block = 2048;          ///< entries that are handed on at once, about
constexpr std::size_t most_in_bucket = 64, most_in_buffer = 1 << 16;
constexpr int most_bucket_bits = 20, bits_at_once = 8;

/// Levels that make one key, and how many bits it has.
struct Group {
  std::size_t begin, end;
  int bits;
};

struct Keyed {
  std::uint64_t key;
  std::uint32_t entry;
  bool operator<(const Keyed& other) const { return key != other.key ? key < other.key : entry < other.entry; }
};

void insertion_sort(std::vector<Keyed>& buffer) {
  for (std::size_t k = 1; k < buffer.size(); ++k) {
    const Keyed one = buffer[k];
    std::size_t at = k;
    for (; at > 0 && one < buffer[at - 1]; --at) buffer[at] = buffer[at - 1];
    buffer[at] = one;
  }
}

class Sorter {
 public:
  Sorter(const std::vector<SortColumn>& levels, std::size_t count, const TakeEntries& take) : levels_(levels), count_(count), take_(take) {
    std::int64_t product = 1;
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
      groups_.push_back({begin, end, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<std::int64_t>(1, product) - 1)))});
      begin = end;
      product = 1;
    };
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const bool fits = times(product, std::max<std::int64_t>(1, levels[l].size)) < std::numeric_limits<std::int64_t>::max();
      if (!fits && l > begin) close(l);
      product = times(product, std::max<std::int64_t>(1, levels[l].size));
    }
    close(levels.size());
  }

  bool run() {
    if (count_ == 0) return true;
    const Group& first = groups_.front();
    const int wanted = static_cast<int>(std::bit_width(count_ / 16));
    const int bits = std::min({wanted, most_bucket_bits, first.bits});
    const int shift = first.bits - bits;
    std::vector<std::uint32_t> starts((std::size_t{1} << bits) + 1, 0);
    for (std::size_t e = 0; e < count_; ++e) ++starts[(key(first, e) >> shift) + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    order_.resize(count_);
    for (std::size_t e = 0; e < count_; ++e) order_[starts[key(first, e) >> shift]++] = static_cast<std::uint32_t>(e);
    // Now each start is its bucket's end. Neighbouring small buckets share the buffer.
    const std::size_t buckets = starts.size() - 1;
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket < buckets;) {
      std::size_t end = starts[bucket++];
      const bool crowded = end - begin > most_in_bucket;
      while (!crowded && bucket < buckets && starts[bucket] - begin <= block && starts[bucket] - end <= most_in_bucket) end = starts[bucket++];
      if (!(crowded ? split(0, begin, end, shift) : sort_in_buffer(0, begin, end, Nearly::sorted))) return false;
      begin = end;
    }
    return true;
  }

 private:
  std::uint64_t key(const Group& group, std::size_t entry) const {
    std::uint64_t key = 0;
    for (std::size_t l = group.begin; l < group.end; ++l) {
      const SortColumn& level = levels_[l];
      const std::int64_t c = level.column[entry];
      key = key * static_cast<std::uint64_t>(level.size) + static_cast<std::uint64_t>(level.falling ? level.size - 1 - c : c);
    }
    return key;
  }

  /// Sorts a range of order_ by a group's key, whose bits from `shift` on are the same all over it.
  bool split(std::size_t group, std::size_t begin, std::size_t end, int shift) {
    if (shift == 0) {  // equal keys
      std::sort(order_.begin() + static_cast<std::ptrdiff_t>(begin), order_.begin() + static_cast<std::ptrdiff_t>(end));
      return tie(group, begin, end);
    }
    if (end - begin <= most_in_buffer) return sort_in_buffer(group, begin, end, Nearly::anything);
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
      if (starts[d] < starts[d + 1] && !split(group, starts[d], starts[d + 1], lower)) return false;
    return true;
  }

  /// Goes on with the next group among entries whose keys were equal so far.
  bool tie(std::size_t group, std::size_t begin, std::size_t end) {
    if (group + 1 < groups_.size()) return split(group + 1, begin, end, groups_[group + 1].bits);
    return take_({order_.data() + begin, end - begin});
  }

  /// Nearly sorted: no entry is more than a small bucket away from its place.
  enum class Nearly { sorted, anything };
  bool sort_in_buffer(std::size_t group, std::size_t begin, std::size_t end, Nearly nearly) {
    std::vector<Keyed> buffer;
    std::swap(buffer, spare_);
    buffer.resize(end - begin);
    for (std::size_t k = begin; k < end; ++k) buffer[k - begin] = {key(groups_[group], order_[k]), order_[k]};
    if (nearly == Nearly::sorted) insertion_sort(buffer);
    else std::sort(buffer.begin(), buffer.end());
    for (std::size_t k = begin; k < end; ++k) order_[k] = buffer[k - begin].entry;
    bool going = true;
    if (group + 1 == groups_.size()) {
      going = take_({order_.data() + begin, end - begin});
    } else {
      std::vector<std::size_t> ends;
      for (std::size_t k = begin + 1; k < end; ++k)
        if (buffer[k - begin].key != buffer[k - 1 - begin].key) ends.push_back(k);
      if (begin < end) ends.push_back(end);
      std::size_t from = begin;
      for (const std::size_t to : ends) {
        going = going && tie(group, from, to);
        from = to;
      }
    }
    std::swap(buffer, spare_);
    return going;
  }

  const std::vector<SortColumn>& levels_;
  std::size_t count_;
  const TakeEntries& take_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> order_;
  std::vector<Keyed> spare_;
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
