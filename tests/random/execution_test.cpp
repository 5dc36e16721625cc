// Every evaluator of a program gives the same numbers: the reference, the loop interpreter on the placed and on the
// normalised nest, the just-in-time back end and the native one.
#include <doctest/doctest.h>

#include <algorithm>

#include "tests/options.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/generate_steps.hpp"

namespace trellis::randomised {
namespace {

/// A program that was compiled for one of its legal orders.
struct Candidate {
  std::uint64_t seed = 0;
  Draft draft;
  Case program;
  Compilation compilation;
};

std::optional<Compilation> compiled(const Case& program, const lang::Schedule& schedule) {
  text::Diagnostics diagnostics;
  auto analysis = place::analyse(program.program, program.kernel(), diagnostics);
  if (!analysis) return std::nullopt;
  Compilation result = compile(std::make_shared<const place::Analysis>(std::move(*analysis)), diagnostics, schedule);
  if (!result.placed || diagnostics.has_errors()) return std::nullopt;
  return result;
}

std::string dispute_of_interpreter(const Candidate& c) {
  auto with = [&](const loop::Stmt& nest) {
    return differs(c.program, c.seed, [&](const check::State& before) { return interpreted(c.program, nest, before); });
  };
  const std::string found = named("placed nest", with(c.compilation.placed->nest));
  return found.empty() ? named("normalised loops", with(c.compilation.loops)) : found;
}

std::string dispute(const Candidate& c, std::optional<run::Backend> native) {
  std::string found = dispute_of_interpreter(c);
  if (found.empty()) found = named("jit", differs(c.program, c.seed, run::compile(c.compilation.module, run::Backend::jit)));
  if (found.empty() && native) found = named("native", differs(c.program, c.seed, run::compile(c.compilation.module, *native)));
  return found;
}

using Generate = Draft (*)(Dice&);

/// The first legal one of a few random orders.
std::optional<Candidate> candidate(std::uint64_t seed, Generate generate) {
  Dice dice(seed);
  Draft draft = generate(dice);
  auto program = read_case(to_string(draft));
  if (!program) return std::nullopt;
  for (int attempt = 0; attempt < 6; ++attempt) {
    lang::Schedule schedule;
    schedule.order = random_order(dice, program->kernel().variables());
    if (auto compilation = compiled(*program, schedule)) return Candidate{seed, draft, *program, std::move(*compilation)};
  }
  return std::nullopt;
}

std::optional<Candidate> recompiled(const Candidate& original, const Draft& draft) {
  auto program = read_case(to_string(draft));
  if (!program) return std::nullopt;
  lang::Schedule schedule;
  schedule.order = original.compilation.placed->order;
  auto names = program->kernel().variables();
  std::erase_if(*schedule.order, [&](const lang::LoopName& l) { return std::find(names.begin(), names.end(), l.name) == names.end(); });
  auto compilation = compiled(*program, schedule);
  if (!compilation) return std::nullopt;
  return Candidate{original.seed, draft, *program, std::move(*compilation)};
}

void report(const Candidate& original, std::optional<run::Backend> native) {
  auto fails = [&](const Draft& draft) {
    auto smaller = recompiled(original, draft);
    return smaller && !dispute(*smaller, native).empty();
  };
  auto small = recompiled(original, shrink(original.draft, fails));
  FAIL_CHECK("seed ", original.seed, "\n", small->program.source, "order ", lang::to_string(small->compilation.placed->order), "\n",
             dispute(*small, native));
}

std::vector<Candidate> candidates(std::uint64_t seed, int wanted, Generate generate) {
  std::vector<Candidate> result;
  for (int attempt = 0; attempt < 40 * wanted && std::ssize(result) < wanted; ++attempt) {
    if (auto made = candidate(seed + static_cast<std::uint64_t>(attempt), generate)) result.push_back(std::move(*made));
  }
  return result;
}

void agree_in_process(std::uint64_t seed, int wanted, Generate generate) {
  const auto programs = candidates(testing::options().seed.value_or(seed), wanted, generate);
  CHECK(std::ssize(programs) == wanted);
  for (const Candidate& c : programs) {
    if (!dispute(c, std::nullopt).empty()) report(c, std::nullopt);
  }
}

void agree_natively(std::uint64_t seed, int wanted, Generate generate) {
  const auto programs = candidates(testing::options().seed.value_or(seed), wanted, generate);
  std::vector<emit::Module> modules;
  for (const Candidate& c : programs) modules.push_back(c.compilation.module);
  const auto kernels = run::compile_batch(modules, run::Backend::native);
  REQUIRE(kernels.size() == programs.size());
  for (std::size_t k = 0; k < programs.size(); ++k) {
    if (!differs(programs[k].program, programs[k].seed, kernels[k]).empty()) report(programs[k], run::Backend::native);
  }
}

int wanted(int usually) { return testing::options().random ? testing::options().random : usually; }

TEST_CASE("random programs: interpreter, jit and reference agree") { agree_in_process(10000, wanted(200), generate); }
TEST_CASE("random programs: native and reference agree") { agree_natively(20000, wanted(60), generate); }
TEST_CASE("random timesteps: interpreter, jit and reference agree") { agree_in_process(50000, wanted(150), generate_steps); }
TEST_CASE("random timesteps: native and reference agree") { agree_natively(60000, wanted(40), generate_steps); }

TEST_CASE("random timesteps: programs that until once left in the wrong state") {
  for (const std::uint64_t seed : {100836, 100903, 101621}) {
    const auto c = candidate(seed, generate_steps);
    REQUIRE(c);
    if (!dispute(*c, std::nullopt).empty()) report(*c, std::nullopt);
  }
}

}  // namespace
}  // namespace trellis::randomised
