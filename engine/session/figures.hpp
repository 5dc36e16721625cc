#pragma once
// Figures in sentences.

#include <cstdint>
#include <string>

namespace trellis::session {

/// "1 entry", "3 entries".
inline std::string counted(std::int64_t number, const char* one, const char* several) {
  return std::to_string(number) + " " + (number == 1 ? one : several);
}

/// "0.50 ms", "120 ms".
std::string milliseconds(double ms);
/// "0.52 us", "1.2 ms": with three digits.
std::string duration(double ms);
/// "1.0×", "35×".
std::string multiple(double times);

}  // namespace trellis::session
