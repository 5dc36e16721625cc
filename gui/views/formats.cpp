// How tensors are stored, level by level; levels are chosen from lists, and dimensions dragged to another place.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "engine/format/storage_order.hpp"
#include "engine/session/stages/level_words.hpp"
#include "engine/tensor/allocate.hpp"
#include "gui/diff_view.hpp"
#include "gui/field.hpp"
#include "gui/format_menu.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

using format::Format;
using session::StoredTensor;

constexpr float level_row = 30;

std::string formats_subtitle(const Scene& scene) {
  return scene.snapshot->program ? "drag a dimension, choose a level" : "";
}

struct FormatsKept {
  float down = 0;
  FormatMenu menu;
  std::string changed = {};  ///< the last command that changed a format here; and what there was before it
  std::string before_kernel = {}, before_c = {}, before_lattice = {};
  bool shows_c = true;
  std::string selected;  ///< "A:1", the row that keys are about
};

void toggle_menu(Ui& ui, FormatsKept& kept, FormatMenu menu, Rect below) {
  if (kept.menu.of == menu.of) {
    kept.menu = {};
    return ui.focus_text("");
  }
  kept.menu = std::move(menu);
  kept.menu.below = below;
  focus_field(ui, "typed");
}

/// A change begins: what it will be compared with.
void change_format(const Scene& scene, Ui& ui, FormatsKept& kept, const std::string& command) {
  if (const session::CompiledView* now = scene.compiled()) {
    kept.before_c = now->c.characters, kept.before_lattice = now->lattice.characters;
    kept.before_kernel = scene.kernel->name, kept.changed = command;
  }
  ui.act(command);
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

void draw_tensor_head(const Scene& scene, Ui& ui, FormatsKept& kept, const StoredTensor& tensor, Rect row) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  std::string shape;
  for (const math::Affine& size : tensor.info.shape) shape += (shape.empty() ? "(" : ", ") + math::to_string(size);
  const std::string title = tensor.info.name + (shape.empty() ? "" : shape + ")");
  const float wide = paint.width(title, Font::mono);
  paint.text_in({row.x, row.y, std::min(wide + 2, row.w * 0.5F), row.h}, title, Font::mono, t(Token::ink));
  const std::string program = scene.editor ? scene.editor->text() : "";
  // A name is never cut off as long as it fits at all; what is said beside it goes first.
  const std::string name = name_of_format(tensor.info.format);
  const float left = row.x + std::min(wide, row.w * 0.5F) + 12;
  const Rect chooser{left, row.y + 3, std::min(paint.width(name, Font::list_mono) + 34, row.right() - left), 24};
  if (draw_chooser(ui, "format:" + tensor.info.name, name, chooser, kept.menu.of == "format:" + tensor.info.name))
    toggle_menu(ui, kept, format_menu(tensor, program), chooser);
  const std::string fill = "fill " + format::to_string(tensor.info.fill);
  Rect after{chooser.right() + 6, chooser.y, paint.width(fill, Font::list_mono) + 34, chooser.h};
  if (after.right() > row.right() || tensor.info.shape.empty()) after.w = 0;
  if (after.w > 0 &&
      draw_chooser(ui, "fill:" + tensor.info.name, fill, after, kept.menu.of == "fill:" + tensor.info.name))
    toggle_menu(ui, kept, fill_menu(tensor, program), after);
  std::string about = std::string(format::name_of(tensor.info.type));
  if (tensor.contents)
    about = std::to_string(tensor.contents->entries) + " stored, " + percent(tensor.contents->density()) + ", " +
            tensor::human_bytes(tensor.contents->bytes);
  const float used = std::max(chooser.right(), after.right()) + 12;
  const Rect rest{used, row.y, row.right() - used, row.h};
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
  const Rect chooser{row.x + 84, row.y + 3,
                     std::min(std::max(124.F, paint.width(name, Font::list_mono) + 34), row.w - 92), row.h - 6};
  if (draw_chooser(ui, "level:" + id, name, chooser, kept.menu.of == "level:" + id))
    toggle_menu(ui, kept, level_menu(tensor, l), chooser), kept.selected = id;
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
void drag_dimension(const Scene& scene, Ui& ui, FormatsKept& kept, const StoredTensor& tensor, float top) {
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
    if (ui.input().released && turned) change_format(scene, ui, kept, command_for_format(tensor.info.name, *turned));
    return;
  }
}

/// Up and Down choose a row, Enter opens its list, Alt+Up and Alt+Down move its dimension.
void take_format_keys(const Scene& scene, Ui& ui, FormatsKept& kept, const std::vector<const StoredTensor*>& shown) {
  if (!kept.menu.of.empty()) return;  // which has them
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
      toggle_menu(ui, kept, level_menu(*tensor, level), button->rect);
  for (const auto& [key, by] : {std::pair{"Alt+Up", -1}, std::pair{"Alt+Down", 1}})
    if (ui.key(key))
      if (const auto turned = with_swapped(tensor->info.format, level, level + static_cast<std::size_t>(by)))
        change_format(scene, ui, kept, command_for_format(tensor->info.name, *turned));
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

/// What the last change did to the lattices or to the C, at the bottom of the area, which it takes off it.
void draw_changes(const Scene& scene, Ui& ui, FormatsKept& kept, Rect& whole) {
  const session::CompiledView* now = scene.compiled();
  if (!now || kept.changed.empty() || kept.before_kernel != scene.kernel->name || whole.h < 200) return;
  const bool settled = kept.before_c != now->c.characters || kept.before_lattice != now->lattice.characters;
  Rect area = whole.take_bottom(std::max(140.F, whole.h * 0.6F)).inset(14, 0);
  ui.paint().line({area.x, area.y}, {area.right(), area.y}, ui.theme()(Token::line), 1);
  area.take_top(6);
  area.take_top(draw_storage_costs(scene, ui, area));
  Rect head = area.take_top(32);
  ui.paint().text_in(head, "what " + kept.changed + " did", Font::text, ui.theme()(Token::ink));
  head.y += 3, head.h = 24;
  if (ui.button("undo change", "back", head.take_right(50))) ui.act("undo"), kept.changed.clear();
  head.take_right(6);
  if (ui.button("change:c", "C", head.take_right(36), false, kept.shows_c)) kept.shows_c = true;
  head.take_right(4);
  if (ui.button("change:lattice", "lattice", head.take_right(62), false, !kept.shows_c)) kept.shows_c = false;
  const std::string& before = kept.shows_c ? kept.before_c : kept.before_lattice;
  const std::string& after = kept.shows_c ? now->c.characters : now->lattice.characters;
  if (settled) draw_diff(scene, ui, "what changed", before, after, area, Colouring::c);
  else ui.paint().text_in(area, scene.busy ? "working" : "nothing of it changed", Font::text, ui.theme()(Token::faint));
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
  take_format_keys(scene, ui, kept, shown);
  const Rect pane = area;
  draw_changes(scene, ui, kept, area);
  {
    const Clip clip(ui.paint(), area);
    Rect rest{area.x + 14, area.y + 4 - kept.down, area.w - 28, 100000};
    for (const StoredTensor* tensor : shown) {
      draw_tensor_head(scene, ui, kept, *tensor, rest.take_top(32));
      const float top = rest.y;
      for (std::size_t l = 0; l < tensor->levels.size(); ++l)
        draw_level(ui, kept, *tensor, l, rest.take_top(level_row));
      drag_dimension(scene, ui, kept, *tensor, top);
      rest.take_top(10);
    }
    if (area.h == pane.h) rest.take_top(draw_storage_costs(scene, ui, rest));  // else they stand below
    ui.scroll("formats", area, rest.y - area.y + kept.down + 8, kept.down);
  }
  if (const auto command = draw_format_menu(ui, kept.menu, pane)) change_format(scene, ui, kept, *command);
}

}  // namespace

const View formats_view = {"formats", "Formats", "data", formats_subtitle, draw_formats, "show formats"};

}  // namespace trellis::gui
