#include "gui/values_picture.hpp"

#include <algorithm>
#include <cmath>

#include "engine/view/cells.hpp"
#include "gui/canvas.hpp"
#include "gui/marks.hpp"

namespace trellis::gui {
namespace {

constexpr int most_cells = 96;  // in each direction
constexpr float world_cell = 6;

/// Kept while the tensor is the same.
struct Picture {
  const void* of = nullptr;
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

const view::Cells& cells_of(Ui& ui, const session::TensorView& one) {
  auto& kept = ui.memory<Picture>("picture:" + one.info.name);
  const void* storage = &one.value->storage();
  if (kept.of != storage) kept = {storage, view::cells_of(*one.value, most_cells, most_cells)};
  return kept.cells;
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
  const view::Cells& cells = cells_of(ui, shown);
  std::string words = std::to_string(shown.value->shape()[0]) + " × " + std::to_string(shown.value->shape()[1]) +
                      ", too large to step through";
  if (cells.aggregates())
    words +=
        "; a cell is " + std::to_string(cells.block_rows) + " × " + std::to_string(cells.block_columns) + " elements";
  const Rect foot = rest.take_bottom(legend_height);
  const Canvas canvas(
      ui, "cells", rest,
      {0, 0, static_cast<float>(cells.columns) * world_cell, static_cast<float>(cells.rows) * world_cell}, 4);
  {
    const Clip clip(ui.paint(), {rest.x, rest.y, rest.w, rest.h - 36});
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
