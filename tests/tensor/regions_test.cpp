// Levels of runs, blocks and single regions: what is packed comes back, is shared where it is equal, and is refused
// where there is no room.
#include <doctest/doctest.h>

#include <limits>

#include "engine/tensor/convert.hpp"
#include "engine/tensor/for_each_entry.hpp"
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

std::optional<Tensor> regions(const Model& model, const Index& shape, const Format& format, double fill,
                              PackFailure& failure, ScalarType type = ScalarType::f64,
                              const PackOptions& options = {}) {
  Random random(1);
  return pack(type, shape, format, Value::of(type, fill),
              shuffled(random, model, static_cast<int>(shape.size())).entries(), failure, options);
}

Tensor regions(const Model& model, const Index& shape, const Format& format, double fill = 0) {
  PackFailure failure;
  auto tensor = regions(model, shape, format, fill, failure);
  REQUIRE(tensor);
  check_holds(*tensor, model);
  return *tensor;
}

/// [0, 0, 3, 3, 3, 0, 4, 4] and the like: what differs from 0.
Model vector_of(const std::vector<double>& values) {
  Model model;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (values[k] != 0) model[{static_cast<std::int64_t>(k)}] = values[k];
  return model;
}

Model without(Model model, double fill) {
  std::erase_if(model, [&](const auto& entry) { return entry.second == fill; });
  return model;
}

/// Neighbouring runs of a fiber that touch have different children.
std::int64_t equal_neighbours(const Tensor& tensor) {
  const Storage& storage = tensor.storage();
  std::vector<std::vector<std::pair<Index, Value>>> below;  // by child position of the level at hand
  for (std::int64_t place = 0; place < storage.places; ++place) below.push_back({{{}, tensor.get_flat(place)}});
  std::int64_t found = 0;
  for (std::size_t l = storage.levels.size(); l-- > 0;) {
    const LevelStorage& level = storage.levels[l];
    std::vector<std::vector<std::pair<Index, Value>>> here(static_cast<std::size_t>(level.parents));
    for (std::int64_t p = 0; p < level.parents; ++p) {
      const auto take = [&](std::int64_t c, std::int64_t child) {
        for (auto [index, value] : below[static_cast<std::size_t>(child)]) {
          index.insert(index.begin(), c);
          here[static_cast<std::size_t>(p)].emplace_back(index, value);
        }
      };
      if (!level.facts.coordinates)
        for (std::int64_t c = 0; c < level.size; ++c) take(c, p * level.size + c);
      const auto [begin, end] = level.fiber(p);
      for (std::int64_t e = begin; e < end; ++e) {
        if (level.facts.child == format::Child::product) {
          take(level.coordinate_numbers()[e], p * level.size + level.coordinate_numbers()[e]);
          continue;
        }
        const LevelStorage::Region region = level.region(e, begin);
        const bool run = level.facts.region == format::Region::run;
        if (run && e > begin && level.coordinate_numbers()[e - 1] + 1 == region.first)
          found += below[static_cast<std::size_t>(e)] == below[static_cast<std::size_t>(e - 1)];
        for (std::int64_t c = region.first; c <= region.last; ++c) take(c, level.child(region, c));
      }
    }
    below = std::move(here);
  }
  return found;
}

int region_rounds() { return trellis::testing::options().random > 0 ? trellis::testing::options().random : 600; }
std::uint64_t region_seed() { return trellis::testing::options().seed.value_or(20260915); }

}  // namespace

TEST_CASE("the arrays of runs") {
  const Model model = vector_of({0, 0, 3, 3, 3, 0, 4, 4, 5});
  const Tensor rle = regions(model, {9}, levels({"rle"}));
  CHECK(numbers(rle, 0, Array::positions) == Numbers32{0, 5});
  CHECK(numbers(rle, 0, Array::coordinates) == Numbers32{1, 4, 5, 7, 8});
  CHECK(stored_values(rle) == std::vector<double>{0, 3, 0, 4, 5});
  CHECK(rle.entries() == 9);
  const Tensor sparse = regions(model, {9}, levels({"sparse_rle"}));
  CHECK(numbers(sparse, 0, Array::starts) == Numbers32{2, 6, 8});
  CHECK(numbers(sparse, 0, Array::coordinates) == Numbers32{4, 7, 8});
  CHECK(stored_values(sparse) == std::vector<double>{3, 4, 5});
  CHECK(sparse.entries() == 6);
  const Tensor interval = regions({{{0, 1}, 2}, {{0, 2}, 2}, {{2, 3}, 1}}, {3, 4}, levels({"dense", "interval"}));
  CHECK(interval.array(1, Array::positions) == nullptr);
  CHECK(numbers(interval, 1, Array::starts) == Numbers32{1, 0, 3});
  CHECK(numbers(interval, 1, Array::coordinates) == Numbers32{2, -1, 3});
  CHECK(stored_values(interval) == std::vector<double>{2, 0, 1});
  CHECK(interval.entries() == 3);
}

TEST_CASE("the arrays of blocks") {
  const Tensor vbl = regions(vector_of({0, 1, 2, 0, 0, 3, 0, 4, 5}), {9}, levels({"vbl"}));
  CHECK(numbers(vbl, 0, Array::positions) == Numbers32{0, 3});
  CHECK(numbers(vbl, 0, Array::coordinates) == Numbers32{2, 5, 8});
  CHECK(numbers(vbl, 0, Array::offsets) == Numbers32{0, 2, 3, 5});
  CHECK(stored_values(vbl) == std::vector<double>{1, 2, 3, 4, 5});
  const Tensor wide = regions(vector_of({0, 1, 0, 0, 2, 3, 0, 0, 5}), {9}, levels({"vbl(3)"}));
  CHECK(numbers(wide, 0, Array::positions) == Numbers32{0, 3});
  CHECK(numbers(wide, 0, Array::coordinates) == Numbers32{3, 6, 10});  // the last one hangs over
  CHECK(wide.array(0, Array::offsets) == nullptr);
  CHECK(stored_values(wide) == std::vector<double>{1, 0, 0, 2, 3, 0, 5, 0, 0});
  CHECK(wide.entries() == 7);
  const Tensor band = regions({{{0, 1}, 1}, {{0, 3}, 2}, {{2, 0}, 3}}, {3, 4}, levels({"dense", "band"}));
  CHECK(numbers(band, 1, Array::coordinates) == Numbers32{3, -1, 0});
  CHECK(numbers(band, 1, Array::offsets) == Numbers32{0, 3, 3, 4});
  CHECK(stored_values(band) == std::vector<double>{1, 0, 2, 3});
  const Tensor pinpoint = regions({{{0, 1}, 1}, {{2, 0}, 3}}, {3, 4}, levels({"dense", "pinpoint"}));
  CHECK(numbers(pinpoint, 1, Array::coordinates) == Numbers32{1, -1, 0});
  CHECK(stored_values(pinpoint) == std::vector<double>{1, 0, 3});
  CHECK(pinpoint.entries() == 2);
}

TEST_CASE("equal rows are stored once") {
  Model model;
  for (std::int64_t i = 0; i < 100; ++i)
    for (std::int64_t j = 0; j < 50; ++j) model[{i, j}] = static_cast<double>((i / 10) * 50 + j);
  const Tensor rows = regions(model, {100, 50}, levels({"rle", "dense"}));
  CHECK(numbers(rows, 0, Array::coordinates).size() == 10);
  CHECK(stored_values(rows).size() == 500);
  Model lists;
  for (std::int64_t i = 0; i < 60; ++i) lists[{i, i / 20}] = 1, lists[{i, 7}] = -1;
  const Tensor compressed = regions(lists, {60, 8}, levels({"sparse_rle", "compressed"}));
  CHECK(numbers(compressed, 1, Array::positions) == Numbers32{0, 2, 4, 6});
  CHECK(compressed.entries() == 120);
}

TEST_CASE("runs of rows as a kernel appends them settle into the arrays that packing makes") {
  // Rows 0 and 1, then 2 and 3 with the same run in them, and row 5; of {.., dense} all of a row.
  Model model;
  for (std::int64_t i = 0; i < 4; ++i) model[{i, 1}] = model[{i, 2}] = 5;
  model[{5, 0}] = 1;
  const auto write = [](Tensor& tensor, int level, Array which, const Numbers32& of) {
    std::copy(of.begin(), of.end(), static_cast<std::int32_t*>(tensor.array(level, which)));
  };
  for (const char* outer : {"rle", "sparse_rle"})
    for (const char* inner : {"rle", "sparse_rle", "compressed", "vbl", "dense"}) {
      const Format format = levels({outer, inner});
      CAPTURE(format::to_string(format));
      auto tensor = *Tensor::reserve(ScalarType::f64, {6, 4}, format, Value::of(ScalarType::f64, 0), 1 << 16);
      write(tensor, 0, Array::positions, {0, 3});
      write(tensor, 0, Array::starts, {0, 2, 5});
      write(tensor, 0, Array::coordinates, {1, 3, 5});
      std::vector<double> values = {5, 5, 1};
      const bool by_runs = tensor.array(1, Array::starts) != nullptr;
      if (by_runs) {
        write(tensor, 1, Array::positions, {0, 1, 2, 3});
        write(tensor, 1, Array::starts, {1, 1, 0});
        write(tensor, 1, Array::coordinates, {2, 2, 0});
      } else if (std::string(inner) != "dense") {
        write(tensor, 1, Array::positions, {0, 2, 4, 5});
        write(tensor, 1, Array::coordinates, {1, 2, 1, 2, 0});
        values = {5, 5, 5, 5, 1};
      } else {
        values = {0, 5, 5, 0, 0, 5, 5, 0, 1, 0, 0, 0};
      }
      std::copy(values.begin(), values.end(), static_cast<double*>(tensor.data()));
      REQUIRE(tensor.publish());
      const Tensor packed = regions(model, {6, 4}, format);
      CHECK(stored_values(tensor) == stored_values(packed));
      for (int level = 0; level < 2; ++level)
        for (const Array which : format::level_arrays) {
          CHECK((tensor.array(level, which) == nullptr) == (packed.array(level, which) == nullptr));
          if (packed.array(level, which) && which != Array::table)
            CHECK(numbers(tensor, level, which) == numbers(packed, level, which));
        }
    }
}

TEST_CASE("runs are told apart bit for bit") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  PackFailure failure;
  const Model model{{{0}, nan}, {{1}, nan}, {{2}, -0.0}, {{3}, 0.0}};
  const auto tensor = regions(model, {4}, levels({"rle"}), 0, failure);
  REQUIRE(tensor);
  CHECK(numbers(*tensor, 0, Array::coordinates) == Numbers32{1, 2, 3});
}

TEST_CASE("a second region is refused, with the entry, and without loss") {
  struct Case {
    Format format;
    Model model;
    Index entry;
  };
  const Format rows = levels({"interval", "dense"});
  for (const Case& c : {Case{levels({"dense", "pinpoint"}), {{{0, 1}, 1}, {{1, 0}, 1}, {{1, 3}, 1}}, {1, 3}},
                        Case{levels({"dense", "interval"}), {{{0, 1}, 1}, {{1, 0}, 1}, {{1, 2}, 1}}, {1, 2}},
                        Case{levels({"dense", "interval"}), {{{1, 1}, 1}, {{1, 2}, 2}, {{1, 3}, 2}}, {1, 2}},
                        Case{rows, {{{0, 0}, 1}, {{1, 0}, 1}, {{2, 0}, 2}, {{2, 1}, 2}}, {2, 0}},
                        Case{levels({"pinpoint", "compressed"}), {{{1, 0}, 1}, {{1, 3}, 1}, {{2, 2}, 1}}, {2, 2}}}) {
    CAPTURE(format::to_string(c.format));
    Random random(1);
    const Triplets triplets = shuffled(random, c.model, 2);
    PackFailure failure;
    CHECK_FALSE(pack(ScalarType::f64, {3, 4}, c.format, f64(0), triplets.entries(), failure));
    CHECK(failure.kind == PackFailure::Kind::region_taken);
    CHECK(Index{triplets.columns[0][failure.entry], triplets.columns[1][failure.entry]} == c.entry);
    const Tensor csr = regions(c.model, {3, 4}, *Format::named("csr", 2));
    for (const Tensor& from : {csr, *to_dense(csr)}) {
      ConvertFailure why;
      CHECK_FALSE(convert(from, c.format, ExplicitFills::dropped, std::size_t{1} << 40, &why));
      CHECK(why.why.kind == PackFailure::Kind::region_taken);
      CHECK(why.index == c.entry);
      check_holds(from, c.model, Holds::values);
    }
  }
}

TEST_CASE("gaps of a band and of runs count against the limit") {
  PackFailure failure;
  PackOptions options;
  options.limit_bytes = 1000;
  CHECK_FALSE(
      regions({{{0}, 1}, {{999'999'999}, 1}}, {1'000'000'000}, levels({"band"}), 0, failure, ScalarType::f64, options));
  CHECK(failure.kind == PackFailure::Kind::too_large);
  CHECK(
      regions({{{0}, 1}, {{999'999'999}, 1}}, {1'000'000'000}, levels({"rle"}), 0, failure, ScalarType::f64, options));
}

TEST_CASE("nothing stored in levels of regions: every element is the fill") {
  Random random(region_seed());
  for (int round = 0; round < region_rounds() / 4; ++round) {
    const int rank = static_cast<int>(1 + draw(random, 4));
    const Format format = random_format(random, rank, Wanted::all);
    CAPTURE(format::to_string(format));
    const Index shape = random_shape(random, rank);
    const auto tensor = Tensor::create(ScalarType::f64, shape, format, f64(2));
    REQUIRE(tensor);
    check_holds(*tensor, {});
    CHECK(*Tensor::bytes_needed(ScalarType::f64, shape, format) == tensor->bytes());
    PackFailure failure;
    const auto empty = regions({}, shape, format, 2, failure);
    REQUIRE(empty);
    for (int l = 0; l < rank; ++l)
      for (const Array which : format::level_arrays)
        CHECK(empty->array_bytes(l, which) == tensor->array_bytes(l, which));
    for_each_listed(*tensor, [&](const Index&, const Value&) { FAIL("nothing is listed"); });
  }
}

TEST_CASE("random contents go through all levels unharmed") {
  Random random(region_seed());
  const std::vector<ScalarType> types{ScalarType::f64, ScalarType::f32, ScalarType::i64, ScalarType::i32,
                                      ScalarType::i16, ScalarType::u64, ScalarType::u8};
  int stored = 0, refused = 0;
  for (int round = 0; round < region_rounds(); ++round) {
    const int rank = static_cast<int>(1 + draw(random, 4));
    const Index shape = random_shape(random, rank);
    const ScalarType type = types[static_cast<std::size_t>(draw(random, std::ssize(types)))];
    const double fill = std::vector<double>{0, 1,
                                            format::is_floating(type) ? std::numeric_limits<double>::infinity()
                                                                      : 3}[static_cast<std::size_t>(draw(random, 3))];
    const Model model =
        draw(random, 3) == 0 ? random_model(random, shape, 6, fill) : random_regions(random, shape, fill);
    const Format first = random_format(random, rank, Wanted::all),
                 second = random_format(random, rank, Wanted::any_number);
    CAPTURE(round);
    CAPTURE(format::to_string(first));
    CAPTURE(format::to_string(second));
    PackFailure failure;
    const auto tensor = regions(model, shape, first, fill, failure, type);
    if (!tensor) {
      CHECK(failure.kind == PackFailure::Kind::region_taken);
      ++refused;
      continue;
    }
    ++stored;
    check_holds(*tensor, model);
    check_holds(tensor->clone(), model);
    CHECK(equal_neighbours(*tensor) == 0);
    const auto converted = with_format(*tensor, second);
    REQUIRE(converted);
    check_holds(*converted, format::pads(first) ? without(model, fill) : model);
    CHECK(equal_neighbours(*converted) == 0);
    check_holds(*with_format(*to_dense(*converted), second), without(model, fill));
    if (const auto back = convert(*converted, first, ExplicitFills::dropped)) check_holds(*back, without(model, fill));
    const auto dropped = convert(*tensor, second, ExplicitFills::dropped);
    REQUIRE(dropped);
    check_holds(*dropped, without(model, fill));
    Model listed;
    for_each_listed(*tensor, [&](const Index& index, const Value& value) { listed[index] = value.as_double(); });
    if (format::pads(first)) CHECK(listed == without(model, fill));
    else CHECK(listed == model);
  }
  CHECK(stored > region_rounds() / 4);
  CHECK(refused > 0);
}

TEST_CASE("patterns of runs and blocks") {
  PackFailure failure;
  const Model model{{{0, 1}, 1}, {{0, 2}, 1}, {{0, 3}, 1}, {{2, 0}, 1}};
  for (const char* level : {"sparse_rle", "vbl", "interval", "compressed"}) {
    Format format = levels({"dense", level});
    format.pattern = true;
    CHECK(format::objection(format) == "");
    const Triplets triplets{{{0, 2, 0, 0, 1}, {1, 0, 3, 2, 1}}, {1, 1, 1, 1, 0}};
    const auto tensor = pack(ScalarType::boolean, {3, 4}, format, Value::truth(false), triplets.entries(), failure);
    REQUIRE(tensor);
    CHECK(tensor->array(-1, Array::values) == nullptr);
    check_holds(*tensor, model);
    check_holds(*with_format(*to_dense(*tensor), format), model);
  }
  for (const char* level : {"rle", "band", "dense"}) {
    Format format = levels({"compressed", level});
    format.pattern = true;
    CHECK(format::objection(format) != "");
  }
}

TEST_CASE("verify finds what is wrong with regions") {
  const auto broken = [](const Format& format, Array which, std::size_t at, std::int32_t number) {
    const Tensor tensor = regions({{{0, 1}, 1}, {{0, 2}, 1}, {{2, 0}, 2}}, {3, 4}, format).clone();
    static_cast<std::int32_t*>(tensor.array(1, which))[at] = number;
    return verify(tensor);
  };
  CHECK(broken(levels({"dense", "sparse_rle"}), Array::starts, 0, 3) == "level 1: region 0 of fiber 0 is 3..2");
  CHECK(broken(levels({"dense", "rle"}), Array::coordinates, 2, 2) == "level 1: region 2 of fiber 0 is 3..2");
  CHECK(broken(levels({"dense", "rle"}), Array::coordinates, 3, 2) == "level 1: fiber 1 ends at 2, not 3");
  CHECK(broken(levels({"dense", "vbl"}), Array::offsets, 1, 3) == "level 1: region 1 of fiber 2 is 1..0");
  CHECK(broken(levels({"dense", "vbl"}), Array::coordinates, 0, 4) == "level 1: coordinate 4 is outside 0..3");
  CHECK(broken(levels({"dense", "band"}), Array::offsets, 0, 1) == "level 1: the first offset is 1");
  CHECK(broken(levels({"dense", "interval"}), Array::starts, 1, 2) == "level 1: region 1 of fiber 1 is 2..-1");
}
