// Sparse tensors: what is packed comes back, in whatever format, and keeps the invariants of its levels.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/region_builder.hpp"
#include "engine/tensor/storage.hpp"
#include "engine/tensor/verify.hpp"
#include "tests/options.hpp"
#include "tests/tensor/sparse_formats.hpp"

using namespace trellis;
using namespace trellis::tensor;
using namespace trellis::tensor::testing;
using format::Array;
using format::Format;
using format::ScalarType;
using format::Value;

namespace {

/// [[0, 1, 0], [0, 0, 0], [2, 0, 3]], with an explicit 0 at (0, 2).
const Model example{{{0, 1}, 1}, {{0, 2}, 0}, {{2, 0}, 2}, {{2, 2}, 3}};

Tensor packed(const Model& model, const Index& shape, const Format& format, double fill = 0) {
  Random random(1);
  PackFailure failure;
  auto tensor = pack(ScalarType::f64, shape, format, f64(fill),
                     shuffled(random, model, static_cast<int>(shape.size())).entries(), failure);
  REQUIRE(tensor);
  return *tensor;
}

int rounds() { return trellis::testing::options().random > 0 ? trellis::testing::options().random : 400; }
std::uint64_t seed() { return trellis::testing::options().seed.value_or(20260801); }

}  // namespace

TEST_CASE("the named formats have the arrays that their names promise") {
  const Tensor csr = packed(example, {3, 3}, *Format::named("csr", 2));
  CHECK(csr.array(0, Array::positions) == nullptr);
  CHECK(numbers(csr, 1, Array::positions) == std::vector<std::int32_t>{0, 2, 2, 4});
  CHECK(numbers(csr, 1, Array::coordinates) == std::vector<std::int32_t>{1, 2, 0, 2});
  CHECK(stored_values(csr) == std::vector<double>{1, 0, 2, 3});
  CHECK(csr.entries() == 4);
  CHECK(csr.bytes() == 4 * 4 + 4 * 4 + 4 * 8);

  const Tensor csc = packed(example, {3, 3}, *Format::named("csc", 2));
  CHECK(numbers(csc, 1, Array::positions) == std::vector<std::int32_t>{0, 1, 2, 4});
  CHECK(numbers(csc, 1, Array::coordinates) == std::vector<std::int32_t>{2, 0, 0, 2});
  CHECK(stored_values(csc) == std::vector<double>{2, 1, 0, 3});

  const Tensor coo = packed(example, {3, 3}, *Format::named("coo", 2));
  CHECK(numbers(coo, 0, Array::positions) == std::vector<std::int32_t>{0, 4});
  CHECK(numbers(coo, 0, Array::coordinates) == std::vector<std::int32_t>{0, 0, 2, 2});
  CHECK(coo.array(1, Array::positions) == nullptr);
  CHECK(numbers(coo, 1, Array::coordinates) == std::vector<std::int32_t>{1, 2, 0, 2});

  const Tensor dcsr = packed(example, {3, 3}, *Format::named("dcsr", 2));
  CHECK(numbers(dcsr, 0, Array::coordinates) == std::vector<std::int32_t>{0, 2});
  CHECK(numbers(dcsr, 1, Array::positions) == std::vector<std::int32_t>{0, 2, 4});
}

TEST_CASE("levels that compute the place of a child leave room, and keep fills there") {
  const Tensor rows = packed(example, {3, 3}, levels({"compressed", "dense"}), 7);
  CHECK(numbers(rows, 0, Array::coordinates) == std::vector<std::int32_t>{0, 2});
  CHECK(stored_values(rows) == std::vector<double>{7, 1, 0, 2, 7, 3});
  CHECK(rows.entries() == 6);

  const Tensor map = packed(example, {3, 3}, levels({"dense", "bytemap"}), 7);
  CHECK(stored_values(map) == std::vector<double>{7, 1, 0, 7, 7, 7, 2, 7, 3});
  const auto* bytes = static_cast<const std::uint8_t*>(map.array(1, Array::table));
  CHECK(std::vector<int>(bytes, bytes + 9) == std::vector<int>{0, 1, 1, 0, 0, 0, 1, 0, 1});
  CHECK(numbers(map, 1, Array::coordinates) == std::vector<std::int32_t>{1, 2, 0, 2});
  CHECK(map.entries() == 4);
}

TEST_CASE("a hash table finds each entry by its parent and coordinate") {
  const Tensor hashed = packed(example, {3, 3}, levels({"dense", "hashed"}));
  const auto table = numbers(hashed, 1, Array::table);
  REQUIRE(table.size() == 1 + 8);
  CHECK(table[0] == 7);
  std::uint64_t slot = format::hash(2, 0) & 7;
  while (table[1 + slot] != 3) {
    REQUIRE(table[1 + slot] != 0);
    slot = (slot + 1) & 7;
  }
}

TEST_CASE("a pattern has no values, and what is not true is not stored") {
  Format pattern = *Format::named("csr", 2);
  pattern.pattern = true;
  Triplets triplets{{{0, 1, 0, 0}, {1, 1, 0, 1}}, {1, 0, 1, 1}};
  PackFailure failure;
  const auto tensor = pack(ScalarType::boolean, {2, 2}, pattern, Value::truth(false), triplets.entries(), failure);
  REQUIRE(tensor);
  CHECK(tensor->array(-1, Array::values) == nullptr);
  check_holds(*tensor, {{{0, 0}, 1}, {{0, 1}, 1}});
  check_holds(*with_format(*tensor, *Format::named("coo", 2)), {{{0, 0}, 1}, {{0, 1}, 1}});
  const Tensor dense = *to_dense(*tensor);
  CHECK(dense.get(Index{1, 1}) == Value::truth(false));
  check_holds(*with_format(dense, pattern), {{{0, 0}, 1}, {{0, 1}, 1}});
}

TEST_CASE("nothing stored: every element is the fill") {
  Random random(seed());
  for (int round = 0; round < rounds() / 4; ++round) {
    const int rank = static_cast<int>(1 + draw(random, 5));
    const Format format = random_format(random, rank);
    CAPTURE(format::to_string(format));
    const auto tensor = Tensor::create(ScalarType::f64, random_shape(random, rank), format, f64(2));
    REQUIRE(tensor);
    check_holds(*tensor, {});
    CHECK(*Tensor::bytes_needed(ScalarType::f64, tensor->shape(), format) == tensor->bytes());
  }
}

TEST_CASE("random contents go through random formats unharmed") {
  Random random(seed());
  for (int round = 0; round < rounds(); ++round) {
    const int rank = static_cast<int>(1 + draw(random, 5));
    const Index shape = random_shape(random, rank);
    const double fill =
        std::vector<double>{0, 1, std::numeric_limits<double>::infinity()}[static_cast<std::size_t>(draw(random, 3))];
    const Model model = random_model(random, shape, 40, fill);
    const Format first = random_format(random, rank), second = random_format(random, rank);
    CAPTURE(round);
    CAPTURE(format::to_string(first));
    CAPTURE(format::to_string(second));
    PackFailure failure;
    const auto tensor =
        pack(ScalarType::f64, shape, first, f64(fill), shuffled(random, model, rank).entries(), failure);
    REQUIRE(tensor);
    check_holds(*tensor, model);
    check_holds(tensor->clone(), model);
    const Model without = [&] {
      Model rest = model;
      std::erase_if(rest, [&](const auto& entry) { return entry.second == fill; });
      return rest;
    }();
    const auto converted = with_format(*tensor, second);
    REQUIRE(converted);
    check_holds(*converted, format::pads(first) ? without : model);
    const auto dense = to_dense(*converted);
    check_holds(*with_format(*dense, first), without);
    const auto dropped = convert(*tensor, second, ExplicitFills::dropped);
    for (const auto& [index, value] : model)
      if (first.rank() > 0 && value == fill) CHECK(dropped->get(index) == f64(fill));
    const Coordinates list = to_coordinates(*converted);
    const auto again = pack(ScalarType::f64, shape, first, f64(fill), entries_of(list), failure);
    REQUIRE(again);
    check_holds(*again, format::pads(first) || format::pads(second) ? without : model);
  }
}

TEST_CASE("every element type is stored and summed as it is") {
  for (const ScalarType type :
       {ScalarType::f32, ScalarType::i64, ScalarType::i32, ScalarType::i16, ScalarType::u64, ScalarType::u8}) {
    Random random(seed());
    PackFailure failure;
    const auto tensor = pack(type, {3, 3}, *Format::named("coo", 2), Value::of(type, 0),
                             shuffled(random, example, 2).entries(), failure);
    REQUIRE(tensor);
    check_holds(*tensor, example);
    check_holds(*with_format(*tensor, *Format::named("csc", 2)), example);
  }
}

TEST_CASE("packing says which entry it cannot store") {
  const Triplets triplets{{{0, 2, 0}, {1, 1, 1}}, {200, 1, 100}};
  PackFailure failure;
  CHECK_FALSE(pack(ScalarType::f64, {2, 2}, *Format::named("csr", 2), f64(0), triplets.entries(), failure));
  CHECK(failure.kind == PackFailure::Kind::index_out_of_range);
  CHECK(failure.entry == 1);
  CHECK_FALSE(pack(ScalarType::u8, {3, 2}, *Format::named("csr", 2), Value::of(ScalarType::u8, 0), triplets.entries(),
                   failure));
  CHECK(failure.kind == PackFailure::Kind::does_not_fit);
  CHECK(failure.value == f64(300));
  const Triplets twice{{{0, 1, 1}, {1, 1, 0}}, {1, 2, 3}};
  CHECK_FALSE(pack(ScalarType::f64, {3, 2}, levels({"compressed", "singleton"}), f64(0), twice.entries(), failure));
  CHECK(failure.kind == PackFailure::Kind::region_taken);
  CHECK(failure.entry == 1);
}

TEST_CASE("many entries are sorted, however they are spread") {
  struct Spread {
    const char* name;
    std::vector<std::int64_t> sizes;       ///< of the dimensions
    std::vector<std::int64_t> drawn_from;  ///< coordinates lie below
  };
  const std::int64_t huge = std::int64_t{1} << 40;
  for (const Spread& spread : {Spread{"even", {1000, 1000}, {1000, 1000}},
                               {"one row", {1000, 1 << 20}, {1, 1 << 20}},
                               {"crowded into a corner", {huge, huge}, {8, 1 << 20}},
                               {"wide apart", {huge, huge, huge}, {huge, 3, huge}},
                               {"nearly all the same", {huge, huge}, {2, 2}},
                               {"a vector", {std::int64_t{1} << 62}, {std::int64_t{1} << 62}}}) {
    CAPTURE(spread.name);
    Random random(seed());
    const int rank = static_cast<int>(spread.sizes.size());
    Triplets triplets;
    triplets.columns.resize(spread.sizes.size());
    for (int k = 0; k < 150'000; ++k) {
      for (std::size_t d = 0; d < spread.sizes.size(); ++d)
        triplets.columns[d].push_back(draw(random, spread.drawn_from[d]));
      triplets.values.push_back(static_cast<double>(draw(random, 1000)) / 7);  // sums depend on their order
    }
    Model model;
    for (std::size_t e = 0; e < triplets.values.size(); ++e) {
      Index index;
      for (const auto& column : triplets.columns) index.push_back(column[e]);
      const auto [at, fresh] = model.emplace(index, triplets.values[e]);
      if (!fresh) at->second += triplets.values[e];
    }
    PackFailure failure;
    const auto tensor = pack(ScalarType::f64, spread.sizes,
                             levels(std::vector<std::string>(static_cast<std::size_t>(rank), "compressed(wide)")),
                             f64(0), triplets.entries(), failure);
    REQUIRE(tensor);
    CHECK(verify(*tensor) == "");
    auto expected = model.begin();
    bool same = tensor->entries() == static_cast<std::int64_t>(model.size());
    for_each_entry(*tensor, [&](const Index& index, const Value& value) {
      same = same && expected != model.end() && index == expected->first && value.real == expected->second;
      if (same) ++expected;
    });
    CHECK(same);
  }
}

TEST_CASE("verify finds what is wrong") {
  const auto broken = [](const Format& format, int level, Array which, std::size_t at, std::int32_t number) {
    const Tensor tensor = packed(example, {3, 3}, format).clone();
    static_cast<std::int32_t*>(tensor.array(level, which))[at] = number;
    return verify(tensor);
  };
  const Format csr = *Format::named("csr", 2);
  CHECK(broken(csr, 1, Array::positions, 0, 1) == "level 1: the first position is 1");
  CHECK(broken(csr, 1, Array::positions, 2, 1) == "level 1: position 1 follows 2");
  CHECK(broken(csr, 1, Array::positions, 3, 5) == "level 1: positions end at 5, there are 4 entries");
  CHECK(broken(csr, 1, Array::coordinates, 0, 3) == "level 1: coordinate 3 is outside 0..2");
  CHECK(broken(csr, 1, Array::coordinates, 0, 2) == "level 1: coordinate 2 follows 2 in fiber 0");
  CHECK(broken(*Format::named("coo", 2), 1, Array::coordinates, 1, 0) == "level 0: coordinate 0 follows 1 in fiber 0");
  CHECK(broken(levels({"dense", "hashed"}), 1, Array::coordinates, 0, 0) ==
        "level 1: coordinate 0 is not found in fiber 0");
  CHECK(broken(levels({"dense", "bytemap"}), 1, Array::coordinates, 0, 0) ==
        "level 1: coordinate 0 is not in the table of fiber 0");
}

// ---- appending, as a kernel does -----------------------------------------------------------------------------------

namespace {

/// Fills a reserved tensor level by level, as generated code would: every sparse level as if it were compressed.
void append(const Tensor& tensor, const Model& model) {
  const Format format = RegionBuilder::builds(tensor.format()) ? as_appended(tensor.format()) : tensor.format();
  // Chains of singletons are keyed by all their coordinates.
  std::vector<std::vector<std::int64_t>> sorted;
  std::vector<double> values_in_order;
  {
    std::map<std::vector<std::int64_t>, double> by_level;
    const auto with_signs = [&](std::vector<std::int64_t> key) {
      for (std::size_t l = 0; l < key.size(); ++l)
        if (format::facts(format.levels[l]).decreasing) key[l] = -key[l];
      return key;
    };
    for (const auto& [index, value] : model) {
      std::vector<std::int64_t> key;
      for (const int d : format.order) key.push_back(index[static_cast<std::size_t>(d)]);
      by_level[with_signs(key)] = value;
    }
    for (const auto& [key, value] : by_level) {
      sorted.push_back(with_signs(key));
      values_in_order.push_back(value);
    }
  }
  std::vector<std::int64_t> position(sorted.size(), 0);
  std::int64_t parents = 1;
  for (int l = 0; l < format.rank(); ++l) {
    const auto at = static_cast<std::size_t>(l);
    const format::Facts facts = format::facts(format.levels[at]);
    const std::int64_t size = tensor.shape()[static_cast<std::size_t>(format.order[at])];
    const auto write = [&](Array which, std::int64_t k, std::int64_t number) {
      if (facts.wide) static_cast<std::int64_t*>(tensor.array(l, which))[k] = number;
      else static_cast<std::int32_t*>(tensor.array(l, which))[k] = static_cast<std::int32_t>(number);
    };
    if (!facts.coordinates) {
      for (std::size_t e = 0; e < sorted.size(); ++e) position[e] = position[e] * size + sorted[e][at];
      parents *= size;
      continue;
    }
    std::size_t reach = at;
    while (!facts.unique && facts.positions && reach + 1 < format.levels.size() &&
           format.levels[reach + 1].name == "singleton")
      ++reach;
    std::int64_t count = 0;
    for (std::size_t e = 0; e < sorted.size(); ++e) {
      const bool fresh = e == 0 || !facts.positions ||
                         !std::equal(sorted[e].begin(), sorted[e].begin() + static_cast<std::ptrdiff_t>(reach) + 1,
                                     sorted[e - 1].begin());
      if (!facts.positions) {
        write(Array::coordinates, position[e], sorted[e][at]);
        continue;
      }
      if (fresh) {
        write(Array::coordinates, count, sorted[e][at]);
        if (facts.starts) write(Array::starts, count, sorted[e][at]);
        write(Array::positions, position[e] + 1, ++count);
      }
      position[e] = count - 1;
    }
    if (facts.positions) parents = count;
  }
  for (std::size_t e = 0; e < sorted.size(); ++e) static_cast<double*>(tensor.data())[position[e]] = values_in_order[e];
}

}  // namespace

TEST_CASE("what a kernel appended settles into any format") {
  Random random(seed());
  for (int round = 0; round < rounds(); ++round) {
    const int rank = static_cast<int>(1 + draw(random, 4));
    const Index shape = random_shape(random, rank);
    const Model model = random_model(random, shape, 30, 0);
    const Format format = random_format(random, rank, Wanted::any_number);
    CAPTURE(round);
    CAPTURE(format::to_string(format));
    auto tensor = Tensor::reserve(ScalarType::f64, shape, format, f64(0), 1 << 20);
    REQUIRE(tensor);
    CHECK(tensor->reserved());
    REQUIRE(tensor->capacity() >= static_cast<std::int64_t>(model.size()));
    for_each_index(shape, [&](const Index& index) { CHECK(tensor->get(index) == f64(0)); });
    append(*tensor, model);
    const Tensor shared = *tensor;
    REQUIRE(tensor->publish());
    check_holds(shared, model);
  }
}

TEST_CASE("a reserved tensor has room for what fits its limit, its elements and its positions") {
  const auto capacity = [](const Index& shape, const Format& format, std::size_t limit) {
    return Tensor::reserve(ScalarType::f64, shape, format, f64(0), limit).value().capacity();
  };
  const Format csr = *Format::named("csr", 2);
  CHECK(capacity({1000, 1000}, csr, 8000) == 1000);
  CHECK(capacity({10, 10}, csr, 1 << 20) == 100);
  CHECK(capacity({1 << 20, 1 << 20}, csr, std::size_t{1} << 40) == std::numeric_limits<std::int32_t>::max());
  CHECK(capacity({1 << 20, 1 << 20}, levels({"dense", "compressed(wide)"}), std::size_t{1} << 36) == std::int64_t{1}
                                                                                                         << 33);
  CHECK(capacity({1000, 10}, levels({"compressed", "dense"}), 8000) == 100);
  CHECK(capacity({0, 10}, csr, 8000) == 0);
  CHECK_FALSE(Tensor::reserve(ScalarType::f64, {1 << 20, 8}, csr, f64(0), 1 << 20));
}

TEST_CASE("rows that a kernel never came to are empty") {
  auto tensor = Tensor::reserve(ScalarType::f64, {5, 5}, *Format::named("csr", 2), f64(0), 1 << 16);
  REQUIRE(tensor);
  auto* positions = static_cast<std::int32_t*>(tensor->array(1, Array::positions));
  auto* coordinates = static_cast<std::int32_t*>(tensor->array(1, Array::coordinates));
  positions[2] = 2;
  coordinates[0] = 1, coordinates[1] = 4;
  static_cast<double*>(tensor->data())[0] = 3, static_cast<double*>(tensor->data())[1] = 5;
  REQUIRE(tensor->publish());
  CHECK(numbers(*tensor, 1, Array::positions) == std::vector<std::int32_t>{0, 0, 2, 2, 2, 2});
  check_holds(*tensor, {{{1, 1}, 3}, {{1, 4}, 5}});
}

TEST_CASE("falling coordinates stay as a kernel that ran downwards left them") {
  auto tensor = Tensor::reserve(ScalarType::f64, {5}, levels({"compressed(decreasing)"}), f64(0), 1 << 16);
  REQUIRE(tensor);
  static_cast<std::int32_t*>(tensor->array(0, Array::positions))[1] = 2;
  auto* coordinates = static_cast<std::int32_t*>(tensor->array(0, Array::coordinates));
  coordinates[0] = 4, coordinates[1] = 1;
  static_cast<double*>(tensor->data())[0] = 3, static_cast<double*>(tensor->data())[1] = 5;
  REQUIRE(tensor->publish());
  check_holds(*tensor, {{{4}, 3}, {{1}, 5}});
}
