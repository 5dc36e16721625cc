#pragma once
// The reference evaluator: what a kernel means, element by element, straight from its equations. No loop order, no
// placement, no generated code; a work list and a memo array per tensor, never native recursion. It is the oracle of
// every test, so it shares nothing with the stages that it judges.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/check/evaluation.hpp"
#include "engine/lang/program.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::check {

/// By elements: with those that the reference computes from the operands alone. By equations: each equation on the
/// kernel's own results, within what rounding explains (rounding.hpp), which is right where sums are added up in
/// another order: elements may then differ by much where values cancel.
enum class By { elements, equations };

struct Difference {
  std::string tensor;
  tensor::Index index;
  format::Value got, expected;
  double allowed = 0;         ///< by equations: the bound
  std::string equation = {};  ///< by equations: the one that does not hold; empty where none defines the element
};

struct Report {
  enum class Coverage { full, sampled } coverage = Coverage::full;
  By by = By::elements;
  double max_rel_error = 0;         ///< |got - expected| / max(1, |expected|)
  double max_of_bound = 0;          ///< by equations: |got - expected| / bound
  std::optional<Difference> first;  ///< the first element, in row-major order, beyond the tolerance
  std::int64_t elements = 0;        ///< compared
  std::int64_t undecided = 0;  ///< by equations: those of them that may have any value, as rounding decides a condition
  std::optional<text::Diagnostic> problem;  ///< ill-founded, overlapping, out of range, x/0: with an instance
};

/// From `before`, whatever the kernel is.
Evaluation evaluate(const lang::Program& program, const lang::Kernel& kernel, const State& before,
                    const Interrupted& interrupted = {});

/// How many scalar terms a full evaluation takes; above 1e9 `compare` samples.
double estimate_terms(const lang::Program& program, const lang::Kernel& kernel, const State& before);

/// The elements of all steps of the tensors that have timesteps: what a full evaluation keeps.
double count_step_elements(const lang::Program& program, const lang::Kernel& kernel, const State& before);

/// By equations where `wanted` and possible: of timesteps a kernel leaves the last one alone, and a loop program has
/// none.
bool goes_by_equations(const lang::Kernel& kernel, By wanted);

/// Compares `after`, what a kernel left. By elements, up to a relative error of 1e-10; integers and bool compare
/// exactly either way. Sampled: verifies each equation on the kernel's own results at 10 000 seeded elements and the
/// boundaries.
Report compare(const lang::Program& program, const lang::Kernel& kernel, const State& before,
               const std::map<std::string, tensor::Tensor>& after, By wanted = By::elements,
               const Interrupted& interrupted = {});

/// Does iteration `at` of some equation really read `element` of the tensor, and iteration `written_at` define it?
/// Confirms the instances that rejections name, by evaluating index expressions and domains at those points.
bool confirms(const lang::Program& program, const lang::Kernel& kernel, const text::Instance& instance);

}  // namespace trellis::check
