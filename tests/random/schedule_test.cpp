// Random steps on the loops of random programs: the certificate holds what it promises, and `forall` is what the
// dependences say.
#include <doctest/doctest.h>

#include "engine/coiterate/lower.hpp"
#include "engine/emit/emit.hpp"
#include "engine/flow/hold_in_registers.hpp"
#include "engine/flow/promote_accumulators.hpp"
#include "engine/flow/share_updates.hpp"
#include "engine/flow/unroll_and_jam.hpp"
#include "engine/loop/print.hpp"
#include "engine/run/backends.hpp"
#include "engine/schedule/apply.hpp"
#include "engine/schedule/mark.hpp"
#include "tests/options.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/generate_loops.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

using Kind = lang::ScheduleStep::Kind;

struct Subject {
  std::uint64_t seed = 0;
  Case program;
  Compilation compilation;
};

std::optional<Subject> subject(std::uint64_t seed, const Draft& draft) {
  auto program = read_case(to_string(draft), nullptr);
  if (!program) return std::nullopt;
  text::Diagnostics diagnostics;
  Compilation compilation = compile(program->program, program->kernel(), diagnostics);
  if (diagnostics.has_errors() || !compilation.loops) return std::nullopt;
  return Subject{seed, std::move(*program), std::move(compilation)};
}

std::vector<Subject> subjects(std::uint64_t seed, int wanted) {
  std::vector<Subject> result;
  for (int attempt = 0; attempt < 10 * wanted && std::ssize(result) < wanted; ++attempt) {
    const std::uint64_t number = seed + static_cast<std::uint64_t>(attempt);
    Dice dice(number);
    if (auto made = subject(number, attempt % 2 ? generate_loops(dice) : generate(dice)))
      result.push_back(std::move(*made));
  }
  return result;
}

lang::ScheduleStep random_step(Dice& dice, const std::vector<std::string>& loops, int number) {
  const auto pick = [&] { return loops[static_cast<std::size_t>(dice.below(static_cast<int>(loops.size())))]; };
  const std::string first = pick(), suffix = std::to_string(number);
  std::string second = pick();
  for (int tries = 0; tries < 8 && second == first; ++tries) second = pick();
  const std::int64_t factor = 1 + dice.below(3);
  switch (dice.below(second == first ? 4 : 8)) {
    case 0: return {Kind::split, {first}, {first + "o" + suffix, first + "i" + suffix}, {factor}, {}, {}};
    case 1: return {Kind::vectorize, {first}, {}, {}, {}, {}};
    case 2: return {Kind::unroll, {first}, {}, {factor}, {}, {}};
    case 3: return {Kind::jam, {first}, {}, {1 + factor}, {}, {}};
    case 4: return {Kind::skew, {first, second}, {}, {dice.below(2) ? factor : -factor}, {}, {}};
    case 5:
      return {Kind::tile,
              {first, second},
              {first + "o" + suffix, second + "o" + suffix, first + "i" + suffix, second + "i" + suffix},
              {factor, 2},
              {},
              {}};
    case 6: return {Kind::registers, {first, second}, {}, {}, {}, {}};
    default: return {Kind::reorder, {first, second}, {}, {}, {}, {}};
  }
}

/// The loops after up to four of the steps that are accepted; what was done is said in `taken`.
loop::Stmt transformed(const Subject& s, std::string& taken) {
  Dice dice(s.seed + 77);
  math::Solver solver(lang::size_assumptions(s.program.program));
  loop::Stmt now = s.compilation.loops;
  for (int number = 0; number < 4; ++number) {
    const std::vector<std::string> names = schedule::bound_names(now);
    if (names.empty()) break;
    const lang::ScheduleStep step = random_step(dice, names, number);
    const auto result = schedule::take(now, step, s.program.program, solver);
    if (const auto* refusal = std::get_if<text::Diagnostic>(&result)) {
      CHECK_MESSAGE(refusal->message.find("could not be certified") == std::string::npos, refusal->message, "\n",
                    loop::to_string(now));
      continue;
    }
    taken += lang::to_string(step) + "\n";
    const auto& applied = std::get<schedule::Applied>(result);
    now = applied.after;
    if (step.kind == lang::ScheduleStep::Kind::registers) continue;  // it asks for none, and says none
    CHECK_MESSAGE(applied.dependences == schedule::analyse(now, s.program.program, solver).dependences, "seed ", s.seed,
                  ": the next step would start from other dependences\n", s.program.source, taken,
                  loop::to_string(now));
  }
  return now;
}

emit::Module module_of(const Subject& s, const loop::Stmt& loops) {
  const flow::Flow lowered = coiterate::lower(loops, s.program.program, s.compilation.kernel.name).flow;
  text::Diagnostics diagnostics;  // of loops that have nothing to share
  const flow::Flow jammed = flow::unroll_and_jam(lowered, s.compilation.kernel, diagnostics).value_or(lowered);
  const flow::Flow held = flow::hold_in_registers(jammed, s.compilation.kernel, diagnostics).value_or(jammed);
  return emit::emit(flow::share_updates(flow::promote_accumulators(held)));
}

void judge(const Subject& s, std::optional<run::Backend> backend, int& steps) {
  std::string taken;
  const loop::Stmt loops = transformed(s, taken);
  steps += static_cast<int>(std::count(taken.begin(), taken.end(), '\n'));
  const std::string wrong = named("loops", differs(s.program, s.seed, [&](const check::State& before) {
                                    return interpreted(s.program, loops, before);
                                  }));
  const std::string compiled =
      !backend ? "" : named("code", differs(s.program, s.seed, run::compile(module_of(s, loops), *backend)));
  if (!wrong.empty() || !compiled.empty()) {
    FAIL_CHECK("seed ", s.seed, "\n", s.program.source, taken, loop::to_string(s.compilation.loops), "----\n",
               loop::to_string(loops), wrong, compiled);
  }
}

TEST_CASE("random steps leave what programs compute as it was") {
  const int wanted = randomised::wanted(16);
  int steps = 0;
  for (const Subject& s : subjects(first_seed(70000), wanted)) judge(s, run::Backend::jit, steps);
  CHECK(steps > wanted / 2);
}

TEST_CASE("random steps leave what native code computes as it was") {
  const int wanted = testing::options().random ? testing::options().random / 4 : 1;
  int steps = 0;
  for (const Subject& s : subjects(first_seed(80000), wanted)) judge(s, run::Backend::native, steps);
}

TEST_CASE("forall stands where the loops' dependences are not carried") {
  for (std::uint64_t seed = 90000; seed < 90000 + 25; ++seed) {
    Dice dice(seed);
    const auto s = subject(seed, generate(dice));
    if (!s || s->program.source.find("arg") != std::string::npos) continue;  // placement combines choices, which assign
    math::Solver solver(lang::size_assumptions(s->program.program));
    const schedule::Nest nest = schedule::analyse(s->compilation.loops, s->program.program, solver);
    int number = 0;
    loop::for_each(s->compilation.loops, [&](const loop::Stmt& stmt) {
      number += stmt.as<loop::For>() || stmt.as<loop::While>();
      const auto* f = stmt.as<loop::For>();
      if (!f || f->kind != loop::For::Kind::forall) return;
      CHECK_MESSAGE(schedule::carries(nest, number).order == nullptr, "loop ", f->variable, " of\n", s->program.source,
                    loop::to_string(s->compilation.loops));
    });
  }
}

}  // namespace
}  // namespace trellis::randomised
