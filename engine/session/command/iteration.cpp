#include "engine/session/command/iteration.hpp"

#include <algorithm>
#include <cstdlib>

namespace trellis::session {

loop::LoopValues read_iteration(std::string written) {
  std::erase(written, ' ');
  loop::LoopValues wanted;
  for (std::size_t at = 0; at < written.size();) {
    const std::size_t comma = std::min(written.find(',', at), written.size()), equals = written.find('=', at);
    if (equals == std::string::npos || equals >= comma || equals == at) return {};
    const std::string value = written.substr(equals + 1, comma - equals - 1);
    char* end = nullptr;
    const long long number = std::strtoll(value.c_str(), &end, 10);
    if (value.empty() || *end != '\0') return {};
    wanted.emplace_back(written.substr(at, equals - at), number);
    at = comma + 1;
  }
  return wanted;
}

}  // namespace trellis::session
