#pragma once
// Random programs, compiled, and what their evaluators disagree on: the reference, the loop interpreter on the placed
// and on the normalised nest, the just-in-time back end and the native one.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tests/random/draft.hpp"
#include "tests/random/evaluators.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::randomised {

/// A program that was compiled, equations for one of their legal orders.
struct Candidate {
  std::uint64_t seed = 0;
  Draft draft;
  Case program;
  std::optional<lang::Order> order;  ///< none of a loop program
  Compilation compilation;
  std::string thrown = {};  ///< by the compiler, which is wrong in any case
};

using Generate = std::function<Draft(Dice&)>;

/// The program of a seed with the first legal one of a few random orders; empty when it has none, or is no program.
std::optional<Candidate> candidate(std::uint64_t seed, const Generate& generate);

/// What the evaluators disagree on, in words; empty when they do not. Without a back end, the interpreter alone is
/// asked.
std::string dispute(const Candidate& candidate, std::optional<run::Backend> backend);

/// A failed check that shows the smallest program in dispute.
void report(const Candidate& candidate, std::optional<run::Backend> backend);

/// Is this one of the programs that a test is about?
using Fits = std::function<bool(const Candidate&)>;

/// `wanted` programs, from this seed on, each interpreted and by the just-in-time back end.
void agree_in_process(std::uint64_t seed, int wanted, const Generate& generate, const Fits& fits = {});
/// The same with native code, many programs to a compiler process.
void agree_natively(std::uint64_t seed, int wanted, const Generate& generate, const Fits& fits = {});

/// What other ways to run a program differ in from the reference, one of each way, empty where it agrees.
using Differences = std::function<std::vector<std::string>(const Candidate&)>;
/// Programs from this seed on, until so many ways have been compared.
void try_others(std::uint64_t seed, int wanted, const Generate& generate, const Differences& differences);

}  // namespace trellis::randomised
