#include "engine/session/replay/recorded.hpp"

namespace trellis::session {

std::size_t Board::offset(const tensor::Index& index) const {
  std::size_t at = 0;
  for (std::size_t d = 0; d < shape.size(); ++d)
    at = at * static_cast<std::size_t>(shape[d]) + static_cast<std::size_t>(index[d]);
  return at;
}

}  // namespace trellis::session
