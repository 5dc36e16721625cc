#include "gui/values_picture.hpp"

#include <algorithm>
#include <cmath>

#include "gui/canvas.hpp"
#include "gui/marks.hpp"

namespace trellis::gui {
namespace {

constexpr float longest_side = 600;  ///< of the picture in the world, along the longer dimension
constexpr float least_cell = 3;      ///< on screen: below that, the next level says nothing more
constexpr float legible_cell = 14;   ///< on screen: nearer than this, nothing more is seen
constexpr float profile = 46;        ///< of the bars beside the picture, what the longest one takes

using Part = view::ZOrder::Part;

/// What of a matrix is on the screen, as cells of one size.
struct Shown {
  Part part;
  float width = 0, height = 0;  ///< of a cell in the world
  const view::Cells* cells = nullptr;
  std::int64_t rows = 1, columns = 1;  ///< elements of a cell
  bool even = true;                    ///< all cells have as many, but for the last ones

  /// The first element of a cell.
  tensor::Index first(int row, int column, const tensor::Index& shape) const {
    if (even) return {(part.row + row) * rows, (part.column + column) * columns};
    const auto at = [](int cell, std::int64_t size, int of) { return (cell * size + of - 1) / of; };
    return {at(row, shape[0], cells->rows), at(column, shape[1], cells->columns)};
  }
  Rect at(std::int64_t row, std::int64_t column) const {
    return {static_cast<float>(part.column + column) * width, static_cast<float>(part.row + row) * height, width,
            height};
  }
};

/// Kept while the tensor and what is seen of it are the same.
struct Kept {
  const void* of = nullptr;
  int level = -1;
  Part part;
  view::Cells cells;
};

/// The kernel's matrices that have values, results first.
std::vector<const session::TensorView*> matrices_of(const Scene& scene) {
  std::vector<const session::TensorView*> all;
  const lang::Kernel* kernel = scene.snapshot->program->kernel(scene.kernel->name);
  if (!kernel) return all;
  const auto add = [&](const std::string& name) {
    const auto found = scene.snapshot->tensors.find(name);
    if (found != scene.snapshot->tensors.end() && found->second.value && found->second.value->rank() == 2 &&
        found->second.value->count() > 0)
      all.push_back(&found->second);
  };
  for (const std::string& name : kernel->results()) add(name);
  for (const std::string& name : kernel->operands()) add(name);
  return all;
}

/// Its longer side is as long as any other's; a dimension of few elements is not stretched to it.
Rect world_of(const tensor::Index& shape) {
  const auto length = [](std::int64_t size) { return longest_side * std::min(1.F, static_cast<float>(size) / 96); };
  return {0, 0, length(shape[1]), length(shape[0])};
}

/// So near that an element is legible, as far as floats tell places on a canvas of that size apart.
float most_zoom_of(const tensor::Index& shape, Rect world) {
  const float element = std::min(world.h / static_cast<float>(shape[0]), world.w / static_cast<float>(shape[1]));
  return std::clamp(legible_cell / element, 4.F, 4e6F / longest_side);
}

/// The level at which cells are as small as can be seen. `scale`: an element's size on screen, rows and columns.
int level_of(const view::ZOrder& order, const std::array<float, 2>& scale) {
  int level = 0;
  for (; level < order.levels(); ++level) {
    const auto now = order.cell(level), next = order.cell(level + 1);
    for (std::size_t d = 0; d < 2; ++d)
      if (next[d] < now[d] && static_cast<float>(next[d]) * scale[d] < least_cell) return level;
  }
  return level;
}

/// Those cells of all that the area shows.
Part seen_in(const Canvas& canvas, Rect area, float width, float height, const Part& all) {
  const Point from = canvas.to_world({area.x, area.y}), to = canvas.to_world({area.right(), area.bottom()});
  const auto cell = [](float at, float size, std::int64_t most) {
    return std::clamp<std::int64_t>(static_cast<std::int64_t>(std::floor(at / size)), 0, most);
  };
  const std::int64_t row = cell(from.y, height, all.rows), column = cell(from.x, width, all.columns);
  return {row, column, std::min(cell(to.y, height, all.rows) + 1, all.rows) - row,
          std::min(cell(to.x, width, all.columns) + 1, all.columns) - column};
}

Shown shown_of(Ui& ui, const session::TensorView& one, const session::ZoomedInto& zoomed, const Canvas& canvas,
               Rect area, Rect world) {
  const tensor::Index& shape = one.value->shape();
  Shown shown;
  if (!zoomed.order) {
    const view::Cells& all = zoomed.coarse;
    shown = {{0, 0, all.rows, all.columns},
             world.w / static_cast<float>(all.columns),
             world.h / static_cast<float>(all.rows),
             &all,
             all.block_rows,
             all.block_columns,
             false};
    return shown;
  }
  const view::ZOrder& order = *zoomed.order;
  const std::array<float, 2> element{world.h / static_cast<float>(shape[0]), world.w / static_cast<float>(shape[1])};
  const int level = level_of(order, {element[0] * canvas.zoom(), element[1] * canvas.zoom()});
  const auto size = order.cell(level);
  shown.height = element[0] * static_cast<float>(size[0]), shown.width = element[1] * static_cast<float>(size[1]);
  shown.part = seen_in(canvas, area, shown.width, shown.height, order.all(level));
  auto& kept = ui.memory<Kept>("picture:" + one.info.name);
  const void* storage = &one.value->storage();
  if (kept.of != storage || kept.level != level || !(kept.part == shown.part))
    kept = {storage, level, shown.part, order.cells(level, shown.part)};
  shown.cells = &kept.cells;
  shown.rows = kept.cells.block_rows, shown.columns = kept.cells.block_columns;
  return shown;
}

Colour colour_of(const Theme& t, const view::Cells& cells, const view::Cells::Cell& cell) {
  const double range = cells.highest - cells.lowest;
  const float bright = range > 0 && cell.finite > 0 ? static_cast<float>((cell.mean() - cells.lowest) / range) : 0.5F;
  return mixed(t(Token::cell), t(Token::accent), 0.2F + 0.8F * bright);
}

void explain_block(Ui& ui, const session::TensorView& one, const Shown& shown, int row, int column) {
  const view::Cells::Cell& cell = shown.cells->at(row, column);
  const tensor::Index from = shown.first(row, column, one.value->shape());
  std::string words = text::element_text(one.info.name, from);
  if (cell.elements > 1)
    words += " and " + std::to_string(cell.elements - 1) + " more: mean " +
             short_number(format::Value::of(format::ScalarType::f64, cell.mean()));
  else words += " = " + format::to_string(one.value->get(from));
  ui.tooltip(words + (one.value->dense() ? "" : ", " + std::to_string(cell.stored) + " stored"));
}

/// How many elements the rows have that are stored, or differ from the fill, of what is seen: bars at the right of
/// them, and those of the columns below.
void draw_profiles(Ui& ui, const Shown& shown, const Canvas& canvas, Rect picture) {
  const view::Cells& cells = *shown.cells;
  if (cells.cells.empty()) return;
  std::vector<std::int64_t> rows(static_cast<std::size_t>(cells.rows)),
      columns(static_cast<std::size_t>(cells.columns));
  for (int r = 0; r < cells.rows; ++r)
    for (int c = 0; c < cells.columns; ++c) {
      rows[static_cast<std::size_t>(r)] += cells.at(r, c).stored;
      columns[static_cast<std::size_t>(c)] += cells.at(r, c).stored;
    }
  const Colour colour = ui.theme()(Token::soft);
  const auto longest = [](const std::vector<std::int64_t>& counts) {
    return static_cast<float>(std::max<std::int64_t>(1, *std::ranges::max_element(counts)));
  };
  const Rect right{picture.right() + 4, picture.y, profile, picture.h},
      below{picture.x, picture.bottom() + 4, picture.w, profile};
  {
    const Clip clip(ui.paint(), right);
    const float unit = profile / longest(rows);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const Rect row = canvas.to_window(shown.at(static_cast<std::int64_t>(r), 0));
      ui.paint().fill({right.x, row.y, unit * static_cast<float>(rows[r]), std::max(1.F, row.h - 0.5F)}, colour);
    }
  }
  const Clip clip(ui.paint(), below);
  const float unit = profile / longest(columns);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Rect column = canvas.to_window(shown.at(0, static_cast<std::int64_t>(c)));
    ui.paint().fill({column.x, below.y, std::max(1.F, column.w - 0.5F), unit * static_cast<float>(columns[c])}, colour);
  }
  ui.label("rows", "elements of each row that is seen", right);
  ui.label("columns", "elements of each column that is seen", below);
}

/// Empty cells are the ground.
void draw_cells(Ui& ui, const session::TensorView& one, const Shown& shown, const Canvas& canvas, Rect world) {
  const Theme& t = ui.theme();
  ui.paint().fill(canvas.to_window(world), t.fill(Token::cell, 0.6F));
  const view::Cells& cells = *shown.cells;
  for (int r = 0; r < cells.rows; ++r)
    for (int c = 0; c < cells.columns; ++c) {
      if (cells.at(r, c).stored == 0) continue;
      const Rect cell = canvas.to_window(shown.at(r, c));
      ui.paint().fill(cell.w > 8 && cell.h > 8 ? cell.inset(0.5F) : cell, colour_of(t, cells, cells.at(r, c)));
    }
  if (!ui.paint().clipped().contains(ui.input().mouse)) return;
  const Point mouse = canvas.to_world(ui.input().mouse);
  const auto r = static_cast<std::int64_t>(std::floor(mouse.y / shown.height)) - shown.part.row,
             c = static_cast<std::int64_t>(std::floor(mouse.x / shown.width)) - shown.part.column;
  if (r >= 0 && c >= 0 && r < cells.rows && c < cells.columns)
    explain_block(ui, one, shown, static_cast<int>(r), static_cast<int>(c));
}

std::string words_about(const session::TensorView& one, const session::ZoomedInto& zoomed, const Shown& shown) {
  std::string words = std::to_string(one.value->shape()[0]) + " × " + std::to_string(one.value->shape()[1]) +
                      ", too large to step through";
  if (shown.rows > 1 || shown.columns > 1)
    words += "; a cell is " + std::to_string(shown.rows) + " × " + std::to_string(shown.columns) + " elements";
  if (!zoomed.order) words += ", which nobody can zoom into: there are too many";
  const std::int64_t stored = zoomed.order ? zoomed.order->entries() : zoomed.coarse.stored;
  if (stored < one.value->count())
    words += "; band: " + std::to_string(zoomed.band.below) + " below the diagonal, " +
             std::to_string(zoomed.band.above) + " above";
  return words;
}

/// One is chosen by its button.
const session::TensorView& chosen_of(const std::vector<const session::TensorView*>& all, Ui& ui, Rect head) {
  auto& chosen = ui.memory<std::string>("pictured");
  auto now = std::ranges::find(all, chosen, [](const session::TensorView* one) { return one->info.name; });
  if (now == all.end()) now = all.begin();
  for (auto one = all.begin(); one != all.end(); ++one) {
    const std::string& name = (*one)->info.name;
    const float width = ui.paint().width(name, Font::text) + 20;
    if (ui.button("picture:" + name, name, head.take_left(width).inset(0, 1), false, one == now)) chosen = name;
    head.take_left(6);
  }
  return **now;
}

}  // namespace

bool draw_values_picture(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.snapshot->program || !scene.kernel || !scene.zoomed) return false;
  const auto all = matrices_of(scene);
  if (all.empty()) return false;
  Rect rest = area.inset(14, 4);
  const session::TensorView& one = chosen_of(all, ui, rest.take_top(26));
  const Rect foot = rest.take_bottom(legend_height);
  const auto say = [&](const std::string& words) {
    ui.paint().text_in(foot, words, Font::small, ui.theme()(Token::soft));
    ui.label("pictured", words, foot, one.info.name);
  };
  const auto zoomed = scene.zoomed(*one.value);
  if (!zoomed) {
    say("the entries of " + one.info.name + " are being put in order");
    return true;
  }
  const bool profiles = rest.w > 260 && rest.h > 200;
  if (profiles) rest.take_right(profile + 8);
  const Rect world = world_of(one.value->shape());
  const float most = zoomed->order ? most_zoom_of(one.value->shape(), world) : 4;
  const Canvas canvas(ui, "cells", rest, world, 4, 0.05F, most);
  const float under = profiles ? profile + 6 : 36;
  const Rect seen{rest.x, rest.y, rest.w, rest.h - under};
  const Shown shown = shown_of(ui, one, *zoomed, canvas, seen, world);
  if (profiles) draw_profiles(ui, shown, canvas, seen);
  {
    const Clip clip(ui.paint(), seen);
    draw_cells(ui, one, shown, canvas, world);
  }
  say(words_about(one, *zoomed, shown));
  return true;
}

}  // namespace trellis::gui
