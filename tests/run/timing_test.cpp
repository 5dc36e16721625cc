// Repeated runs start from the same values and leave the results of one.
#include "engine/run/timing.hpp"

#include "modules.hpp"

namespace trellis::run::testing {

TEST_CASE("the median of values") {
  CHECK(median({}) == 0);
  CHECK(median({3}) == 3);
  CHECK(median({5, 1, 3}) == 3);
  CHECK(median({4, 1, 3, 2}) == 2.5);
}

TEST_CASE("repeating a kernel that updates in place gives the result of one run") {
  for (const bool trusted : {false, true}) {
    const Kernel kernel = compiled(over_x("twice", "for (long long i = 0; i < n; i++) x[i] = 2 * x[i];"), Backend::jit);
    const Bindings bindings = with_x({1, 2, 3});
    const Timing timing = repeat(kernel, bindings, {.trusted = trusted}, 5);
    CHECK(timing.outcome.status == Outcome::Status::ok);
    CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{2, 4, 6});
    CHECK(timing.ms.size() == 5);
    CHECK(timing.min > 0);
    CHECK(timing.min <= timing.median);
    CHECK(timing.outcome.run_ms == timing.median);
  }
}

TEST_CASE("a failing repetition is one failure and restores the arrays") {
  const Kernel kernel = compiled(over_x("fails", "x[0] = 9; fault[0] = 1; fault[1] = 0;"), Backend::jit);
  const Bindings bindings = with_x({1});
  CHECK(repeat(kernel, bindings, {}, 3).outcome.status == Outcome::Status::fault);
  CHECK(values_of(bindings.arrays.at("x")) == std::vector<double>{1});
}

}  // namespace trellis::run::testing
