#pragma once
// A set of numbers below a bound that grows while its least is taken: three levels of 64-bit words. Inserting is three
// ors, taking the least three counts of zeros. docs/design/recurrences.md#live-workspaces.

#include <bit>
#include <cstdint>
#include <vector>

namespace trellis::tensor {

/// Of numbers below 2^31.
class NumberSet {
 public:
  explicit NumberSet(std::int64_t bound)
      : words_(static_cast<std::size_t>(bound / 64 + 1)),
        groups_(words_.size() / 64 + 1),
        top_(groups_.size() / 64 + 1) {}

  void insert(std::int32_t number) {
    const auto k = static_cast<std::uint32_t>(number);
    words_[k >> 6] |= bit(k);
    groups_[k >> 12] |= bit(k >> 6);
    top_[k >> 18] |= bit(k >> 12);
  }

  /// The least, which it then holds no more; -1 when it is empty. Never less than what was taken last, unless it was
  /// put in.
  std::int32_t take_least() {
    while (first_ < top_.size() && top_[first_] == 0) ++first_;
    if (first_ == top_.size()) {
      first_ = 0;
      return -1;
    }
    const std::size_t group = first_ * 64 + low(top_[first_]);
    const std::size_t word = group * 64 + low(groups_[group]);
    const std::size_t number = word * 64 + low(words_[word]);
    words_[word] &= words_[word] - 1;
    if (words_[word] == 0) groups_[group] &= groups_[group] - 1;
    if (groups_[group] == 0) top_[first_] &= top_[first_] - 1;
    return static_cast<std::int32_t>(number);
  }

 private:
  static std::uint64_t bit(std::uint32_t k) { return std::uint64_t{1} << (k & 63); }
  static std::size_t low(std::uint64_t word) { return static_cast<std::size_t>(std::countr_zero(word)); }

  std::vector<std::uint64_t> words_, groups_, top_;
  std::size_t first_ = 0;  ///< words of the top before it are empty
};

}  // namespace trellis::tensor
