#include "tests/random/evaluators.hpp"

#include <algorithm>
#include <cfenv>
#include <optional>

#include "engine/flow/interpret.hpp"
#include "engine/loop/interpret.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/tensor/verify.hpp"
#include "tests/random/sparse_data.hpp"

namespace trellis::randomised {
namespace {

Tensors results_of(const Case& program, const Tensors& tensors) {
  Tensors results;
  for (const std::string& name : program.kernel().results()) results[name] = tensors.at(name);
  return results;
}

bool is_sparse(const Case& program) {
  const auto& tensors = program.program.tensors;
  return std::any_of(tensors.begin(), tensors.end(), [](const lang::TensorInfo& t) { return !t.format.all_dense(); });
}

/// May the same element count as stored or not? A choice, of `?` or of the parts that a shape operator joins, and a
/// padded read are computed, except in a gap of all that they could give, and by loops of their own parts; a result
/// that the kernel reads back may have lost zeros; a workspace of the user may store what its operand does not.
bool is_moot(const Case& program) {
  for (const char* part : {"?", "pad", "concat", "stack", "~", "workspace"})
    if (program.source.find(part) != std::string::npos) return true;
  const std::vector<std::string> results = program.kernel().results(), operands = program.kernel().operands();
  return std::any_of(results.begin(), results.end(), [&](const std::string& name) {
    return !program.program.tensor(name)->format.all_dense() &&
           std::find(operands.begin(), operands.end(), name) != operands.end();
  });
}

/// The reference for who evaluates the program, empty where there is none. 0 * inf is 0 where the 0 is not stored, and
/// not-a-number where it is: an invalid operation somewhere on the way tells that the formats matter.
enum class Formats { unknown, known };
std::optional<check::Evaluation> reference(const Case& program, const lang::Program& plain, const check::State& before,
                                           Formats formats) {
  std::feclearexcept(FE_INVALID);
  check::Evaluation dense = check::evaluate(plain, plain.kernels.front(), without_formats(before, plain));
  const bool matters = !dense.problem && is_sparse(program) && std::fetestexcept(FE_INVALID) != 0;
  if (!dense.problem && is_rounded(dense.results)) return std::nullopt;
  if (!matters) return dense;
  if (formats == Formats::unknown || is_moot(program)) return std::nullopt;
  return check::evaluate(program.program, program.kernel(), before);
}

/// Sparse programs run at a larger size as well, and at one with an empty dimension beside others.
std::vector<Sizes> sizes_for(const Case& program, std::uint64_t seed) {
  std::vector<Sizes> all = sizes_between(program.program, 0, 4);
  if (!is_sparse(program)) return all;
  if (program.program.parameter("m")) {
    all.push_back(all[3]);
    all.back()["m"] = 0;
  }
  const auto variables = program.kernel().variables().size();
  const int large = 5 + static_cast<int>(seed % (variables < 4 ? 5 : variables == 4 ? 3 : 1));
  all.push_back(sizes_between(program.program, large, large).front());
  return all;
}

}  // namespace

Ending interpreted(const Case& program, const loop::Stmt& nest, const check::State& before) {
  const check::State state = clone(before);
  const loop::Execution execution = loop::interpret(nest, {state.parameters, state.tensors, program.program.functions});
  if (!execution.fault) return {results_of(program, state.tensors), "", false, execution.ended_after};
  return {{}, execution.fault->message, execution.fault->kind == loop::FaultKind::region_taken};
}

Ending stepped(const Case& program, const flow::Flow& flow, const check::State& before) {
  const check::State state = clone(before);
  const flow::Execution execution = flow::interpret(flow, {state.parameters, state.tensors});
  if (execution.fault) return {{}, execution.fault->message, execution.fault->kind == flow::FaultKind::region_taken};
  for (const auto& [name, tensor] : state.tensors)
    if (const std::string wrong = tensor::verify(tensor); !wrong.empty()) return {{}, name + ": " + wrong};
  return {results_of(program, state.tensors), "", false, execution.ended_after};
}

Ending executed(const Case& program, const run::Kernel& kernel, const check::State& before) {
  check::State state = clone(before);
  for (const emit::Argument& argument : kernel.module().arguments) {
    if (argument.kind != emit::Argument::Kind::capacity) continue;
    tensor::Tensor& result = state.tensors.at(argument.name);
    result = result.with_room(std::size_t{1} << 26).value();
  }
  for (const emit::Argument& argument : kernel.module().arguments) {
    if (argument.entries_of.empty()) continue;
    tensor::Tensor& values = state.tensors.at(argument.name);
    values = values.with_structure_of(state.tensors.at(argument.entries_of), tensor::Writer::child_process).value();
  }
  run::Bindings bindings;
  for (const emit::Argument& argument : kernel.module().arguments) {
    if (argument.kind == emit::Argument::Kind::size)
      bindings.sizes[argument.name] = state.parameters.at(argument.name).integer;
    if (argument.kind == emit::Argument::Kind::array || argument.kind == emit::Argument::Kind::capacity)
      bindings.arrays[argument.name] = state.tensors.at(argument.name);
  }
  run::Limits limits;
  limits.threads = 3;
  const run::Outcome outcome = run::execute(kernel, bindings, limits);
  if (outcome.status != run::Outcome::Status::ok) return {{}, outcome.message};
  Ending ending;
  for (auto& [name, tensor] : state.tensors) {
    const format::Format wanted = tensor.format();
    if (!tensor.publish()) {
      ending.has_no_room = region_without_room(tensor, wanted).has_value();
      ending.fault = name + " cannot be published";
      if (!ending.has_no_room) return ending;
    }
    if (const std::string wrong = tensor::verify(tensor); !wrong.empty()) return {{}, name + ": " + wrong};
  }
  ending.results = results_of(program, state.tensors);
  ending.ended_after = outcome.ended_after;
  return ending;
}

namespace {

/// A kernel that leaves out fills leaves out -0 where the fill is 0: they are equal.
tensor::Tensor with_plain_fills(const tensor::Tensor& tensor) {
  tensor::Tensor plain = tensor.clone();
  tensor::for_each_index(plain.shape(), [&](const tensor::Index& index) {
    if (plain.get(index) == plain.fill()) plain.set(index, plain.fill());
  });
  return plain;
}

bool have_no_room(const Case& program, const Tensors& results) {
  return std::ranges::any_of(results, [&](const auto& result) {
    tensor::ConvertFailure failure;
    const format::Format& format = program.program.tensor(result.first)->format;
    const auto converted = tensor::convert(with_plain_fills(result.second), format, tensor::ExplicitFills::dropped,
                                           std::size_t{1} << 26, &failure);
    return !converted && failure.why.kind == tensor::PackFailure::Kind::region_taken;
  });
}

/// Empty when it ended as it should have.
std::string wrong_end(const Case& program, const check::Evaluation& expected, const Ending& ending) {
  const bool faults = !ending.fault.empty();
  if (expected.problem) return faults ? "" : "no fault, but the reference says: " + expected.problem->message;
  if (!faults && have_no_room(program, expected.results))
    return "no fault, but the reference says: a result has more regions than its format holds";
  // Fills that are stored take room as well. What a kernel has appended is there all the same.
  if (ending.has_no_room) return ending.results.empty() ? "" : difference(expected.results, ending.results);
  if (faults) return ending.fault;
  const bool counted = program.kernel().until.has_value();
  return !counted || expected.ended_after == ending.ended_after
             ? difference(expected.results, ending.results)
             : "the condition of until held after " + std::to_string(ending.ended_after) +
                   " steps, but the reference says after " + std::to_string(expected.ended_after);
}

/// Each equation on what was left, where that can be told; sums may have been added up in any order. Empty when all
/// hold.
std::string fails_by_equations(const Case& program, const lang::Program& plain, const check::State& before,
                               const Ending& ending) {
  const lang::Kernel& kernel = plain.kernels.front();
  if (!check::goes_by_equations(kernel, check::By::equations)) return "";
  const auto report =
      check::compare(plain, kernel, without_formats(before, plain), ending.results, check::By::equations);
  if (report.problem) return "by equations: " + report.problem->message;
  if (!report.first) return "";
  return "by equations, at " + text::element_text(report.first->tensor, report.first->index) + ": " + program.source;
}

std::string differs(const Case& program, std::uint64_t seed, Formats formats,
                    const std::function<Ending(const check::State&)>& evaluate) {
  const lang::Program plain = without_formats(program.program);
  for (const Sizes& sizes : sizes_for(program, seed)) {
    Dice dice(seed);
    const check::State before = random_state(program.program, sizes, dice);
    const std::optional<check::Evaluation> expected = reference(program, plain, before, formats);
    if (!expected) continue;
    const Ending ending = evaluate(before);
    std::string found = wrong_end(program, *expected, ending);
    const bool comparable = found.empty() && !expected->problem && !ending.has_no_room;
    if (comparable && (formats == Formats::unknown || !is_sparse(program)))
      found = fails_by_equations(program, plain, before, ending);
    if (!found.empty()) return "at " + to_string(sizes) + ", " + found;
  }
  return "";
}

}  // namespace

std::string differs(const Case& program, std::uint64_t seed,
                    const std::function<Ending(const check::State&)>& evaluate) {
  return differs(program, seed, Formats::unknown, evaluate);
}

std::string differs(const Case& program, std::uint64_t seed,
                    const std::variant<run::Kernel, run::CompileError>& kernel) {
  if (const auto* error = std::get_if<run::CompileError>(&kernel)) return error->message;
  return differs(program, seed, Formats::known,
                 [&](const check::State& before) { return executed(program, std::get<run::Kernel>(kernel), before); });
}

std::string named(const std::string& who, const std::string& what) { return what.empty() ? "" : who + ": " + what; }

}  // namespace trellis::randomised
