#include "engine/session/replay/record.hpp"

#include <algorithm>

namespace trellis::session {
namespace {

constexpr std::int64_t most_drawn = 4096;

/// The nest that is stepped through: the compiled one or, of an illegal order, what it would do.
std::optional<Recorded> nest_of(State& state, const lang::Kernel& kernel, const std::optional<lang::Order>& asked,
                                text::Span at, text::Diagnostics& diagnostics) {
  text::Diagnostics refused;
  if (const auto compilation = asked ? nullptr : state.compilation(kernel, refused)) {
    Recorded recorded{kernel.name, {}, true, compilation->loops, {}, {}, {}};
    if (compilation->placed) recorded.order = compilation->placed->order;
    for (const flow::Tensor& tensor : compilation->flow.tensors)
      if (tensor.sparse()) recorded.sparse.insert(tensor.name);
    if (!recorded.sparse.empty()) recorded.compilation = compilation;
    return recorded;
  }
  const auto analysis = kernel.loops ? nullptr : state.analysis(kernel, diagnostics);
  if (!analysis) {
    if (kernel.loops) diagnostics.append(refused);
    return std::nullopt;
  }
  const lang::Order order = asked ? *asked : order_of(kernel, *analysis);
  auto replay = place::place_ignoring(*analysis, order);
  if (!replay || (!asked && replay->violated.empty())) {  // refused for another reason than its order
    diagnostics.append(refused);
    if (!diagnostics.has_errors())
      diagnostics.error("E0630", at, "order " + lang::to_string(order) + " leaves out loops that the equations need",
                        "");
    return std::nullopt;
  }
  return Recorded{kernel.name, order, replay->violated.empty(), loop::number(replay->nest), {}, {}, {}};
}

}  // namespace

std::optional<loop::Bindings> found_by(State& state, const lang::Program& program, const lang::Kernel& kernel,
                                       std::int64_t most_elements, text::Span at, text::Diagnostics& diagnostics) {
  loop::Bindings bindings;
  bindings.functions = program.functions;
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = state.parameter(p.name)) bindings.parameters[p.name] = *value;
  const FinishedRun* finished = state.finished(kernel);
  const auto add = [&](const std::string& name, bool result) {
    const lang::TensorInfo& info = *program.tensor(name);
    tensor::Tensor value;
    const std::string base = state.base_of(name);
    const bool known = !result && state.data.has(base.empty() ? name : base);
    if (finished && finished->before.tensors.contains(name)) {
      value = finished->before.tensors.at(name);
    } else if (const tensor::Tensor* held = known ? state.tensor(info, at, diagnostics) : nullptr) {
      value = *held;
    } else if (const auto shape = state.shape_of(info, at, diagnostics)) {
      if (auto made = state.create(info, *shape, at, diagnostics)) value = std::move(*made);
    }
    if (!value) return false;
    if (value.count() > most_elements) {
      diagnostics
          .error("E0630", at, name + " has " + std::to_string(value.count()) + " elements, too many to step through",
                 "")
          .notes.push_back(
              {{},
               "at most " + std::to_string(most_elements) + " can be drawn: choose smaller sizes, such as `-D n=6`"});
      return false;
    }
    bindings.tensors[name] = value.clone();
    return static_cast<bool>(bindings.tensors[name]);
  };
  for (const std::string& name : kernel.operands())
    if (!add(name, false)) return std::nullopt;
  for (const std::string& name : kernel.results())
    if (!add(name, true)) return std::nullopt;
  return bindings;
}

std::optional<Recorded> record(State& state, const lang::Kernel& asked, std::size_t most, text::Span at,
                               text::Diagnostics& diagnostics, const std::optional<lang::Order>& order) {
  const lang::Program* program = state.program(diagnostics);
  if (!program) return std::nullopt;
  const lang::Kernel kernel = state.with_inheritance(asked);
  auto recorded = nest_of(state, kernel, order, at, diagnostics);
  if (!recorded) return std::nullopt;
  auto bindings = found_by(state, *program, kernel, most_drawn, at, diagnostics);
  if (!bindings) return std::nullopt;
  recorded->before = *bindings;
  for (auto& [name, tensor] : bindings->tensors) tensor = tensor.clone();
  for (const std::string& name : kernel.results())
    if (!kernel.inherited.contains(name)) recorded->fresh.insert(name);
  if (recorded->compilation) {
    recorded->trace = explore::trace(recorded->compilation->flow, {bindings->parameters, bindings->tensors}, most);
    return recorded;
  }
  recorded->trace =
      explore::trace(recorded->nest, *bindings, recorded->legal ? std::set<std::string>() : recorded->fresh, most);
  return recorded;
}

}  // namespace trellis::session
