// Where a factorisation has entries: what is given, what fills in and why, and the elimination tree beside it. A column
// and its box in the tree light up together, with the columns that it changes in turn.
#include <algorithm>
#include <cmath>
#include <set>

#include "engine/text/fit.hpp"
#include "gui/drawing_view.hpp"
#include "gui/marks.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using session::MaskPicture;

constexpr float pattern_cell = 10;  // in the world
/// More cells than that are no items of their own: nobody goes through them one by one.
constexpr std::int64_t most_named = 48;

struct PatternKept {
  const MaskPicture* of = nullptr;
  std::vector<int> node_of;  ///< by column
  int node = -1;             ///< of the tree that the pointer is on, itself or as a column, of the last frame
  std::optional<std::pair<std::int64_t, std::int64_t>> cell = {};  ///< likewise
};

struct PatternShown {
  const MaskPicture& picture;
  const PatternKept& last;
  int node = -1;
  std::optional<std::pair<std::int64_t, std::int64_t>> cell = {};
  /// Of the tree, by a column of cells.
  int node_of(std::int64_t column) const {
    const auto first = static_cast<std::size_t>(column * picture.block);
    return first < last.node_of.size() ? last.node_of[first] : -1;
  }
  /// The cell is why the one under the pointer fills in.
  bool is_cause(std::int64_t row, std::int64_t column) const {
    if (!last.cell) return false;
    const auto [i, j] = *last.cell;
    const std::int64_t k = picture.at(i, j).by;
    if (k < 0) return false;
    const bool beside = row == i && column == k;
    return beside || (picture.symmetric ? row == j && column == k : row == k && column == j);
  }
};

std::string pattern_subtitle(const Scene& scene) {
  return scene.kernel && scene.kernel->pattern ? caption(*scene.kernel->pattern) : "";
}

/// What is given is filled, what fills in is a frame: shapes say it too.
void draw_entry(Paint& paint, const Theme& t, Rect cell, bool given) {
  if (cell.w > 5) cell = cell.inset(cell.w > 10 ? 1.5F : 0.5F);
  const float radius = cell.w > 8 ? 2 : 0;
  if (given) return paint.fill(cell, t(Token::accent), radius);
  paint.fill(cell, t.fill(Token::accent, 0.25F), radius);
  if (cell.w > 4) paint.outline(cell, t(Token::accent), 1, radius);
}

void draw_cells(PatternShown& s, Ui& ui, Rect area) {
  const MaskPicture& picture = s.picture;
  const float side = static_cast<float>(picture.across) * pattern_cell;
  const Canvas canvas(ui, "cells", area, {0, 0, side, side}, 2.4F);
  const Clip clip(ui.paint(), area);
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  paint.outline(canvas.to_window(Rect{0, 0, side, side}).inset(-1), t(Token::line2), 1);
  for (std::int64_t i = 0; i < picture.across; ++i)
    for (std::int64_t j = 0; j < picture.across; ++j) {
      const MaskPicture::Cell& c = picture.at(i, j);
      const Rect cell = canvas.to_window(
          Rect{static_cast<float>(j) * pattern_cell, static_cast<float>(i) * pattern_cell, pattern_cell, pattern_cell});
      if (c.given + c.filled == 0 || !cell.meets(paint.clipped())) continue;
      const int node = s.node_of(j);
      if (node >= 0 && node == s.last.node) paint.fill(cell, t.fill(Token::kin, t.kin_fill * 1.4F));
      draw_entry(paint, t, cell, c.given > 0);
      if (s.is_cause(i, j) || s.last.cell == std::pair(i, j)) paint.outline(cell, t(Token::kin), 2);
      const std::string id = "entry:" + std::to_string(i) + "," + std::to_string(j);
      const bool named = picture.across <= most_named;
      const bool hovered =
          named ? ui.item(id, "cell", explain(picture, i, j), c.given > 0 ? "given" : "filled", cell).hovered
                : cell.cut(paint.clipped()).contains(ui.input().mouse);
      if (!hovered) continue;
      s.cell = {i, j}, s.node = node;
      ui.tooltip(explain(picture, i, j));
    }
}

/// The box, and those that its arrows lead to, up to the root.
std::set<int> way_up(const MaskPicture& picture, int node) {
  std::set<int> way;
  while (node >= 0 && way.insert(node).second) {
    const auto edge = std::ranges::find(picture.tree.edges, node, &view::Drawing::Edge::from);
    node = edge == picture.tree.edges.end() ? -1 : edge->to;
  }
  return way;
}

void draw_box(PatternShown& s, Ui& ui, const PlacedDrawing& placed, std::size_t i, bool on_way) {
  const view::Drawing::Node& node = s.picture.tree.nodes[i];
  const Rect box = placed.box(i);
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  if (!box.inset(-8).meets(paint.clipped())) return;
  const bool lit = node.id == s.last.node;
  const std::string id = "column:" + std::to_string(s.picture.columns[static_cast<std::size_t>(node.id)].first);
  if (ui.item(id, "node", name_of(node), on_way ? "lit" : "column", box).hovered) s.node = node.id;
  const float radius = placed.zoom() > 0.4F ? 7 : 0;
  paint.fill(box, t(Token::raised), radius);
  if (lit) paint.fill(box, t.fill(Token::kin, t.kin_fill * 1.4F), radius);
  paint.outline(box, on_way ? t(Token::kin) : t(Token::edge), lit ? 2 : 1, radius);
  if (placed.canvas().legible())
    paint.text_in(box, name_of(node), placed.canvas().font(), t(Token::ink), Align::centre);
}

void draw_tree(PatternShown& s, Ui& ui, const Scene& scene, Rect area) {
  const PlacedDrawing placed(ui, "tree", area, scene.kernel->pattern, s.picture.tree);
  const Theme& t = ui.theme();
  const std::set<int> way = way_up(s.picture, s.last.node);
  for (std::size_t e = 0; e < s.picture.tree.edges.size(); ++e) {
    const bool lit = way.contains(s.picture.tree.edges[e].from);
    placed.draw_edge(e, {.colour = t(lit ? Token::kin : Token::edge), .thickness = lit ? 2.F : 1.2F});
  }
  for (std::size_t i = 0; i < s.picture.tree.nodes.size(); ++i)
    draw_box(s, ui, placed, i, way.contains(s.picture.tree.nodes[i].id));
}

void draw_samples(Ui& ui, const MaskPicture& picture, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  float x = area.x;
  for (const bool given : {true, false}) {
    const std::string words = given ? "given" : "filled in";
    draw_entry(paint, t, {x, area.y + area.h / 2 - 6, 13, 13}, given);
    x += 20;
    x += paint.text({x, area.y + (area.h - paint.height(Font::small)) / 2}, words, Font::small, t(Token::soft)) + 18;
  }
  std::string words;
  if (picture.block > 1)
    words = "a cell is " + std::to_string(picture.block) + " × " + std::to_string(picture.block) + " elements; ";
  if (picture.symmetric && picture.tree.nodes.empty())
    words += "the tree has " + std::to_string(picture.columns.size()) + " boxes, too many to draw; ";
  if (!words.empty()) words.resize(words.size() - 2);
  paint.text_in({x, area.y, area.right() - x, area.h}, words, Font::small, t(Token::faint));
  ui.label("about", caption(picture), area, picture.symmetric ? "symmetric" : "unsymmetric");
}

void draw_pattern(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.kernel) return draw_nothing(ui, area, "there is no kernel yet");
  if (!scene.kernel->pattern)
    return draw_nothing(ui, area, "no pattern was found for this kernel",
                        "`mask L auto` finds where a factor has entries");
  const MaskPicture& picture = *scene.kernel->pattern;
  auto& kept = ui.memory<PatternKept>("kept");
  if (kept.of != &picture) {
    kept = {&picture, std::vector<int>(picture.parent.size(), -1)};
    for (std::size_t node = 0; node < picture.columns.size(); ++node)
      for (std::int32_t c = picture.columns[node].first; c <= picture.columns[node].second; ++c)
        kept.node_of[static_cast<std::size_t>(c)] = static_cast<int>(node);
  }
  PatternShown shown{picture, kept};
  Rect rest = area.inset(12, 4);
  draw_samples(ui, picture, rest.take_bottom(legend_height));
  if (!picture.tree.nodes.empty()) {
    const bool beside = rest.w > rest.h;
    const Rect tree =
        beside ? rest.take_right(std::floor(rest.w * 0.48F)) : rest.take_bottom(std::floor(rest.h * 0.48F));
    draw_tree(shown, ui, scene, tree);
  }
  draw_cells(shown, ui, rest);
  if (kept.node != shown.node || kept.cell != shown.cell) ui.animate();
  kept.node = shown.node, kept.cell = shown.cell;
}

}  // namespace

const View pattern_view = {"pattern", "Pattern", "data", pattern_subtitle, draw_pattern, "show mask"};

}  // namespace trellis::gui
