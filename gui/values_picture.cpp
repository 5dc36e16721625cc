#include "gui/values_picture.hpp"

#include <algorithm>
#include <cmath>

#include "engine/view/bandwidth.hpp"
#include "engine/view/cells.hpp"
#include "gui/canvas.hpp"
#include "gui/marks.hpp"

namespace trellis::gui {
namespace {

constexpr int most_cells = 96;  // in each direction
constexpr float world_cell = 6;

/// Kept while the tensor is the same.
struct MatrixPicture {
  const void* of = nullptr;
  view::Cells cells;
  view::Bandwidth band;
};
constexpr float profile = 46;  ///< of the bars beside the picture, what the longest one takes

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

const MatrixPicture& picture_of(Ui& ui, const session::TensorView& one) {
  auto& kept = ui.memory<MatrixPicture>("picture:" + one.info.name);
  const void* storage = &one.value->storage();
  if (kept.of != storage)
    kept = {storage, view::cells_of(*one.value, most_cells, most_cells), view::bandwidth_of(*one.value)};
  return kept;
}

Colour colour_of(const Theme& t, const view::Cells& cells, const view::Cells::Cell& cell) {
  if (cell.stored == 0) return t.fill(Token::cell, 0.6F);
  const double range = cells.highest - cells.lowest;
  const float bright = range > 0 && cell.finite > 0 ? static_cast<float>((cell.mean() - cells.lowest) / range) : 0.5F;
  return mixed(t(Token::cell), t(Token::accent), 0.2F + 0.8F * bright);
}

void explain_block(Ui& ui, const session::TensorView& one, const view::Cells& cells, int row, int column) {
  const view::Cells::Cell& cell = cells.at(row, column);
  const tensor::Index& shape = one.value->shape();
  const auto first = [](int at, std::int64_t size, int of) { return (at * size + of - 1) / of; };
  const tensor::Index from{first(row, shape[0], cells.rows), first(column, shape[1], cells.columns)};
  std::string words = text::element_text(one.info.name, from);
  if (cell.elements > 1)
    words += " and " + std::to_string(cell.elements - 1) + " more: mean " +
             short_number(format::Value::of(format::ScalarType::f64, cell.mean()));
  else words += " = " + format::to_string(one.value->get(from));
  ui.tooltip(words + (one.value->dense() ? "" : ", " + std::to_string(cell.stored) + " stored"));
}

/// How many elements the rows have that are stored, or differ from the fill: bars at the right of them; and the columns
/// below.
void draw_profiles(Ui& ui, const view::Cells& cells, const Canvas& canvas, Rect picture) {
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
      const Rect row = canvas.to_window(Rect{0, static_cast<float>(r) * world_cell, 0, world_cell});
      ui.paint().fill({right.x, row.y, unit * static_cast<float>(rows[r]), std::max(1.F, row.h - 0.5F)}, colour);
    }
  }
  const Clip clip(ui.paint(), below);
  const float unit = profile / longest(columns);
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const Rect column = canvas.to_window(Rect{static_cast<float>(c) * world_cell, 0, world_cell, 0});
    ui.paint().fill({column.x, below.y, std::max(1.F, column.w - 0.5F), unit * static_cast<float>(columns[c])}, colour);
  }
  ui.label("rows", "elements of each row", right), ui.label("columns", "elements of each column", below);
}

}  // namespace

bool draw_values_picture(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.snapshot->program || !scene.kernel) return false;
  const auto all = matrices_of(scene);
  if (all.empty()) return false;
  auto& chosen = ui.memory<std::string>("pictured");
  auto now = std::ranges::find(all, chosen, [](const session::TensorView* one) { return one->info.name; });
  if (now == all.end()) now = all.begin();
  const Theme& t = ui.theme();
  Rect rest = area.inset(14, 4);
  Rect head = rest.take_top(26);
  for (auto one = all.begin(); one != all.end(); ++one) {
    const std::string& name = (*one)->info.name;
    const float width = ui.paint().width(name, Font::text) + 20;
    if (ui.button("picture:" + name, name, head.take_left(width).inset(0, 1), false, one == now)) chosen = name;
    head.take_left(6);
  }
  const session::TensorView& shown = **now;
  const MatrixPicture& picture = picture_of(ui, shown);
  const view::Cells& cells = picture.cells;
  std::string words = std::to_string(shown.value->shape()[0]) + " × " + std::to_string(shown.value->shape()[1]) +
                      ", too large to step through";
  if (cells.aggregates())
    words +=
        "; a cell is " + std::to_string(cells.block_rows) + " × " + std::to_string(cells.block_columns) + " elements";
  if (cells.stored < shown.value->count())
    words += "; band: " + std::to_string(picture.band.below) + " below the diagonal, " +
             std::to_string(picture.band.above) + " above";
  const Rect foot = rest.take_bottom(legend_height);
  const bool profiles = rest.w > 260 && rest.h > 200;
  if (profiles) rest.take_right(profile + 8);
  const Canvas canvas(
      ui, "cells", rest,
      {0, 0, static_cast<float>(cells.columns) * world_cell, static_cast<float>(cells.rows) * world_cell}, 4);
  {
    const float under = profiles ? profile + 6 : 36;
    if (profiles) draw_profiles(ui, cells, canvas, {rest.x, rest.y, rest.w, rest.h - under});
    const Clip clip(ui.paint(), {rest.x, rest.y, rest.w, rest.h - under});
    const Point mouse = canvas.to_world(ui.input().mouse);
    for (int r = 0; r < cells.rows; ++r)
      for (int c = 0; c < cells.columns; ++c) {
        const Rect cell = canvas.to_window(
            Rect{static_cast<float>(c) * world_cell, static_cast<float>(r) * world_cell, world_cell, world_cell});
        if (!cell.meets(ui.paint().clipped())) continue;
        ui.paint().fill(cell.w > 8 ? cell.inset(0.5F) : cell, colour_of(t, cells, cells.at(r, c)));
      }
    const int r = static_cast<int>(std::floor(mouse.y / world_cell)),
              c = static_cast<int>(std::floor(mouse.x / world_cell));
    if (ui.paint().clipped().contains(ui.input().mouse) && r >= 0 && c >= 0 && r < cells.rows && c < cells.columns)
      explain_block(ui, shown, cells, r, c);
  }
  ui.paint().text_in(foot, words, Font::small, t(Token::soft));
  ui.label("pictured", words, foot, shown.info.name);
  return true;
}

}  // namespace trellis::gui
