// What a tensor keeps in memory, array by array; hovering a cell shows which element it is about.
#include <algorithm>
#include <cmath>

#include "engine/format/storage_order.hpp"
#include "engine/tensor/allocate.hpp"
#include "engine/view/cells.hpp"
#include "gui/cells.hpp"
#include "gui/operands.hpp"
#include "gui/storage_picture.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float storage_names = 52, storage_row = 20;

std::string storage_subtitle(const Scene& scene) {
  return scene.snapshot->tensors.empty() ? "" : "what is in memory, array by array";
}

struct StorageKept {
  std::string tensor;
  float down = 0, across = 0;
  std::optional<view::StoredSpot> pointed;  ///< that the pointer is over, of the last frame
};

const char* short_name(format::Array which) {
  switch (which) {
    case format::Array::positions: return "pos";
    case format::Array::coordinates: return "crd";
    case format::Array::starts: return "start";
    case format::Array::offsets: return "ofs";
    case format::Array::table: return "table";
    case format::Array::values: break;
  }
  return "vals";
}

struct StorageShown {
  const Scene& scene;
  Ui& ui;
  const session::TensorView& tensor;
  StorageKept& kept;
  std::optional<view::StoredSpot> pointed = {};
  /// As a form of the level has it, which may be more than what is stored.
  std::string coordinate(std::size_t level, const view::StoredSpot& spot) const {
    const auto& levels = tensor.picture.levels;
    const std::int64_t low = level < levels.size() ? levels[level].low : 0;
    return std::to_string(spot.first[level] + low);
  }
  /// The element that coordinates by level belong to, as the language writes it.
  std::string element(const view::StoredSpot& spot) const {
    if (tensor.info.format.layout) {
      std::string levels;
      for (std::size_t l = 0; l < spot.first.size(); ++l)
        levels += (l == 0 ? "" : ", ") + format::stored_by(tensor.info.format, l) + " = " + coordinate(l, spot);
      return tensor.info.name + ": " + levels;
    }
    std::vector<std::string> by_dimension(tensor.info.format.levels.size(), ":");
    for (std::size_t l = 0; l < spot.first.size(); ++l) {
      const std::size_t d = format::dimension_of(tensor.info.format, l);
      by_dimension[d] = spot.first[l] == spot.last[l]
                            ? std::to_string(spot.first[l])
                            : std::to_string(spot.first[l]) + ":" + std::to_string(spot.last[l] + 1);
    }
    std::string out = tensor.info.name + "(";
    for (std::size_t d = 0; d < by_dimension.size(); ++d) out += (d == 0 ? "" : ",") + by_dimension[d];
    return out + ")";
  }
};

/// One cell of an array: lit where it is about what the pointer is over.
void draw_stored_cell(StorageShown& s, Rect cell, const std::string& id, const std::string& words,
                      const std::optional<view::StoredSpot>& spot, std::optional<Colour> pointer) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const std::string about = spot ? s.element(*spot) : "";
  s.ui.item(id, "cell", words, about, cell);
  const bool hovered = cell.cut(paint.clipped()).contains(s.ui.input().mouse);
  if (hovered && spot) s.pointed = spot, s.ui.tooltip(about);
  const bool lit = spot && s.kept.pointed && related(*spot, *s.kept.pointed);
  paint.fill(cell, t(Token::cell), 4);
  if (lit) paint.fill(cell, t.fill(Token::kin, t.kin_fill * 1.3F), 4), paint.outline(cell, t(Token::kin), 1, 4);
  if (pointer) paint.outline(cell, *pointer, 1.6F, 4);
  paint.text_in(cell, words, Font::small_mono, t(Token::ink), Align::centre);
}

/// Where operands of the walk that is stepped stand in this level.
std::optional<Colour> pointer_at(const StorageShown& s, std::size_t level, std::int64_t entry) {
  const explore::LatticeStep* step = lattice_step(s.scene);
  const coiterate::NumberedLattice* one = step ? lattice_of(*s.scene.drawn()->lattice_walk, step->lattice) : nullptr;
  if (!one) return std::nullopt;
  for (const explore::LatticeStep::Cursor& cursor : step->cursors) {
    const coiterate::Literal& literal = one->lattice->operands[static_cast<std::size_t>(cursor.operand)].literal;
    if (literal.key.tensor != s.tensor.info.name || cursor.ran_out) continue;
    const auto is_there = [&](const flow::Standing::Level& inner) {
      return inner.level == static_cast<int>(level) && inner.at == entry;
    };
    if ((literal.level() == static_cast<int>(level) && cursor.at == entry) ||
        std::ranges::any_of(cursor.levels, is_there))
      return colour_of_operand(s.scene, s.ui.theme(), *one->lattice, cursor.operand);
  }
  return std::nullopt;
}

struct StripPlace {
  Rect row;
  float cell = 36, across = 0;
  Rect at(std::int64_t k) const {
    return {std::round(row.x + storage_names + static_cast<float>(k) * cell - across), row.y, cell - 3, storage_row};
  }
};

void draw_strip(StorageShown& s, std::size_t level, const view::Strip& strip, const StripPlace& place) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const char* name = short_name(strip.which);
  paint.text_in({place.row.x, place.row.y, storage_names - 8, storage_row}, name, Font::list_mono, t(Token::soft),
                Align::right);
  const Clip clip(paint, {place.row.x + storage_names, place.row.y - 1, place.row.w - storage_names, storage_row + 2});
  for (std::int64_t k = std::max<std::int64_t>(0, static_cast<std::int64_t>(place.across / place.cell));
       k < static_cast<std::int64_t>(strip.items.size()); ++k) {
    const Rect cell = place.at(k);
    if (cell.x > place.row.right()) break;
    // A position says where the entries of its parent begin: it is about the parent.
    const bool of_entry = strip.which == format::Array::coordinates || strip.which == format::Array::starts;
    std::optional<view::StoredSpot> spot;
    if (of_entry) spot = view::spot_of(s.tensor.stored, level, k);
    else if (strip.which == format::Array::positions && level > 0 && k + 1 < strip.count)
      spot = view::spot_of(s.tensor.stored, level - 1, k);
    draw_stored_cell(s, cell, std::string(name) + std::to_string(level) + ":" + std::to_string(k),
                     std::to_string(strip.items[static_cast<std::size_t>(k)]), spot,
                     of_entry ? pointer_at(s, level, k) : std::nullopt);
  }
  const std::int64_t more = strip.count - static_cast<std::int64_t>(strip.items.size());
  if (more > 0)
    paint.text(place.at(static_cast<std::int64_t>(strip.items.size())).inset(2, 3).centre(),
               "… " + std::to_string(more) + " more", Font::small, t(Token::faint));
}

void draw_stored_values(StorageShown& s, const StripPlace& place) {
  Paint& paint = s.ui.paint();
  const view::StoredArrays& stored = s.tensor.stored;
  paint.text_in({place.row.x, place.row.y, storage_names - 8, storage_row}, "vals", Font::list_mono,
                s.ui.theme()(Token::soft), Align::right);
  const Clip clip(paint, {place.row.x + storage_names, place.row.y - 1, place.row.w - storage_names, storage_row + 2});
  const bool blocks = !stored.levels.empty() &&
                      std::ranges::find(stored.levels.back().strips, format::Array::offsets, &view::Strip::which) !=
                          stored.levels.back().strips.end();
  for (auto k = static_cast<std::int64_t>(place.across / place.cell);
       k < static_cast<std::int64_t>(stored.values.size()); ++k) {
    const Rect cell = place.at(k);
    if (cell.x > place.row.right()) break;
    std::optional<view::StoredSpot> spot;
    if (!stored.levels.empty() && !blocks) spot = view::spot_of(stored, stored.levels.size() - 1, k);
    draw_stored_cell(s, cell, "vals:" + std::to_string(k), cell_text(stored.values[static_cast<std::size_t>(k)]), spot,
                     {});
  }
}

/// Runs and blocks as bars over a line of the coordinates, one row for each of the first fibers.
float draw_regions(StorageShown& s, std::size_t level, Rect area) {
  const view::StoredLevel& own = s.tensor.stored.levels[level];
  if (own.region == format::Region::point || own.strips.empty() || own.size <= 0) return 0;
  const auto crd = std::ranges::find(own.strips, format::Array::coordinates, &view::Strip::which);
  if (crd == own.strips.end()) return 0;
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const float left = area.x + storage_names, wide = area.w - storage_names - 4,
              unit = wide / static_cast<float>(own.size);
  float y = area.y + 2;
  std::vector<std::int64_t> parent;
  for (std::int64_t k = 0; k < static_cast<std::int64_t>(crd->items.size()); ++k) {
    const auto spot = view::spot_of(s.tensor.stored, level, k);
    if (!spot) break;
    const std::vector<std::int64_t> around(spot->first.begin(), spot->first.end() - 1);
    if (k > 0 && around != parent) y += 12;
    if (y > area.y + 140) break;
    parent = around;
    const float from = left + static_cast<float>(spot->first.back()) * unit,
                to = left + static_cast<float>(spot->last.back() + 1) * unit;
    const Rect bar{from, y, std::max(2.F, to - from - 1), 8};
    const bool lit = s.kept.pointed && related(*spot, *s.kept.pointed);
    paint.fill(bar, lit ? t(Token::kin) : t.fill(Token::accent, k % 2 == 0 ? 0.75F : 0.5F), 2);
    if (bar.contains(s.ui.input().mouse)) s.pointed = spot, s.ui.tooltip(s.element(*spot));
  }
  return y + 14 - area.y;
}

/// "; crd 0 is j - i = -n": coordinates are stored from 0 on, whatever the least one of a layout's level is.
std::string counted_from(const session::TensorView& tensor, std::size_t level) {
  const view::StoredLevel& own = tensor.stored.levels[level];
  const bool lists = std::ranges::find(own.strips, format::Array::coordinates, &view::Strip::which) != own.strips.end();
  const auto& layout = tensor.info.format.layout;
  if (!layout || !lists) return "";
  const std::vector<format::LevelRange> ranges = format::level_ranges(*layout, tensor.info.shape);
  if (level >= ranges.size() || ranges[level].low == math::Affine(0)) return "";
  return "; crd 0 is " + own.stores + " = " + math::to_string(ranges[level].low);
}

void draw_stored_tensor(StorageShown& s, Rect area) {
  Paint& paint = s.ui.paint();
  const Theme& t = s.ui.theme();
  const view::StoredArrays& stored = s.tensor.stored;
  std::int64_t longest = static_cast<std::int64_t>(stored.values.size());
  std::int64_t widest = 0;
  for (const view::StoredLevel& level : stored.levels)
    for (const view::Strip& strip : level.strips) {
      longest = std::max(longest, static_cast<std::int64_t>(strip.items.size()) +
                                      (strip.count > static_cast<std::int64_t>(strip.items.size()) ? 3 : 0));
      if (!strip.items.empty()) widest = std::max(widest, *std::ranges::max_element(strip.items));
    }
  const float cell = std::max(38.F, static_cast<float>(std::to_string(widest).size()) * 6 + 14);
  const Clip clip(paint, area);
  s.ui.scroll_across("storage across", area, static_cast<float>(longest) * cell + storage_names + 20, s.kept.across);
  Rect rest{area.x + 14, area.y - s.kept.down, area.w - 28, 100000};
  const auto next_row = [&] {
    const StripPlace place{rest.take_top(storage_row), cell, s.kept.across};
    rest.take_top(4);
    return place;
  };
  rest.take_top(draw_storage_picture(s.ui, s.tensor.picture, rest, s.kept.pointed, s.pointed));
  for (std::size_t l = 0; l < stored.levels.size(); ++l) {
    const view::StoredLevel& level = stored.levels[l];
    const std::string title = level.level + " over " + level.stores + ", " + std::to_string(level.size) +
                              (level.size == 1 ? " coordinate" : " coordinates") + counted_from(s.tensor, l);
    const Rect row = rest.take_top(22);
    paint.text_in(row, title, Font::text, t(Token::ink));
    s.ui.label("level:" + std::to_string(l), title, row);
    if (level.strips.empty()) {
      paint.text_in(rest.take_top(18), "nothing is kept: a place is computed", Font::text, t(Token::faint));
    }
    for (const view::Strip& strip : level.strips) draw_strip(s, l, strip, next_row());
    rest.take_top(draw_regions(s, l, rest) + 8);
  }
  if (stored.pattern)
    paint.text_in(rest.take_top(22), "pattern: no values, what is stored is true", Font::text, t(Token::faint));
  else draw_stored_values(s, next_row());
  s.ui.scroll("storage", area, rest.y - area.y + s.kept.down + 12, s.kept.down);
}

void draw_storage(const Scene& scene, Ui& ui, Rect area) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  std::vector<const session::TensorView*> all;
  for (const auto& [name, tensor] : scene.snapshot->tensors)
    if (tensor.value && !tensor.stored.levels.empty()) all.push_back(&tensor);
  if (all.empty())
    return draw_nothing(ui, area, "no tensor is in memory yet", "load or random fill one; run computes results");
  auto& kept = ui.memory<StorageKept>("kept");
  auto chosen = std::ranges::find(all, kept.tensor, [](const session::TensorView* one) { return one->info.name; });
  if (chosen == all.end())
    chosen = std::ranges::find_if(all, [](const session::TensorView* one) { return !one->info.format.all_dense(); });
  if (chosen == all.end()) chosen = all.begin();
  // Only the user changes what was chosen: a tensor that is declared anew is out of memory for a moment.
  if (ui.key("Down") && chosen + 1 != all.end()) kept.tensor = (*++chosen)->info.name;
  if (ui.key("Up") && chosen != all.begin()) kept.tensor = (*--chosen)->info.name;
  float x = area.x + 14, y = area.y + 2;
  for (const session::TensorView* one : all) {
    const float wide = paint.width(one->info.name, Font::mono) + 16;
    if (x + wide > area.right() - 14 && x > area.x + 14) x = area.x + 14, y += 26;
    const Rect chip{x, y, wide, 22};
    const bool is_chosen = one == *chosen;
    const Response response =
        ui.item("tensor:" + one->info.name, "choice", one->info.name, is_chosen ? "chosen" : "", chip);
    if (is_chosen || response.hovered) paint.fill(chip, t(Token::hover), 5);
    if (is_chosen) paint.outline(chip, t(Token::line2), 1, 5);
    paint.text_in(chip, one->info.name, Font::mono, t(is_chosen ? Token::ink : Token::soft), Align::centre);
    if (response.clicked) kept.tensor = one->info.name, kept.across = kept.down = 0;
    x += wide + 4;
  }
  area.take_top(y + 26 - area.y);
  const session::TensorView& tensor = **chosen;
  std::string about = tensor.stored.format;
  if (tensor.format.contents)
    about += ": " + std::to_string(tensor.format.contents->entries) + " stored, " +
             tensor::human_bytes(tensor.format.contents->bytes);
  if (!view::is_fill(tensor.stored.fill, format::Value::of_integer(tensor.stored.fill.type, 0)))
    about += ", fill " + format::to_string(tensor.stored.fill);
  const Rect head = area.take_top(24);
  paint.text_in(head.inset(14, 0), about, Font::list_mono, t(Token::soft));
  ui.label("about", about, head);
  StorageShown s{scene, ui, tensor, kept};
  draw_stored_tensor(s, area);
  if (s.pointed != kept.pointed) ui.animate();
  kept.pointed = s.pointed;
}

}  // namespace

const View storage_view = {"storage", "Storage", "data", storage_subtitle, draw_storage, "show storage"};

}  // namespace trellis::gui
