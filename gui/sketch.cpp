#include "gui/sketch.hpp"

#include <algorithm>
#include <array>

namespace trellis::gui {
namespace {

constexpr int sketch_across = 6;
constexpr float sketch_cell = 5, sketch_gap = 1, sketch_apart = 8;

using Look = SketchedTensor::Look;

Look look_of(std::string_view format) {
  constexpr std::array looks = {std::pair{"dia", Look::banded},          std::pair{"banded", Look::banded},
                                std::pair{"bcsr", Look::blocks},         std::pair{"block", Look::blocks},
                                std::pair{"tile", Look::blocks},         std::pair{"rle", Look::runs},
                                std::pair{"runs", Look::runs},           std::pair{"intervals", Look::runs},
                                std::pair{"csr", Look::scattered},       std::pair{"csc", Look::scattered},
                                std::pair{"coo", Look::scattered},       std::pair{"ell", Look::scattered},
                                std::pair{"csf", Look::scattered},       std::pair{"compressed", Look::scattered},
                                std::pair{"singleton", Look::scattered}, std::pair{"hash", Look::scattered},
                                std::pair{"bitmap", Look::scattered},    std::pair{"bytemap", Look::scattered}};
  for (const auto& [word, look] : looks)
    if (format.find(word) != std::string_view::npos) return look;
  return Look::full;
}

/// The same each time, without a reason: something is there, or not.
bool scattered_at(std::string_view name, int row, int column) {
  unsigned mixed = 2166136261U;
  for (const char c : name) mixed = (mixed ^ static_cast<unsigned char>(c)) * 16777619U;
  mixed = (mixed ^ static_cast<unsigned>(row * 31 + column * 7 + 5)) * 2246822519U;
  return ((mixed >> 13) ^ (mixed >> 21)) % 3 == 0;
}

bool is_filled(const SketchedTensor& tensor, int row, int column) {
  switch (tensor.look) {
    case Look::full: return true;
    case Look::scattered: return scattered_at(tensor.name, row, column);
    case Look::banded: return tensor.dimensions < 2 || (row - column >= -1 && row - column <= 1);
    case Look::blocks: return scattered_at(tensor.name, row / 2, column / 2) || (row / 2 == column / 2);
    case Look::runs: return scattered_at(tensor.name, tensor.dimensions < 2 ? row / 3 : row, column / 3);
  }
  return false;
}

}  // namespace

std::vector<SketchedTensor> sketched_tensors(std::string_view program, std::size_t most) {
  std::vector<SketchedTensor> found;
  while (!program.empty() && found.size() < most) {
    const std::size_t end = std::min(program.find('\n'), program.size());
    std::string_view line = program.substr(0, end);
    program.remove_prefix(std::min(program.size(), end + 1));
    line = line.substr(0, line.find('#'));
    const std::size_t open = line.find('('), close = line.find(')');
    if (!line.starts_with("tensor ") || open == std::string_view::npos || close == std::string_view::npos) continue;
    SketchedTensor tensor{std::string(line.substr(7, open - 7)), 1, Look::full};
    tensor.dimensions += static_cast<int>(std::ranges::count(line.substr(open, close - open), ','));
    tensor.look = look_of(line.substr(close));
    found.push_back(std::move(tensor));
  }
  return found;
}

float draw_sketch(Paint& paint, const Theme& theme, Rect area, std::string_view program) {
  float x = area.right();
  int number = 0;
  const std::vector<SketchedTensor> tensors = sketched_tensors(program);
  for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
    const int columns = tensor->dimensions < 2 ? 1 : sketch_across;
    const float width = static_cast<float>(columns) * (sketch_cell + sketch_gap);
    if (x - width < area.x) break;
    x -= width;
    const Colour hue = theme.index(static_cast<int>(tensors.size()) - 1 - number++);
    for (int row = 0; row < sketch_across; ++row)
      for (int column = 0; column < columns; ++column) {
        const bool filled = is_filled(*tensor, row, column);
        paint.fill({x + static_cast<float>(column) * (sketch_cell + sketch_gap),
                    area.y + static_cast<float>(row) * (sketch_cell + sketch_gap), sketch_cell, sketch_cell},
                   filled ? faded(hue, 0.85F) : theme.fill(Token::cell, 0.8F));
      }
    x -= sketch_apart;
  }
  return area.right() - x;
}

}  // namespace trellis::gui
