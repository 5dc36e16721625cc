// The arrays that a walk goes through, whole: positions with the pair that says where the walk begins and ends,
// coordinates and values with that part of them, the pointer, and what is written into a workspace on the way.
#include <algorithm>
#include <cmath>

#include "engine/explore/walks_around.hpp"
#include "gui/cells.hpp"
#include "gui/views/operands_parts.hpp"

namespace trellis::gui {
namespace {

using explore::FiberWalk;
using explore::LatticeStep;

constexpr float strip_row = 20, narrow_cell = 34, wide_cell = 56, at_right = 98;

/// The level that the operand is walked in, as it is in memory; null where it is not, or not all of the walk's part.
const view::StoredLevel* stored_level(const OperandsDrawing& w, int operand) {
  const session::TensorView* tensor = w.tensor(operand);
  const auto level = static_cast<std::size_t>(w.literal(operand).level());
  return tensor && level < tensor->stored.levels.size() ? &tensor->stored.levels[level] : nullptr;
}

const view::Strip* strip_of(const view::StoredLevel* level, format::Array which) {
  if (!level) return nullptr;
  const auto found = std::ranges::find(level->strips, which, &view::Strip::which);
  return found == level->strips.end() ? nullptr : &*found;
}

/// The entry of the level above whose part of this one is walked: of several empty ones the one that the loop around
/// stands at. Empty: nobody can tell.
std::optional<std::int64_t> parent_of(const OperandsDrawing& w, const FiberWalk::Fiber& fiber,
                                      const view::Strip& positions) {
  std::optional<std::int64_t> first;
  const auto level = static_cast<std::size_t>(w.literal(fiber.operand).level());
  for (std::size_t p = 0; p + 1 < positions.items.size(); ++p) {
    if (positions.items[p] != fiber.begin || positions.items[p + 1] != fiber.end) continue;
    const auto entry = static_cast<std::int64_t>(p);
    if (!first) first = entry;
    if (level == 0 || w.step.around.empty()) break;
    const auto spot = view::spot_of(w.tensor(fiber.operand)->stored, level - 1, entry);
    if (spot && spot->first.back() == w.step.around.back().second) return entry;
  }
  return first;
}

/// A row of cells, of which some are seen.
struct Cells {
  Rect row;  ///< of the cells, without the name
  float cell = narrow_cell;
  std::int64_t first = 0;
  Rect at(std::int64_t k) const {
    return {std::round(row.x + static_cast<float>(k - first) * cell), row.y, cell - 3, row.h};
  }
  std::int64_t fits() const { return std::max<std::int64_t>(1, static_cast<std::int64_t>(row.w / cell)); }
  /// So many cells, that one in the middle where not all of them fit.
  void show(std::int64_t middle, std::int64_t begin, std::int64_t end) {
    first = std::clamp(middle - fits() / 2, begin, std::max(begin, end - fits()));
  }
};

Cells cells_in(Rect row, float cell) {
  return {{row.x + operand_names_width, row.y, row.w - operand_names_width - at_right - 16, row.h}, cell};
}

void draw_array_name(const OperandsDrawing& w, const std::string& name, Rect row, Token token) {
  w.ui.paint().text_in({row.x, row.y, operand_names_width - 8, row.h}, name, Font::list_mono, w.ui.theme()(token),
                       Align::right);
}

/// Around those cells, open at both sides where not all of them are seen.
void draw_bracket(const OperandsDrawing& w, const Cells& cells, std::int64_t begin, std::int64_t end, Colour colour) {
  if (begin >= end) return;
  const Rect first = cells.at(begin), last = cells.at(end - 1);
  w.ui.paint().outline({first.x - 2, first.y - 2, last.right() - first.x + 4, first.h + 4}, colour, 1.6F, 5);
}

/// Where each entry above begins: the walk is between two of them.
float draw_positions(const OperandsDrawing& w, const FiberWalk::Fiber& fiber, const view::Strip& positions, Rect area) {
  const std::string& name = w.names[static_cast<std::size_t>(fiber.operand)];
  const Rect row{area.x, area.y, area.w, strip_row};
  draw_array_name(w, name + " pos", row, Token::soft);
  const auto parent = parent_of(w, fiber, positions);
  Cells cells = cells_in(row, narrow_cell);
  const auto count = static_cast<std::int64_t>(positions.items.size());
  cells.show(parent.value_or(0), 0, count);
  const Theme& t = w.ui.theme();
  const Clip clip(w.ui.paint(), cells.row.inset(-3, -3));
  for (std::int64_t k = cells.first; k < std::min(count, cells.first + cells.fits() + 1); ++k) {
    const bool now = parent && (k == *parent || k == *parent + 1);
    const std::string words = std::to_string(positions.items[static_cast<std::size_t>(k)]);
    w.ui.paint().fill(cells.at(k), t(Token::cell), 4);
    w.ui.paint().text_in(cells.at(k), words, Font::small_mono, t(now ? Token::ink : Token::faint), Align::centre);
    w.ui.item(w.prefix + "pos:" + name + ":" + std::to_string(k), "mark", words, now ? "of the walk" : "", cells.at(k));
  }
  if (parent) draw_bracket(w, cells, *parent, *parent + 2, w.hue(fiber.operand));
  return strip_row + 7;
}

std::string words_of_entry(const FiberWalk::Fiber& fiber, const view::Strip* all, std::int64_t k) {
  if (const auto entry = fiber.entries.find(k); entry != fiber.entries.end()) {
    const auto [from, to] = entry->second;
    return from == to ? std::to_string(to) : std::to_string(from) + "…" + std::to_string(to);
  }
  return all && k < static_cast<std::int64_t>(all->items.size())
             ? std::to_string(all->items[static_cast<std::size_t>(k)])
             : "…";
}

struct EntryLook {
  bool inside = false, behind = false, now = false, here = false;
  const char* word() const {
    return !inside ? "of another walk" : here ? "here" : now ? "pointer" : behind ? "behind" : "ahead";
  }
};

EntryLook look_of(const OperandsDrawing& w, const FiberWalk::Fiber& fiber, std::int64_t k) {
  const LatticeStep::Cursor* cursor = w.cursor(fiber.operand);
  EntryLook look;
  look.inside = k >= fiber.begin && k < fiber.end;
  look.behind = look.inside && cursor && (cursor->ran_out || k < cursor->at);
  look.now = look.inside && cursor && k == cursor->at && !cursor->ran_out;
  look.here = look.now && cursor->here;
  return look;
}

void draw_entry(const OperandsDrawing& w, Colour hue, const EntryLook& look, const std::string& words, Rect spot) {
  Paint& paint = w.ui.paint();
  const Theme& t = w.ui.theme();
  if (look.inside) paint.fill(spot, look.here ? hue : look.now ? mixed(t(Token::cell), hue, 0.3F) : t(Token::cell), 4);
  if (look.now) paint.outline(spot, hue, 1.2F, 4);
  const Colour ink =
      look.here ? t(t.light ? Token::pane : Token::window) : t(!look.inside || look.behind ? Token::faint : Token::ink);
  paint.text_in(spot, words, Font::small_mono, ink, Align::centre);
}

void draw_pointer(const OperandsDrawing& w, const FiberWalk::Fiber& fiber, const Cells& cells, Rect row) {
  const LatticeStep::Cursor* cursor = w.cursor(fiber.operand);
  if (!cursor) return;
  const std::string& name = w.names[static_cast<std::size_t>(fiber.operand)];
  const Colour hue = w.hue(fiber.operand);
  const Clip clip(w.ui.paint(), {row.x + operand_names_width - 8, row.y, row.w - operand_names_width - 20, row.h});
  const float x = std::round(cells.at(std::clamp(cursor->at, fiber.begin, fiber.end)).centre().x);
  const Point corners[] = {{x, row.y + 3}, {x + 6, row.y + 12}, {x - 6, row.y + 12}};
  w.ui.paint().polygon(corners, hue);
  const std::string state = word_of_cursor(*cursor), words = "p" + name + (cursor->here ? "" : " " + state);
  w.ui.paint().text({x + 9, row.y + 2}, words, Font::small_mono, hue);
  w.ui.label(w.prefix + "pointer:" + name, words + " = " + std::to_string(cursor->at), {x - 6, row.y, 40, row.h},
             state);
}

void draw_range(const OperandsDrawing& w, const FiberWalk::Fiber& fiber, Rect row) {
  const std::string range = "entries " + std::to_string(fiber.begin) + " … " + std::to_string(fiber.end);
  w.ui.paint().text_in({row.right() - at_right - 14, row.y, at_right, row.h},
                       fiber.begin == fiber.end ? "nothing stored" : range, Font::small_mono,
                       w.ui.theme()(Token::faint), Align::right);
}

}  // namespace

float draw_operand_arrays(const OperandsDrawing& w, const FiberWalk::Fiber& fiber, Rect area) {
  const std::string& name = w.names[static_cast<std::size_t>(fiber.operand)];
  const coiterate::Literal& literal = w.literal(fiber.operand);
  const bool regions = literal.sequence.has_regions();
  const session::TensorView* tensor = w.tensor(fiber.operand);
  const view::StoredLevel* level = stored_level(w, fiber.operand);
  const view::Strip* all = regions ? nullptr : strip_of(level, format::Array::coordinates);
  if (all && static_cast<std::int64_t>(all->items.size()) < fiber.end) all = nullptr;
  const float top = area.y;
  area.take_top(2);
  if (const view::Strip* positions = strip_of(level, format::Array::positions))
    area.take_top(draw_positions(w, fiber, *positions, area));
  const LatticeStep::Cursor* cursor = w.cursor(fiber.operand);
  const Rect row = area.take_top(strip_row);
  Cells cells = cells_in(row, regions ? wide_cell : narrow_cell);
  const std::int64_t begin = all ? 0 : fiber.begin,
                     end = all ? static_cast<std::int64_t>(all->items.size()) : fiber.end;
  cells.show(cursor ? cursor->at : fiber.begin, begin, end);
  draw_array_name(w, name + (regions ? " runs" : " crd"), row, Token::soft);
  draw_range(w, fiber, row);
  const std::int64_t seen = std::min(end, cells.first + cells.fits() + 1);
  {
    const Clip clip(w.ui.paint(), cells.row.inset(-3, -3));
    for (std::int64_t k = cells.first; k < seen; ++k) {
      const EntryLook look = look_of(w, fiber, k);
      const std::string words = words_of_entry(fiber, all, k);
      draw_entry(w, w.hue(fiber.operand), look, words, cells.at(k));
      w.ui.item(w.prefix + "crd:" + name + ":" + std::to_string(k), "mark", words, look.word(), cells.at(k));
    }
    if (all)
      draw_bracket(w, cells, fiber.begin, fiber.end, mixed(w.ui.theme()(Token::pane), w.hue(fiber.operand), 0.6F));
  }
  draw_pointer(w, fiber, cells, area.take_top(16));
  const bool values = literal.last && tensor && !tensor->stored.pattern && !tensor->stored.values.empty() &&
                      literal.stored().child != format::Child::product;
  if (!values) return area.y - top + 8;
  cells.row.y = area.y;
  draw_array_name(w, "vals", area.take_top(strip_row), Token::faint);
  const Clip clip(w.ui.paint(), cells.row);
  for (std::int64_t k = cells.first; k < seen; ++k)
    draw_entry(w, w.hue(fiber.operand), look_of(w, fiber, k),
               k < static_cast<std::int64_t>(tensor->stored.values.size())
                   ? cell_text(tensor->stored.values[static_cast<std::size_t>(k)])
                   : "…",
               cells.at(k));
  return area.y - top + 8;
}

float draw_workspace(const OperandsDrawing& w, Rect area) {
  const std::string name = written_by(w);
  if (name.empty() || w.scene.snapshot->tensors.contains(name)) return 0;
  const auto written = explore::written_since_around(w.trace, w.at, name);
  const float top = area.y;
  const Rect row = area.take_top(strip_row);
  draw_array_name(w, name, row, Token::soft);
  const Cells cells = cells_in(row, narrow_cell);
  const Theme& t = w.ui.theme();
  const std::string since = w.step.around.empty() ? "" : "since loop " + w.step.around.back().first + " began";
  w.ui.paint().text_in({row.right() - 134, row.y, 120, row.h}, written.empty() ? "nothing yet" : since, Font::small,
                       t(Token::faint), Align::right);
  std::int64_t k = 0;
  const Clip clip(w.ui.paint(), {cells.row.x, row.y, cells.row.w, row.h + 16});
  for (const auto& [index, value] : written) {
    const Rect spot = cells.at(k++);
    if (spot.x > cells.row.right()) break;
    const std::string element = text::element_text(name, index);
    const bool now = w.step.coordinate && !index.empty() && index.back() == *w.step.coordinate;
    w.ui.paint().fill(spot, t(now ? Token::ink : Token::cell), 4);
    w.ui.paint().text_in(spot, cell_text(value), Font::small_mono, t(now ? Token::pane : Token::ink), Align::centre);
    if (!index.empty())
      w.ui.paint().text_in({spot.x, spot.bottom(), spot.w, 14}, std::to_string(index.back()), Font::tiny_mono,
                           t(Token::faint), Align::centre);
    w.ui.item("workspace:" + element, "mark", element + " = " + cell_text(value), now ? "now" : "", spot);
  }
  return area.y - top + 20;
}

}  // namespace trellis::gui
