#include "repl/python/compiled.hpp"

#include <algorithm>

#include "engine/emit/entry.hpp"
#include "engine/flow/wrapped_bounds.hpp"
#include "engine/format/misfit.hpp"
#include "engine/lang/push_shapes.hpp"
#include "engine/place/definitions.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::python {
namespace {

constexpr double cycles_of_a_ms = 3e6;

/// Do loops of the user's end when values say so?
bool ends_by_values(const flow::Flow& flow) {
  bool found = flow.tells_steps;
  const auto look = [&](const flow::Stmt& s) { found = found || s.as<flow::While>(); };
  flow::for_each_stmt(flow.root, look);
  for (const flow::Function& function : flow.functions) flow::for_each_stmt(function.body, look);
  return found;
}

class Builder {
 public:
  Builder(const Template& from, Compiled& compiled) : from_(from), compiled_(compiled) {}

  void build(const std::vector<const Operand*>& operands, const std::vector<PyObject*>& owners) {
    session::State& state = compiled_.session->state();
    text::Diagnostics said;
    program_ = state.program(said);
    for (const lang::Kernel& kernel : program_->kernels) step(state, kernel, said);
    if (said.has_errors()) throw Refused{said, state.sources};
    for (std::size_t p = 0; p < from_.parameters().size(); ++p) bring(p, operands[p]);
    share_entries();
    results();
    sizes(operands);
    for (Compiled::Step& step : compiled_.steps) take_code(step);
    estimate(state, operands, owners);
  }

 private:
  void step(session::State& state, const lang::Kernel& kernel, text::Diagnostics& said) {
    auto compilation = state.compilation(kernel, said);
    if (!compilation) return;
    const emit::Module& module = compilation->module;
    for (const emit::Argument& a : module.arguments) {
      if (a.kind != emit::Argument::Kind::array && a.kind != emit::Argument::Kind::capacity) continue;
      Compiled::Tensor& tensor = tensor_of(a.name, *compilation);
      tensor.written = tensor.written || a.written;
      tensor.appended = tensor.appended || a.kind == emit::Argument::Kind::capacity;
    }
    compiled_.ends_by_values = compiled_.ends_by_values || ends_by_values(compilation->flow);
    compiled_.steps.push_back({.compilation = std::move(compilation)});
  }

  Compiled::Tensor& tensor_of(const std::string& name, const Compilation& compilation) {
    const int known = slot(name);
    if (known >= 0) return compiled_.tensors[static_cast<std::size_t>(known)];
    const lang::TensorInfo& info = *compilation.program.tensor(name);
    if (!info.entries_of.empty() || info.kind == lang::TensorInfo::Kind::pattern) compiled_.direct = false;
    compiled_.promises = compiled_.promises || info.promises.any();
    compiled_.tensors.push_back({info});
    return compiled_.tensors.back();
  }
  int slot(const std::string& name) const {
    const auto found = std::ranges::find_if(compiled_.tensors, [&](const auto& one) { return one.info.name == name; });
    return found == compiled_.tensors.end() ? -1 : static_cast<int>(found - compiled_.tensors.begin());
  }

  void bring(std::size_t p, const Operand* operand) {
    const Parameter& parameter = from_.parameters()[p];
    const auto keyword = from_.options().formats.find(parameter.name);
    const bool converted =
        operand && keyword != from_.options().formats.end() && !is_stored_as(*operand, keyword->second);
    if (operand && contains(from_.names().results, parameter.name)) compiled_.direct = false;
    const int known = slot(parameter.name);
    if (known < 0) return;
    Compiled::Tensor& tensor = compiled_.tensors[static_cast<std::size_t>(known)];
    if (!operand && parameter.required && !tensor.written) return;
    if (operand) tensor.parameter = static_cast<int>(p);
    tensor.converted = converted;
  }

  void share_entries() {
    for (const Compiled::Step& step : compiled_.steps)
      for (const emit::Argument& a : step.compilation->module.arguments) {
        if (a.entries_of.empty()) continue;
        const int from = slot(a.entries_of);
        if (from < 0 || compiled_.tensors[static_cast<std::size_t>(from)].parameter < 0 ||
            compiled_.tensors[static_cast<std::size_t>(from)].written)
          compiled_.direct = false;
        else tensor_of(a.name, *step.compilation).entries_of = from;
      }
  }

  /// Of all kernels, each once; one of which no element is defined has no slot.
  void results() {
    std::vector<std::string> names;
    for (const lang::Kernel& kernel : program_->kernels)
      for (const std::string& name : kernel.results())
        if (!contains(names, name)) names.push_back(name);
    for (const std::string& name : names) {
      if (program_->tensor(name)->kind == lang::TensorInfo::Kind::temporary) continue;
      if (from_.options().is_temporary(name)) continue;
      if (slot(name) < 0) compiled_.direct = false;
      else compiled_.results.push_back(slot(name));
    }
  }

  void sizes(const std::vector<const Operand*>& operands) {
    std::vector<const lang::TensorInfo*> infos;
    for (const Parameter& p : from_.parameters()) infos.push_back(program_->tensor(p.name));
    for (std::size_t p = 0; p < infos.size(); ++p)
      if (!operands[p]) infos[p] = nullptr;
    compiled_.sizes = SizePlan(*program_, infos);
    for (Compiled::Tensor& tensor : compiled_.tensors) {
      for (const math::Affine& size : tensor.info.shape) tensor.shape.push_back(compiled_.sizes.form(size));
      tensor.lent = std::make_shared<run::LentFormat>(tensor.info.type, tensor.info.format, tensor.info.fill);
    }
    for (const lang::ParameterInfo& p : program_->parameters)
      if (p.real) {
        compiled_.reals.push_back(p.name);
        compiled_.real_values.push_back(p.value ? p.value->as_double() : 0);
      }
    const auto huge = [](const Operand* one) {
      return one && std::ranges::any_of(one->shape, [](std::int64_t size) { return size > format::largest_narrow; });
    };
    if (!lang::asks_for_values(*program_) && std::ranges::none_of(operands, huge)) return;
    for (const Operand* one : operands)
      compiled_.shapes.push_back(one ? std::vector(one->shape.begin(), one->shape.begin() + one->rank)
                                     : std::vector<std::int64_t>());
  }

  void take_code(Compiled::Step& step) {
    make_code(step, from_.options().tier);
    for (const emit::TensorArgument& a : step.callable.tensors) step.tensors.push_back({slot(a.name), a.role});
    for (const std::string& name : step.callable.sizes) step.sizes.push_back(compiled_.sizes.number(name));
    for (const std::string& name : step.callable.reals)
      step.reals.push_back(static_cast<int>(std::ranges::find(compiled_.reals, name) - compiled_.reals.begin()));
  }

  /// With what operands store now, which the session forgets again.
  void estimate(session::State& state, const std::vector<const Operand*>& operands,
                const std::vector<PyObject*>& owners) {
    std::vector<std::string> put;
    for (std::size_t p = 0; p < operands.size(); ++p) {
      const lang::TensorInfo* info = program_->tensor(from_.parameters()[p].name);
      if (!operands[p] || !info) continue;
      auto tensor = to_tensor(*operands[p], info->format, owners[p]);
      if (!tensor) continue;
      state.data.put(info->name, std::move(*tensor));
      put.push_back(info->name);
    }
    double cycles = 0;
    for (const Compiled::Step& step : compiled_.steps) cycles += session::estimated_cycles(state, *step.compilation);
    for (const std::string& name : put) state.data.drop(name);
    compiled_.estimated_ms = cycles / cycles_of_a_ms;
  }

  const Template& from_;
  Compiled& compiled_;
  const lang::Program* program_ = nullptr;
};

}  // namespace

std::unique_ptr<Compiled> compile(const Template& program, const std::vector<const Operand*>& operands,
                                  const std::vector<PyObject*>& owners, const lang::Overrides& overrides) {
  auto compiled = std::make_unique<Compiled>();
  compiled->session = program.specialise(operands, overrides);
  for (const Operand* one : operands) compiled->key.push_back(one ? structure_of(*one) : Structure{});
  Builder(program, *compiled).build(operands, owners);
  return compiled;
}

void make_code(Compiled::Step& step, Tier tier) {
  const Compilation& compilation = *step.compilation;
  step.threads = compilation.module.source.find("#pragma omp") != std::string::npos;
  step.callable = emit::callable(compilation.flow, compilation.program,
                                 {"called", compilation.kernel.inherited, emit::Interruption::looked_for});
  step.code = std::make_unique<Tiers>(step.callable.module, tier);
}

void check_sizes(const Compiled& compiled, const std::vector<std::int64_t>& sizes, bool some_empty) {
  text::Diagnostics said;
  for (const Compiled::Step& step : compiled.steps) {
    const Compilation& compilation = *step.compilation;
    std::map<std::string, std::int64_t> named;
    std::vector<math::Constraint> now;
    for (const lang::ParameterInfo& p : compilation.program.parameters)
      if (const int k = compiled.sizes.number(p.name); k >= 0) {
        named[p.name] = sizes[static_cast<std::size_t>(k)];
        now.push_back({math::Affine::name(p.name), math::Relation::equal, math::Affine(named[p.name])});
      }
    if (compilation.analysis && some_empty) place::check_ranges(*compilation.analysis, now, said);
    if (const auto overflow = flow::find_overflow(compilation.flow, named))
      said.error("E0606", compilation.kernel.span,
                 "the bound " + flow::to_string(overflow->expr) + " is more than 64 bits hold");
  }
  if (said.has_errors()) throw Refused{said, compiled.session->sources()};
}

}  // namespace trellis::python
