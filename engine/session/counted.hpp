#pragma once
// Numbers of things in sentences.

#include <cstdint>
#include <string>

namespace trellis::session {

/// "1 entry", "3 entries".
inline std::string counted(std::int64_t number, const char* one, const char* several) {
  return std::to_string(number) + " " + (number == 1 ? one : several);
}

}  // namespace trellis::session
