#include "engine/session/stages/mask_picture.hpp"

#include <algorithm>
#include <optional>

namespace trellis::session {
namespace {

using tensor::Lists;
using Children = std::vector<std::vector<std::int64_t>>;

constexpr std::int64_t most_across = 96;
/// Trees of so few columns have a box for each; of more, one for each chain of columns that follow each other.
constexpr std::size_t most_boxes_of_columns = 24;
constexpr std::size_t most_boxes = 600;

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

/// `by_rows`: list k holds columns of row k.
template <class Visit>
void for_each_entry(const Lists& lists, bool by_rows, const Visit& visit) {
  for (std::int64_t k = 0; k < lists.count(); ++k)
    for (std::int64_t p = lists.begin[at(k)]; p < lists.begin[at(k) + 1]; ++p) {
      const std::int64_t item = lists.items[at(p)];
      by_rows ? visit(k, item) : visit(item, k);
    }
}

void count_cells(MaskPicture& picture, const symbolic::Factor& factor, const tensor::Triangles& triangles) {
  picture.block = (picture.rows + most_across - 1) / most_across;
  picture.across = picture.rows == 0 ? 0 : (picture.rows + picture.block - 1) / picture.block;
  picture.cells.resize(at(picture.across * picture.across));
  const auto cell = [&](std::int64_t i, std::int64_t j) -> MaskPicture::Cell& {
    return picture.cells[at(i / picture.block * picture.across + j / picture.block)];
  };
  for (const Lists* triangle : {&triangles.lower, &triangles.upper})
    for_each_entry(*triangle, false, [&](std::int64_t i, std::int64_t j) { ++cell(i, j).filled; });
  for_each_entry(factor.given, picture.symmetric,
                 [&](std::int64_t i, std::int64_t j) { ++cell(i, j).given, --cell(i, j).filled; });
  for (std::int64_t i = 0; i < picture.rows; ++i) ++cell(i, i).given;
  for (const MaskPicture::Cell& one : picture.cells) picture.given += one.given, picture.filled += one.filled;
}

/// Which column fills an element in: the first that has an entry in its row and one in its column.
void find_causes(MaskPicture& picture) {
  const auto has = [&](std::int64_t i, std::int64_t j) {
    const MaskPicture::Cell& c = picture.symmetric && i < j ? picture.at(j, i) : picture.at(i, j);
    return c.given + c.filled > 0;
  };
  for (std::int64_t i = 0; i < picture.across; ++i)
    for (std::int64_t j = 0; j < picture.across; ++j) {
      MaskPicture::Cell& c = picture.cells[at(i * picture.across + j)];
      for (std::int64_t k = 0; c.filled > 0 && c.by < 0 && k < std::min(i, j); ++k)
        if (has(i, k) && has(k, j)) c.by = static_cast<std::int32_t>(k);
    }
}

Children children_of(const std::vector<std::int32_t>& parent) {
  Children children(parent.size());
  for (std::size_t k = 0; k < parent.size(); ++k)
    if (parent[k] >= 0) children[at(parent[k])].push_back(static_cast<std::int64_t>(k));
  return children;
}

/// Boxes as a terminal lists columns: each before those that hang below it, the first of these on the left.
view::Tree tree_of(MaskPicture& picture) {
  const Children children = children_of(picture.parent);
  const bool joins = picture.parent.size() > most_boxes_of_columns;
  view::Tree tree;
  std::vector<std::pair<std::int64_t, int>> to_come;  // columns, and the box that each hangs from
  for (std::size_t k = picture.parent.size(); k-- > 0;)
    if (picture.parent[k] < 0) to_come.emplace_back(k, -1);
  while (!to_come.empty()) {
    const auto [last, above] = to_come.back();
    to_come.pop_back();
    std::int64_t first = last;
    while (joins && children[at(first)].size() == 1 && children[at(first)].front() == first - 1) --first;
    const auto node = static_cast<int>(tree.nodes.size());
    const std::string own = std::to_string(last);
    tree.nodes.push_back({{first == last ? own : std::to_string(first) + "…" + own}, {}, above});
    picture.columns.emplace_back(static_cast<std::int32_t>(first), static_cast<std::int32_t>(last));
    for (auto child = children[at(first)].rbegin(); child != children[at(first)].rend(); ++child)
      to_come.emplace_back(*child, node);
  }
  return tree;
}

std::string cells_text(const MaskPicture& picture) {
  std::string out;
  for (std::int64_t i = 0; i < picture.across; ++i) {
    out += " ";
    for (std::int64_t j = 0; j < (picture.symmetric ? i + 1 : picture.across); ++j) {
      const MaskPicture::Cell& c = picture.at(i, j);
      out += c.given > 0 ? " o" : c.filled > 0 ? " +" : " .";
    }
    out += "\n";
  }
  return out;
}

/// The columns that hang below one, each on a line of its own with what hangs below it.
void hang(const Children& children, std::int64_t node, const std::string& before, std::string& out) {
  const auto& below = children[at(node)];
  for (std::size_t k = 0; k < below.size(); ++k) {
    const bool last = k + 1 == below.size();
    out += before + (last ? "└─ " : "├─ ") + std::to_string(below[k]) + "\n";
    hang(children, below[k], before + (last ? "   " : "│  "), out);
  }
}

std::string tree_text(const std::vector<std::int32_t>& parent) {
  const Children children = children_of(parent);
  std::string out;
  for (std::size_t root = 0; root < parent.size(); ++root) {
    if (parent[root] >= 0) continue;
    out += "  " + std::to_string(root) + "\n";
    hang(children, static_cast<std::int64_t>(root), "  ", out);
  }
  return out;
}

std::string seen_from(const MaskPicture& picture) {
  return picture.reversed ? ", counted from the last row and column" : "";
}

std::string place(std::int64_t i, std::int64_t j) { return "(" + std::to_string(i) + "," + std::to_string(j) + ")"; }

}  // namespace

MaskPicture mask_picture(const symbolic::Elimination& how, const symbolic::Factor& factor, view::FontSize font) {
  MaskPicture picture;
  picture.symmetric = how.symmetric, picture.reversed = how.reversed;
  const tensor::Triangles triangles = symbolic::triangles_of(how, factor);
  picture.rows = triangles.lower.count();
  count_cells(picture, factor, triangles);
  if (picture.block == 1) find_causes(picture);
  if (!picture.symmetric) return picture;
  picture.parent = factor.parent;
  const view::Tree tree = tree_of(picture);
  if (tree.nodes.size() <= most_boxes) picture.tree = view::drawing_of(tree, font, view::Arrows::up);
  return picture;
}

std::string caption(const MaskPicture& picture) {
  return std::to_string(picture.rows) + " rows, " + std::to_string(picture.given) + " given, " +
         std::to_string(picture.filled) + " filled in" + seen_from(picture);
}

std::string explain(const MaskPicture& picture, std::int64_t row, std::int64_t column) {
  const MaskPicture::Cell& c = picture.at(row, column);
  if (picture.block > 1)
    return "rows from " + std::to_string(row * picture.block) + ", columns from " +
           std::to_string(column * picture.block) + ": " + std::to_string(c.given) + " given, " +
           std::to_string(c.filled) + " filled in";
  const std::string where = "row " + std::to_string(row) + ", column " + std::to_string(column) + ": ";
  if (c.given > 0) return where + (row == column ? "the diagonal" : "given");
  if (c.filled == 0) return where + "nothing";
  const std::int64_t k = c.by;
  return where + "filled in" +
         (k < 0 ? ""
                : ", as " + place(row, k) + " and " + (picture.symmetric ? place(column, k) : place(k, column)) +
                      " have entries");
}

std::string to_string(const MaskPicture& picture) {
  if (picture.rows > largest_text) return "";
  std::string out = "entries, o given and + filled in" + seen_from(picture) + ":\n" + cells_text(picture);
  if (picture.symmetric) out += "elimination tree" + seen_from(picture) + ":\n" + tree_text(picture.parent);
  return out;
}

}  // namespace trellis::session
