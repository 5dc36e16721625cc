#include "engine/place/markers.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

/// Position of a variable's loop on the fragment's path.
std::size_t depth_of(const Tree& tree, const Fragment& f, const std::string& variable) {
  const auto& variables = f.domain.variables;
  const int v = static_cast<int>(std::find(variables.begin(), variables.end(), variable) - variables.begin());
  const auto& picks = tree.site(f.id).picks;
  return static_cast<std::size_t>(std::find(picks.begin(), picks.end(), v) - picks.begin());
}

/// The loop over the finest of the tiles of a variable that is one of the first `depth` loops; empty: none is.
std::string tile_around(const Tree& tree, const Fragment& f, const LoopNames& names, const std::string& variable,
                        std::size_t depth) {
  std::string name;
  std::size_t deepest = 0;
  for (const Tile& tile : f.tiles) {
    const std::size_t at = depth_of(tree, f, tile.digit);
    if (at >= depth || !contains(tile.coordinates, variable) || (!name.empty() && at < deepest)) continue;
    name = names.at(tile.digit);
    deepest = at;
  }
  return name;
}

math::Affine over_loops(const math::Affine& index, const LoopNames& names) {
  std::map<std::string, math::Affine> renaming;
  for (const auto& [variable, loop] : names) renaming.emplace(variable, math::Affine::name(loop));
  return index.substitute(renaming);
}

/// `D[k](i,j)`: with timesteps the first text is the step.
std::string element_of(const lang::Access& access, std::vector<std::string> texts) {
  std::string name = access.tensor;
  if (access.step) {
    name += "[" + texts.at(0) + "]";
    texts.erase(texts.begin());
  }
  std::string out;
  for (const std::string& text : texts) out += (out.empty() ? "" : ",") + text;
  return name + (out.empty() ? "" : "(" + out + ")");
}

template <class F>
std::string slice(const Fragment& f, F&& dimension) {
  std::vector<std::string> texts;
  for (std::size_t d = 0; d < f.write_index.size(); ++d)
    texts.push_back(dimension(f.write.step && d == 0 ? f.write_index[0] - 1 : f.write_index[d]));
  return "ready " + element_of(f.write, texts);
}

}  // namespace

std::string ready_slice(const Tree& tree, const Fragment& f, const LoopNames& names, std::size_t depth) {
  return slice(f, [&](const math::Affine& index) {
    for (const std::string& v : f.domain.variables) {
      if (!index.mentions(v) || depth_of(tree, f, v) < depth) continue;
      const std::string tile = tile_around(tree, f, names, v, depth);
      return tile.empty() || !index.as_name() ? ":" : tile;  // a tile of it, or all
    }
    return math::to_string(over_loops(index, names));
  });
}

std::string assumed_slice(const Tree& tree, const Fragment& f, const LoopNames& names, std::size_t depth) {
  return slice(f, [&](const math::Affine& index) -> std::string {
    std::string here;
    for (const std::string& v : f.domain.variables) {
      if (!index.mentions(v)) continue;
      if (depth_of(tree, f, v) > depth) {
        const std::string outside = tile_around(tree, f, names, v, depth),
                          with = tile_around(tree, f, names, v, depth + 1);
        if (with.empty() || !index.as_name()) return ":";
        if (with == outside) return with;
        const math::Affine tile = math::Affine::name(with);
        return tree.loop(tree.site(f.id).loops[depth]).name.descending ? math::to_string(tile + 1) + ":" : ":" + with;
      }
      if (depth_of(tree, f, v) == depth) here = v;
    }
    const math::Affine at = over_loops(index, names);
    if (here.empty()) return math::to_string(at);
    const bool down = tree.loop(tree.site(f.id).loops[depth]).name.descending;
    return down ? math::to_string(at + 1) + ":" : ":" + math::to_string(at);
  });
}

std::string element_text(const Read& read, const LoopNames& names) {
  std::vector<std::string> texts;
  for (std::size_t d = 0; d < read.index.size(); ++d) {
    const math::Affine shift = read.access.step && d == 0 ? -1 : 0;
    texts.push_back(read.index[d] ? math::to_string(over_loops(*read.index[d] + shift, names)) : ":");
  }
  return element_of(read.access, std::move(texts));
}

}  // namespace trellis::place
