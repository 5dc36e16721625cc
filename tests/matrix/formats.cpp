#include "tests/matrix/trials.hpp"

namespace trellis::matrix {
namespace {

struct LevelFormat {
  const char* name;
  Shape below = Shape::any, above = Shape::any;  ///< what it holds as the last level, and as the first one
};

const std::vector<LevelFormat> level_formats = {
    {"dense"},
    {"compressed"},
    {"compressed(decreasing)"},
    {"compressed(unordered)"},
    {"compressed(wide)"},
    {"compressed(5)"},
    {"hashed"},
    {"bytemap"},
    {"rle"},
    {"sparse_rle"},
    {"interval", Shape::run_a_row, Shape::equal_rows},
    {"vbl"},
    {"vbl(2)"},
    {"band"},
    {"pinpoint", Shape::one_a_row, Shape::one_row},
};

const std::vector<Stored> layouts_of_vectors = {
    {"blocked(2)", "layout blocked(P): (i) -> (i/P, i%P) {compressed, dense}"},
    {"dealt(2)", "layout dealt(P): (i) -> (i%P, i/P) {dense, compressed}"},
    {"halved", "layout halved: (i) -> (i/3, i%3) {dense, dense}"},
};

const std::vector<Stored> layouts_of_matrices = {
    {"bcsr(2, 3)"},
    {"bcsr(1, 1)"},
    {"dia"},
    {"ell(5)"},
    {"lower", "layout lower: (i, j) -> (i, j) {dense, dense} : j <= i", Shape::lower},
    {"below", "layout below: (i, j) -> (i, j) {dense, compressed} : j <= i", Shape::lower},
    {"upper", "layout upper: (i, j) -> (i, j) {dense, dense} : i <= j", Shape::upper},
    {"skyline", "layout skyline: (i, j) -> (i, j) {dense, band} : j <= i", Shape::lower},
    {"sym", "layout sym: (i, j) -> (max(i, j), min(i, j)) {dense, compressed}", Shape::symmetric},
    {"packed", "layout packed: (i, j) -> (max(i, j), min(i, j)) {dense, dense}", Shape::symmetric},
    {"banded(1)", "layout banded(W): (i, j) -> (i, j) {dense, dense} : j - i <= W, i - j <= W", Shape::near_diagonal},
    {"nm(3, 3)", "layout nm(N, M): (i, j) -> (i, j/M, j%M) {dense, dense, compressed(N)}"},
    {"tiled(2, 2)", "layout tiled(R, C): (i, j) -> (i/R, j/C, i%R, j%C) {dense, dense, dense, dense}"},
    {"blocks(2, 2)", "layout blocks(R, C): (i, j) -> (j/C, i/R, i%R, j%C) {compressed, compressed, dense, dense}"},
    {"skewed", "layout skewed: (i, j) -> (i + j, j) {dense, compressed}"},
    {"folded", "layout folded: (i, j) -> (i + j, j) {dense, dense} : 0 <= i"},
    {"shifted", "layout shifted: (i, j) -> (i, i + j) {compressed, dense} : 0 <= j"},
    {"unaligned(2, 2)", "layout unaligned(R, C): (i, j) -> (i/R, j, i%R) {dense, vbl(C), dense}"},
};

void add_in_orders(std::vector<Stored>& all, Stored stored) {
  all.push_back(stored);
  stored.written += " @ (1, 0)";
  stored.transposed = true;
  all.push_back(stored);
}

std::vector<Stored> of_matrices() {
  std::vector<Stored> all;
  for (const LevelFormat& level : level_formats)
    for (const std::string other : {"dense", "compressed"}) {
      add_in_orders(all, {"{" + other + ", " + level.name + "}", "", level.below});
      if (level.name != std::string("dense") && level.name != std::string("compressed"))
        add_in_orders(all, {"{" + std::string(level.name) + ", " + other + "}", "", level.above});
    }
  add_in_orders(all, {"coo"});
  add_in_orders(all, {"{compressed(nonunique, unordered), singleton(unordered)}"});
  for (const Stored& layout : layouts_of_matrices) add_in_orders(all, layout);
  return all;
}

std::vector<Stored> of_vectors() {
  std::vector<Stored> all;
  for (const LevelFormat& level : level_formats) all.push_back({"{" + std::string(level.name) + "}", "", level.below});
  all.insert(all.end(), layouts_of_vectors.begin(), layouts_of_vectors.end());
  return all;
}

}  // namespace

const std::vector<Stored>& formats(int dimensions) {
  static const std::vector<Stored> vectors = of_vectors(), matrices = of_matrices();
  return dimensions == 1 ? vectors : matrices;
}

}  // namespace trellis::matrix
