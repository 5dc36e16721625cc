#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <limits>

#include "engine/tensor/allocate.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/random.hpp"
#include "engine/tensor/tensor.hpp"
#include "tests/tensor/elements.hpp"

using namespace trellis;
using namespace trellis::tensor;
using namespace trellis::tensor::testing;
using format::Format;
using format::ScalarType;
using format::Value;

namespace {

Format stored(std::vector<int> order) {
  Format format = Format::dense(static_cast<int>(order.size()));
  format.order = std::move(order);
  return format;
}

bool fill(Tensor& tensor, const RandomOptions& options) {
  text::Diagnostics sink;
  return fill_random(tensor, options, {}, sink);
}

}  // namespace

TEST_CASE("every element type keeps its values") {
  for (ScalarType type : {ScalarType::f64, ScalarType::f32, ScalarType::i64, ScalarType::i32, ScalarType::i16,
                          ScalarType::u64, ScalarType::u32, ScalarType::u8, ScalarType::boolean}) {
    Tensor t = make(type, {3}, 1);
    CHECK(t.get(Index{2}) == Value::of(type, 1));
    for (Value extreme : {format::lowest(type), format::highest(type)}) {
      t.set(Index{1}, extreme);
      CHECK(t.get(Index{1}) == extreme);
    }
    CHECK(t.get(Index{0}) == Value::of(type, 1));
    t.reset();
    CHECK(t.get(Index{1}) == t.fill());
  }
}

TEST_CASE("storage order decides where elements lie, not what they are") {
  Tensor rows = make(ScalarType::i64, {2, 3, 4});
  std::int64_t number = 0;
  for_each_index(rows.shape(), [&](const Index& i) { rows.set(i, Value::of_integer(ScalarType::i64, number++)); });
  CHECK(rows.strides() == Index{12, 4, 1});
  CHECK(rows.get_flat(23).integer == 23);

  Tensor other = with_format(rows, stored({2, 0, 1})).value();
  CHECK(other.strides() == Index{3, 1, 6});
  CHECK(other.get_flat(6).integer == 1);
  for_each_index(rows.shape(), [&](const Index& i) { CHECK(other.get(i) == rows.get(i)); });
}

TEST_CASE("scalars have one element, empty tensors none") {
  Tensor scalar = make(ScalarType::f64, {}, 7);
  CHECK(scalar.count() == 1);
  CHECK(scalar.get(Index{}).real == 7);
  Tensor empty = make(ScalarType::f64, {0, 5}, 7);
  CHECK(empty.count() == 0);
  CHECK(empty.data() != nullptr);
  CHECK_FALSE(empty.in_range(Index{0, 0}));
  int visited = 0;
  for_each_index(empty.shape(), [&](const Index&) { ++visited; });
  CHECK(visited == 0);
  for_each_index({}, [&](const Index&) { ++visited; });
  CHECK(visited == 1);
}

TEST_CASE("a copy is a reference, a clone is not") {
  Tensor a = make(ScalarType::f64, {2}), b = a, c = a.clone();
  a.set(Index{0}, Value::of(ScalarType::f64, 5));
  CHECK(b.get(Index{0}).real == 5);
  CHECK(c.get(Index{0}).real == 0);
}

namespace {

/// What the first element is here after a child process has made 42 of it.
std::int64_t first_after_child(Tensor t) {
  const pid_t child = fork();
  if (child == 0) {
    t.set(Index{0}, Value::of_integer(ScalarType::i32, 42));
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  return t.get(Index{0}).integer;
}

}  // namespace

TEST_CASE("what a child process writes, its parent reads where memory is shared") {
  Tensor alone = make(ScalarType::i32, {3}, 7), copy = alone.clone(Writer::child_process), other = alone;
  CHECK(first_after_child(copy) == 42);
  CHECK(first_after_child(alone) == 7);
  REQUIRE(alone.share(-1, format::Array::values));
  CHECK(alone.get(Index{2}).integer == 7);
  CHECK(first_after_child(alone) == 42);
  CHECK(other.get(Index{0}).integer == 42);
  const void* const place = alone.data();
  REQUIRE(alone.share(-1, format::Array::values));
  CHECK(alone.data() == place);
}

TEST_CASE("sizes are checked before memory is asked for") {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  CHECK(Tensor::bytes_needed(ScalarType::f32, {3, 5}) == 60);
  CHECK(Tensor::bytes_needed(ScalarType::f64, {huge, 0}) == 0);
  CHECK_FALSE(Tensor::bytes_needed(ScalarType::f64, {huge, huge}));
  CHECK_FALSE(Tensor::bytes_needed(ScalarType::f64, {huge, 0, huge}));
  CHECK_FALSE(Tensor::bytes_needed(ScalarType::f64, {-1}));

  text::Diagnostics sink;
  auto allocate = [&](Index shape) {
    return tensor::allocate(ScalarType::f64, shape, Format::dense(2), Value::of(ScalarType::f64, 0), {"A", {}, 1 << 20},
                            sink);
  };
  CHECK(allocate({100, 100}));
  CHECK_FALSE(allocate({100000, 100000}));
  CHECK_FALSE(allocate({huge, huge}));
  CHECK(sink.all()[0].code == "E0410");
  CHECK(sink.all()[0].message == "A, dense 100000 x 100000 of f64, needs 74.5 GiB; the limit is 1.0 MiB");
}

TEST_CASE("random contents depend on seed and index only") {
  Tensor rows = make(ScalarType::f64, {20, 30});
  Tensor columns = with_format(rows, stored({1, 0})).value();
  RandomOptions options;
  options.seed = 1;
  CHECK(fill(rows, options));
  CHECK(fill(columns, options));
  for_each_index(rows.shape(), [&](const Index& i) { CHECK(rows.get(i) == columns.get(i)); });
  // Pinned: a change here changes every user's data.
  CHECK(format::to_string(rows.get(Index{0, 0})) == "0.9435642308648544");
  options.seed = 2;
  CHECK(fill(columns, options));
  CHECK(rows.get(Index{0, 0}) != columns.get(Index{0, 0}));
}

TEST_CASE("random density is about what was asked for") {
  Tensor t = make(ScalarType::f64, {10000});
  RandomOptions options;
  options.density = 0.1;
  CHECK(fill(t, options));
  int stored_elements = 0;
  for_each_index(t.shape(), [&](const Index& i) { stored_elements += t.get(i).real != 0; });
  CHECK(stored_elements > 900);
  CHECK(stored_elements < 1100);
}

TEST_CASE("random ranges exclude their end, and integers are drawn where asked") {
  RandomOptions options;
  options.range = RandomRange{-2, 3, true};
  for (ScalarType type : {ScalarType::i32, ScalarType::f64}) {
    Tensor t = make(type, {500});
    CHECK(fill(t, options));
    double least = 9, most = -9;
    for_each_index(t.shape(), [&](const Index& i) {
      double x = t.get(i).as_double();
      CHECK(x == std::floor(x));
      least = std::min(least, x);
      most = std::max(most, x);
    });
    CHECK(least == -2);
    CHECK(most == 2);
  }
  options.range = RandomRange{5, 6, false};
  Tensor reals = make(ScalarType::f32, {100});
  CHECK(fill(reals, options));
  for_each_index(reals.shape(), [&](const Index& i) { CHECK((reals.get(i).real >= 5 && reals.get(i).real <= 6)); });
}

TEST_CASE("spd is symmetric with a dominant diagonal") {
  Tensor t = make(ScalarType::f64, {12, 12});
  RandomOptions options;
  options.kind = RandomKind::positive_definite;
  options.range = RandomRange{-1, 1, false};
  CHECK(fill(t, options));
  for (std::int64_t i = 0; i < 12; ++i) {
    double rest = 0;
    for (std::int64_t j = 0; j < 12; ++j) {
      CHECK(t.get(Index{i, j}) == t.get(Index{j, i}));
      if (j != i) rest += std::fabs(t.get(Index{i, j}).real);
    }
    CHECK(t.get(Index{i, i}).real > rest + 0.99);
  }
}

TEST_CASE("random requests that make no sense are refused and change nothing") {
  auto refused = [](Tensor t, RandomOptions options) {
    text::Diagnostics sink;
    Value before = t.get(Index(t.shape().size(), 0));
    bool filled = fill_random(t, options, {}, sink);
    return !filled && sink.all().at(0).code == "E0415" && t.get(Index(t.shape().size(), 0)) == before;
  };
  RandomOptions spd, density, empty, wide;
  spd.kind = RandomKind::positive_definite;
  density.density = 1.5;
  empty.range = RandomRange{3, 3, false};
  wide.range = RandomRange{0, 300, true};
  CHECK(refused(make(ScalarType::f64, {2, 3}), spd));
  CHECK(refused(make(ScalarType::i64, {2, 2}), spd));
  CHECK(refused(make(ScalarType::f64, {2}), density));
  CHECK(refused(make(ScalarType::f64, {2}), empty));
  CHECK(refused(make(ScalarType::u8, {2}), wide));
}
