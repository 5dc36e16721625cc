#include "engine/coiterate/lattice_picture.hpp"

#include <algorithm>
#include <map>

#include "engine/coiterate/lattice_words.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

std::string spaces(std::size_t n) { return std::string(n, ' '); }

/// The points by level, which is how much may still run out before the end, with lines along the edges between levels.
class Picture {
 public:
  explicit Picture(const Lattice& lattice) : lattice_(lattice) {
    std::vector<std::size_t> level(lattice.points.size());
    for (std::size_t p = level.size(); p-- > 0;)  // edges lead to later points
      for (const Lattice::Edge& edge : lattice.points[p].edges)
        level[p] = std::max(level[p], edge.to < 0 ? 1 : level[static_cast<std::size_t>(edge.to)] + 1);
    rows_.resize(*std::max_element(level.begin(), level.end()));
    for (std::size_t p = level.size(); p-- > 0;) rows_[rows_.size() - level[p]].push_back(static_cast<int>(p));
    rows_.push_back({-1});
  }

  std::vector<std::string> lines() {
    std::size_t widest = 0;
    for (const auto& row : rows_) widest = std::max(widest, row_width(row));
    for (const auto& row : rows_) {
      std::size_t at = (widest - row_width(row)) / 2;
      for (const int p : row) {
        column_[p] = at + columns(name(p)) / 2;
        at += columns(name(p)) + gap;
      }
    }
    std::vector<std::string> out;
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (r > 0) out.push_back(between(rows_[r - 1], rows_[r]));
      out.push_back(row_text(rows_[r], widest));
    }
    return out;
  }

 private:
  static constexpr std::size_t gap = 3;

  std::string name(int p) const {
    return p < 0 ? "end" : in_set(lattice_, lattice_.points[static_cast<std::size_t>(p)]);
  }

  std::size_t row_width(const std::vector<int>& row) const {
    std::size_t all = gap * (row.size() - 1);
    for (const int p : row) all += columns(name(p));
    return all;
  }

  std::string row_text(const std::vector<int>& row, std::size_t widest) const {
    std::string text = spaces((widest - row_width(row)) / 2);
    for (std::size_t k = 0; k < row.size(); ++k) text += (k > 0 ? spaces(gap) : "") + name(row[k]);
    return text;
  }

  std::string between(const std::vector<int>& above, const std::vector<int>& below) const {
    std::map<std::size_t, std::string> marks;
    for (const int p : above)
      for (const Lattice::Edge& edge : lattice_.points[static_cast<std::size_t>(p)].edges) {
        if (!contains(below, edge.to)) continue;
        const std::size_t from = column_.at(p), to = column_.at(edge.to);
        const std::string mark = from > to + 1 ? "╱" : to > from + 1 ? "╲" : "│";
        std::string& here = marks[(from + to) / 2];
        here = here.empty() || here == mark ? mark : "╳";
      }
    std::string text;
    std::size_t at = 0;
    for (const auto& [column, mark] : marks) {
      text += spaces(column - at) + mark;
      at = column + 1;
    }
    return text;
  }

  const Lattice& lattice_;
  std::vector<std::vector<int>> rows_;
  std::map<int, std::size_t> column_;
};

}  // namespace

std::string in_set(const Lattice& lattice, const Lattice::Point& point) {
  if (point.goes == Lattice::Point::Goes::everywhere) return "{every " + lattice.for_().variable + "}";
  return "{" + listed(lattice, point.leads) + "}";
}

std::vector<std::string> picture(const Lattice& lattice) { return Picture(lattice).lines(); }

}  // namespace trellis::coiterate
