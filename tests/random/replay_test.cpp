// Random programs, in orders that are mostly illegal: the replay reads too early only when the order is illegal, keeps
// the ordinary nest when it is not, and names real instances.
#include <doctest/doctest.h>

#include "engine/check/reference.hpp"
#include "engine/loop/print.hpp"
#include "engine/place/place.hpp"
#include "tests/place/early_reads.hpp"
#include "tests/random/data.hpp"
#include "tests/random/program_case.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {
namespace {

/// Does any element change, or get its value, after it has been read?
bool reads_early(const Case& program, const loop::Stmt& nest, const Sizes& sizes) {
  Dice dice(1);
  check::State state = random_state(program.program, sizes, dice);
  loop::Options options;
  const auto results = program.kernel().results();
  options.poisoned = {results.begin(), results.end()};
  options.undefined = loop::Options::Undefined::allow;
  place::EarlyReads early;
  loop::interpret(nest, {state.parameters, state.tensors}, options, &early);
  return early.changed > 0;
}

/// A result that is read before it is written is written later; one that is read and never written is given.
std::string dispute_about_reads(const Case& program, const place::Replay& replay) {
  // argmin reads its own best value in a statement of its own; && and || may skip the read that would come too early.
  for (const char* other : {"arg", "&&", "||"})
    if (program.source.find(other) != std::string::npos) return "";
  bool early = false;
  for (const Sizes& sizes : sizes_between(program.program, 2, 6))
    early = early || reads_early(program, replay.nest, sizes);
  if (early && replay.violated.empty()) return "a legal order's replay reads too early";
  if (!early && !replay.violated.empty()) return "an illegal order's replay reads nothing too early";
  return "";
}

std::string dispute(const Case& program, const place::Analysis& analysis, const lang::Order& order) {
  const place::Placement placement = place::place(analysis, order);
  const auto* placed = std::get_if<place::Placed>(&placement);
  const auto replay = place::place_ignoring(analysis, order);
  if (!replay) return order.size() < program.kernel().variables().size() ? "" : "no replay";
  if (replay->violated.empty() != (placed != nullptr))
    return "the replay is right about an order that is not, or the reverse";
  if (placed && loop::to_string(placed->nest) != loop::to_string(replay->nest))
    return "the replay of a legal order differs from it";
  for (const place::Violation& v : replay->violated) {
    if (analysis.fragments.fragments[static_cast<std::size_t>(v.writer)].temporary) continue;
    if (!check::confirms(program.program, program.kernel(), v.instance))
      return "a violation's instance is not real: " + text::to_string(v.instance);
  }
  return dispute_about_reads(program, *replay);
}

std::string dispute(const std::string& source, const lang::Order& order) {
  auto program = read_case(source);
  if (!program) return "";
  text::Diagnostics diagnostics;
  auto analysis = place::analyse(program->program, program->kernel(), diagnostics);
  return analysis ? dispute(*program, *analysis, order) : "";
}

TEST_CASE("random programs: a replay reads too early exactly when its order is illegal") {
  const std::uint64_t seed = first_seed(30000);
  const int wanted = randomised::wanted(400);
  for (int number = 0; number < wanted; ++number) {
    Dice dice(seed + static_cast<std::uint64_t>(number));
    const Draft draft = generate(dice);
    const auto program = read_case(to_string(draft));
    if (!program) continue;
    for (int attempt = 0; attempt < 3; ++attempt) {
      const lang::Order order = random_order(dice, program->kernel().variables());
      if (dispute(program->source, order).empty()) continue;
      const Draft small = shrink(draft, [&](const Draft& d) { return !dispute(to_string(d), order).empty(); });
      FAIL_CHECK("seed ", seed + static_cast<std::uint64_t>(number), "\n", to_string(small), "order ",
                 lang::to_string(order), "\n", dispute(to_string(small), order));
    }
  }
}

}  // namespace
}  // namespace trellis::randomised
