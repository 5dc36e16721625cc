// How tensors are stored, level by level; levels are chosen from lists, and dimensions dragged to another place.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/format/storage_order.hpp"
#include "engine/session/stages/level_words.hpp"
#include "engine/tensor/allocate.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using format::Format;
using session::StoredTensor;

constexpr float level_row = 30;

std::string formats_subtitle(const Scene& scene) {
  return scene.snapshot->program ? "drag a dimension, choose a level" : "";
}

/// The name of a format where it has one.
Format with_name(Format format) {
  format.name.clear();
  for (const std::string& name : format::format_names())
    if (const auto named = Format::named(name, format.rank()); named && format::same_storage(*named, format)) {
      format.name = name;
      return format;
    }
  return format;
}

std::string command_for_format(const std::string& tensor, const Format& format) {
  return "format " + tensor + " " + format::to_string(with_name(format));
}

/// A list that hangs below a button, until one of its rows is chosen or something else is pressed.
struct FormatMenu {
  std::string of;  ///< the button's id; empty: none is open
  Rect below;
  int at = 0;  ///< the row that Enter takes
  struct Row {
    std::string label, command;
    bool chosen = false;
  };
  std::vector<Row> rows;
};

struct FormatsKept {
  float down = 0;
  FormatMenu menu;
  std::string selected;  ///< "A:1", the row that keys are about
};

std::vector<FormatMenu::Row> named_rows(const StoredTensor& tensor) {
  std::vector<FormatMenu::Row> rows;
  const Format& now = tensor.info.format;
  for (const std::string& name : format::format_names()) {
    const auto named = Format::named(name, now.dimensions());
    if (!named || !format::objection(*named).empty()) continue;
    Format wanted = *named;
    wanted.pattern = now.pattern;
    if (!format::objection(wanted).empty()) continue;
    rows.push_back({name, command_for_format(tensor.info.name, wanted), format::same_storage(wanted, now)});
  }
  return rows;
}

std::vector<FormatMenu::Row> level_rows(const StoredTensor& tensor, std::size_t level) {
  std::vector<FormatMenu::Row> rows;
  const Format& now = tensor.info.format;
  if (now.layout) return rows;  // a layout has the levels that it was written with
  for (const std::string& name : format::level_names()) {
    Format wanted = now;
    wanted.levels[level] = {name, {}};
    // What follows a list of coordinates that may repeat is a singleton.
    if (name == "singleton" && level > 0 && wanted.levels[level - 1].name == "compressed")
      wanted.levels[level - 1].options = {"nonunique"};
    if (!format::available(wanted.levels[level]) || !format::objection(wanted).empty()) continue;
    rows.push_back({name, command_for_format(tensor.info.name, wanted), now.levels[level].name == name});
  }
  return rows;
}

void open_menu(FormatsKept& kept, const std::string& id, Rect below, std::vector<FormatMenu::Row> rows) {
  if (kept.menu.of == id) {
    kept.menu = {};
    return;
  }
  kept.menu = {id, below, 0, std::move(rows)};
  for (std::size_t k = 0; k < kept.menu.rows.size(); ++k)
    if (kept.menu.rows[k].chosen) kept.menu.at = static_cast<int>(k);
}

/// A button with a list below it.
bool draw_chooser(Ui& ui, const std::string& id, const std::string& words, Rect area, bool open) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Response response = ui.item(id, "choice", words, open ? "open" : "", area);
  paint.fill(area, t(open || response.hovered ? Token::hover : Token::raised), 5);
  paint.outline(area, t(open ? Token::accent : Token::line2), 1, 5);
  paint.text_in({area.x + 8, area.y, area.w - 26, area.h}, words, Font::list_mono, t(Token::ink));
  const Point at{area.right() - 12, area.centre().y};
  paint.line(at + Point{-4, -2}, at + Point{0, 2}, t(Token::soft), 1.4F),
      paint.line(at + Point{0, 2}, at + Point{4, -2}, t(Token::soft), 1.4F);
  return response.clicked;
}

std::string percent(double share) {
  char text[24];
  std::snprintf(text, sizeof text, "%.3g %%", share * 100);
  return text;
}

/// The format with two of its dimensions in each other's places.
std::optional<Format> with_swapped(const Format& format, std::size_t a, std::size_t b) {
  Format turned = format;
  if (turned.order.empty())
    for (int d = 0; d < turned.rank(); ++d) turned.order.push_back(d);
  if (format.layout || a >= turned.order.size() || b >= turned.order.size() || a == b) return std::nullopt;
  std::swap(turned.order[a], turned.order[b]);
  if (format::is_row_major(turned)) turned.order.clear();
  return format::objection(turned).empty() ? std::optional(turned) : std::nullopt;
}

void draw_tensor_head(Ui& ui, FormatsKept& kept, const StoredTensor& tensor, Rect row) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  std::string shape;
  for (const math::Affine& size : tensor.info.shape) shape += (shape.empty() ? "(" : ", ") + math::to_string(size);
  const std::string title = tensor.info.name + (shape.empty() ? "" : shape + ")");
  const float wide = paint.width(title, Font::mono);
  paint.text_in({row.x, row.y, std::min(wide + 2, row.w * 0.5F), row.h}, title, Font::mono, t(Token::ink));
  const std::string name = format::to_string(with_name(tensor.info.format));
  const Rect chooser{row.x + std::min(wide, row.w * 0.5F) + 12, row.y + 3,
                     std::min(paint.width(name, Font::list_mono) + 34, row.w * 0.45F), 24};
  if (draw_chooser(ui, "format:" + tensor.info.name, name, chooser, kept.menu.of == "format:" + tensor.info.name))
    open_menu(kept, "format:" + tensor.info.name, chooser, named_rows(tensor));
  std::string about = std::string(format::name_of(tensor.info.type));
  if (tensor.contents)
    about = std::to_string(tensor.contents->entries) + " stored, " + percent(tensor.contents->density()) + ", " +
            tensor::human_bytes(tensor.contents->bytes);
  const Rect rest{chooser.right() + 12, row.y, row.right() - chooser.right() - 12, row.h};
  if (rest.w > 60) paint.text_in(rest, about, Font::text, t(Token::faint), Align::right);
  ui.label("about:" + tensor.info.name, about, rest);
}

void draw_level(Ui& ui, FormatsKept& kept, const StoredTensor& tensor, std::size_t l, Rect row) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const StoredTensor::Level& level = tensor.levels[l];
  const std::string id = tensor.info.name + ":" + std::to_string(l);
  const Response grip =
      ui.item("dimension:" + id, "row", level.stores, kept.selected == id ? "chosen" : "", {row.x, row.y, 92, row.h});
  if (grip.pressed) kept.selected = id;
  paint.fill(row.inset(0, 1.5F), t(grip.held || kept.selected == id ? Token::hover : Token::raised), 5);
  for (int dot = 0; dot < 6; ++dot)
    paint.disc({row.x + 10 + static_cast<float>(dot % 2) * 5, row.y + 10 + static_cast<float>(dot / 2) * 5}, 1.2F,
               t(Token::edge));
  paint.text_in({row.x + 24, row.y, 68, row.h},
                tensor.info.format.layout ? level.stores : "dim " + std::to_string(level.dimension), Font::list_mono,
                t(Token::soft));
  const std::string name = format::to_string(level.level);
  const Rect chooser{row.x + 84, row.y + 3, std::min(124.F, row.w * 0.4F), row.h - 6};
  if (draw_chooser(ui, "level:" + id, name, chooser, kept.menu.of == "level:" + id))
    open_menu(kept, "level:" + id, chooser, level_rows(tensor, l)), kept.selected = id;
  std::string words = session::in_words(level.facts);
  for (const auto& [array, bytes] : level.arrays)
    words +=
        (array == level.arrays.front().first ? "; " : ", ") + array + (bytes ? " " + tensor::human_bytes(*bytes) : "");
  const Rect rest{chooser.right() + 10, row.y, row.right() - chooser.right() - 18, row.h};
  if (rest.w > 50) paint.text_in(rest, words, Font::text, t(Token::faint));
  ui.label("facts:" + id, words, rest);
  if (rest.contains(ui.input().mouse) && paint.width(words, Font::text) > rest.w) ui.tooltip(words);
}

/// Where a dragged dimension would go, and what happens when it is dropped there.
void drag_dimension(Ui& ui, const StoredTensor& tensor, float top) {
  const float y = ui.input().mouse.y;
  for (std::size_t l = 0; l < tensor.levels.size(); ++l) {
    const std::string id = "dimension:" + tensor.info.name + ":" + std::to_string(l);
    const bool held = ui.holding(id);
    if (!held) continue;
    const auto to =
        static_cast<std::size_t>(std::clamp((y - top) / level_row, 0.F, static_cast<float>(tensor.levels.size() - 1)));
    if (to == l) return;
    const auto turned = with_swapped(tensor.info.format, l, to);
    const Theme& t = ui.theme();
    const Rect target{ui.paint().clipped().x + 14, top + static_cast<float>(to) * level_row,
                      ui.paint().clipped().w - 28, level_row};
    ui.paint().outline(target.inset(0, 1.5F), t(turned ? Token::accent : Token::edge), 2, 5);
    ui.tooltip(turned ? command_for_format(tensor.info.name, *turned)
                      : "these two cannot change places in this format");
    if (ui.input().released && turned) ui.act(command_for_format(tensor.info.name, *turned));
    return;
  }
}

/// Up and Down choose a row, Enter opens its list, Alt+Up and Alt+Down move its dimension.
void take_format_keys(Ui& ui, FormatsKept& kept, const std::vector<const StoredTensor*>& shown) {
  FormatMenu& menu = kept.menu;
  if (!menu.of.empty()) {
    const int last = static_cast<int>(menu.rows.size()) - 1;
    if (ui.key("Down")) menu.at = std::min(menu.at + 1, last);
    if (ui.key("Up")) menu.at = std::max(menu.at - 1, 0);
    if (ui.key("Escape", true)) menu = {};
    if (ui.key("Enter") && menu.at <= last && last >= 0)
      ui.act(menu.rows[static_cast<std::size_t>(menu.at)].command), menu = {};
    return;
  }
  std::vector<std::pair<const StoredTensor*, std::size_t>> rows;
  std::size_t at = 0;
  for (const StoredTensor* tensor : shown)
    for (std::size_t l = 0; l < tensor->levels.size(); ++l) {
      if (kept.selected == tensor->info.name + ":" + std::to_string(l)) at = rows.size();
      rows.emplace_back(tensor, l);
    }
  if (rows.empty()) return;
  const auto choose = [&](std::size_t row) {
    kept.selected = rows[row].first->info.name + ":" + std::to_string(rows[row].second);
  };
  if (ui.key("Down")) choose(kept.selected.empty() ? 0 : std::min(at + 1, rows.size() - 1));
  if (ui.key("Up")) choose(at > 0 ? at - 1 : 0);
  if (kept.selected.empty()) return;
  const auto [tensor, level] = rows[at];
  if (ui.key("Enter"))
    if (const Item* button = ui.find("level:" + kept.selected))
      open_menu(kept, "level:" + kept.selected, button->rect, level_rows(*tensor, level));
  for (const auto& [key, by] : {std::pair{"Alt+Up", -1}, std::pair{"Alt+Down", 1}})
    if (ui.key(key))
      if (const auto turned = with_swapped(tensor->info.format, level, level + static_cast<std::size_t>(by)))
        ui.act(command_for_format(tensor->info.name, *turned));
}

void draw_format_menu(Ui& ui, FormatsKept& kept, Rect area) {
  FormatMenu& menu = kept.menu;
  if (menu.of.empty()) return;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  float wide = menu.below.w;
  for (const FormatMenu::Row& row : menu.rows) wide = std::max(wide, paint.width(row.label, Font::list_mono) + 40);
  Rect box{menu.below.x, menu.below.bottom() + 3, wide, static_cast<float>(menu.rows.size()) * 22 + 8};
  box.x = std::max(area.x + 2, std::min(box.x, area.right() - 4 - box.w));
  if (box.bottom() > area.bottom() - 4) box.y = std::max(area.y + 2, area.bottom() - 4 - box.h);
  ui.item("menu", "list", menu.of, "", box);
  paint.fill(box, t(Token::raised), 6);
  paint.outline(box, t(Token::line2), 1, 6);
  Rect rest = box.inset(4);
  for (std::size_t k = 0; k < menu.rows.size(); ++k) {
    const Rect row = rest.take_top(22);
    const Response response = ui.item("choose:" + menu.rows[k].label, "choice", menu.rows[k].command,
                                      menu.rows[k].chosen ? "chosen" : "", row);
    if (response.hovered) menu.at = static_cast<int>(k);
    if (menu.at == static_cast<int>(k)) paint.fill(row, t(Token::hover), 4);
    paint.text_in(row.inset(20, 0), menu.rows[k].label, Font::list_mono, t(Token::ink));
    if (menu.rows[k].chosen) paint.disc({row.x + 10, row.centre().y}, 3, t(Token::accent));
    if (response.clicked) {
      ui.act(menu.rows[k].command);
      menu = {};
      return;
    }
  }
  if (ui.input().pressed && !box.contains(ui.input().mouse) && !menu.below.contains(ui.input().mouse)) menu = {};
}

/// Sentences about how the kernel writes and looks up: those that cost a search have the sign.
float draw_storage_costs(const Scene& scene, Ui& ui, Rect area) {
  const session::DrawnView* drawn = scene.drawn();
  if (!drawn) return 0;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const float top = area.y;
  int number = 0;
  const auto say = [&](const std::string& line, bool costly) {
    const Rect text{area.x + 24, area.y, area.w - 24, area.h};
    const float height = paint.paragraph(text, line, Font::text, t(costly ? Token::warn : Token::soft));
    if (costly) paint.verdict({area.x + 9, area.y + 8}, Verdict::costly, t, 6.5F);
    else paint.disc({area.x + 9, area.y + 8}, 2, t(Token::soft));
    ui.label("cost:" + std::to_string(++number), line, {area.x, area.y, area.w, height}, costly ? "costly" : "");
    area.take_top(height + 6);
  };
  for (const std::string& line : drawn->storage.written) say(line, false);
  for (const std::string& line : drawn->storage.looked_up) say(line, true);
  return area.y - top;
}

void draw_formats(const Scene& scene, Ui& ui, Rect area) {
  std::vector<std::string> used;
  if (scene.compiled()) {
    used = scene.compiled()->compilation.kernel.operands();
    for (const std::string& name : scene.compiled()->compilation.kernel.results()) used.push_back(name);
  }
  std::vector<const StoredTensor*> shown;
  for (const auto& [name, tensor] : scene.snapshot->tensors)
    if (!tensor.format.levels.empty() && (used.empty() || std::ranges::find(used, name) != used.end()))
      shown.push_back(&tensor.format);
  if (shown.empty()) return draw_nothing(ui, area, "there are no tensors yet", "declare one: tensor A(n, n): csr");
  auto& kept = ui.memory<FormatsKept>("kept");
  take_format_keys(ui, kept, shown);
  {
    const Clip clip(ui.paint(), area);
    Rect rest{area.x + 14, area.y + 4 - kept.down, area.w - 28, 100000};
    for (const StoredTensor* tensor : shown) {
      draw_tensor_head(ui, kept, *tensor, rest.take_top(32));
      const float top = rest.y;
      for (std::size_t l = 0; l < tensor->levels.size(); ++l)
        draw_level(ui, kept, *tensor, l, rest.take_top(level_row));
      drag_dimension(ui, *tensor, top);
      rest.take_top(10);
    }
    rest.take_top(draw_storage_costs(scene, ui, rest));
    ui.scroll("formats", area, rest.y - area.y + kept.down + 8, kept.down);
  }
  draw_format_menu(ui, kept, area);
}

}  // namespace

const View formats_view = {"formats", "Formats", "data", formats_subtitle, draw_formats, "show formats"};

}  // namespace trellis::gui
