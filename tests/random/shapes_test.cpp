// Programs with shape operators: what is computed once they are pushed to the leaves is what they mean, which the
// reference evaluates operator by operator.
#include <doctest/doctest.h>

#include "tests/random/candidates.hpp"
#include "tests/random/generate_products.hpp"
#include "tests/random/generate_shapes.hpp"
#include "tests/random/random_format.hpp"

namespace trellis::randomised {
namespace {

Draft named(Dice& dice) { return generate_shapes(dice, SizeKind::named); }
Draft numbers(Dice& dice) { return generate_shapes(dice, SizeKind::numbers); }
Draft stored(Dice& dice) {
  return with_formats(generate_shapes(dice, dice.chance(60) ? SizeKind::numbers : SizeKind::named), dice, {75, 40});
}

TEST_CASE("random shapes: interpreter, jit and reference agree for any size") {
  agree_in_process(first_seed(310000), wanted(80), named);
}
TEST_CASE("random shapes: interpreter, jit and reference agree for numbers") {
  agree_in_process(first_seed(320000), wanted(80), numbers);
}
TEST_CASE("random shapes in formats: interpreter, jit and reference agree") {
  agree_in_process(first_seed(330000), wanted(80), stored);
}
TEST_CASE("random flattened tensors beside each other: interpreter, jit and reference agree") {
  agree_in_process(first_seed(350000), wanted(90), generate_products);
}
TEST_CASE("random flattened tensors beside each other: native and reference agree") {
  agree_natively(first_seed(360000), wanted(15), generate_products);
}
TEST_CASE("random shapes in formats: native and reference agree") {
  agree_natively(first_seed(340000), wanted(15), stored);
}

}  // namespace
}  // namespace trellis::randomised
