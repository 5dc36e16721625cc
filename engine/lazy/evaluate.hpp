#pragma once
// Plans on the engine: lowered, resolved, compiled and run, one kernel a query, in order.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/compile.hpp"
#include "engine/lazy/lower.hpp"
#include "engine/run/kernel.hpp"
#include "engine/tensor/tensor.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::lazy {

/// By name.
using Tensors = std::map<std::string, tensor::Tensor>;

/// A plan for operands in certain formats, up to C; it holds for any data in these.
struct Translated {
  Plan plan;
  Lowered lowered;
  lang::Program program;
  std::vector<Compilation> compilations;  ///< one a query
};

/// And as machine code.
struct Compiled : Translated {
  std::vector<run::Kernel> kernels;  ///< one a query
};

/// Empty when the plan cannot be compiled, which is reported; places are in `source`, the plan as a program.
std::optional<Translated> translate(const Plan& plan, const Formats& operands, text::Sources& source,
                                    text::Diagnostics& diagnostics);
std::optional<Compiled> compile(Translated translated, run::Backend backend, text::Diagnostics& diagnostics);

std::optional<Compiled> compile(const Plan& plan, const Formats& operands, run::Backend backend, text::Sources& source,
                                text::Diagnostics& diagnostics);

/// What the plan produces. `operands` are those tables of it that no query produces, in the formats that it was
/// compiled for. Empty when a kernel fails or memory is refused, which is reported (E0502 to E0506).
std::optional<Tensors> evaluate(const Compiled& compiled, const Tensors& operands, const run::Limits& limits,
                                text::Diagnostics& diagnostics);

/// And what it makes on the way.
std::optional<Tensors> evaluate_all(const Compiled& compiled, const Tensors& operands, const run::Limits& limits,
                                    text::Diagnostics& diagnostics);

Formats formats_of(const Tensors& tensors);

}  // namespace trellis::lazy
