// The matrix of trials: every schedule command on small programs whose tensors are stored in every level format,
// layout and order of dimensions. Each is right or refused with a code. `--matrix` goes through all of them and prints
// how many there are of each kind; without it a sample is tried, `--random N --seed S` another one.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <random>
#include <thread>

#include "tests/matrix/outcome.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::matrix {
namespace {

using Kind = Outcome::Kind;

bool is_fine(const Outcome& outcome) { return outcome.kind == Kind::right || outcome.kind == Kind::refused; }

std::vector<Trial> sample(std::vector<Trial> all, std::size_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  for (std::size_t k = 0; k < count && k < all.size(); ++k) std::swap(all[k], all[k + generator() % (all.size() - k)]);
  all.resize(std::min(count, all.size()));
  return all;
}

std::string first_word(const std::string& command) {
  return command.empty() ? "no command" : command.substr(0, command.find(' '));
}

/// How many there are of each kind, by command.
class Counts {
 public:
  void add(const Trial& trial, const Outcome& outcome) {
    ++of_[first_word(trial.command)][outcome.kind];
    ++of_["all"][outcome.kind];
    if (outcome.kind != Kind::refused) return;
    Refusals& refusals = codes_[outcome.what];
    if (++refusals.count == 1) refusals.example = title(trial);
  }
  std::string table() {
    std::string text = "| command | trials | right | refused | wrong | crashed |\n|---|---|---|---|---|---|\n";
    for (auto& [command, counts] : of_) {
      int trials = 0;
      for (const auto& [kind, count] : counts) trials += count;
      text += "| " + command;
      for (const int count : {trials, counts[Kind::right], counts[Kind::refused], counts[Kind::wrong],
                              counts[Kind::crashed] + counts[Kind::endless]})
        text += " | " + std::to_string(count);
      text += " |\n";
    }
    return text;
  }
  std::string codes() const {
    std::string text;
    for (const auto& [code, refusals] : codes_)
      text += code + " " + std::to_string(refusals.count) + ", as " + refusals.example + "\n";
    return text;
  }

 private:
  std::map<std::string, std::map<Kind, int>> of_;
  struct Refusals {
    int count = 0;
    std::string example = {};
  };
  std::map<std::string, Refusals> codes_;
};

std::vector<Trial> with_titles_that_have(const std::string& part) {
  std::vector<Trial> all = trials();
  std::erase_if(all, [&](const Trial& trial) { return title(trial).find(part) == std::string::npos; });
  return all;
}

}  // namespace

TEST_CASE("the matrix of trials") {
  const auto& whole = testing::options().matrix;
  const int count = whole && !testing::options().random ? 1 << 30 : randomised::wanted(240);
  const std::vector<Trial> chosen =
      sample(with_titles_that_have(whole.value_or("")), static_cast<std::size_t>(count), randomised::first_seed(1));
  Counts counts;
  outcomes_of(chosen, static_cast<int>(std::max(1u, std::thread::hardware_concurrency())),
              [&](std::size_t number, const Outcome& outcome) {
                const Trial& trial = chosen[number];
                counts.add(trial, outcome);
                if (whole && !is_fine(outcome))
                  std::cout << name_of(outcome.kind) << ": " << title(trial) << ": "
                            << outcome.what.substr(0, outcome.what.find('\n')) << std::endl;
                CHECK_MESSAGE(is_fine(outcome), name_of(outcome.kind), ": ", title(trial), "\n",
                              program_of(trial, Written::tried), outcome.what);
              });
  if (whole) std::cout << counts.table() << counts.codes();
}

}  // namespace trellis::matrix
