#include "gui/board_grid.hpp"

#include <algorithm>
#include <cmath>

#include "engine/text/diagnostic.hpp"
#include "engine/view/cells.hpp"

namespace trellis::gui {
namespace {

constexpr float least_cell = 4, row_of_numbers = 14;

/// The strongest of what is said of the elements of a block, and the first of them that says it.
struct Strongest {
  CellMark mark;
  std::size_t offset = 0;
  int strength = -1;
};

int strength_of(const CellMark& mark) {
  if (mark.early) return 7;
  if (mark.writes) return 6;
  if (mark.computed) return 5;
  if (mark.wrong) return 4;
  if (mark.reads) return 3;
  if (mark.undefined || mark.tainted) return 2;
  if (mark.needed || mark.alone != ' ') return 1;
  return 0;
}

CellMark mark_of(const BoardGrid& grid, std::size_t offset) {
  CellMark mark;
  if (grid.marks)
    if (const auto found = grid.marks->find(offset); found != grid.marks->end()) mark = found->second.mark;
  mark.written = grid.board->elements[offset].has_value();
  mark.stored = grid.board->stored.empty() || grid.board->stored[offset];
  mark.padding =
      grid.padding && mark.written && mark.stored && view::is_fill(*grid.board->elements[offset], *grid.padding);
  return mark;
}

std::string number_of(const BoardGrid& grid, std::size_t offset, const CellMark& mark) {
  const auto& value = grid.board->elements[offset];
  if (mark.undefined) return "?";
  if (!value) return "";
  if (!mark.stored && !mark.writes) return "";
  return short_number(*value);
}

std::string state_word(const CellMark& mark) {
  std::string words;
  const auto add = [&](bool is, const char* word) {
    if (is) words += (words.empty() ? "" : ", ") + std::string(word);
  };
  add(mark.writes, "written now"), add(mark.computed && !mark.writes, "computed now");
  add(mark.early, "too early"), add(mark.reads && !mark.early, "read");
  add(mark.wrong, "wrong"), add(mark.undefined, "undefined"), add(mark.tainted && !mark.undefined, "tainted");
  add(mark.alone != ' ', mark.alone == 'A' ? "only A" : "only B");
  add(mark.needed && words.empty(), "needed"), add(!mark.written, "not written");
  add(mark.written && !mark.stored, "not stored"), add(mark.padding, "padding");
  return words;
}

void draw_numbers_around(Ui& ui, const BoardGrid& grid, const GridPlace& place) {
  Paint& paint = ui.paint();
  const Colour faint = ui.theme()(Token::faint);
  const std::int64_t rows = grid.rows(), columns = grid.columns();
  const std::size_t rank = grid.board->shape.size();
  const auto every = [](float cell, float needed, std::int64_t block) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(needed / cell))) * block;
  };
  const float wide = paint.width(std::to_string(columns), Font::small_mono) + 4;
  if (rank >= 1)
    for (std::int64_t c = 0; c < columns; c += every(place.across, wide, place.block_columns)) {
      const Rect cell = place.cell(0, c);
      paint.text_in({cell.x + cell.w / 2 - 30, cell.y - row_of_numbers - 2, 60, row_of_numbers}, std::to_string(c),
                    Font::small_mono, faint, Align::centre);
    }
  if (rank >= 2)
    for (std::int64_t r = 0; r < rows; r += every(place.down, 13, place.block_rows)) {
      const Rect cell = place.cell(r, 0);
      paint.text_in({cell.x - 46, cell.y, 40, cell.h}, std::to_string(r), Font::small_mono, faint, Align::right);
    }
}

Strongest strongest_of(const BoardGrid& grid, const GridPlace& place, std::int64_t row, std::int64_t column) {
  Strongest best;
  for (std::int64_t r = row; r < std::min(row + place.block_rows, grid.rows()); ++r)
    for (std::int64_t c = column; c < std::min(column + place.block_columns, grid.columns()); ++c) {
      const std::size_t offset = grid.board->offset(grid.index_at(r, c));
      const CellMark mark = mark_of(grid, offset);
      // Of those that nothing is said of, what is written counts.
      const int strength = 2 * strength_of(mark) + (mark.written && mark.stored ? 1 : 0);
      if (strength > best.strength) best = {mark, offset, strength};
    }
  return best;
}

void explain(Ui& ui, const BoardGrid& grid, const tensor::Index& index, const Strongest& shown) {
  std::string words = text::element_text(grid.tensor, index);
  const auto& value = grid.board->elements[shown.offset];
  if (shown.mark.undefined) words += " is undefined";
  else if (value) words += " = " + format::to_string(*value);
  else if (!value) words += " is not written yet";
  if (value && !shown.mark.stored) words += ", not stored";
  if (shown.mark.padding) words += ", padding";
  if (grid.marks)
    if (const auto found = grid.marks->find(shown.offset); found != grid.marks->end() && !found->second.remark.empty())
      words += "\n" + found->second.remark;
  ui.tooltip(words);
}

}  // namespace

std::int64_t BoardGrid::rows() const { return board->shape.size() < 2 ? 1 : board->shape[board->shape.size() - 2]; }
std::int64_t BoardGrid::columns() const { return board->shape.empty() ? 1 : board->shape.back(); }

tensor::Index BoardGrid::index_at(std::int64_t row, std::int64_t column) const {
  tensor::Index index(slice.begin(), slice.end());
  if (board->shape.size() >= 2) index.push_back(row);
  if (!board->shape.empty()) index.push_back(column);
  return index;
}

Point grid_margin(const Paint& paint, const BoardGrid& grid) {
  const std::size_t rank = grid.board->shape.size();
  return {rank < 2 ? 0 : paint.width(std::to_string(grid.rows()), Font::small_mono) + 8,
          rank < 1 ? 0 : row_of_numbers + 3};
}

GridPlace place_grid(const Paint& paint, const BoardGrid& grid, Rect room, Point largest_cell) {
  GridPlace place;
  const Point margin = grid_margin(paint, grid);
  room.take_left(margin.x), room.take_top(margin.y);
  const auto fit = [](float wide, std::int64_t count, float largest, std::int64_t& block) {
    block = std::max<std::int64_t>(
        1, static_cast<std::int64_t>(std::ceil(static_cast<float>(count) * least_cell / std::max(wide, least_cell))));
    const float cell = wide / static_cast<float>((count + block - 1) / block);
    return std::min(largest, cell >= 8 ? std::floor(cell) : cell);
  };
  place.across = fit(room.w, grid.columns(), largest_cell.x, place.block_columns);
  place.down = fit(room.h, grid.rows(), largest_cell.y, place.block_rows);
  // Cells of matrices are never much taller than wide.
  place.down = std::min(place.down, std::max(place.across, 8.F));
  place.numbers = place.block_rows == 1 && place.block_columns == 1 && place.across >= 27 && place.down >= 13;
  place.font = place.across >= 42 ? Font::mono : place.across >= 33 ? Font::small_mono : Font::tiny_mono;
  const auto cells = [](std::int64_t count, std::int64_t block) {
    return static_cast<float>((count + block - 1) / block);
  };
  place.cells = {room.x, room.y, place.across * cells(grid.columns(), place.block_columns),
                 place.down * cells(grid.rows(), place.block_rows)};
  return place;
}

namespace {

/// Too many small ones to be items each: only what something is said of.
bool crowded(const BoardGrid& grid, const GridPlace& place) {
  return !place.numbers && grid.rows() * grid.columns() / (place.block_rows * place.block_columns) > 300;
}

void answer(Ui& ui, const BoardGrid& grid, const tensor::Index& index, const Strongest& shown, const Response& response,
            Rect cell) {
  if (response.clicked) {
    std::string command = "window select element " + grid.tensor;
    for (const std::int64_t i : index) command += " " + std::to_string(i);
    ui.act(command);
  }
  if (!response.hovered) return;
  ui.paint().outline(cell, ui.theme()(Token::kin), 1.5F, 4);
  explain(ui, grid, index, shown);
}

void draw_one(Ui& ui, const BoardGrid& grid, const GridPlace& place, std::int64_t r, std::int64_t c, bool as_item) {
  const Rect cell = place.cell(r, c);
  if (!cell.meets(ui.paint().clipped())) return;
  const Strongest shown = strongest_of(grid, place, r, c);
  if (as_item || shown.mark.written || strength_of(shown.mark) > 0)
    draw_cell(ui.paint(), ui.theme(), cell, shown.mark, place.numbers ? number_of(grid, shown.offset, shown.mark) : "",
              place.font);
  const tensor::Index index = grid.index_at(r, c);
  if (grid.selected == index) ui.paint().outline(cell.inset(-1), ui.theme()(Token::kin), 2, 5);
  if (!as_item && strength_of(shown.mark) == 0) return;
  const std::string name = text::element_text(grid.tensor, index), number = number_of(grid, shown.offset, shown.mark);
  const Response response = ui.item("cell:" + grid.prefix + name, "cell", name + (number.empty() ? "" : " = " + number),
                                    state_word(shown.mark), cell);
  answer(ui, grid, index, shown, response, cell);
}

/// Between blocks, where each cell is one element.
void draw_cuts(Ui& ui, const BoardGrid& grid, const GridPlace& place) {
  if (!grid.cuts || place.block_rows > 1 || place.block_columns > 1 || place.across < 6) return;
  const Colour colour = ui.theme()(Token::faint);
  const Rect all = place.cells.inset(-1);
  std::string where;
  for (std::size_t r = 0; r < grid.cuts->rows.size(); ++r)
    if (grid.cuts->rows[r]) {
      const float y = std::round(place.cell(static_cast<std::int64_t>(r), 0).y);
      ui.paint().line({all.x, y}, {all.right(), y}, colour, 1);
      where += " " + std::to_string(r);
    }
  where += ",";
  for (std::size_t c = 0; c < grid.cuts->columns.size(); ++c)
    if (grid.cuts->columns[c]) {
      const float x = std::round(place.cell(0, static_cast<std::int64_t>(c)).x);
      ui.paint().line({x, all.y}, {x, all.bottom()}, colour, 1);
      where += " " + std::to_string(c);
    }
  if (where.size() > 1) ui.label("blocks:" + grid.prefix + grid.tensor, "blocks begin at rows" + where, all);
}

}  // namespace

void draw_grid(Ui& ui, const BoardGrid& grid, const GridPlace& place) {
  draw_numbers_around(ui, grid, place);
  const bool many = crowded(grid, place);
  const Theme& t = ui.theme();
  if (many) {
    // One hatching below all of them; what is written covers it.
    ui.paint().fill(place.cells, t.fill(Token::cell, 0.5F));
    ui.paint().hatch(place.cells, t.fill(Token::edge, 0.35F));
    const Response whole = ui.item("grid:" + grid.prefix + grid.tensor, "grid", grid.tensor, "", place.cells);
    const Point at = ui.input().mouse - Point{place.cells.x, place.cells.y};
    const std::int64_t r = static_cast<std::int64_t>(at.y / place.down) * place.block_rows,
                       c = static_cast<std::int64_t>(at.x / place.across) * place.block_columns;
    if (whole.hovered && r < grid.rows() && c < grid.columns())
      answer(ui, grid, grid.index_at(r, c), strongest_of(grid, place, r, c), whole, place.cell(r, c));
  }
  for (std::int64_t r = 0; r < grid.rows(); r += place.block_rows)
    for (std::int64_t c = 0; c < grid.columns(); c += place.block_columns) draw_one(ui, grid, place, r, c, !many);
  draw_cuts(ui, grid, place);
}

}  // namespace trellis::gui
