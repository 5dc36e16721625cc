#include "engine/text/fit.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/text/glyphs.hpp"

namespace trellis::text {
namespace {

constexpr char escape = '\x1b';

/// With the colours that begin before it and end behind it.
struct Letter {
  std::string before, shown, after;
  int width = 1;
  bool blank() const { return shown == " "; }
};
using Letters = std::vector<Letter>;

std::size_t end_of_sequence(std::string_view line, std::size_t at) {
  return std::min(line.find('m', at), line.size() - 1) + 1;
}

Letters letters_of(std::string_view line) {
  Letters letters;
  std::string before;
  for (std::size_t at = 0; at < line.size();) {
    if (line[at] == escape) {
      const std::string_view sequence = line.substr(at, end_of_sequence(line, at) - at);
      (sequence == "\x1b[0m" && !letters.empty() && before.empty() ? letters.back().after : before) += sequence;
      at += sequence.size();
      continue;
    }
    const std::size_t end = std::min(line.find(escape, at), line.size());
    for (Glyph& glyph : glyphs(line.substr(at, end - at)))
      letters.push_back({std::exchange(before, {}), std::move(glyph.shown), {}, glyph.width});
    at = end;
  }
  if (!letters.empty()) letters.back().after += before;
  return letters;
}

int width_between(const Letters& letters, std::size_t begin, std::size_t end) {
  int width = 0;
  for (std::size_t k = begin; k < end; ++k) width += letters[k].width;
  return width;
}

/// A stretch of a line without two blanks in a row.
struct Cell {
  std::size_t begin = 0, end = 0;
  int column = 0, width = 0;
};

struct Row {
  Letters letters;
  std::vector<Cell> cells;
  int width = 0;
};

Row row_of(std::string_view line) {
  Row row{letters_of(line), {}, 0};
  const Letters& all = row.letters;
  int column = 0;
  for (std::size_t k = 0; k < all.size();) {
    std::size_t end = k;
    const auto ends = [&] {
      return end == all.size() || (all[end].blank() && (end == k || end + 1 == all.size() || all[end + 1].blank()));
    };
    while (!ends()) ++end;
    if (end > k) row.cells.push_back({k, end, column, width_between(all, k, end)});
    for (; k < end; ++k) column += all[k].width;
    for (; k < all.size() && all[k].blank(); ++k) ++column;
  }
  row.width = row.cells.empty() ? 0 : row.cells.back().column + row.cells.back().width;
  return row;
}

/// Writes one row into as many lines as it takes.
class Flow {
 public:
  Flow(const Row& row, int columns) : row_(row), columns_(columns) {}

  /// The second cell begins at `second`, when that is further to the left than where it stands.
  std::string cells(int second) {
    const std::vector<Cell>& cells = row_.cells;
    if (cells.size() > 1) second = std::min(second, cells[1].column);
    hang_ = std::min(cells.size() > 1 && second <= columns_ / 2 ? second : cells[0].column + 4, columns_ / 2);
    for (std::size_t k = 0; k < cells.size(); ++k) put(k, second);
    return std::move(out_);
  }

  /// One paragraph.
  std::string words(int hang) {
    words({0, row_.letters.size(), 0, 0}, 0, hang);
    return std::move(out_);
  }

 private:
  void put(std::size_t k, int second) {
    const Cell& cell = row_.cells[k];
    if (k == 0) return words(cell, std::min(cell.column, columns_ / 2), hang_);
    const Cell& previous = row_.cells[k - 1];
    colours(previous.end, cell.begin);
    const bool moves = k == 1 && second < cell.column;
    const int start = !moves              ? at_ + cell.column - previous.column - previous.width
                      : at_ + 2 <= second ? second
                                          : columns_;
    if (start + cell.width <= columns_) return words(cell, start, start);
    const bool last = k + 1 == row_.cells.size();
    if (last && start <= columns_ * 3 / 5) return words(cell, start, start);
    new_line();
    words(cell, hang_, hang_);
  }

  /// From column `start` on; further lines begin at `hang`.
  void words(const Cell& cell, int start, int hang) {
    const Letters& all = row_.letters;
    pad(start);
    for (std::size_t k = cell.begin; k < cell.end;) {
      std::size_t begin = k;
      while (begin < cell.end && all[begin].blank()) ++begin;
      std::size_t end = begin;
      while (end < cell.end && !all[end].blank()) ++end;
      if (at_ > hang && at_ + width_between(all, k, end) > columns_) {
        colours(k, begin);
        new_line();
        pad(hang);
        k = begin;
      }
      for (; k < end; ++k) {
        if (at_ + all[k].width > columns_) {
          new_line();
          pad(hang);
        }
        out_ += all[k].before + all[k].shown + all[k].after;
        at_ += all[k].width;
      }
    }
  }

  void colours(std::size_t begin, std::size_t end) {
    for (std::size_t k = begin; k < end; ++k) out_ += row_.letters[k].before + row_.letters[k].after;
  }

  void new_line() {
    out_ += '\n';
    at_ = 0;
  }

  void pad(int column) {
    if (column > at_) out_.append(static_cast<std::size_t>(column - at_), ' ');
    at_ = std::max(at_, column);
  }

  const Row& row_;
  const int columns_;
  int hang_ = 0, at_ = 0;
  std::string out_;
};

std::string cut(const Row& row, const Page& page) {
  const int room = page.columns - static_cast<int>(glyphs(page.ellipsis).size());
  std::string out;
  int at = 0;
  bool coloured = false;
  for (const Letter& letter : row.letters) {
    if (at + letter.width > room) break;
    out += letter.before + letter.shown + letter.after;
    coloured |= !letter.before.empty();
    at += letter.width;
  }
  return out + std::string(page.ellipsis) + (coloured ? "\x1b[0m" : "");
}

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  for (; !text.empty(); text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1))
    lines.push_back(text.substr(0, text.find('\n')));
  return lines;
}

bool is_wide(std::string_view line, const Page& page) {
  return static_cast<int>(line.size()) > page.columns && width_of(line) > page.columns;
}

/// Rows whose second cells stand under each other: when that is too far to the right, they move.
int second_column(const std::vector<Row>& rows, std::size_t at, int columns) {
  const auto aligned = [&](const Row& row) {
    return row.cells.size() > 1 && row.cells[0].column == rows[at].cells[0].column &&
           row.cells[1].column == rows[at].cells[1].column;
  };
  const int natural = rows[at].cells.size() > 1 ? rows[at].cells[1].column : columns;
  if (natural <= columns / 2 || rows[at].cells.size() < 2) return natural;
  std::size_t begin = at, end = at + 1;
  while (begin > 0 && aligned(rows[begin - 1])) --begin;
  while (end < rows.size() && aligned(rows[end])) ++end;
  const bool moves = end - begin > 1 && std::any_of(rows.begin() + static_cast<std::ptrdiff_t>(begin),
                                                    rows.begin() + static_cast<std::ptrdiff_t>(end),
                                                    [&](const Row& row) { return row.width > columns; });
  return moves ? columns * 2 / 5 : natural;
}

/// Lines that join what stands above and below them: the edges of a graph.
bool joins(const Row& row) {
  static const std::vector<std::string_view> strokes = {"╱", "╲", "│", "/", "\\", "|", "+"};
  const auto is_stroke = [](const Letter& letter) {
    return letter.blank() || std::ranges::find(strokes, letter.shown) != strokes.end();
  };
  return !row.cells.empty() && std::ranges::all_of(row.letters, is_stroke);
}

std::string flow(const Lines& lines, const Page& page) {
  std::vector<Row> rows;
  for (const std::string_view line : lines) rows.push_back(row_of(line));
  std::string out;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const bool drawn = joins(rows[k]) || (k > 0 && joins(rows[k - 1])) || (k + 1 < rows.size() && joins(rows[k + 1]));
    if (drawn && rows[k].width > page.columns) {
      out += cut(rows[k], page) + "\n";
      continue;
    }
    const int second = second_column(rows, k, page.columns);
    const bool moved = rows[k].cells.size() > 1 && second < rows[k].cells[1].column;
    const bool blank = rows[k].width <= page.columns && is_wide(lines[k], page);  // at its end, where nobody sees it
    if (rows[k].width > page.columns || moved) out += Flow(rows[k], page.columns).cells(second);
    else out += blank ? lines[k].substr(0, lines[k].find_last_not_of(' ') + 1) : lines[k];
    out += '\n';
  }
  return out;
}

bool belongs_to_paragraph(std::string_view line) { return !line.empty() && line[0] != ' ' && line[0] != '|'; }

bool begins_item(std::string_view line) { return line.starts_with("* ") || line.starts_with("- "); }

std::string prose(const Lines& lines, const Page& page) {
  std::string out;
  for (std::size_t k = 0; k < lines.size();) {
    std::size_t end = k + 1;
    const bool paragraph = belongs_to_paragraph(lines[k]);
    while (end < lines.size() && belongs_to_paragraph(lines[end]) == paragraph &&
           !(paragraph && begins_item(lines[end])))
      ++end;
    const Lines part(lines.begin() + static_cast<std::ptrdiff_t>(k), lines.begin() + static_cast<std::ptrdiff_t>(end));
    k = end;
    if (!paragraph || std::ranges::none_of(part, [&](std::string_view line) { return is_wide(line, page); })) {
      out += flow(part, page);
      continue;
    }
    std::string filled;
    for (const std::string_view line : part) filled += (filled.empty() ? "" : " ") + std::string(line);
    const Row row{letters_of(filled), {}, 0};
    out += Flow(row, page.columns).words(begins_item(part[0]) ? 2 : 0) + "\n";
  }
  return out;
}

std::string cut(const Lines& lines, const Page& page) {
  std::string out;
  for (const std::string_view line : lines)
    out += (is_wide(line, page) ? cut(row_of(line), page) : std::string(line)) + "\n";
  return out;
}

}  // namespace

std::string fit(std::string_view text, const Page& page, Overflow overflow) {
  const Lines lines = lines_of(text);
  if (page.columns <= 0 || std::ranges::none_of(lines, [&](std::string_view line) { return is_wide(line, page); }))
    return std::string(text);
  std::string out = overflow == Overflow::cut    ? cut(lines, page)
                    : overflow == Overflow::flow ? flow(lines, page)
                                                 : prose(lines, page);
  if (!text.ends_with('\n')) out.pop_back();
  return out;
}

int width_of(std::string_view line) {
  const Letters letters = letters_of(line);
  return width_between(letters, 0, letters.size());
}

}  // namespace trellis::text
