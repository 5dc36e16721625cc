#include "engine/math/digit_map.hpp"

#include "engine/math/division.hpp"

namespace trellis::math {

bool DigitMap::takes(std::int64_t coordinate) const {
  return (!low || coordinate >= *low) && (!high || coordinate < *high) && floor_mod(coordinate - offset, factor) == 0;
}

std::string to_string(const DigitMap& map, const std::string& level) {
  std::string text = level;
  if (map.low || map.high)
    text += "[" + (map.low ? std::to_string(*map.low) : "") + ":" + (map.high ? std::to_string(*map.high) : "") + "]";
  if (map.offset > 0) text += " - " + std::to_string(map.offset);
  if (map.offset < 0) text += " + " + std::to_string(-map.offset);
  if (map.factor == 1) return text;
  return (map.offset == 0 ? text : "(" + text + ")") + "/" + std::to_string(map.factor);
}

}  // namespace trellis::math
