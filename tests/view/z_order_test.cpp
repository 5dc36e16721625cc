// Parts of a matrix at any resolution, beside what its elements say.
#include "engine/view/z_order.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "engine/format/format.hpp"
#include "engine/tensor/convert.hpp"

using namespace trellis;

namespace {

tensor::Tensor random_matrix(std::int64_t rows, std::int64_t columns, double density, double fill, unsigned seed) {
  auto dense = tensor::Tensor::create(format::ScalarType::f64, {rows, columns}, format::Format::dense(2),
                                      format::Value::of(format::ScalarType::f64, fill));
  REQUIRE(dense);
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j)
      if (unit(random) < density) {
        const double value = unit(random) < 0.1 ? std::numeric_limits<double>::infinity() : unit(random);
        dense->set(tensor::Index{i, j}, format::Value::of(format::ScalarType::f64, value));
      }
  return *dense;
}

/// Element by element.
view::Cells::Cell summed(const tensor::Tensor& matrix, std::array<std::int64_t, 2> size, std::int64_t row,
                         std::int64_t column) {
  view::Cells::Cell cell;
  for (std::int64_t i = row * size[0]; i < std::min((row + 1) * size[0], matrix.shape()[0]); ++i)
    for (std::int64_t j = column * size[1]; j < std::min((column + 1) * size[1], matrix.shape()[1]); ++j) {
      const double value = matrix.get(tensor::Index{i, j}).as_double();
      ++cell.elements;
      if (std::isfinite(value)) ++cell.finite, cell.sum += value;
      if (value != matrix.fill().as_double()) ++cell.stored;
    }
  return cell;
}

void check_all_levels(const tensor::Tensor& matrix) {
  const auto order = view::ZOrder::of(matrix, 10'000);
  REQUIRE(order);
  CHECK(order->bandwidth() == view::bandwidth_of(matrix));
  for (int level = 0; level <= order->levels(); ++level) {
    CAPTURE(level);
    const auto size = order->cell(level);
    view::ZOrder::Part part = order->all(level);
    if (part.rows > 2) ++part.row, part.rows -= 2;  // not all of it
    if (part.columns > 1) ++part.column, --part.columns;
    const view::Cells cells = order->cells(level, part);
    for (std::int64_t r = 0; r < part.rows; ++r)
      for (std::int64_t c = 0; c < part.columns; ++c) {
        const auto& cell = cells.at(static_cast<int>(r), static_cast<int>(c));
        const auto expected = summed(matrix, size, part.row + r, part.column + c);
        CHECK(cell.elements == expected.elements);
        CHECK(cell.finite == expected.finite);
        CHECK(cell.stored == expected.stored);
        CHECK(cell.sum == doctest::Approx(expected.sum));
      }
  }
  CHECK(order->cell(order->levels()) == std::array<std::int64_t, 2>{1, 1});
}

}  // namespace

TEST_CASE("z order: cells of any part and level are what its elements sum up to") {
  check_all_levels(random_matrix(13, 37, 0.2, 0, 1));
  check_all_levels(random_matrix(64, 3, 0.9, 2, 2));
  check_all_levels(random_matrix(1, 50, 0.3, 0, 3));
  check_all_levels(random_matrix(1, 1, 1, 0, 4));
  const auto sparse = tensor::with_format(random_matrix(40, 30, 0.1, 0, 5), *format::Format::named("csr", 2));
  REQUIRE(sparse);
  check_all_levels(*sparse);
}

TEST_CASE("z order: a matrix of more entries than there is room for has none") {
  const tensor::Tensor matrix = random_matrix(20, 20, 1, 0, 6);
  CHECK(view::ZOrder::of(matrix, 400));
  CHECK(!view::ZOrder::of(matrix, 399));
}
