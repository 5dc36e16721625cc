#include "tests/random/evaluators.hpp"

#include <algorithm>
#include <cmath>

#include "engine/loop/interpret.hpp"
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

template <class Condition>
bool hold(const Tensors& dense, const Condition& condition) {
  for (const auto& [name, tensor] : dense)
    for (std::int64_t k = 0; k < tensor.count(); ++k)
      if (condition(tensor.get_flat(k).real)) return true;
  return false;
}

/// 0 * inf is 0 where the 0 is not stored, and not-a-number where it is. Whether an operand that is not stored met an infinity,
/// so that what comes out depends on the formats and on the stage that is asked. (A reduction over nothing may have made the infinity,
/// of which the reference that knows the formats takes no notice.)
bool depends_on_formats(const Case& program, const check::State& before, const Tensors& operands, const Tensors& results) {
  if (!is_sparse(program)) return false;
  if (hold(results, [](double x) { return std::isnan(x); })) return true;
  const auto infinite = [](double x) { return std::isinf(x); };
  if (!hold(operands, infinite) && !hold(results, infinite)) return false;
  return !difference(results, check::evaluate(program.program, program.kernel(), before).results).empty();
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
  return {results_of(program, state.tensors), execution.fault ? execution.fault->message : ""};
}

Ending executed(const Case& program, const run::Kernel& kernel, const check::State& before) {
  check::State state = clone(before);
  for (const emit::Argument& argument : kernel.module().arguments) {
    if (argument.kind != emit::Argument::Kind::capacity) continue;
    tensor::Tensor& result = state.tensors.at(argument.name);
    result = result.with_room(std::size_t{1} << 26).value();
  }
  run::Bindings bindings;
  for (const emit::Argument& argument : kernel.module().arguments) {
    if (argument.kind == emit::Argument::Kind::size) bindings.sizes[argument.name] = state.parameters.at(argument.name).integer;
    if (argument.kind == emit::Argument::Kind::array || argument.kind == emit::Argument::Kind::capacity)
      bindings.arrays[argument.name] = state.tensors.at(argument.name);
  }
  run::Limits limits;
  limits.threads = 3;
  const run::Outcome outcome = run::execute(kernel, bindings, limits);
  if (outcome.status != run::Outcome::Status::ok) return {{}, outcome.message};
  for (auto& [name, tensor] : state.tensors) {
    if (!tensor.settle()) return {{}, name + " cannot be settled"};
    if (const std::string wrong = tensor::verify(tensor); !wrong.empty()) return {{}, name + ": " + wrong};
  }
  return {results_of(program, state.tensors), ""};
}

namespace {

/// What is compared where the formats decide: nothing, or what the reference that knows them says. Of `c ? a : b`, where a or b is
/// not stored, either may count as computed, and a workspace of the user may store what its operand does not.
enum class Formats { unknown, known };

std::string differs(const Case& program, std::uint64_t seed, Formats formats, const std::function<Ending(const check::State&)>& evaluate) {
  const lang::Program plain = without_formats(program.program);
  for (const Sizes& sizes : sizes_for(program, seed)) {
    Dice dice(seed);
    const check::State before = random_state(program.program, sizes, dice);
    const check::State dense = without_formats(before);
    check::Evaluation reference = check::evaluate(plain, plain.kernels.front(), dense);
    if (!reference.problem && is_rounded(reference.results)) return "";
    if (!reference.problem && depends_on_formats(program, before, dense.tensors, reference.results)) {
      const bool moot = program.source.find('?') != std::string::npos || program.source.find("workspace") != std::string::npos;
      if (formats == Formats::unknown || moot) return "";
      reference = check::evaluate(program.program, program.kernel(), before);
    }
    const Ending ending = evaluate(before);
    std::string found;
    if (reference.problem && ending.fault.empty()) found = "no fault, but the reference says: " + reference.problem->message;
    if (!reference.problem) found = ending.fault.empty() ? difference(reference.results, ending.results) : ending.fault;
    if (!found.empty()) return "at " + to_string(sizes) + ", " + found;
  }
  return "";
}

}  // namespace

std::string differs(const Case& program, std::uint64_t seed, const std::function<Ending(const check::State&)>& evaluate) {
  return differs(program, seed, Formats::unknown, evaluate);
}

std::string differs(const Case& program, std::uint64_t seed, const std::variant<run::Kernel, run::CompileError>& kernel) {
  if (const auto* error = std::get_if<run::CompileError>(&kernel)) return error->message;
  return differs(program, seed, Formats::known, [&](const check::State& before) { return executed(program, std::get<run::Kernel>(kernel), before); });
}

std::string named(const std::string& who, const std::string& what) { return what.empty() ? "" : who + ": " + what; }

}  // namespace trellis::randomised
