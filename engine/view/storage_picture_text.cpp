// A picture of storage in letters, and what is said of its parts.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/tensor/allocate.hpp"
#include "engine/text/diagnostic.hpp"
#include "engine/text/fit.hpp"
#include "engine/view/json.hpp"
#include "engine/view/storage_picture.hpp"

namespace trellis::view {
namespace {

using Holds = StoragePicture::Holds;
using Lines = std::vector<std::string>;

constexpr int widest_beside = 112;  // both halves; else they stand below each other

std::string right(const std::string& text, int width) {
  return std::string(static_cast<std::size_t>(std::max(0, width - text::width_of(text))), ' ') + text;
}
std::string aligned_left(const std::string& text, int width) {
  return text + std::string(static_cast<std::size_t>(std::max(0, width - text::width_of(text))), ' ');
}

std::string range_text(std::int64_t first, std::int64_t last) {
  return std::to_string(first) + (last == first ? "" : ".." + std::to_string(last));
}

/// A number and its mark, which takes a letter as well.
std::string in_grid(const StoragePicture::Element& element) {
  if (element.holds == Holds::excluded) return "× ";
  if (element.place < 0) return "· ";
  const char* mark = element.holds == Holds::padding ? "°" : element.mirrored ? "'" : " ";
  return std::to_string(element.place) + mark;
}

Lines grid_lines(const StoragePicture& p) {
  int cell = 0;
  for (const StoragePicture::Element& element : p.grid) cell = std::max(cell, text::width_of(in_grid(element)));
  cell = std::max(cell, static_cast<int>(std::to_string(p.columns - 1).size()) + 1);
  const bool matrix = p.shape.size() > 1;
  const int margin = matrix ? static_cast<int>(std::to_string(p.rows - 1).size()) : 0;
  Lines lines;
  const auto line = [&](const std::string& head, const char* cut, const auto& text_at) {
    std::string out = right(head, margin) + " ";
    for (std::int64_t c = 0; c < p.columns; ++c)
      out += (p.column_cuts[static_cast<std::size_t>(c)] ? cut : "") + text_at(c);
    while (out.ends_with(' ')) out.pop_back();
    lines.push_back(out);
  };
  line("", "  ", [&](std::int64_t c) { return right(std::to_string(c), cell) + " "; });
  for (std::int64_t r = 0; r < p.rows; ++r) {
    std::string stroke;
    for (int k = 0; k <= cell; ++k) stroke += "─";
    if (p.row_cuts[static_cast<std::size_t>(r)]) line("", "┼─", [&](std::int64_t) { return stroke; });
    line(matrix ? std::to_string(r) : "", "│ ", [&](std::int64_t c) { return " " + right(in_grid(p.at(r, c)), cell); });
  }
  return lines;
}

std::string in_fiber(const StoragePicture::Cell& cell) {
  const std::string at = range_text(cell.first, cell.last) + ":";
  if (cell.holds == Holds::nobody) return at + "-";
  return at + std::to_string(cell.place) + (cell.holds == Holds::padding ? "°" : "");
}

std::string row_of(const StoragePicture::Fiber& fiber) {
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "" : "  ") + words; };
  for (const StoragePicture::Cell& cell : fiber.cells) add(in_fiber(cell));
  for (std::int64_t k = 0; k < fiber.free; ++k) add("free");
  if (fiber.beyond > 0) add("… " + std::to_string(fiber.beyond) + " more");
  return out;
}

Lines storage_lines(const StoragePicture& p) {
  const std::size_t outer = p.levels.size() - 1;
  std::vector<int> widths;
  for (std::size_t l = 0; l < outer; ++l) {
    int width = text::width_of(p.levels[l].stores);
    for (const StoragePicture::Fiber& fiber : p.fibers)
      width = std::max(width, text::width_of(range_text(fiber.outer[l].first, fiber.outer[l].second)));
    widths.push_back(width);
  }
  Lines lines(1);
  for (std::size_t l = 0; l < outer; ++l) lines[0] += aligned_left(p.levels[l].stores, widths[l]) + "  ";
  lines[0] += p.levels[outer].stores;
  for (const StoragePicture::Fiber& fiber : p.fibers) {
    std::string line;
    for (std::size_t l = 0; l < outer; ++l)
      line += aligned_left(
                  lines.size() > 1 && l < fiber.news ? "" : range_text(fiber.outer[l].first, fiber.outer[l].second),
                  widths[l]) +
              "  ";
    lines.push_back(line + row_of(fiber));
  }
  if (p.fibers.empty()) lines.emplace_back("nothing is stored");
  return lines;
}

bool any_element(const StoragePicture& p, Holds holds) {
  return std::ranges::find(p.grid, holds, &StoragePicture::Element::holds) != p.grid.end();
}

}  // namespace

std::string explain(const StoragePicture& picture, std::size_t at) {
  const StoragePicture::Element& element = picture.grid[at];
  std::string out = text::element_text(picture.tensor, picture.index_at(at));
  if (element.holds == Holds::excluded) return out + " is never stored: it is the fill";
  out += element.place < 0 ? " is not stored" : " is at place " + std::to_string(element.place);
  if (element.holds == Holds::padding) out += ", which pads";
  for (std::size_t l = 0; l < element.levels.size(); ++l)
    out += (l == 0 ? ": " : ", ") + picture.levels[l].stores + " = " +
           std::to_string(element.levels[l] + picture.levels[l].low);
  return out;
}

std::string explain(const StoragePicture& picture, const StoragePicture::Cell& cell) {
  const std::string place = "place " + std::to_string(cell.place);
  if (cell.holds == Holds::nobody) return place + " belongs to no element";
  std::string all;
  for (const std::size_t at : cell.elements)
    all += (all.empty() ? "" : ", ") + text::element_text(picture.tensor, picture.index_at(at));
  return place + (cell.holds == Holds::padding ? " pads at " : " holds ") + all;
}

std::vector<StorageLegend> legend(const StoragePicture& p) {
  std::vector<StorageLegend> all;
  const auto mirrored = [](const auto& element) { return element.mirrored && element.place >= 0; };
  const bool nobody = std::ranges::any_of(p.fibers, [](const StoragePicture::Fiber& fiber) {
    return std::ranges::find(fiber.cells, Holds::nobody, &StoragePicture::Cell::holds) != fiber.cells.end();
  });
  const bool free = std::ranges::any_of(p.fibers, [](const auto& fiber) { return fiber.free > 0; });
  all.push_back({"", "numbers are places among the values, coordinate:place"});
  if (any_element(p, Holds::padding)) all.push_back({"padding", "padding: stored, at the fill", "° "});
  if (nobody) all.push_back({"nobody", "padding that no element has", "- "});
  if (free) all.push_back({"free", "a slot that is not taken", "free: "});
  if (std::ranges::any_of(p.grid, mirrored)) all.push_back({"mirrored", "shares its place", "' "});
  if (any_element(p, Holds::absent)) all.push_back({"absent", "not stored", "· "});
  if (any_element(p, Holds::excluded)) all.push_back({"excluded", "never stored", "× "});
  if (p.sample) all.push_back({"", p.tensor + " holds nothing: drawn as if all were stored"});
  if (p.corner) {
    const std::string rows = p.shape.size() > 1 ? std::to_string(p.rows) + " x " : "";
    all.push_back({"", "the first " + rows + std::to_string(p.columns) + " of " + tensor::shape_text(p.shape)});
  }
  return all;
}

std::string to_string(const StoragePicture& picture) {
  if (picture.empty()) return "";
  const Lines grid = grid_lines(picture), storage = storage_lines(picture);
  const auto widest = [](const Lines& lines) {
    int width = 0;
    for (const std::string& line : lines) width = std::max(width, text::width_of(line));
    return width;
  };
  constexpr int between = 6;
  const int wide = widest(grid);
  std::string out;
  if (wide + between + widest(storage) <= widest_beside) {
    for (std::size_t k = 0; k < std::max(grid.size(), storage.size()); ++k) {
      std::string line = k < grid.size() ? grid[k] : "";
      if (k < storage.size()) line = aligned_left(line, wide + between) + storage[k];
      out += "  " + line + "\n";
    }
  } else {
    for (const std::string& line : grid) out += "  " + line + "\n";
    out += "\n";
    for (const std::string& line : storage) out += "  " + line + "\n";
  }
  std::string words;
  for (const StorageLegend& entry : legend(picture)) {
    const std::string one = entry.sign + entry.words;
    const bool full = text::width_of(words) + text::width_of(one) + 2 > widest_beside - 12;
    if (full) out += "  " + words + "\n";
    words = words.empty() || full ? one : words + "; " + one;
  }
  return out + "  " + words + "\n";
}

}  // namespace trellis::view
