#include "engine/format/format.hpp"

#include <algorithm>
#include <numeric>

namespace trellis::format {

bool Format::all_dense() const {
  return std::all_of(levels.begin(), levels.end(), [](const Level& level) { return level.name == "dense"; });
}

Format Format::dense(int rank) {
  Format format;
  format.levels.resize(static_cast<std::size_t>(rank));
  format.order.resize(static_cast<std::size_t>(rank));
  std::iota(format.order.begin(), format.order.end(), 0);
  return format;
}

const std::vector<std::string>& level_names() {
  static const std::vector<std::string> names{"dense", "compressed", "singleton", "hashed", "bytemap", "rle",
                                              "sparse_rle", "interval", "vbl", "band", "pinpoint", "pattern"};
  return names;
}

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names{"dense", "csr", "csc", "coo", "dcsr", "dcsc", "csf", "bcsr", "dia", "ell"};
  return names;
}

}  // namespace trellis::format
