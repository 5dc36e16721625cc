// load(save(x)) = x, bit by bit: random tensors of every element type, shape, storage order and fill, in every file
// format.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "engine/tensor/load.hpp"
#include "engine/tensor/save.hpp"
#include "tests/folder.hpp"

using namespace trellis;
using namespace trellis::tensor;
using format::ScalarType;
using format::Value;

namespace {

Value random_value(ScalarType type, std::mt19937_64& random) {
  if (!format::is_floating(type)) return Value::of_integer(type, static_cast<std::int64_t>(random() >> random() % 64));
  const double unusual[] = {0.0, -0.0, std::numeric_limits<double>::infinity(), -5e-324, 1e-310, 1.7e308, std::nan("")};
  if (random() % 4 == 0) return Value::of(type, unusual[random() % std::size(unusual)]);
  return Value::of(type, std::ldexp(static_cast<double>(static_cast<std::int64_t>(random())),
                                    static_cast<int>(random() % 160) - 130));
}

Tensor random_tensor(ScalarType type, int rank, std::mt19937_64& random) {
  Index shape;
  for (int d = 0; d < rank; ++d) shape.push_back(static_cast<std::int64_t>(random() % 5));
  format::Format layout = format::Format::dense(rank);
  std::shuffle(layout.order.begin(), layout.order.end(), random);
  Tensor tensor = Tensor::create(type, shape, layout, random_value(type, random)).value();
  for (std::int64_t e = 0; e < tensor.count(); ++e)
    if (random() % 2 == 0) tensor.set_flat(e, random_value(type, random));
  return tensor;
}

/// The same bits; all not-a-numbers are one.
bool same(const Tensor& a, const Tensor& b) {
  bool all = true;
  for_each_index(a.shape(), [&](const Index& index) {
    const Value x = a.get(index), y = b.get(index);
    const bool both_nan = std::isnan(x.real) && std::isnan(y.real);
    all = all && (both_nan || (x.integer == y.integer && std::memcmp(&x.real, &y.real, sizeof x.real) == 0));
  });
  return all;
}

}  // namespace

TEST_CASE("what was saved loads as it was") {
  const trellis::testing::Folder folder;
  std::mt19937_64 random(7);
  for (int round = 0; round < 12; ++round)
    for (int t = 0; t <= static_cast<int>(ScalarType::boolean); ++t) {
      const auto type = static_cast<ScalarType>(t);
      const Tensor tensor = random_tensor(type, static_cast<int>(random() % 4), random);
      for (const char* name : {"x.mtx", "x.tns", "x.npy", "x.pgm", "x.mtx.gz", "x.tns.gz", "x.npy.gz", "x.pgm.gz"}) {
        text::Diagnostics sink;
        if (!save(tensor, folder / name, {}, sink)) {
          CHECK(sink.all().at(0).code == "E0413");
          continue;
        }
        CAPTURE(name);
        CAPTURE(format::name_of(type));
        CAPTURE(tensor.shape().size());
        auto contents = read_contents({folder / name, {}, 1 << 20}, sink);
        REQUIRE(contents);
        Tensor back = Tensor::create(type, tensor.shape(), tensor.format(), tensor.fill()).value();
        CHECK(load_into(back, std::move(*contents), {}, sink));
        CHECK(same(tensor, back));
      }
    }
}
