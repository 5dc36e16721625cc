// Pictures: their marks are where they should be, whatever the tensor's size.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/view/plot.hpp"

using namespace trellis;
using format::ScalarType;
using format::Value;
using view::ticks;

namespace {

tensor::Tensor make(tensor::Index shape, ScalarType type = ScalarType::f64) {
  const int rank = static_cast<int>(shape.size());
  return tensor::Tensor::create(type, std::move(shape), format::Format::dense(rank), Value::of(type, 0)).value();
}

tensor::Tensor diagonal(std::int64_t n) {
  tensor::Tensor result = make({n, n});
  for (std::int64_t i = 0; i < n; ++i) result.set(tensor::Index{i, i}, Value::of(ScalarType::f64, static_cast<double>(i + 1)));
  return result;
}

bool is_png(const view::Canvas& canvas) { return canvas.png().starts_with("\x89PNG\r\n"); }

/// Its widest line in code points, and how many lines.
std::pair<std::int64_t, std::int64_t> extent(const std::string& text) {
  std::int64_t widest = 0, width = 0, lines = 0;
  for (const char c : text) {
    if (c == '\n') widest = std::max(widest, width), width = 0, ++lines;
    else if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++width;
  }
  return {widest, lines};
}

}  // namespace

TEST_CASE("ticks are round numbers inside the range") {
  CHECK(ticks(0, 50, 5) == std::vector<double>{0, 10, 20, 30, 40, 50});
  CHECK(ticks(-1, 1, 4) == std::vector<double>{-1, -0.5, 0, 0.5, 1});
  CHECK(ticks(3, 3, 4) == std::vector<double>{3});
  CHECK(ticks(0, -1, 4).empty());
  CHECK(ticks(1e300, 1.5e308, 4).size() <= 6);
}

TEST_CASE("spy in the terminal: a dot for each element, shades where there are too many") {
  CHECK(view::spy_sketch(diagonal(4), "A") == "⠑⢄\nA: 4 x 4, 4 elements differ from the fill (25 %)\n");
  CHECK(view::spy_sketch(make({1, 1}), "A") == "⠀\nA: 1 x 1, 0 elements differ from the fill (0 %)\n");
  const std::string large = view::spy_sketch(diagonal(1000), "A");
  CHECK(extent(large) == std::pair<std::int64_t, std::int64_t>{80, 41});
  CHECK(large.starts_with("██ "));
}

TEST_CASE("matrices and vectors in the terminal") {
  tensor::Tensor small = make({1, 2});
  small.set(tensor::Index{0, 1}, Value::of(ScalarType::f64, 2));
  CHECK(view::heat_sketch(small, "A") == "··██\nA: 1 x 2, from · 0 to █ 2\n");
  CHECK(extent(view::heat_sketch(diagonal(1000), "A")) == std::pair<std::int64_t, std::int64_t>{80, 41});
  tensor::Tensor line = make({100});
  for (std::int64_t i = 0; i < 100; ++i) line.set(tensor::Index{i}, Value::of(ScalarType::f64, static_cast<double>(i)));
  const std::string sketch = view::line_sketch(line, "x");
  CHECK(sketch.starts_with("         99 │"));
  CHECK(extent(sketch).first <= 80);
  CHECK(view::line_sketch(make({0}), "x") == "x: 0, nothing to draw\n");
}

TEST_CASE("tensors of every size can be drawn") {
  for (const std::int64_t n : {0, 1, 2, 700}) {
    CAPTURE(n);
    tensor::Tensor vector = make({n});
    if (n > 1) vector.set(tensor::Index{1}, Value::of(ScalarType::f64, std::numeric_limits<double>::infinity()));
    if (n > 0) vector.set(tensor::Index{0}, Value::of(ScalarType::f64, std::nan("")));
    CHECK(is_png(view::line_chart(vector, "x")));
    CHECK(view::line_sketch(vector, "x").ends_with("\n"));
    for (const tensor::Tensor& matrix : {make({n, n}), make({n, 3}), make({1, n}), diagonal(n)}) {
      CHECK(is_png(view::heat_map(matrix, "A")));
      CHECK(is_png(view::spy(matrix, "A")));
      CHECK(view::spy_sketch(matrix, "A").ends_with("\n"));
      CHECK(view::heat_sketch(matrix, "A").ends_with("\n"));
    }
  }
}
