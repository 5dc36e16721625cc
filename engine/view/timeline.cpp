#include "engine/view/timeline.hpp"

namespace trellis::view {

Timeline timeline_of(const explore::Trace& trace) {
  Timeline out;
  out.steps = trace.steps.size();
  std::vector<std::size_t> open;  // bands, by depth
  for (std::size_t k = 0; k < trace.steps.size(); ++k) {
    const explore::Trace::Step& step = trace.steps[k];
    std::size_t same = 0;
    while (same < open.size() && same < step.loops.size() && out.bands[open[same]].loop == step.loops[same].first &&
           out.bands[open[same]].value == step.loops[same].second)
      ++same;
    open.resize(same);
    for (std::size_t depth = same; depth < step.loops.size(); ++depth) {
      open.push_back(out.bands.size());
      out.bands.push_back({static_cast<int>(depth), step.loops[depth].first, step.loops[depth].second, k, k});
    }
    for (const std::size_t band : open) out.bands[band].last = k;
    for (const explore::Trace::Touch& read : step.reads)
      out.ticks.push_back({k, read.tensor, read.index, false, read.early});
    if (step.write) out.ticks.push_back({k, step.write->tensor, step.write->index, true, false});
  }
  return out;
}

}  // namespace trellis::view
