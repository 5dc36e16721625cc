#include "gui/two_sides.hpp"

#include <algorithm>

#include "engine/explore/diff.hpp"

namespace trellis::gui {

std::vector<SideLine> side_lines(std::string_view a, std::string_view b) {
  std::vector<SideLine> lines;
  const std::string diff = explore::unified_diff(a, b);
  for (std::size_t at = 0; at < diff.size();) {
    const std::size_t end = std::min(diff.find('\n', at), diff.size());
    const std::string_view line = std::string_view(diff).substr(at, end - at);
    at = end + 1;
    if (line.starts_with("---") || line.starts_with("+++")) continue;
    if (line.starts_with("@@")) {
      if (!lines.empty()) lines.push_back({'~', ""});
      continue;
    }
    lines.push_back({line.starts_with('-')   ? 'A'
                     : line.starts_with('+') ? 'B'
                                             : ' ',
                     std::string(line.substr(line.empty() ? 0 : 1))});
  }
  return lines;
}

std::vector<FacingLines> facing(const std::vector<SideLine>& lines) {
  std::vector<FacingLines> rows;
  for (auto at = lines.begin(); at != lines.end();) {
    if (at->side != 'A' && at->side != 'B') {
      rows.push_back({&*at, &*at}), ++at;
      continue;
    }
    // A change: what A has of it, then what B has.
    const auto b = std::find_if(at, lines.end(), [](const SideLine& line) { return line.side != 'A'; });
    const auto end = std::find_if(b, lines.end(), [](const SideLine& line) { return line.side != 'B'; });
    const auto many = std::max(b - at, end - b);
    for (std::ptrdiff_t k = 0; k < many; ++k)
      rows.push_back({k < b - at ? &*(at + k) : nullptr, k < end - b ? &*(b + k) : nullptr});
    at = end;
  }
  return rows;
}

}  // namespace trellis::gui
