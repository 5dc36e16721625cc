#include "tests/random/candidates.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "engine/loop/guard_reductions.hpp"
#include "engine/run/backends.hpp"
#include "engine/tensor/for_each_entry.hpp"
#include "engine/text/sequence.hpp"
#include "tests/environment.hpp"
#include "tests/on_threads.hpp"
#include "tests/random/drawn_names.hpp"
#include "tests/random/random_format.hpp"

namespace trellis::randomised {
namespace {

/// What the compiler's loops are about: of a mask that goes by its entries they read where these are.
check::State as_seen(const Compilation& compilation, check::State state) {
  for (const lang::Schedule::Mask& mask : compilation.kernel.schedule.masks) {
    const auto found = mask.pattern && !mask.by_value ? state.tensors.find(*mask.pattern) : state.tensors.end();
    if (found == state.tensors.end()) continue;
    const tensor::Tensor listed = found->second;
    auto entries = tensor::Tensor::create(format::ScalarType::boolean, listed.shape(),
                                          format::Format::dense(listed.rank()), format::Value::truth(false))
                       .value();
    tensor::for_each_entry(listed, [&](const tensor::Index& index, const format::Value&) {
      entries.set(index, format::Value::truth(true));
    });
    found->second = entries;
  }
  return state;
}

/// Empty when the order is illegal, or the program is wrong in a way that only the compiler finds.
std::optional<Candidate> compiled(std::uint64_t seed, const Draft& draft, const Case& program,
                                  const std::optional<lang::Order>& order) {
  Candidate result{seed, draft, program, order, {}};
  text::Diagnostics diagnostics;
  try {
    if (order) {
      auto analysis = place::analyse(program.program, program.kernel(), diagnostics);
      if (!analysis) return std::nullopt;
      lang::Schedule schedule = program.kernel().schedule;
      schedule.order = order;
      result.compilation =
          compile(std::make_shared<const place::Analysis>(std::move(*analysis)), diagnostics, schedule);
      if (!result.compilation.placed) return std::nullopt;
    } else {
      result.compilation = compile(program.program, program.kernel(), diagnostics);
    }
  } catch (const std::exception& e) { result.thrown = std::string("the compiler throws ") + e.what(); }
  if (diagnostics.has_errors()) return std::nullopt;
  return result;
}

/// Without its declaration a tensor may take a shape that no test data fits.
bool keeps_shapes(const lang::Program& smaller, const lang::Program& original) {
  return std::ranges::all_of(smaller.tensors, [&](const lang::TensorInfo& info) {
    const lang::TensorInfo* before = original.tensor(info.name);
    return before && before->shape == info.shape;
  });
}

std::optional<Candidate> recompiled(const Candidate& original, const Draft& draft) {
  auto program = read_case(to_string(draft));
  if (!program || !keeps_shapes(program->program, original.program.program) ||
      original.order.has_value() == program->kernel().loops.has_value())
    return std::nullopt;
  std::optional<lang::Order> order = original.order;
  if (order) {
    auto names = program->kernel().variables();
    std::erase_if(*order, [&](const lang::LoopName& l) { return !contains(names, lang::variable_of(l.name)); });
  }
  return compiled(original.seed, draft, *program, order);
}

/// A program made smaller fails as the one that it comes from does: parts may be cut away that keep indices in range,
/// and then it is wrong in another way.
bool alike(const std::string& dispute, const std::string& other) {
  for (const char* kind : {"no fault, but the reference says", ", expected ", "the compiler throws"})
    if ((dispute.find(kind) == std::string::npos) != (other.find(kind) == std::string::npos)) return false;
  return !dispute.empty();
}

/// Smaller programs first, then simpler formats, as long as either helps.
template <class Fails>
Draft smallest(Draft draft, const Fails& fails) {
  for (bool progress = true; progress;) {
    draft = shrink(draft, fails);
    progress = false;
    for (const Draft& simpler : with_simpler_formats(draft)) {
      if (!fails(simpler)) continue;
      draft = simpler;
      progress = true;
      break;
    }
  }
  return draft;
}

}  // namespace

std::optional<Candidate> candidate(std::uint64_t seed, const Generate& generate) {
  Dice dice(seed);
  Draft draft = generate(dice);
  auto program = read_case(to_string(draft));
  if (!program) return std::nullopt;
  draft = with_drawn_names(draft, *program, seed);
  program = read_case(to_string(draft));
  for (int attempt = 0; attempt < (program->kernel().loops ? 1 : 6); ++attempt) {
    std::optional<lang::Order> order;
    if (!program->kernel().loops) order = random_tiled_order(dice, program->kernel().variables());
    if (auto made = compiled(seed, draft, *program, order)) return made;
  }
  return std::nullopt;
}

std::string dispute(const Candidate& c, std::optional<run::Backend> backend) {
  if (!c.thrown.empty()) return c.thrown;
  auto with = [&](const loop::Stmt& nest) {
    return differs(c.program, c.seed, [&](const check::State& before) {
      return interpreted(c.program, nest, as_seen(c.compilation, before));
    });
  };
  // Masks come behind placement.
  const bool placed = c.compilation.placed && c.program.kernel().schedule.masks.empty();
  // Placement computes each reduction whether somebody reads it or not, and its operands may end before: the guards are
  // part of what it means.
  std::string found =
      placed ? named("placed nest", with(loop::guard_reductions(c.compilation.placed->nest, c.program.program))) : "";
  // With layouts, loops are about what these store.
  const bool logical = std::ranges::none_of(c.compilation.program.tensors,
                                            [](const lang::TensorInfo& t) { return t.format.layout != nullptr; });
  if (found.empty() && logical) found = named("normalised loops", with(c.compilation.loops));
  const auto by_flow = [&](const check::State& before) { return stepped(c.program, c.compilation.flow, before); };
  if (found.empty()) found = named("control flow", differs(c.program, c.seed, by_flow));
  if (found.empty() && backend)
    found = named(run::name_of(*backend),
                  differs(c.program, c.seed, run::compile(testing::always_on_threads(c.compilation.module), *backend)));
  return found;
}

void report(const Candidate& original, std::optional<run::Backend> backend) {
  const std::string disputed = dispute(original, backend);
  auto fails = [&](const Draft& draft) {
    auto smaller = recompiled(original, draft);
    return smaller && alike(dispute(*smaller, backend), disputed);
  };
  const auto small = fails(original.draft) ? recompiled(original, smallest(original.draft, fails)) : original;
  const std::string order = small->order ? "order " + lang::to_string(*small->order) + "\n" : "";
  // What is left may fail for another reason.
  FAIL_CHECK("seed ", original.seed, "\n", small->program.source, order, dispute(*small, backend),
             "\nmade smaller from\n", original.program.source);
}

void agree_in_process(std::uint64_t seed, int wanted, const Generate& generate, const Fits& fits) {
  int made = 0;
  for (int attempt = 0; attempt < 40 * wanted && made < wanted; ++attempt) {
    const std::uint64_t now = seed + static_cast<std::uint64_t>(attempt);
    CAPTURE(now);
    const auto c = candidate(now, generate);
    if (!c || (fits && !fits(*c))) continue;
    ++made;
    if (!dispute(*c, run::Backend::jit).empty()) report(*c, run::Backend::jit);
  }
  CHECK(made == wanted);
}

void agree_natively(std::uint64_t seed, int wanted, const Generate& generate, const Fits& fits) {
#ifdef __SANITIZE_ADDRESS__
  // Kernels are compiled as this program is: arrays are fenced (engine/tensor/shared_array.cpp), so leaving one is
  // noticed.
  const testing::Environment compiler("CC", "cc -fsanitize=address,undefined -fno-sanitize-recover=all");
#endif
  // Many in one go, for the compiler takes a while to start; not so many that they meet the limit of time, which is
  // longer than a user would wait for one kernel.
  constexpr int batch = 200;
  run::Limits patient;
  patient.seconds = 280;
  int made = 0;
  for (int attempt = 0; attempt < 40 * wanted && made < wanted;) {
    std::vector<Candidate> programs;
    std::vector<emit::Module> modules;
    for (; attempt < 40 * wanted && made < wanted && std::ssize(programs) < batch; ++attempt) {
      const std::uint64_t now = seed + static_cast<std::uint64_t>(attempt);
      CAPTURE(now);
      auto c = candidate(now, generate);
      if (!c || (fits && !fits(*c))) continue;
      ++made;
      modules.push_back(testing::always_on_threads(c->compilation.module));
      programs.push_back(std::move(*c));
    }
    const auto kernels = run::compile_batch(modules, run::Backend::native, patient);
    REQUIRE(kernels.size() == programs.size());
    for (std::size_t k = 0; k < programs.size(); ++k) {
      if (!programs[k].thrown.empty() || !differs(programs[k].program, programs[k].seed, kernels[k]).empty())
        report(programs[k], run::Backend::native);
    }
  }
  CHECK(made == wanted);
}

void try_others(std::uint64_t seed, int wanted, const Generate& generate, const Differences& differences) {
  int made = 0;
  for (int attempt = 0; attempt < 200 * wanted && made < wanted; ++attempt) {
    const std::uint64_t now = seed + static_cast<std::uint64_t>(attempt);
    const auto c = candidate(now, generate);
    if (!c || !c->thrown.empty()) continue;
    for (const std::string& difference : differences(*c)) {
      ++made;
      CHECK_MESSAGE(difference.empty(), "seed " << now << "\n"
                                                << c->program.source
                                                << (c->order ? "order " + lang::to_string(*c->order) : "") << "\n"
                                                << difference);
    }
  }
  CHECK(made >= wanted);
}

}  // namespace trellis::randomised
