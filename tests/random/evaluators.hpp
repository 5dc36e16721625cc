#pragma once
// One program on several evaluators at several sizes: what they disagree on, in words.

#include <functional>
#include <string>

#include "engine/compile.hpp"
#include "engine/run/kernel.hpp"
#include "tests/random/data.hpp"
#include "tests/random/program_case.hpp"

namespace trellis::randomised {

using Tensors = std::map<std::string, tensor::Tensor>;

/// What became of one run: results to compare, or a fault that stopped it.
struct Ending {
  Tensors results;
  std::string fault;             ///< empty: none
  bool has_no_room = false;      ///< a result has more regions than a level of its format holds
  std::int64_t ended_after = 0;  ///< steps of a kernel with `until`; 0: its condition was never met
};

Ending interpreted(const Case& program, const loop::Stmt& nest, const check::State& before);
/// By the interpreter of control flow, on the arrays in which tensors are stored.
Ending stepped(const Case& program, const flow::Flow& flow, const check::State& before);
Ending executed(const Case& program, const run::Kernel& kernel, const check::State& before);

/// How `evaluate` differs from the reference at sizes from 0 to 4, those of sparse operands up to 9; empty when it does
/// not. Where the reference finds a fault, the other must fault as well, and where a result has more regions than a
/// level of its format holds. Programs whose numbers leave the range of exact integers are not compared.
std::string differs(const Case& program, std::uint64_t seed,
                    const std::function<Ending(const check::State&)>& evaluate);

/// The same for a back end, or why it does not compile.
std::string differs(const Case& program, std::uint64_t seed,
                    const std::variant<run::Kernel, run::CompileError>& kernel);

/// "who: what", or empty when there is nothing to say.
std::string named(const std::string& who, const std::string& what);

}  // namespace trellis::randomised
