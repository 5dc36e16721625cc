#include "tests/random/evaluators.hpp"

#include "engine/loop/interpret.hpp"
#include "tests/random/sparse_data.hpp"

namespace trellis::randomised {
namespace {

Tensors results_of(const Case& program, const Tensors& tensors) {
  Tensors results;
  for (const std::string& name : program.kernel().results()) results[name] = tensors.at(name);
  return results;
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
    const tensor::Tensor& old = state.tensors.at(argument.name);
    state.tensors[argument.name] = tensor::Tensor::reserve(old.type(), old.shape(), old.format(), old.fill(), std::size_t{1} << 20).value();
  }
  run::Bindings bindings;
  for (const emit::Argument& argument : kernel.module().arguments) {
    if (argument.kind == emit::Argument::Kind::size) bindings.sizes[argument.name] = state.parameters.at(argument.name).integer;
    if (argument.kind == emit::Argument::Kind::array || argument.kind == emit::Argument::Kind::capacity)
      bindings.arrays[argument.name] = state.tensors.at(argument.name);
  }
  const run::Outcome outcome = run::execute(kernel, bindings, {});
  if (outcome.status != run::Outcome::Status::ok) return {{}, outcome.message};
  for (auto& [name, tensor] : state.tensors) {
    if (!tensor.settle()) return {{}, name + " cannot be settled"};
    if (const std::string wrong = disorder(tensor); !wrong.empty()) return {{}, name + ": " + wrong};
  }
  return {results_of(program, state.tensors), ""};
}

std::string differs(const Case& program, std::uint64_t seed, const std::function<Ending(const check::State&)>& evaluate) {
  const lang::Program plain = without_formats(program.program);
  for (const Sizes& sizes : sizes_between(program.program, 0, 4)) {
    Dice dice(seed);
    const check::State before = random_state(program.program, sizes, dice);
    const check::Evaluation reference = check::evaluate(plain, plain.kernels.front(), without_formats(before));
    if (!reference.problem && is_rounded(reference.results)) return "";
    const Ending ending = evaluate(before);
    std::string found;
    if (reference.problem && ending.fault.empty()) found = "no fault, but the reference says: " + reference.problem->message;
    if (!reference.problem) found = ending.fault.empty() ? difference(reference.results, ending.results) : ending.fault;
    if (!found.empty()) return "at " + to_string(sizes) + ", " + found;
  }
  return "";
}

std::string differs(const Case& program, std::uint64_t seed, const std::variant<run::Kernel, run::CompileError>& kernel) {
  if (const auto* error = std::get_if<run::CompileError>(&kernel)) return error->message;
  return differs(program, seed, [&](const check::State& before) { return executed(program, std::get<run::Kernel>(kernel), before); });
}

std::string named(const std::string& who, const std::string& what) { return what.empty() ? "" : who + ": " + what; }

}  // namespace trellis::randomised
