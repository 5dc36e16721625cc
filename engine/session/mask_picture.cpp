#include "engine/session/mask_picture.hpp"

#include <vector>

namespace trellis::session {
namespace {

using tensor::Lists;

std::size_t at(std::int64_t k) { return static_cast<std::size_t>(k); }

/// One character for each element, row by row.
class Canvas {
 public:
  explicit Canvas(std::int64_t n) : rows_(at(n), std::string(at(n), '.')) {}

  /// `by_rows`: list k holds columns of row k.
  void mark(const Lists& lists, bool by_rows, char sign) {
    for (std::int64_t k = 0; k < lists.count(); ++k)
      for (std::int64_t p = lists.begin[at(k)]; p < lists.begin[at(k) + 1]; ++p) {
        const std::int64_t item = lists.items[at(p)];
        (by_rows ? rows_[at(k)][at(item)] : rows_[at(item)][at(k)]) = sign;
      }
  }
  void mark_diagonal() {
    for (std::size_t k = 0; k < rows_.size(); ++k) rows_[k][k] = 'o';
  }

  std::string text(bool lower_alone) const {
    std::string out;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      out += " ";
      for (std::size_t j = 0; j < (lower_alone ? i + 1 : rows_.size()); ++j) out += std::string(" ") + rows_[i][j];
      out += "\n";
    }
    return out;
  }

 private:
  std::vector<std::string> rows_;
};

/// The columns that hang below one, each on a line of its own with what hangs below it.
void hang(const std::vector<std::vector<std::int64_t>>& children, std::int64_t node, const std::string& before,
          std::string& out) {
  const auto& below = children[at(node)];
  for (std::size_t k = 0; k < below.size(); ++k) {
    const bool last = k + 1 == below.size();
    out += before + (last ? "└─ " : "├─ ") + std::to_string(below[k]) + "\n";
    hang(children, below[k], before + (last ? "   " : "│  "), out);
  }
}

std::string tree_text(const std::vector<std::int32_t>& parent) {
  std::vector<std::vector<std::int64_t>> children(parent.size());
  for (std::size_t k = 0; k < parent.size(); ++k)
    if (parent[k] >= 0) children[at(parent[k])].push_back(static_cast<std::int64_t>(k));
  std::string out;
  for (std::size_t root = 0; root < parent.size(); ++root) {
    if (parent[root] >= 0) continue;
    out += "  " + std::to_string(root) + "\n";
    hang(children, static_cast<std::int64_t>(root), "  ", out);
  }
  return out;
}

}  // namespace

std::string mask_picture(const symbolic::Elimination& how, const symbolic::Factor& factor) {
  const std::int64_t n = factor.triangles.lower.count();
  if (n > largest_picture) return "";
  Canvas canvas(n);
  canvas.mark(factor.triangles.lower, false, '+');
  canvas.mark(factor.triangles.upper, false, '+');
  canvas.mark(factor.given, how.symmetric, 'o');
  canvas.mark_diagonal();
  const std::string seen = how.reversed ? ", counted from the last row and column" : "";
  std::string out = "entries, o given and + filled in" + seen + ":\n" + canvas.text(how.symmetric);
  if (how.symmetric) out += "elimination tree" + seen + ":\n" + tree_text(factor.parent);
  return out;
}

}  // namespace trellis::session
