// Random loop programs: the reference, the loop interpreter, the just-in-time back end and the native one agree, on faults too.
#include <doctest/doctest.h>

#include "tests/options.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/generate_loops.hpp"

namespace trellis::randomised {
namespace {

struct Candidate {
  std::uint64_t seed = 0;
  Draft draft;
  Case program;
  Compilation compilation;
};

std::optional<Candidate> candidate(std::uint64_t seed, const Draft& draft, std::string* complaint = nullptr) {
  auto program = read_case(to_string(draft), complaint);
  if (!program) return std::nullopt;
  text::Diagnostics diagnostics;
  Compilation compilation = compile(program->program, program->kernel(), diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  return Candidate{seed, draft, std::move(*program), std::move(compilation)};
}

std::string dispute(const Candidate& c, std::optional<run::Backend> backend) {
  const std::string found = named("loops", differs(c.program, c.seed, [&](const check::State& before) {
                                    return interpreted(c.program, c.compilation.loops, before);
                                  }));
  if (!found.empty() || !backend) return found;
  return named(run::name_of(*backend), differs(c.program, c.seed, run::compile(c.compilation.module, *backend)));
}

void report(const Candidate& original, std::optional<run::Backend> backend) {
  const Draft draft = shrink(original.draft, [&](const Draft& smaller) {
    const auto made = candidate(original.seed, smaller);
    return made && !dispute(*made, backend).empty();
  });
  const Candidate small = *candidate(original.seed, draft);
  FAIL_CHECK("seed ", original.seed, "\n", small.program.source, dispute(small, backend));
}

std::vector<Candidate> candidates(std::uint64_t seed, int wanted) {
  std::vector<Candidate> result;
  for (int attempt = 0; attempt < 10 * wanted && std::ssize(result) < wanted; ++attempt) {
    const std::uint64_t number = seed + static_cast<std::uint64_t>(attempt);
    Dice dice(number);
    if (auto made = candidate(number, generate_loops(dice))) result.push_back(std::move(*made));
  }
  return result;
}

TEST_CASE("random loop programs: interpreter, jit and reference agree") {
  const int wanted = testing::options().random ? testing::options().random : 150;
  const auto programs = candidates(testing::options().seed.value_or(30000), wanted);
  CHECK(std::ssize(programs) == wanted);
  for (const Candidate& c : programs)
    if (!dispute(c, run::Backend::jit).empty()) report(c, run::Backend::jit);
}

TEST_CASE("random loop programs: native and reference agree") {
  const int wanted = testing::options().random ? testing::options().random : 40;
  const auto programs = candidates(testing::options().seed.value_or(40000), wanted);
  std::vector<emit::Module> modules;
  for (const Candidate& c : programs) modules.push_back(c.compilation.module);
  const auto kernels = run::compile_batch(modules, run::Backend::native);
  REQUIRE(kernels.size() == programs.size());
  for (std::size_t k = 0; k < programs.size(); ++k)
    if (!differs(programs[k].program, programs[k].seed, kernels[k]).empty()) report(programs[k], run::Backend::native);
}

}  // namespace
}  // namespace trellis::randomised
