// Pictures: their marks are where they should be, whatever the tensor's size.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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
  for (std::int64_t i = 0; i < n; ++i)
    result.set(tensor::Index{i, i}, Value::of(ScalarType::f64, static_cast<double>(i + 1)));
  return result;
}

bool is_png(const view::Picture& picture) { return view::to_png(picture).starts_with("\x89PNG\r\n"); }

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

int count(const std::string& text, const std::string& part) {
  int n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

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
  CHECK(view::spy_sketch(diagonal(4), "A") ==
        "0..3 │⠑⢄\n     └──\n      0 3\nA: 4 x 4, 4 elements differ from the fill (25 %)\n");
  CHECK(view::spy_sketch(make({1, 1}), "A") == "0 │⠀\n  └─\n   0\nA: 1 x 1, 0 elements differ from the fill (0 %)\n");
  const std::string large = view::spy_sketch(diagonal(1000), "A");
  CHECK(extent(large.substr(0, large.rfind("A: "))).first <= 80);
  CHECK(extent(large).second == 39);
  CHECK(large.starts_with("  0 │██"));
  CHECK(large.ends_with(
      "1000 elements differ from the fill (0.1 %); blank: none, █ 3.704 % of up to 28 x 14 elements\n"));
}

TEST_CASE("matrices and vectors in the terminal") {
  tensor::Tensor small = make({1, 2});
  small.set(tensor::Index{0, 1}, Value::of(ScalarType::f64, 2));
  CHECK(view::heat_sketch(small, "A") == "0 │··██\n  └────\n   0  1\nA: 1 x 2, from · 0 to █ 2\n");
  tensor::Tensor line = make({100});
  for (std::int64_t i = 0; i < 100; ++i) line.set(tensor::Index{i}, Value::of(ScalarType::f64, static_cast<double>(i)));
  const std::string sketch = view::line_sketch(line, "x");
  CHECK(sketch.starts_with("        99 │"));
  CHECK(sketch.ends_with("99\nx: 100, from 0 to 99\n"));
  CHECK(extent(sketch).first <= 80);
  CHECK(view::line_sketch(make({0}), "x") == "x: 0, nothing to draw\n");
}

TEST_CASE("where a cell stands for many elements, the range is still theirs, and what a cell is gets said") {
  const std::string letters = view::heat_sketch(diagonal(1000), "A");
  CHECK(extent(letters).first <= 80);
  CHECK(contains(
      letters, "\nA: 1000 x 1000, from 0 to 1000\neach letter is the mean of up to 28 x 14 elements, from · 0 to █ 3"));
  const std::string pixels = view::to_svg(view::heat_map(diagonal(1000), "A"));
  CHECK(contains(pixels, ">A: 1000 x 1000, from 0 to 1000<"));
  CHECK(contains(pixels, ">a cell is the mean of up to 2 x 2 elements<"));
  CHECK(!contains(view::to_svg(view::heat_map(diagonal(10), "A")), "mean"));
}

TEST_CASE("histograms and axes of numbers that are hardly apart, or far") {
  const auto of = [](double least, double greatest) {
    tensor::Tensor two = make({2});
    two.set(tensor::Index{0}, Value::of(ScalarType::f64, least));
    two.set(tensor::Index{1}, Value::of(ScalarType::f64, greatest));
    return two;
  };
  for (const auto& [least, greatest] : {std::pair(9007199254740992.0, 9007199254741992.0), std::pair(1e17, 1e17 + 16),
                                        std::pair(-1.7e308, 1.7e308), std::pair(1.0, std::nextafter(1.0, 2.0))})
    for (const int bins : {1, 20, 1000}) {
      const view::Histogram h = view::histogram_of(of(least, greatest), bins);
      CHECK(std::accumulate(h.counts.begin(), h.counts.end(), std::int64_t{0}) == 2);
      CHECK(h.counts.size() <= static_cast<std::size_t>(bins) + 3);
      CHECK(std::ranges::all_of(h.edges, [](double edge) { return std::isfinite(edge); }));
    }
  CHECK(!contains(view::to_svg(view::line_chart(of(-1.7e308, 1.7e308), "x")), "nan"));
  CHECK(view::line_sketch(of(-1.7e308, 1.7e308), "x") != view::line_sketch(of(1, 1), "x"));
}

TEST_CASE("a histogram counts every value once") {
  tensor::Tensor whole = make({2, 3}, ScalarType::i64);
  for (std::int64_t k = 0; k < 6; ++k)
    whole.set(tensor::Index{k / 3, k % 3}, Value::of(ScalarType::i64, static_cast<double>(k * k % 7)));  // 0 1 4 2 2 4
  CHECK(view::bar_sketch(view::histogram_of(whole, 20), "A") ==
        "0 │1 ████████████████████\n1 │1 ████████████████████\n2 │2 ████████████████████████████████████████\n3 │0\n"
        "4 │2 ████████████████████████████████████████\nA: 6 elements, from 0 to 4\n");
  const view::Histogram grouped = view::histogram_of(whole, 2);
  CHECK(grouped.edges == std::vector<double>{0, 2, 4});
  CHECK(grouped.counts == std::vector<std::int64_t>{2, 4});

  tensor::Tensor real = make({1000});
  for (std::int64_t k = 0; k < 1000; ++k)
    real.set(tensor::Index{k}, Value::of(ScalarType::f64, std::sqrt(static_cast<double>(k))));
  real.set(tensor::Index{3}, Value::of(ScalarType::f64, std::nan("")));
  const view::Histogram h = view::histogram_of(real, 10);
  std::int64_t sum = 0;
  for (const std::int64_t n : h.counts) sum += n;
  CHECK(sum == 999);
  CHECK(h.extent.not_finite == 1);
  CHECK(h.edges.front() <= 0);
  CHECK(h.edges.back() >= h.extent.greatest);
  CHECK(count(view::to_svg(view::bar_chart(h, "x")), "#1f5caa") == static_cast<int>(h.counts.size()));
  CHECK(view::histogram_of(make({0}), 10).counts.empty());
  CHECK(view::histogram_of(make({5}), 10).counts == std::vector<std::int64_t>{5});
}

TEST_CASE("a long line keeps its extremes, and not a point for each element") {
  tensor::Tensor line = make({200000});
  line.set(tensor::Index{123456}, Value::of(ScalarType::f64, 1));
  line.set(tensor::Index{100}, Value::of(ScalarType::f64, -1));
  const std::string svg = view::to_svg(view::line_chart(line, "x"));
  CHECK(svg.size() < 100000);
  CHECK(contains(svg, ",70.0"));   // its top
  CHECK(contains(svg, ",490.0"));  // and its bottom
}

TEST_CASE("tensors of every size can be drawn") {
  for (const std::int64_t n : {0, 1, 2, 700}) {
    CAPTURE(n);
    tensor::Tensor vector = make({n});
    if (n > 1) vector.set(tensor::Index{1}, Value::of(ScalarType::f64, std::numeric_limits<double>::infinity()));
    if (n > 0) vector.set(tensor::Index{0}, Value::of(ScalarType::f64, std::nan("")));
    CHECK(is_png(view::line_chart(vector, "x")));
    CHECK(is_png(view::bar_chart(view::histogram_of(vector, 20), "x")));
    CHECK(view::line_sketch(vector, "x").ends_with("\n"));
    for (const tensor::Tensor& matrix : {make({n, n}), make({n, 3}), make({1, n}), diagonal(n)}) {
      CHECK(is_png(view::heat_map(matrix, "A")));
      CHECK(is_png(view::spy(matrix, "A")));
      CHECK(view::to_svg(view::heat_map(matrix, "A")).ends_with("</svg>\n"));
      CHECK(view::spy_sketch(matrix, "A").ends_with("\n"));
      CHECK(view::heat_sketch(matrix, "A").ends_with("\n"));
    }
  }
}
