// Programs over sparse operands and results: what the loops, the just-in-time back end and the native one compute is what the
// reference computes of the same program without formats.
#include <doctest/doctest.h>

#include "tests/random/candidates.hpp"
#include "tests/random/generate_loops.hpp"
#include "tests/random/generate_merges.hpp"
#include "tests/random/generate_sparse.hpp"
#include "tests/random/generate_steps.hpp"
#include "tests/random/random_schedule.hpp"

namespace trellis::randomised {
namespace {

Draft sparse_operands(Dice& dice) { return generate_sparse(dice, {85, 0}); }
Draft sparse_results(Dice& dice) { return with_inherited(generate_sparse(dice, {75, 70}), dice); }
Draft schedules(Dice& dice) {
  const SparseWishes wishes{75, 50};
  return with_inherited(with_schedule(generate_sparse(dice, wishes), dice, wishes), dice);
}
Draft recurrences(Dice& dice) {
  Draft draft = dice.chance(70) ? generate(dice) : generate_steps(dice);
  return with_inherited(with_formats(std::move(draft), dice, {75, 35}), dice);
}
Draft loop_programs(Dice& dice) { return with_inherited(with_formats(generate_loops(dice), dice, {80, 40}), dice); }

TEST_CASE("random sparse operands: interpreter, jit and reference agree") { agree_in_process(first_seed(110000), wanted(150), sparse_operands); }
TEST_CASE("random sparse operands: native and reference agree") { agree_natively(first_seed(120000), wanted(35), sparse_operands); }
TEST_CASE("random merges: interpreter, jit and reference agree") { agree_in_process(first_seed(210000), wanted(150), generate_merges); }
TEST_CASE("random sparse results: interpreter, jit and reference agree") { agree_in_process(first_seed(130000), wanted(150), sparse_results); }
TEST_CASE("random sparse results: native and reference agree") { agree_natively(first_seed(140000), wanted(35), sparse_results); }
TEST_CASE("random sparse schedules: interpreter, jit and reference agree") { agree_in_process(first_seed(190000), wanted(60), schedules); }
TEST_CASE("random sparse schedules: native and reference agree") { agree_natively(first_seed(200000), wanted(20), schedules); }
TEST_CASE("random sparse recurrences: interpreter, jit and reference agree") { agree_in_process(first_seed(150000), wanted(90), recurrences); }
TEST_CASE("random sparse recurrences: native and reference agree") { agree_natively(first_seed(160000), wanted(35), recurrences); }
TEST_CASE("random sparse loop programs: interpreter, jit and reference agree") { agree_in_process(first_seed(170000), wanted(90), loop_programs); }
TEST_CASE("random sparse loop programs: native and reference agree") { agree_natively(first_seed(180000), wanted(35), loop_programs); }

}  // namespace
}  // namespace trellis::randomised
