#pragma once
// A small picture of a program: its first tensors as they are stored, a cell for each few elements.
//
//   tensor A(n, m): csr   tensor x(m)   tensor y(n)       a square with some cells filled, and two columns that are full

#include <string>
#include <string_view>
#include <vector>

#include "gui/paint.hpp"
#include "gui/theme.hpp"

namespace trellis::gui {

/// A declaration as a sketch needs it.
struct SketchedTensor {
  std::string name;
  int dimensions = 0;
  enum class Look { full, scattered, banded, blocks, runs } look = Look::full;
};
/// Of the text alone: what stands behind `tensor`. At most `most`.
std::vector<SketchedTensor> sketched_tensors(std::string_view program, std::size_t most = 4);
/// From the right end of the area; the result is the width.
float draw_sketch(Paint& paint, const Theme& theme, Rect area, std::string_view program);

}  // namespace trellis::gui
