#include "engine/text/node.hpp"

#include <algorithm>
#include <iterator>

namespace trellis::text {

const char* name_of(Stage stage) {
  switch (stage) {
    case Stage::source: return "source";
    case Stage::equations: return "equations";
    case Stage::fragments: return "fragments";
    case Stage::graph: return "graph";
    case Stage::placement: return "placement";
    case Stage::loops: return "loops";
    case Stage::algebra: return "algebra";
    case Stage::lattice: return "lattice";
    case Stage::flow: return "flow";
    case Stage::c: return "c";
  }
  return "";
}

std::optional<Stage> stage_named(std::string_view name) {
  if (name == "cfir") return Stage::flow;
  for (int k = 0; k <= static_cast<int>(Stage::c); ++k)
    if (name == name_of(static_cast<Stage>(k))) return static_cast<Stage>(k);
  return std::nullopt;
}

Origin merge(const Origin& a, const Origin& b) {
  Origin both;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

}  // namespace trellis::text
