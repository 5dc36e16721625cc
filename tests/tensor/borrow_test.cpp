// Tensors in somebody else's arrays, and what is believed of these.
#include "engine/tensor/borrow.hpp"

#include <doctest/doctest.h>

#include <array>
#include <vector>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/trust.hpp"
#include "engine/tensor/verify.hpp"

namespace trellis::tensor {
namespace {

using format::Array;
using format::Format;
using format::ScalarType;
using format::Value;

/// [[0 2 0] [0 0 0] [3 0 4]]
struct Lender {
  std::vector<std::int32_t> positions{0, 1, 1, 3}, coordinates{1, 0, 2};
  std::vector<double> values{2, 3, 4};

  std::array<BorrowedLevel, 2> levels() const {
    return {{{}, {.positions = positions.data(), .coordinates = coordinates.data(), .entries = 3}}};
  }
};

const Value zero{ScalarType::f64, 0, 0};

std::optional<Tensor> borrowed(const std::shared_ptr<Lender>& lender, const char* format) {
  const auto levels = lender->levels();
  return borrow(ScalarType::f64, {3, 3}, *Format::named(format, 2), zero, {levels, lender->values.data(), lender});
}

template <class Int>
Trust fibers(const std::vector<Int>& positions, const std::vector<Int>& coordinates, std::int64_t size) {
  return look_at_fibers(positions.data(), static_cast<std::int64_t>(positions.size()) - 1, {coordinates.data(), size},
                        static_cast<std::int64_t>(coordinates.size()), sizeof(Int) == 8);
}

}  // namespace

TEST_CASE("borrowed arrays are those of their owner") {
  const auto lender = std::make_shared<Lender>();
  const auto csr = borrowed(lender, "csr");
  REQUIRE(csr);
  CHECK(csr->data() == lender->values.data());
  CHECK(csr->array(1, Array::positions) == lender->positions.data());
  CHECK(csr->array(1, Array::coordinates) == lender->coordinates.data());
  CHECK(csr->entries() == 3);
  CHECK(verify(*csr).empty());
  CHECK(csr->get(std::vector<std::int64_t>{2, 2}) == Value{ScalarType::f64, 4, 0});
  const auto csc = borrowed(lender, "csc");
  CHECK(csc->get(std::vector<std::int64_t>{2, 2}) == Value{ScalarType::f64, 4, 0});
  CHECK(csc->get(std::vector<std::int64_t>{1, 0}) == Value{ScalarType::f64, 2, 0});
}

TEST_CASE("the owner lives as long as a tensor has its arrays") {
  auto lender = std::make_shared<Lender>();
  const std::weak_ptr<Lender> watched = lender;
  auto csr = borrowed(lender, "csr");
  lender.reset();
  const Tensor copy = csr->clone();
  CHECK_FALSE(watched.expired());
  CHECK(copy.data() != csr->data());
  csr.reset();
  CHECK(watched.expired());
  CHECK(copy.get(std::vector<std::int64_t>{2, 0}) == Value{ScalarType::f64, 3, 0});
}

TEST_CASE("who shares a borrowed array with a child copies it") {
  const auto lender = std::make_shared<Lender>();
  const auto csr = borrowed(lender, "csr");
  REQUIRE(csr->share(-1, Array::values));
  CHECK(csr->data() != lender->values.data());
  CHECK(csr->get(std::vector<std::int64_t>{0, 1}) == Value{ScalarType::f64, 2, 0});
}

TEST_CASE("what is borrowed is converted like any tensor") {
  const auto csr = borrowed(std::make_shared<Lender>(), "csr");
  const auto dense = to_dense(*csr);
  REQUIRE(dense);
  CHECK(static_cast<const double*>(dense->data())[6] == 3);
  const auto csc = with_format(*csr, *Format::named("csc", 2));
  REQUIRE(csc);
  for_each_index({3, 3}, [&](const Index& index) { CHECK(csc->get(index) == csr->get(index)); });
}

TEST_CASE("nothing has an address as well") {
  const std::array<BorrowedLevel, 1> levels{};
  const auto empty = borrow(ScalarType::f64, {0}, Format::dense(1), zero, {levels, nullptr, nullptr});
  REQUIRE(empty);
  CHECK(empty->data() != nullptr);
}

TEST_CASE("index arrays are looked at") {
  using Ints = std::vector<std::int32_t>;
  const auto trust = [](const Ints& positions, const Ints& coordinates) { return fibers(positions, coordinates, 4); };
  CHECK(trust({0, 2, 2, 4}, {1, 3, 0, 2}) == Trust::ordered);
  CHECK(trust({0, 0, 0}, {}) == Trust::ordered);
  CHECK(trust({0, 2, 4}, {0, 3, 3, 3}) == Trust::unordered);  // twice
  CHECK(trust({0, 2, 4}, {3, 0, 1, 2}) == Trust::unordered);  // falls
  CHECK(trust({0, 2, 4}, {0, 1, 1, 2}) == Trust::ordered);    // where the fiber changes
  CHECK(trust({0, 1, 1, 1, 2}, {3, 3}) == Trust::ordered);    // past empty ones
  CHECK(trust({0, 0, 2, 2}, {3, 1}) == Trust::unordered);
  CHECK(trust({0, 2, 4}, {0, 4, 1, 2}) == Trust::broken);  // out of range
  CHECK(trust({0, 2, 4}, {0, -1, 1, 2}) == Trust::broken);
  CHECK(trust({0, 5, 4}, {0, 1, 1, 2}) == Trust::broken);  // a position falls
  CHECK(trust({1, 2, 4}, {0, 1, 1, 2}) == Trust::broken);
  CHECK(trust({0, 2, 3}, {0, 1, 1, 2}) == Trust::broken);  // it ends elsewhere
  CHECK(fibers<std::int64_t>({0, 1, 2}, {0, std::int64_t{1} << 40}, std::int64_t{1} << 41) == Trust::ordered);
}

TEST_CASE("tuples are looked at") {
  using Ints = std::vector<std::int32_t>;
  const auto trust = [](const Ints& rows, const Ints& columns) {
    const std::array<IndexArray, 2> all{{{rows.data(), 3}, {columns.data(), 4}}};
    return look_at_tuples(all, static_cast<std::int64_t>(rows.size()), false);
  };
  CHECK(trust({0, 0, 2}, {1, 3, 0}) == Trust::ordered);
  CHECK(trust({}, {}) == Trust::ordered);
  CHECK(trust({0, 0, 2}, {3, 1, 0}) == Trust::unordered);
  CHECK(trust({0, 0, 2}, {1, 1, 0}) == Trust::unordered);
  CHECK(trust({2, 0, 2}, {1, 3, 0}) == Trust::unordered);
  CHECK(trust({0, 0, 3}, {1, 3, 0}) == Trust::broken);
  CHECK(trust({0, 0, 2}, {1, -3, 0}) == Trust::broken);
}

}  // namespace trellis::tensor
