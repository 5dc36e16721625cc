#include "engine/view/plan_drawing.hpp"

#include <algorithm>

#include "engine/view/draft.hpp"

namespace trellis::view {

Drawing drawing_of(const lazy::Why& why, const lazy::Why::Way& way, FontSize font) {
  Draft out{{}, {}, font};
  std::map<std::string, int> place_of;
  std::map<std::string, std::string> stored;
  const auto add = [&](int id, const std::string& name, Drawing::Kind kind, std::vector<std::string> lines) {
    place_of[name] = static_cast<int>(out.drawing.nodes.size());
    out.add_node(id, kind, std::move(lines));
  };
  for (std::size_t k = 0; k < why.operands.size(); ++k) {
    const lazy::Why::Operand& operand = why.operands[k];
    const auto reads = [&](const lazy::Why::Kernel& kernel) { return std::ranges::count(kernel.reads, operand.name); };
    if (!std::ranges::any_of(way.kernels, reads)) continue;
    add(static_cast<int>(k), operand.name, Drawing::Kind::input, {operand.name, operand.format});
    stored[operand.name] = lazy::count_text(operand.entries);
  }
  for (std::size_t k = 0; k < way.kernels.size(); ++k) {
    const lazy::Why::Kernel& kernel = way.kernels[k];
    add(static_cast<int>(why.operands.size() + k), kernel.name,
        kernel.asked_for ? Drawing::Kind::result : Drawing::Kind::temporary, lazy::lines_of(kernel));
    stored[kernel.name] = lazy::count_text(kernel.stored.value_or(kernel.entries));
    for (const std::string& name : kernel.reads) out.add_edge(place_of.at(name), place_of[kernel.name], stored[name]);
  }
  return std::move(out).laid_out();
}

}  // namespace trellis::view
