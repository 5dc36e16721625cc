#include "engine/tensor/random_regions.hpp"

#include <algorithm>
#include <cmath>

#include "engine/tensor/random.hpp"
#include "engine/tensor/storage.hpp"

namespace trellis::tensor {

namespace {

using format::Facts;
using format::Region;

/// Draw `number` of a state: as in random.hpp.
std::uint64_t nth(std::uint64_t state, std::uint64_t number) { return mix(state + 0x9E3779B97F4A7C15u * (number + 1)); }
double chance(std::uint64_t random) { return static_cast<double>(random >> 11) * 0x1p-53; }

class Drawing {
 public:
  Drawing(const Tensor& tensor, const RegionDrawing& wanted)
      : tensor_(tensor), wanted_(wanted), facts_(format::facts(tensor.format())), index_(tensor.shape()) {}

  bool from(std::size_t level, std::uint64_t state) {
    if (level == facts_.size()) {
      wanted_.put(index_, wanted_.value(state));
      return (++drawn_ & 0xFFFF) != 0 || !wanted_.cancelled || !wanted_.cancelled();
    }
    const std::int64_t size = size_of(level);
    if (size == 0) return true;
    const bool last = level + 1 == facts_.size();
    if (facts_[level].single && !facts_[level].covaries()) return single(level, state, size, last);
    const bool points = facts_[level].points() || facts_[level].dense();
    for (std::int64_t c = 0; c < size;) {
      const auto number = static_cast<std::uint64_t>(3 * c);
      const std::int64_t length =
          points ? 1 : std::min(size - c, 1 + static_cast<std::int64_t>(nth(state, number) % 8));
      const bool kept = !last || chance(nth(state, number + 1)) < wanted_.density;
      if (kept && !cover(level, state, c, length)) return false;
      c += length;
    }
    return true;
  }

 private:
  std::int64_t size_of(std::size_t level) const {
    return tensor_.shape()[static_cast<std::size_t>(tensor_.format().order[level])];
  }

  bool single(std::size_t level, std::uint64_t state, std::int64_t size, bool last) {
    const double covered = last ? wanted_.density * static_cast<double>(size) : static_cast<double>(size);
    const bool point = facts_[level].points();
    if (point && chance(nth(state, 1)) >= covered) return true;
    const std::int64_t length = point ? 1 : std::llround(covered);
    const auto first = static_cast<std::int64_t>(nth(state, 0) % static_cast<std::uint64_t>(size - length + 1));
    return cover(level, state, first, length);
  }

  bool cover(std::size_t level, std::uint64_t state, std::int64_t first, std::int64_t length) {
    const bool run = facts_[level].region == Region::run;
    for (std::int64_t c = first; c < first + length; ++c) {
      index_[static_cast<std::size_t>(tensor_.format().order[level])] = c;
      if (!from(level + 1, nth(state, static_cast<std::uint64_t>(3 * (run ? first : c)) + 2))) return false;
    }
    return true;
  }

  const Tensor& tensor_;
  const RegionDrawing& wanted_;
  const std::vector<Facts> facts_;
  Index index_;
  std::uint64_t drawn_ = 0;
};

}  // namespace

double expected_entries(const Tensor& tensor, double density) {
  const std::vector<Facts> facts = format::facts(tensor.format());
  double count = 1;
  for (std::size_t l = 0; l < facts.size(); ++l) {
    const auto size = static_cast<double>(tensor.shape()[static_cast<std::size_t>(tensor.format().order[l])]);
    const double covered = l + 1 == facts.size() ? density * size : size;
    const bool point = facts[l].points() && facts[l].locate == format::Locate::one;
    count *= point ? std::min(1.0, covered) : covered;
  }
  return count;
}

bool draw_regions(const Tensor& tensor, const RegionDrawing& drawing) {
  return Drawing(tensor, drawing).from(0, drawing.key);
}

}  // namespace trellis::tensor
