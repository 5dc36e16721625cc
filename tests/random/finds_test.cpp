// Operands that are found as a schedule says, and operands that lead: whatever compiles agrees with the reference.

#include <doctest/doctest.h>

#include "engine/compile.hpp"
#include "engine/run/backends.hpp"
#include "tests/random/candidates.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/generate_gathers.hpp"
#include "tests/random/generate_merges.hpp"
#include "tests/random/generate_sparse.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

using Find = lang::Schedule::Find;
using Step = lang::ScheduleStep;

Draft products(Dice& dice) { return dice.chance(50) ? generate_sparse(dice, {85, 0}) : generate_merges(dice); }

/// What compiles with a change of the schedule, under the order that the candidate had.
std::optional<emit::Module> changed(const Candidate& c, const std::function<void(lang::Schedule&)>& change) {
  lang::Kernel kernel = c.program.kernel();
  kernel.schedule.order = c.order;
  change(kernel.schedule);
  text::Diagnostics ignored;
  const Compilation made = compile(c.program.program, kernel, ignored);
  return ignored.has_errors() || !made.flow.root ? std::nullopt : std::optional(made.module);
}

/// Of each program in turn, with whatever `modules` makes of it, until so many have been compared.
void agree(std::uint64_t seed, int wanted,
           const std::function<std::vector<emit::Module>(const Candidate&, Dice&)>& modules) {
  try_others(seed, wanted, products, [&](const Candidate& c) {
    std::vector<std::string> differences;
    if (c.program.kernel().loops) return differences;
    Dice dice(c.seed);
    for (const emit::Module& module : modules(c, dice))
      differences.push_back(differs(c.program, c.seed, run::compile(module, run::Backend::jit)));
    return differences;
  });
}

}  // namespace

TEST_CASE("random finds: each strategy finds what bisection does") {
  int number = 0;
  agree(first_seed(360000), wanted(16), [&](const Candidate& c, Dice&) {
    std::vector<emit::Module> all;
    for (const std::string& operand : c.program.kernel().operands())
      for (const Find::How how : {Find::How::merge, Find::How::scan, Find::How::gallop, Find::How::binary,
                                  Find::How::table, Find::How::hash, Find::How::automatic})
        if (!is_taken(number++)) continue;
        else if (auto module = changed(c, [&](lang::Schedule& s) { s.finds.push_back({operand, how, {}}); }))
          all.push_back(*module);
    return all;
  });
}

TEST_CASE("random gathers: what promises let go on finds what bisection does") {
  agree_in_process(first_seed(375000), wanted(40), generate_gathers);
}
TEST_CASE("random gathers: native and reference agree") {
  agree_natively(first_seed(378000), wanted(16), generate_gathers);
}

TEST_CASE("random leads: loops over what an operand stores compute the same") {
  agree(first_seed(365000), wanted(16), [](const Candidate& c, Dice&) {
    std::vector<emit::Module> all;
    for (const std::string& operand : c.program.kernel().operands()) {
      Step lead{Step::Kind::lead, {}, {}, {}, {}, {}, operand};
      if (auto module = changed(c, [&](lang::Schedule& s) { s.steps = {lead}; })) all.push_back(*module);
    }
    return all;
  });
}

}  // namespace trellis::randomised
