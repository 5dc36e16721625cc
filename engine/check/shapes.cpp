#include "engine/check/shapes.hpp"

#include <algorithm>

#include "engine/math/division.hpp"

namespace trellis::check {

bool ShapePlaces::inside(const std::vector<std::int64_t>& to) const {
  for (std::size_t d = 0; d < to.size(); ++d)
    if (to[d] < 0 || to[d] >= to_[d]) return false;
  return true;
}

ShapePlaces::Place ShapePlaces::at(const std::vector<std::int64_t>& to) const {
  switch (op_) {
    case Op::stack: return {to[0], {}};
    case Op::slice: return {0, {numbers_[0] + numbers_[2] * to[0]}};
    case Op::roll: return {0, {math::floor_mod(to[0] - numbers_[0], std::max<std::int64_t>(from_[0], 1))}};
    case Op::pad: {
      const std::int64_t at = to[0] - numbers_[0];
      return {at >= 0 && at < from_[0] ? 0 : -1, {at}};
    }
    case Op::concat: {
      std::int64_t part = 0, at = to[0];
      for (; part + 1 < parts_ && at >= from_[static_cast<std::size_t>(part)]; ++part)
        at -= from_[static_cast<std::size_t>(part)];
      std::vector<std::int64_t> from(from_.size(), 0);
      from[static_cast<std::size_t>(part)] = at;
      return {part, std::move(from)};
    }
    case Op::collapse:
    case Op::split:
    case Op::reshape: break;
  }
  // In the order of their elements, the last index runs fastest.
  std::int64_t position = 0;
  for (std::size_t d = 0; d < to.size(); ++d) position = position * to_[d] + to[d];
  std::vector<std::int64_t> from(from_.size(), 0);
  for (std::size_t d = from_.size(); d-- > 0;) {
    const std::int64_t size = std::max<std::int64_t>(from_[d], 1);
    from[d] = d == 0 ? position : math::floor_mod(position, size);
    position = math::floor_div(position, size);
  }
  return {0, std::move(from)};
}

}  // namespace trellis::check
