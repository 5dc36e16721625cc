// Every evaluator of a program gives the same numbers.
#include <doctest/doctest.h>

#include "tests/random/candidates.hpp"
#include "tests/random/generate_steps.hpp"

namespace trellis::randomised {
namespace {

TEST_CASE("random programs: interpreter, jit and reference agree") {
  agree_in_process(first_seed(10000), wanted(120), generate);
}
TEST_CASE("random programs: native and reference agree") { agree_natively(first_seed(20000), wanted(30), generate); }
TEST_CASE("random timesteps: interpreter, jit and reference agree") {
  agree_in_process(first_seed(50000), wanted(90), generate_steps);
}
TEST_CASE("random timesteps: native and reference agree") {
  agree_natively(first_seed(60000), wanted(20), generate_steps);
}

TEST_CASE("random timesteps: programs that until once left in the wrong state") {
  for (const std::uint64_t seed : {100836, 100903, 101621}) {
    const auto c = candidate(seed, generate_steps);
    REQUIRE(c);
    if (!dispute(*c, run::Backend::jit).empty()) report(*c, run::Backend::jit);
  }
}

}  // namespace
}  // namespace trellis::randomised
