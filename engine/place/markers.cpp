#include "engine/place/markers.hpp"

#include <algorithm>

namespace trellis::place {
namespace {

/// Position of a variable's loop on the fragment's path.
std::size_t depth_of(const Tree& tree, const Fragment& f, const std::string& variable) {
  const auto& variables = f.domain.variables;
  const int v = static_cast<int>(std::find(variables.begin(), variables.end(), variable) - variables.begin());
  const auto& picks = tree.site(f.id).picks;
  return static_cast<std::size_t>(std::find(picks.begin(), picks.end(), v) - picks.begin());
}

math::Affine over_loops(const math::Affine& index, const LoopNames& names) {
  std::map<std::string, math::Affine> renaming;
  for (const auto& [variable, loop] : names) renaming.emplace(variable, math::Affine::name(loop));
  return index.substitute(renaming);
}

template <class F>
std::string slice(const Fragment& f, F&& dimension) {
  std::string out;
  for (const math::Affine& index : f.write_index) out += (out.empty() ? "" : ",") + dimension(index);
  return "ready " + f.write.tensor + (out.empty() ? "" : "(" + out + ")");
}

}  // namespace

std::string ready_slice(const Tree& tree, const Fragment& f, const LoopNames& names, std::size_t depth) {
  return slice(f, [&](const math::Affine& index) {
    for (const std::string& v : f.domain.variables)
      if (index.mentions(v) && depth_of(tree, f, v) >= depth) return std::string(":");
    return math::to_string(over_loops(index, names));
  });
}

std::string assumed_slice(const Tree& tree, const Fragment& f, const LoopNames& names, std::size_t depth) {
  return slice(f, [&](const math::Affine& index) -> std::string {
    std::string here;
    for (const std::string& v : f.domain.variables) {
      if (!index.mentions(v)) continue;
      if (depth_of(tree, f, v) > depth) return ":";
      if (depth_of(tree, f, v) == depth) here = v;
    }
    const math::Affine at = over_loops(index, names);
    if (here.empty()) return math::to_string(at);
    const bool down = tree.loop(tree.site(f.id).loops[depth]).name.descending;
    return down ? math::to_string(at + 1) + ":" : ":" + math::to_string(at);
  });
}

std::string element_text(const Read& read, const LoopNames& names) {
  std::string out;
  for (const auto& index : read.index) out += (out.empty() ? "" : ",") + (index ? math::to_string(over_loops(*index, names)) : ":");
  return read.access.tensor + (out.empty() ? "" : "(" + out + ")");
}

}  // namespace trellis::place
