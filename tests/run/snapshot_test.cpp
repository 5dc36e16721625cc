// Putting back what a kernel overwrote, whole or from one value.
#include "engine/run/snapshot.hpp"

#include "modules.hpp"

namespace trellis::run::testing {
namespace {

void overwrite(const Bindings& bindings) {
  const tensor::Tensor& x = bindings.arrays.at("x");
  for (std::int64_t i = 0; i < x.count(); ++i) static_cast<double*>(x.data())[i] = -1;
}

// Bytes that the snapshot took, after checking that it restores the values.
std::size_t bytes_to_keep(const std::vector<double>& values) {
  const Bindings bindings = with_x(values);
  const auto snapshot = Snapshot::take(over_x("any", ""), bindings);
  REQUIRE(snapshot);
  overwrite(bindings);
  snapshot->restore();
  CHECK(values_of(bindings.arrays.at("x")) == values);
  return snapshot->bytes();
}

}  // namespace

TEST_CASE("an array that holds one value is kept as that value") {
  CHECK(bytes_to_keep(std::vector<double>(1000, 0.5)) == sizeof(double));
  CHECK(bytes_to_keep({3, 3, 3}) == sizeof(double));
}

TEST_CASE("any other array is kept whole") {
  CHECK(bytes_to_keep({3, 3, 4}) == 3 * sizeof(double));
  CHECK(bytes_to_keep({4, 3, 3}) == 3 * sizeof(double));
  CHECK(bytes_to_keep({7}) == sizeof(double));
  CHECK(bytes_to_keep({}) == 0);
}

}  // namespace trellis::run::testing
