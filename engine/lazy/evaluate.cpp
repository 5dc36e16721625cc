#include "engine/lazy/evaluate.hpp"

#include <algorithm>
#include <cassert>

#include "engine/lang/parse.hpp"
#include "engine/run/backends.hpp"
#include "engine/run/sandbox.hpp"

namespace trellis::lazy {

namespace {

/// Trees that nobody has written have no places. Messages get some: those of the same program, printed and read again.
std::optional<lang::Program> resolved(const lang::syntax::File& file, text::Sources& source,
                                      text::Diagnostics& diagnostics) {
  text::Diagnostics unseen;
  if (auto program = lang::resolve(file, unseen)) return program;
  const int number = source.add("plan", lang::print(file).characters);
  return lang::resolve(lang::parse(source, number, diagnostics), diagnostics);
}

class Running {
 public:
  Running(const Compiled& compiled, const Tensors& operands, const run::Limits& limits, text::Diagnostics& diagnostics)
      : compiled_(compiled), limits_(limits), diagnostics_(diagnostics), tensors_(operands) {}

  bool run(std::size_t number) {
    const lang::TensorInfo& result = *compiled_.program.tensor(compiled_.plan.queries[number].name);
    const run::Kernel& kernel = compiled_.kernels[number];
    auto made = created(result, kernel.module());
    if (!made) return fail("E0503", "there is no memory for " + result.name);
    tensors_[result.name] = *made;
    const run::Outcome outcome = run::execute(kernel, bindings(kernel.module()), limits_, run::AfterFailure::abandoned);
    if (outcome.status != run::Outcome::Status::ok)
      return fail(code_of(outcome.status), result.name + ": " + outcome.message);
    return tensors_[result.name].publish() || fail("E0503", "there is no memory to store " + result.name);
  }

  Tensors made() const {
    Tensors all;
    for (const Query& query : compiled_.plan.queries) all[query.name] = tensors_.at(query.name);
    return all;
  }

 private:
  tensor::Writer writer() const {
    return limits_.trusted ? tensor::Writer::this_process : tensor::Writer::child_process;
  }

  /// With room for what the kernel appends, or with the entries of the operand that it shares them with.
  std::optional<tensor::Tensor> created(const lang::TensorInfo& info, const emit::Module& module) const {
    tensor::Index shape;
    for (const math::Affine& size : info.shape) shape.push_back(size.constant);
    const auto empty = tensor::Tensor::create(info.type, shape, info.format, info.fill);
    if (!empty) return std::nullopt;
    for (const emit::Argument& argument : module.arguments) {
      if (argument.name != info.name) continue;
      if (argument.kind == emit::Argument::Kind::capacity) return empty->with_room(memory(), writer());
      if (!argument.entries_of.empty()) return empty->with_structure_of(tensors_.at(argument.entries_of), writer());
    }
    return empty->clone(writer());
  }

  /// Half, for a result has several arrays that grow together.
  std::size_t memory() const { return (limits_.memory ? limits_.memory : run::default_memory_limit()) / 2; }

  run::Bindings bindings(const emit::Module& module) const {
    run::Bindings all;
    for (const emit::Argument& argument : module.arguments) all.arrays[argument.name] = tensors_.at(argument.name);
    return all;
  }

  static const char* code_of(run::Outcome::Status status) {
    using Status = run::Outcome::Status;
    switch (status) {
      case Status::out_of_memory: return "E0503";
      case Status::timed_out: return "E0504";
      case Status::crashed: return "E0505";
      case Status::interrupted: return "E0506";
      default: return "E0502";
    }
  }

  bool fail(const char* code, const std::string& message) {
    diagnostics_.error(code, {}, message);
    return false;
  }

  const Compiled& compiled_;
  const run::Limits& limits_;
  text::Diagnostics& diagnostics_;
  Tensors tensors_;
};

}  // namespace

std::optional<Translated> translate(const Plan& plan, const Formats& operands, text::Sources& source,
                                    text::Diagnostics& diagnostics) {
  Translated translated{plan, lower(plan, operands), {}, {}};
  auto program = resolved(translated.lowered.file, source, diagnostics);
  if (!program) return std::nullopt;
  translated.program = std::move(*program);
  assert(translated.program.kernels.size() == plan.queries.size());
  for (const lang::Kernel& kernel : translated.program.kernels) {
    translated.compilations.push_back(trellis::compile(translated.program, kernel, diagnostics));
    if (diagnostics.has_errors()) return std::nullopt;
  }
  return translated;
}

std::optional<Compiled> compile(Translated translated, run::Backend backend, text::Diagnostics& diagnostics) {
  Compiled compiled{std::move(translated), {}};
  for (const Compilation& compilation : compiled.compilations) {
    auto built = run::compile(compilation.module, backend);
    if (const auto* failed = std::get_if<run::CompileError>(&built)) {
      diagnostics.error("E0501", compilation.kernel.span, failed->message);
      return std::nullopt;
    }
    compiled.kernels.push_back(std::move(std::get<run::Kernel>(built)));
  }
  return compiled;
}

std::optional<Compiled> compile(const Plan& plan, const Formats& operands, run::Backend backend, text::Sources& source,
                                text::Diagnostics& diagnostics) {
  auto translated = translate(plan, operands, source, diagnostics);
  return translated ? compile(std::move(*translated), backend, diagnostics) : std::nullopt;
}

std::optional<Tensors> evaluate(const Compiled& compiled, const Tensors& operands, const run::Limits& limits,
                                text::Diagnostics& diagnostics) {
  const auto made = evaluate_all(compiled, operands, limits, diagnostics);
  if (!made) return std::nullopt;
  Tensors produced;
  for (const std::string& name : compiled.plan.produces) produced[name] = made->at(name);
  return produced;
}

std::optional<Tensors> evaluate_all(const Compiled& compiled, const Tensors& operands, const run::Limits& limits,
                                    text::Diagnostics& diagnostics) {
  Running running(compiled, operands, limits, diagnostics);
  for (std::size_t query = 0; query < compiled.kernels.size(); ++query)
    if (!running.run(query)) return std::nullopt;
  return running.made();
}

Formats formats_of(const Tensors& tensors) {
  Formats formats;
  for (const auto& [name, value] : tensors) formats[name] = value.format();
  return formats;
}

}  // namespace trellis::lazy
