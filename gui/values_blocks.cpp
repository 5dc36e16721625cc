#include "gui/values_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::gui {
namespace {

constexpr float title_high = 22, block_gap = 16, unlimited = 100000;
constexpr Point large_cell{50, 44}, small_cell{34, 19};

Point size_of(const Paint& paint, const ValuesBlock& block) {
  const Point around = grid_margin(paint, block.grid);
  const float title = paint.width(block.tensor, Font::list_mono) + paint.width(block.words, Font::small) + 12 +
                      static_cast<float>(block.grid.slice.size()) * 90;
  return {std::max(around.x + block.place.cells.w, title), title_high + around.y + block.place.cells.h};
}

/// In that room, with cells of at most that size.
void place_block(const Paint& paint, ValuesBlock& block, Rect room, Point largest) {
  block.area = room;
  block.place = place_grid(paint, block.grid, {room.x, room.y + title_high, room.w, room.h - title_high}, largest);
  const Point size = size_of(paint, block);
  block.area.w = std::min(size.x, room.w), block.area.h = size.y;
}

/// The others: in rows from the left, operands before the other results.
float place_beside(const Paint& paint, std::vector<ValuesBlock>& blocks, std::size_t main, Rect room) {
  Point at{room.x, room.y};
  float high = 0;
  for (const char* role : {"operand", "result", "temporary"})
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      if (i == main || blocks[i].role != role) continue;
      place_block(paint, blocks[i], {0, 0, room.w, unlimited}, small_cell);
      if (at.x > room.x && at.x + blocks[i].area.w > room.right()) at = {room.x, at.y + high + block_gap}, high = 0;
      place_block(paint, blocks[i], {at.x, at.y, std::max(blocks[i].area.w, 1.F), unlimited}, small_cell);
      at.x += blocks[i].area.w + block_gap, high = std::max(high, blocks[i].area.h);
    }
  return at.y + high - room.y;
}

/// Side by side, with the others below; the result is how high all of it is.
float place_outcome(const Paint& paint, std::vector<ValuesBlock>& blocks, std::size_t main, std::size_t expected,
                    Rect area) {
  const float half = std::floor((area.w - block_gap) / 2);
  place_block(paint, blocks[main], {area.x, area.y, half, area.h}, large_cell);
  const float x = area.x + std::min(half, std::max(blocks[main].area.w, area.w * 0.3F)) + block_gap;
  place_block(paint, blocks[expected], {x, area.y, half, area.h}, large_cell);
  const float high = std::max(blocks[main].area.h, blocks[expected].area.h) + block_gap;
  return high + place_beside(paint, blocks, main, {area.x, area.y + high, area.w, area.h});
}

/// Both columns; likewise.
float place_columns(const Paint& paint, std::vector<ValuesBlock>& blocks, std::size_t main, Rect area) {
  Rect rest = area;
  const bool alone = blocks.size() == 1, narrow = area.w < 520;
  Rect left = alone || narrow ? rest : rest.take_left(std::floor(area.w * 0.62F));
  if (!alone && !narrow) left.take_right(block_gap);
  // Rather scrolled than without numbers.
  if (narrow && !alone) left.h = unlimited;
  place_block(paint, blocks[main], left, narrow && !alone ? Point{large_cell.x, small_cell.y + 3} : large_cell);
  if (alone) return blocks[main].area.h;
  // What the large one does not need goes to the others.
  if (narrow) {
    rest.take_top(blocks[main].area.h + block_gap);
  } else {
    rest.x = area.x + std::max(area.w * 0.3F, blocks[main].area.w + block_gap + 8), rest.w = area.right() - rest.x;
  }
  const float beside = place_beside(paint, blocks, main, rest);
  return narrow ? blocks[main].area.h + block_gap + beside : std::max(blocks[main].area.h, beside);
}

}  // namespace

float place_blocks(const Paint& paint, std::vector<ValuesBlock>& blocks, std::size_t main,
                   std::optional<std::size_t> expected, Rect area) {
  return expected ? place_outcome(paint, blocks, main, *expected, area) : place_columns(paint, blocks, main, area);
}

}  // namespace trellis::gui
