#pragma once
// Layouts: the relation between a tensor's coordinates and those of stored levels, where it is more than an order of
// dimensions.
//
//   bcsr(4, 2)   (i, j) -> (i/4, j/2, i%4, j%2) {dense, compressed, dense, dense}
//   dia          (i, j) -> (j - i, i) {compressed, dense}
//   sym          (i, j) -> (max(i, j), min(i, j)) {dense, compressed}
//   lower        (i, j) -> (i, j) {dense, dense} : j <= i
//
// A minimum or maximum splits a layout into branches, of which the first one alone is stored: what the others say is
// where it has their elements. Levels store coordinates less the least that they can have.
// Source: Zhao, Popoola, Hall and Olschanowsky, Polyhedral specification and code generation of sparse tensor
// contraction with co-iteration, section 3; docs/design/layouts.md#layout-maps.

#include <string>
#include <vector>

#include "engine/math/affine.hpp"

namespace trellis::format {

struct Layout {
  struct Branch {
    std::vector<math::Constraint> where;  ///< which elements it is about
    std::vector<math::Affine> to;         ///< a coordinate of each level, as a form of the dimensions
    std::vector<math::Affine> back = {};  ///< a coordinate of each dimension, as a form of the levels'
    bool operator==(const Branch&) const = default;
  };
  std::string name;                      ///< with its parameters, as a declaration writes it: "bcsr(4, 2)"
  std::vector<std::string> dimensions;   ///< the tensor's coordinates
  std::vector<math::Constraint> stored;  ///< all other elements are the fill
  std::vector<Branch> branches;
  bool operator==(const Layout&) const = default;
};

/// What forms of a level's coordinates call it.
std::string level_coordinate(std::size_t level);

/// From the least coordinate of a level on, so many.
struct LevelRange {
  math::Affine low, size;
};
/// Of a tensor with these sizes. Negative sizes are none.
std::vector<LevelRange> level_ranges(const Layout& layout, const std::vector<math::Affine>& shape);

/// `(i, j) -> (i/4, j/2, i%4, j%2)`; `(i, j) -> (i, j) if i >= j, else (j, i)`; `(i, j) -> (i, j) : j <= i`.
std::string to_text(const Layout& layout);

}  // namespace trellis::format
