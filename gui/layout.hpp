#pragma once
// Where panes stand: a tree of splits with stacks of tabs at its leaves. What has no room becomes a neighbour's tab;
// nothing shrinks below what it needs.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gui/geometry.hpp"

namespace trellis::gui {

struct Layout {
  enum class Kind { row, column, stack } kind = Kind::stack;
  std::vector<Layout> parts = {};  ///< of a row or column
  std::vector<float> shares = {};  ///< of each part, by size; any scale
  std::vector<std::string> tabs = {};
  std::size_t active = 0;

  bool operator==(const Layout&) const = default;
};
Layout row(std::vector<std::pair<float, Layout>> parts);
Layout column(std::vector<std::pair<float, Layout>> parts);
Layout stack(std::vector<std::string> tabs);

/// The smallest size that a pane is of use at.
struct Size {
  float w = 0, h = 0;
};
Size least_size(std::string_view pane);

struct Placed {
  std::vector<std::string> tabs;
  std::size_t active = 0;
  Rect area;                      ///< with its header
  std::vector<std::size_t> path;  ///< in the layout as it is drawn
};
struct Splitter {
  Rect area;
  bool across = false;            ///< between the parts of a row
  std::vector<std::size_t> path;  ///< of the split
  std::size_t before = 0;         ///< the part before it
  Rect first;                     ///< that part's area
  float room = 0;                 ///< for all parts of the split
};
struct Arrangement {
  std::vector<Placed> stacks;
  std::vector<Splitter> splitters;
  Layout drawn;  ///< the layout with what had no room folded into neighbours
};
/// Of panes that share a place for want of room, the first of those that are preferred is seen, else the first.
Arrangement arrange(const Layout& layout, Rect area, const std::vector<std::string>& preferred = {});

/// The layout's part that the path leads to.
Layout& part_at(Layout& layout, const std::vector<std::size_t>& path);
/// The stack that has the pane, or null.
Layout* find(Layout& layout, std::string_view pane);
/// Brings it to the front of its stack; one that has no place becomes a tab beside that neighbour, or else in the last
/// stack.
void show(Layout& layout, const std::string& pane, const std::string& neighbour = {});
void hide(Layout& layout, std::string_view pane);
/// Both have the same splits.
bool same_shape(const Layout& a, const Layout& b);
/// The line between two parts goes to that place of the window.
void move_splitter(Layout& layout, const Splitter& splitter, Point to);
enum class Side { tab, left, right, above, below };
/// Out of where it is, into that stack or beside it.
void move(Layout& layout, const std::string& pane, const std::string& to, Side side);

nlohmann::json to_json(const Layout& layout);
std::optional<Layout> layout_from(const nlohmann::json& json);

/// "Learn", "Illegal order", "Lattice", "Compare", "Tune".
struct Preset {
  const char* name;   ///< "illegal"
  const char* title;  ///< "Illegal order"
  Layout layout;
};
const std::vector<Preset>& presets();

}  // namespace trellis::gui
