#include "engine/session/stages/cost_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <vector>

namespace trellis::session {
namespace {

/// By line: the node's share goes to the first line that shows it.
std::vector<double> by_line(const text::Text& loops, const std::vector<std::uint32_t>& starts,
                            const std::map<int, double>& shares) {
  std::vector<double> all(starts.size(), 0);
  std::set<int> seen;
  for (const text::TextSpan& span : loops.spans) {
    const auto share = shares.find(span.node.id);
    if (span.node.stage != text::Stage::loops || share == shares.end() || !seen.insert(span.node.id).second) continue;
    const auto line = std::ranges::upper_bound(starts, span.begin) - starts.begin() - 1;
    all[static_cast<std::size_t>(line)] += share->second;
  }
  return all;
}

/// Equally wide whatever it says.
std::string margin(double share) {
  if (share <= 0) return "       ";
  if (share < 0.005) return "  ·    ";
  char text[16];
  std::snprintf(text, sizeof text, "%3d %%  ", static_cast<int>(std::lround(100 * share)));
  return text;
}

}  // namespace

text::Text cost_text(const text::Text& loops, const std::map<int, double>& shares) {
  std::vector<std::uint32_t> starts{0};
  for (std::uint32_t at = 0; at + 1 < loops.characters.size(); ++at)
    if (loops.characters[at] == '\n') starts.push_back(at + 1);
  const std::vector<double> lines = by_line(loops, starts, shares);
  text::Text out;
  std::vector<std::uint32_t> added;  // bytes before each line of the loops
  for (std::size_t k = 0; k < starts.size(); ++k) {
    out.characters += margin(lines[k]);
    added.push_back(static_cast<std::uint32_t>(out.characters.size() - starts[k]));
    const std::size_t end = k + 1 < starts.size() ? starts[k + 1] : loops.characters.size();
    out.characters += loops.characters.substr(starts[k], end - starts[k]);
  }
  const auto moved = [&](std::uint32_t at) {
    return at + added[static_cast<std::size_t>(std::ranges::upper_bound(starts, at) - starts.begin() - 1)];
  };
  for (const text::TextSpan& span : loops.spans)
    out.spans.push_back({moved(span.begin), span.end == 0 ? 0 : moved(span.end - 1) + 1, span.node, span.origin});
  return out;
}

}  // namespace trellis::session
