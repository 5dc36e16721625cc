// Calls through the session, as `run` has them: in a child process with limits, or for what begins with what results
// hold, follows patterns of others, or has steps.
#include "engine/run/call.hpp"
#include "engine/run/execute.hpp"
#include "engine/session/running/execution.hpp"
#include "repl/python/array.hpp"
#include "repl/python/formats.hpp"
#include "repl/python/program.hpp"

namespace trellis::python {
namespace {

namespace py = pybind11;

/// What the session holds of one call; gone with it.
class InSession {
 public:
  InSession(Compiled& compiled, const Template& program, const Lent& lent, const RunOptions& options)
      : state_(compiled.session->state()),
        compiled_(compiled),
        program_(program),
        lent_(lent),
        limits_(state_.options.limits),
        parameters_(state_.options.parameters) {
    state_.options.limits.trusted = !options.isolate;
    state_.options.limits.seconds = options.seconds;
    state_.options.limits.memory = options.memory;
    state_.options.limits.threads = program.options().threads;
    for (const auto& [name, value] : options.reals)
      state_.options.parameters[name] = {format::ScalarType::f64, value, 0};
    state_.declarations.touch();
  }
  ~InSession() {
    const auto all = state_.data.tensors();
    for (const auto& [name, value] : *all) state_.data.drop(name);
    state_.runs.restore({});
    state_.data.restore(session::Data::Sizes());
    state_.options.limits = limits_;
    state_.options.parameters = parameters_;
    state_.declarations.touch();
  }

  std::vector<tensor::Tensor> run(const std::vector<std::optional<tensor::Tensor>>& operands,
                                  const std::vector<std::string>& results) {
    text::Diagnostics said;
    state_.data.restore(session::Data::Sizes());
    state_.declarations.touch();
    state_.program(said);
    if (!said.has_errors()) bind_shapes(state_, program_.parameters(), lent_.given, said);
    for (std::size_t p = 0; p < operands.size(); ++p)
      if (operands[p]) state_.data.put(program_.parameters()[p].name, *operands[p]);
    const lang::Program* const program = state_.program(said);
    if (said.has_errors()) throw Refused{said, state_.sources};
    const std::vector<lang::Kernel> kernels = program->kernels;
    for (std::size_t k = 0; k < kernels.size(); ++k) run_kernel(kernels[k], compiled_.steps[k]);
    std::vector<tensor::Tensor> found;
    for (const std::string& name : results)
      if (const tensor::Tensor* value = state_.data.held(name)) found.push_back(*value);
    return found;
  }

 private:
  void run_kernel(const lang::Kernel& kernel, Compiled::Step& step) {
    text::Diagnostics said;
    session::Exit exit = session::Exit::success;
    auto prepared = session::prepare(state_, kernel, kernel.span, said, exit);
    if (!prepared) throw Refused{said, state_.sources, exit != session::Exit::success};
    const std::shared_ptr<const Compilation> compilation = prepared->compilation;
    const run::Outcome outcome = entered(*prepared, step);
    exit = session::report_failure(outcome, *compilation, prepared->before, said);
    if (exit != session::Exit::success || !prepared->publish(kernel.span, said, exit))
      throw Refused{said, state_.sources, true};
    const Tiers* code = state_.options.limits.trusted ? step.code.get() : step.isolated.get();
    session::keep_results(state_, kernel, std::move(*prepared),
                          {outcome.run_ms, code ? code->kernel().backend() : run::Backend::jit});
  }

  /// In this process as all calls there.
  run::Outcome entered(const session::Prepared& prepared, Compiled::Step& step) {
    const run::Limits& limits = state_.options.limits;
    const bool same = prepared.compilation->module.source == step.compilation->module.source;
    Compiled::Step& now = same ? step : other(prepared.compilation);
    if (!limits.trusted)
      return run::execute(isolated(now).kernel(), prepared.bindings, limits, run::AfterFailure::abandoned);
    return run::call(now.code->kernel(), now.callable, prepared.bindings, now.threads ? limits.threads : 0,
                     prepared.memory);
  }

  Tiers& isolated(Compiled::Step& step) const {
    if (!step.isolated) step.isolated = std::make_unique<Tiers>(step.compilation->module, program_.options().tier);
    if (compiled_.worth_native) step.isolated->improve();
    return *step.isolated;
  }

  /// What operands hold made another kernel.
  Compiled::Step& other(const std::shared_ptr<const Compilation>& compilation) {
    Compiled::Step& made = compiled_.others[compilation->module.source];
    if (!made.code) {
      made.compilation = compilation;
      make_code(made, program_.options().tier);
    }
    if (compiled_.worth_native) made.code->improve();
    return made;
  }

  session::State& state_;
  Compiled& compiled_;
  const Template& program_;
  const Lent& lent_;
  const run::Limits limits_;
  const lang::Overrides parameters_;
};

std::vector<std::string> names_of_results(const lang::Program& program, const Options& options) {
  std::vector<std::string> names;
  for (const lang::Kernel& kernel : program.kernels)
    for (const std::string& name : kernel.results())
      if (std::ranges::find(names, name) == names.end() &&
          program.tensor(name)->kind != lang::TensorInfo::Kind::temporary && !options.is_temporary(name))
        names.push_back(name);
  return names;
}

}  // namespace

PyObject* run_in_session(Compiled& compiled, const Template& program, Lent& lent, const RunOptions& options) {
  if (options.out.size() > 0)
    throw refusal("E0613", "`out` is for calls in this process whose results begin with their fill", "out=None");
  std::vector<std::optional<tensor::Tensor>> operands(lent.given.size());
  for (std::size_t p = 0; p < operands.size(); ++p)
    if (lent.given[p])
      operands[p] = to_tensor(*lent.given[p], format_named(format_text(*lent.given[p]), lent.given[p]->rank),
                              lent.owners[p].get());
  std::vector<tensor::Tensor> results;
  std::vector<std::string> names;
  {
    const WithoutGil others_run;
    const std::lock_guard hold(compiled.mutex);
    text::Diagnostics ignored;
    const lang::Program* const known = compiled.session->state().program(ignored);
    if (known) names = names_of_results(*known, program.options());
    results = InSession(compiled, program, lent, options).run(operands, names);
    operands.clear();
  }
  std::vector<py::object> objects;
  for (const tensor::Tensor& result : results) {
    py::object object = result.format().all_known() ? to_ndarray(result) : to_python(result);
    if (result.rank() == 0)
      object =
          py::reinterpret_steal<py::object>(PyArray_Return(reinterpret_cast<PyArrayObject*>(object.release().ptr())));
    objects.push_back(std::move(object));
  }
  return hand_over(std::move(objects), names, lent);
}

}  // namespace trellis::python
