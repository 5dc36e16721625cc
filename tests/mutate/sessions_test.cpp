// Sessions of random commands and of broken examples: whatever is typed gets an answer that can be printed, and an
// error where there is none.

#include "tests/mutate/sessions.hpp"

#include <doctest/doctest.h>

#include "tests/mutate/mutate.hpp"
#include "tests/mutate/programs.hpp"
#include "tests/mutate/typist.hpp"

namespace trellis::mutate {
namespace {

using Extent = session::Session::Extent;

/// An example, and then commands.
void commands(std::uint64_t seed, Trial& trial) {
  Typist typist(seed);
  Sitting sitting;
  trial.input = typist.program().text;
  sitting.begin(trial.input, seed % 4 == 0 ? Extent::declarations : Extent::data);
  for (int c = 0; c < 25 && sitting.objection().empty(); ++c) {
    const std::string typed = typist.command();
    trial.input += typed + "\n";
    sitting.enter(typed, typed.size());
  }
  if (sitting.objection().empty()) sitting.save_and_read();
  trial.objection = sitting.objection();
}

/// An example, typed entry by entry, some of which are broken; and a few of another one.
void broken_entries(std::uint64_t seed, Trial& trial) {
  std::mt19937_64 random(seed);
  Sitting sitting;
  std::vector<std::string> entries = examples()[random() % examples().size()].entries;
  for (const std::string& entry : examples()[random() % examples().size()].entries) {
    const auto at = static_cast<std::ptrdiff_t>(random() % (entries.size() + 1));
    if (random() % 4 == 0) entries.insert(entries.begin() + at, entry);
  }
  for (std::string typed : entries) {
    if (random() % 3 == 0) typed = broken(typed, random);
    typed = without_slow_words(typed);
    trial.input += typed + "\n";
    sitting.enter(typed, random() % (typed.size() + 1));
    if (!sitting.objection().empty()) break;
  }
  if (sitting.objection().empty()) sitting.save_and_read();
  trial.objection = sitting.objection();
}

}  // namespace

TEST_CASE("mutated sessions") {
  mutate("mutated sessions", 24,
         [](std::uint64_t seed, Trial& trial) { seed % 2 == 0 ? commands(seed, trial) : broken_entries(seed, trial); });
}

}  // namespace trellis::mutate
