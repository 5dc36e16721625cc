// Timesteps that share one buffer, because `inplace` asks for it, compute what steps with a buffer of their own do; and
// what is refused is refused with a value that is lost.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/check/reference.hpp"
#include "engine/place/place.hpp"
#include "engine/run/backends.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/generate.hpp"
#include "tests/random/generate_steps.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

void try_in_place(std::uint64_t seed, const Case& program, const std::shared_ptr<const place::Analysis>& analysis,
                  const lang::Order& order, int& in_one_buffer) {
  lang::Schedule schedule;
  schedule.order = order;
  std::vector<std::string> tensors;
  for (const lang::Timesteps& t : analysis->kernel.timesteps) tensors.push_back(t.tensor);
  for (const std::string& tensor : tensors) schedule.inplace.push_back({tensor, {}});
  text::Diagnostics diagnostics;
  const Compilation compilation = compile(analysis, diagnostics, schedule);
  if (diagnostics.has_errors() || compilation.rejected) return;
  ++in_one_buffer;
  const std::string wrong = differs(program, seed, run::compile(compilation.module, run::Backend::jit));
  if (!wrong.empty())
    FAIL_CHECK("seed ", seed, "\n", program.source, "order ", lang::to_string(order), " in place\n", wrong);
}

TEST_CASE("random timesteps in place") {
  const int wanted = std::max(randomised::wanted(40), 12);
  const std::uint64_t seed = first_seed(110000);
  int in_one_buffer = 0;
  for (int k = 0; k < wanted; ++k) {
    Dice dice(seed + static_cast<std::uint64_t>(k));
    const Draft draft = generate_steps(dice);
    const auto program = read_case(to_string(draft));
    if (!program) continue;
    text::Diagnostics diagnostics;
    auto analysis = place::analyse(program->program, program->kernel(), diagnostics);
    if (!analysis) continue;
    const auto shared = std::make_shared<const place::Analysis>(std::move(*analysis));
    const std::vector<std::string> names = program->kernel().variables();
    for (int n = 0; n < 3; ++n) {
      const lang::Order order = place::completed(*shared, random_order(dice, names));
      if (place::is_legal(*shared, order))
        try_in_place(seed + static_cast<std::uint64_t>(k), *program, shared, order, in_one_buffer);
    }
  }
  CHECK(in_one_buffer > 0);
}

}  // namespace
}  // namespace trellis::randomised
