#include "gui/storage_picture.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::gui {
namespace {

using view::StoragePicture;
using view::StoredSpot;
using Holds = StoragePicture::Holds;

constexpr float cell_high = 20, cut_gap = 5, margin = 22, between = 30, head_high = 18;
constexpr std::size_t most_fibers = 48;

struct PictureShown {
  Ui& ui;
  const StoragePicture& picture;
  const std::optional<StoredSpot>& lit;
  std::optional<StoredSpot>& pointed;
  float cell = 30;
  Colour hue(int group) const { return ui.theme().index(std::max(0, group)); }
};

std::string range_words(std::int64_t first, std::int64_t last) {
  return std::to_string(first) + (last == first ? "" : "‥" + std::to_string(last));
}

/// What all cells have in common, of the grid and of strips: what they hold, and the light of what belongs to them.
void draw_cell_of(PictureShown& s, Rect cell, Holds holds, int group, bool lit, const std::string& words) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const Rect in = cell.inset(1);
  const Colour hue = s.hue(group);
  switch (holds) {
    case Holds::entry: paint.fill(in, mixed(t(Token::cell), hue, 0.34F), 3); break;
    case Holds::padding:
      paint.fill(in, mixed(t(Token::pane), hue, 0.1F), 3);
      paint.dashed(in, faded(hue, 0.7F), 1, 3);
      break;
    case Holds::nobody: paint.dashed(in, t(Token::edge), 1, 3); break;
    case Holds::absent: paint.outline(in, t(Token::line), 1, 3); break;
    case Holds::excluded: paint.hatch(in, t.fill(Token::edge, 0.5F)); break;
  }
  if (lit) paint.fill(in, t.fill(Token::kin, t.kin_fill * 1.3F), 3), paint.outline(in, t(Token::kin), 1.4F, 3);
  paint.text_in(in, words, Font::small_mono, t(holds == Holds::entry ? Token::ink : Token::faint), Align::centre);
}

float offset_of(const std::vector<bool>& cuts, std::int64_t at, float size) {
  const auto gaps = std::count(cuts.begin(), cuts.begin() + static_cast<std::ptrdiff_t>(at) + 1, true);
  return static_cast<float>(at) * size + static_cast<float>(gaps) * cut_gap;
}

Rect grid_area(const PictureShown& s, Rect area) {
  const StoragePicture& p = s.picture;
  return {area.x + margin, area.y + head_high, offset_of(p.column_cuts, p.columns - 1, s.cell) + s.cell,
          offset_of(p.row_cuts, p.rows - 1, cell_high) + cell_high};
}

void draw_element(PictureShown& s, std::size_t at, Rect cell) {
  const StoragePicture::Element& element = s.picture.grid[at];
  const std::string about = explain(s.picture, at);
  const std::string words = element.place < 0 ? "" : std::to_string(element.place) + (element.mirrored ? "'" : "");
  const bool known = !element.levels.empty();
  const StoredSpot spot{element.levels, element.levels};
  draw_cell_of(s, cell, element.holds, element.group, known && element.place >= 0 && s.lit && related(spot, *s.lit),
               words);
  const tensor::Index index = s.picture.index_at(at);
  std::string id = "element";
  for (const std::int64_t i : index) id += ":" + std::to_string(i);
  if (!s.ui.item(id, "cell", words, about, cell).hovered) return;
  s.ui.tooltip(about);
  if (known && element.place >= 0) s.pointed = spot;
}

void draw_grid_of(PictureShown& s, Rect grid) {
  const StoragePicture& p = s.picture;
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  for (std::int64_t c = 0; c < p.columns; ++c)
    paint.text_in({grid.x + offset_of(p.column_cuts, c, s.cell), grid.y - head_high, s.cell, head_high},
                  std::to_string(c), Font::small_mono, t(Token::faint), Align::centre);
  for (std::int64_t r = 0; r < p.rows; ++r) {
    const float y = grid.y + offset_of(p.row_cuts, r, cell_high);
    if (p.shape.size() > 1)
      paint.text_in({grid.x - margin, y, margin - 5, cell_high}, std::to_string(r), Font::small_mono, t(Token::faint),
                    Align::right);
    for (std::int64_t c = 0; c < p.columns; ++c)
      draw_element(s, static_cast<std::size_t>(r * p.columns + c),
                   {grid.x + offset_of(p.column_cuts, c, s.cell), y, s.cell, cell_high});
  }
  // Frames of blocks, in the middle of the gaps.
  for (std::int64_t c = 1; c < p.columns; ++c)
    if (p.column_cuts[static_cast<std::size_t>(c)]) {
      const float x = std::round(grid.x + offset_of(p.column_cuts, c, s.cell) - cut_gap / 2);
      paint.line({x, grid.y - 2}, {x, grid.bottom() + 2}, t(Token::edge), 1);
    }
  for (std::int64_t r = 1; r < p.rows; ++r)
    if (p.row_cuts[static_cast<std::size_t>(r)]) {
      const float y = std::round(grid.y + offset_of(p.row_cuts, r, cell_high) - cut_gap / 2);
      paint.line({grid.x - 2, y}, {grid.right() + 2, y}, t(Token::edge), 1);
    }
}

/// Of the levels above the last one, and of a cell of that.
struct Columns {
  std::vector<float> at;  ///< where each level begins, the last one among them
  float cell = 40;
  float width(std::size_t level) const { return at[level + 1] - at[level] - 3; }
};

Columns columns_of(const PictureShown& s) {
  const Paint& paint = s.ui.paint();
  const StoragePicture& p = s.picture;
  Columns columns{{0}, 0};
  for (std::size_t l = 0; l + 1 < p.levels.size(); ++l) {
    float wide = paint.width(p.levels[l].stores, Font::small_mono);
    for (const StoragePicture::Fiber& fiber : p.fibers)
      wide = std::max(wide, paint.width(range_words(fiber.outer[l].first, fiber.outer[l].second), Font::small_mono));
    columns.at.push_back(columns.at.back() + wide + 15);
  }
  columns.cell = paint.width("free", Font::small_mono) + 10;
  for (const StoragePicture::Fiber& fiber : p.fibers)
    for (const StoragePicture::Cell& cell : fiber.cells)
      columns.cell = std::max(columns.cell, paint.width(range_words(cell.first, cell.last), Font::tiny_mono) +
                                                paint.width(std::to_string(cell.place), Font::small_mono) + 16);
  return columns;
}

void draw_place(PictureShown& s, const StoragePicture::Fiber& fiber, const StoragePicture::Cell& cell, Rect area) {
  Paint& paint = s.ui.paint();
  StoredSpot spot{cell.levels, cell.levels};
  spot.last.back() += cell.last - cell.first;
  const bool lit = s.lit && related(spot, *s.lit);
  const std::string coordinate = range_words(cell.first, cell.last);
  draw_cell_of(s, area, cell.holds, fiber.group, lit, "");
  const Theme& t = s.ui.theme();
  paint.text_in({area.x + 5, area.y, area.w, area.h}, coordinate, Font::tiny_mono, t(Token::faint));
  paint.text_in({area.x, area.y, area.w - 6, area.h}, std::to_string(cell.place), Font::small_mono,
                t(cell.holds == Holds::entry ? Token::ink : Token::faint), Align::right);
  const std::string about = explain(s.picture, cell);
  if (!s.ui.item("place:" + std::to_string(cell.place), "cell", coordinate + ":" + std::to_string(cell.place), about,
                 area)
           .hovered)
    return;
  s.ui.tooltip(about);
  s.pointed = spot;
}

/// A box for each entry of the levels above, as high as the fibers below it.
void draw_outer_boxes(PictureShown& s, const Columns& columns, Point at, std::size_t shown) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const auto& fibers = s.picture.fibers;
  for (std::size_t l = 0; l + 1 < s.picture.levels.size(); ++l)
    for (std::size_t k = 0; k < shown;) {
      std::size_t end = k + 1;
      while (end < shown && fibers[end].news > l) ++end;
      const Rect box{at.x + columns.at[l], at.y + static_cast<float>(k) * cell_high, columns.width(l),
                     static_cast<float>(end - k) * cell_high};
      paint.fill(box.inset(0, 1), t(Token::raised), 3);
      paint.text_in({box.x, box.y, box.w, cell_high}, range_words(fibers[k].outer[l].first, fibers[k].outer[l].second),
                    Font::small_mono, t(Token::soft), Align::centre);
      k = end;
    }
}

float draw_fibers(PictureShown& s, Rect area) {
  const StoragePicture& p = s.picture;
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const Columns columns = columns_of(s);
  for (std::size_t l = 0; l < p.levels.size(); ++l)
    paint.text({area.x + columns.at[l] + 2, area.y + 2}, p.levels[l].stores, Font::small_mono, t(Token::soft));
  const Point top{area.x, area.y + head_high};
  const std::size_t shown = std::min(p.fibers.size(), most_fibers);
  draw_outer_boxes(s, columns, top, shown);
  for (std::size_t k = 0; k < shown; ++k) {
    const StoragePicture::Fiber& fiber = p.fibers[k];
    Rect cell{top.x + columns.at.back(), top.y + static_cast<float>(k) * cell_high, columns.cell, cell_high};
    const auto next = [&] { cell.x += columns.cell; };
    for (const StoragePicture::Cell& one : fiber.cells) draw_place(s, fiber, one, cell), next();
    for (std::int64_t free = 0; free < fiber.free; ++free, next()) {
      draw_cell_of(s, cell, Holds::nobody, fiber.group, false, "free");
      s.ui.label("free:" + std::to_string(k) + ":" + std::to_string(free), "free", cell);
    }
    if (fiber.beyond > 0)
      paint.text_in({cell.x + 4, cell.y, 90, cell.h}, "… " + std::to_string(fiber.beyond) + " more", Font::small,
                    t(Token::faint));
  }
  float high = head_high + static_cast<float>(shown) * cell_high;
  if (shown == p.fibers.size()) return high;
  paint.text({top.x, top.y + static_cast<float>(shown) * cell_high + 3},
             "… " + std::to_string(p.fibers.size() - shown) + " more", Font::small, t(Token::faint));
  return high + cell_high;
}

/// Samples with what they mean, in lines.
float draw_picture_legend(PictureShown& s, Rect area) {
  Paint& paint = s.ui.paint();
  Point at{area.x, area.y};
  for (const view::StorageLegend& entry : legend(s.picture)) {
    const float wide = paint.width(entry.words, Font::small) + (entry.mark.empty() ? 0.F : 40.F);
    if (at.x > area.x && at.x + wide > area.right()) at = {area.x, at.y + 20};
    const Rect sample{at.x, at.y, 34, 17};
    if (entry.mark == "padding") draw_cell_of(s, sample, Holds::padding, 0, false, "7");
    if (entry.mark == "nobody") draw_cell_of(s, sample, Holds::nobody, 0, false, "8");
    if (entry.mark == "free") draw_cell_of(s, sample, Holds::nobody, 0, false, "free");
    if (entry.mark == "mirrored") draw_cell_of(s, sample, Holds::entry, 0, false, "7'");
    if (entry.mark == "absent") draw_cell_of(s, sample, Holds::absent, 0, false, "");
    if (entry.mark == "excluded") draw_cell_of(s, sample, Holds::excluded, 0, false, "");
    const Rect words{at.x + (entry.mark.empty() ? 0.F : 40.F), at.y, wide, 17};
    paint.text_in(words, entry.words, Font::small, s.ui.theme()(Token::soft));
    s.ui.label("legend:" + entry.words, entry.words, words);
    at.x += wide + 16;
  }
  return at.y + 20 - area.y;
}

}  // namespace

bool related(const StoredSpot& a, const StoredSpot& b) {
  for (std::size_t l = 0; l < std::min(a.first.size(), b.first.size()); ++l)
    if (a.last[l] < b.first[l] || b.last[l] < a.first[l]) return false;
  return true;
}

float draw_storage_picture(Ui& ui, const StoragePicture& picture, Rect area, const std::optional<StoredSpot>& lit,
                           std::optional<StoredSpot>& pointed) {
  if (picture.empty()) return 0;
  PictureShown s{ui, picture, lit, pointed};
  for (const StoragePicture::Element& element : picture.grid)
    s.cell = std::max(s.cell, ui.paint().width(std::to_string(element.place) + "'", Font::small_mono) + 8);
  const Rect grid = grid_area(s, area);
  draw_grid_of(s, grid);
  const Columns columns = columns_of(s);
  std::size_t longest = 1;
  for (const StoragePicture::Fiber& fiber : picture.fibers)
    longest = std::max(longest, fiber.cells.size() + static_cast<std::size_t>(fiber.free));
  const float needed = columns.at.back() + static_cast<float>(longest) * columns.cell;
  const bool beside = grid.right() + between + needed <= area.right();
  const Point at = beside ? Point{grid.right() + between, area.y} : Point{area.x, grid.bottom() + 10};
  float high = std::max(grid.bottom(), at.y + draw_fibers(s, {at.x, at.y, area.right() - at.x, 0})) - area.y + 4;
  return high + draw_picture_legend(s, {area.x, area.y + high, area.w, 0}) + 10;
}

}  // namespace trellis::gui
