// Sparse tensors from files, lists and random draws, and back into files.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "engine/tensor/for_each_entry.hpp"
#include "engine/tensor/load.hpp"
#include "engine/tensor/random.hpp"
#include "engine/tensor/save.hpp"
#include "engine/tensor/verify.hpp"
#include "tests/folder.hpp"
#include "tests/tensor/elements.hpp"
#include "tests/tensor/sparse_formats.hpp"

using namespace trellis;
using namespace trellis::tensor;
using namespace trellis::tensor::testing;
using format::Format;
using format::ScalarType;
using format::Value;

namespace {

Tensor empty(const Index& shape, const Format& format, ScalarType type = ScalarType::f64, double fill = 0) {
  return Tensor::create(type, shape, format, Value::of(type, fill)).value();
}

std::string codes(const text::Diagnostics& sink) {
  std::string all;
  for (const auto& d : sink.all()) all += (all.empty() ? "" : " ") + d.code;
  return all;
}

std::string load(Tensor& tensor, const std::string& path) {
  text::Diagnostics sink;
  auto contents = read_contents({path, {}, limit}, sink);
  if (contents) load_into(tensor, *contents, {}, sink);
  return codes(sink);
}

}  // namespace

TEST_CASE("a coordinate file's entries are kept, zeros as well, and repetitions summed") {
  const trellis::testing::Folder folder;
  std::ofstream(folder / "a.mtx")
      << "%%MatrixMarket matrix coordinate real general\n3 3 5\n3 3 1\n1 2 0\n3 1 2\n3 3 4\n2 2 -1\n";
  for (const char* name : {"csr", "csc", "coo", "dcsr", "csf"}) {
    Tensor a = empty({3, 3}, *Format::named(name, 2));
    const Tensor shared = a;
    CHECK(load(a, folder / "a.mtx") == "");
    check_holds(shared, {{{0, 1}, 0}, {{1, 1}, -1}, {{2, 0}, 2}, {{2, 2}, 5}});
  }
  Tensor narrow = empty({3, 3}, *Format::named("csr", 2), ScalarType::u8);
  CHECK(load(narrow, folder / "a.mtx") == "E0409");
  Tensor permutation = empty({3, 3}, levels({"compressed", "singleton"}));
  CHECK(load(permutation, folder / "a.mtx") == "E0206");
  CHECK(permutation.entries() == 0);
}

TEST_CASE("files come from and go to levels of runs, blocks and single regions") {
  const trellis::testing::Folder folder;
  Random random(11);
  for (int round = 0; round < 60; ++round) {
    const int rank = 1 + static_cast<int>(draw(random, 2));
    Index shape = random_shape(random, rank);
    const Model model = random_regions(random, shape, 0);
    const Format first = random_format(random, rank, Wanted::any_number),
                 second = random_format(random, rank, Wanted::any_number);
    CAPTURE(format::to_string(first));
    CAPTURE(format::to_string(second));
    PackFailure failure;
    const auto tensor = pack(ScalarType::f64, shape, first, Value::of(ScalarType::f64, 0),
                             shuffled(random, model, rank).entries(), failure);
    REQUIRE(tensor);
    for (const char* name : {"r.mtx", "r.tns", "r.npy"}) {
      text::Diagnostics sink;
      REQUIRE(save(*tensor, folder / name, {}, sink));
      Tensor back = empty(shape, second);
      REQUIRE(load(back, folder / name) == "");
      check_holds(back, model, Holds::values);
    }
  }
}

TEST_CASE("of an array file, what differs from the fill is stored") {
  const trellis::testing::Folder folder;
  std::ofstream(folder / "a.mtx") << "%%MatrixMarket matrix array real general\n2 2\n7\n0\n7\n3\n";
  Tensor dense = empty({2, 2}, Format::dense(2), ScalarType::f64, 7);
  CHECK(load(dense, folder / "a.mtx") == "");
  text::Diagnostics sink;
  REQUIRE(save(dense, folder / "a.npy", {}, sink));
  Tensor a = empty({2, 2}, *Format::named("csr", 2), ScalarType::f64, 7);
  CHECK(load(a, folder / "a.npy") == "");
  check_holds(a, {{{1, 0}, 0}, {{1, 1}, 3}});
}

TEST_CASE("what is saved are the stored entries, and they come back") {
  const trellis::testing::Folder folder;
  Random random(7);
  const Model model{{{0, 1}, 0}, {{1, 1}, -1.5}, {{2, 0}, 2}, {{2, 2}, 1e-300}};
  PackFailure failure;
  const Tensor a = *pack(ScalarType::f64, {3, 4}, *Format::named("csr", 2), Value::of(ScalarType::f64, 0),
                         shuffled(random, model, 2).entries(), failure);
  text::Diagnostics sink;
  for (const char* name : {"a.mtx", "a.tns", "a.mtx.gz"}) {
    REQUIRE(save(a, folder / name, {}, sink));
    Tensor back = empty({3, 4}, *Format::named("dcsc", 2));
    CHECK(load(back, folder / name) == "");
    check_holds(back, model);
  }
  CHECK(content_of(folder / "a.mtx")
            .starts_with("%%MatrixMarket matrix coordinate real general\n3 4 4\n1 2 0\n2 2 -1.5\n"));
  Format pattern = *Format::named("csr", 2);
  pattern.pattern = true;
  const Tensor p = *pack(ScalarType::boolean, {3, 4}, pattern, Value::truth(false),
                         shuffled(random, {{{1, 2}, 1}, {{0, 3}, 1}}, 2).entries(), failure);
  REQUIRE(save(p, folder / "p.mtx", {}, sink));
  CHECK(content_of(folder / "p.mtx") == "%%MatrixMarket matrix coordinate pattern general\n3 4 2\n1 4\n2 3\n");
  REQUIRE(save(a, folder / "a.npy", {}, sink));
  Tensor dense = empty({3, 4}, Format::dense(2));
  CHECK(load(dense, folder / "a.npy") == "");
  CHECK(dense.get(Index{1, 1}) == Value::of(ScalarType::f64, -1.5));
  Tensor cube = empty({2, 2, 2}, *Format::named("csf", 3));
  REQUIRE(save(cube, folder / "c.tns", {}, sink));
  CHECK(content_of(folder / "c.tns") == "# shape 2 2 2\n");
  CHECK_FALSE(save(cube, folder / "c.mtx", {}, sink));
}

TEST_CASE("random contents do not depend on the format, at any density") {
  for (const ScalarType type : {ScalarType::f64, ScalarType::f32, ScalarType::i32, ScalarType::boolean})
    for (const double density : {0.0, 0.001, 0.05, 0.3, 1.0})
      for (const RandomKind kind : {RandomKind::general, RandomKind::positive_definite}) {
        if (kind == RandomKind::positive_definite && !format::is_floating(type)) continue;
        RandomOptions options;
        options.seed = 5;
        options.density = density;
        options.kind = kind;
        text::Diagnostics sink;
        Tensor dense = empty({60, 60}, Format::dense(2), type);
        REQUIRE(fill_random(dense, options, {}, sink));
        for (const Format& format : {*Format::named("csr", 2), *Format::named("csc", 2), levels({"hashed", "bytemap"}),
                                     levels({"dense", "dense"}, {1, 0})}) {
          Tensor sparse = empty({60, 60}, format, type);
          REQUIRE(fill_random(sparse, options, {}, sink));
          CHECK(verify(sparse) == "");
          bool same = true;
          for_each_index(dense.shape(),
                         [&](const Index& index) { same = same && sparse.get(index) == dense.get(index); });
          CHECK(same);
        }
      }
}

TEST_CASE("as many elements are drawn as the density says, wherever they lie") {
  for (const double density : {1e-6, 1e-4, 0.02, 0.06, 0.07}) {
    CAPTURE(density);
    const auto n = static_cast<std::int64_t>(std::sqrt(40'000 / density));
    Tensor t = empty({n, n}, *Format::named("csr", 2));
    text::Diagnostics sink;
    RandomOptions options;
    options.density = density;
    REQUIRE(fill_random(t, options, {}, sink));
    CHECK(static_cast<double>(t.entries()) == doctest::Approx(40'000).epsilon(0.03));
    // Halves of rows and columns get halves of it.
    std::int64_t upper = 0, left = 0;
    for_each_entry(t, [&](const Index& index, const Value&) { upper += index[0] < n / 2, left += index[1] < n / 2; });
    CHECK(static_cast<double>(upper) == doctest::Approx(20'000).epsilon(0.05));
    CHECK(static_cast<double>(left) == doctest::Approx(20'000).epsilon(0.05));
  }
}

TEST_CASE("a drawing that would not fit is refused before it begins") {
  Tensor t = empty({1 << 20, 1 << 20}, *Format::named("coo", 2));
  text::Diagnostics sink;
  RandomOptions options;
  options.density = 0.5;
  options.limit_bytes = std::size_t{1} << 30;
  CHECK_FALSE(fill_random(t, options, {}, sink));
  CHECK(codes(sink) == "E0410");
}
