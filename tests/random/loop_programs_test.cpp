// Random loop programs: the reference, the loop interpreter, the just-in-time back end and the native one agree, on
// faults too.
#include <doctest/doctest.h>

#include "tests/random/candidates.hpp"
#include "tests/random/generate_loops.hpp"

namespace trellis::randomised {
namespace {

TEST_CASE("random loop programs: interpreter, jit and reference agree") {
  agree_in_process(first_seed(30000), wanted(90), generate_loops);
}
TEST_CASE("random loop programs: native and reference agree") {
  agree_natively(first_seed(40000), wanted(20), generate_loops);
}

}  // namespace
}  // namespace trellis::randomised
