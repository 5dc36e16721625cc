#include "engine/flow/interpret.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/machine.hpp"
#include "engine/tensor/convert.hpp"
#include "engine/text/cancel.hpp"

namespace trellis::flow {

void Machine::spend(std::int64_t steps) {
  execution.steps += steps;
  text::stop_if_cancelled();
  if (options.most_steps == 0 || execution.steps <= options.most_steps) return;
  execution.end = Execution::End::limit;
  throw Halted{};
}

void Machine::begin(const Stmt& stmt) {
  current = stmt;
  spend(1);
  if (!observer || observer->begin(moment()) == Observer::Go::on) return;
  execution.end = Execution::End::stopped;
  throw Halted{};
}

void Machine::fail(FaultKind kind, text::Span span, const std::string& message) {
  execution.end = Execution::End::fault;
  execution.fault = Fault{kind, span, message, current ? current.id() : -1, loops};
  if (observer) observer->fails(moment(), *execution.fault);
  throw Halted{};
}

Store& Machine::store(const std::string& tensor) {
  if (const auto found = stores.find(tensor); found != stores.end()) return *found->second;
  fail(FaultKind::unbound, {}, "no tensor " + tensor + " is bound");
}

namespace {

std::set<std::string> frozen_results(const Flow& flow) {
  std::set<std::string> names;
  for_each_stmt(flow.root, [&](const Stmt& s) {
    if (const auto* f = s.as<Freeze>(); f && flow.tensor(f->tensor)->storage == Tensor::Storage::result)
      names.insert(f->tensor);
  });
  return names;
}

void open_tensors(Machine& m, const Bindings& bindings) {
  const std::set<std::string> appended = frozen_results(m.flow);
  for (const Tensor& tensor : m.flow.tensors) {
    if (tensor.storage == Tensor::Storage::temporary) {
      std::vector<std::int64_t> sizes;
      for (const Level& level : tensor.levels)
        sizes.push_back(std::max<std::int64_t>(0, evaluate_integer(m, level.size)));
      m.stores[tensor.name] = std::make_shared<Workspace>(tensor, std::move(sizes));
      continue;
    }
    const auto bound = bindings.tensors.find(tensor.name);
    if (bound == bindings.tensors.end() || !bound->second) continue;
    if (!tensor.entries_of.empty()) {
      const tensor::Tensor& values = bound->second;
      auto masked = values.with_structure_of(bindings.tensors.at(tensor.entries_of));
      if (!masked) m.fail(FaultKind::out_of_memory, {}, "there is no memory for result " + tensor.name);
      tensor::Tensor(values).assign(*masked);
    }
    if (!appended.contains(tensor.name)) {
      m.stores[tensor.name] = std::make_shared<Arrays>(tensor, bound->second.stored());
      continue;
    }
    auto room = bound->second.stored().with_room(m.options.most_bytes, tensor::Writer::this_process);
    if (!room) m.fail(FaultKind::out_of_memory, {}, "there is no memory for result " + tensor.name);
    m.stores[tensor.name] = std::make_shared<Appended>(tensor, std::move(*room));
  }
}

void publish_results(Machine& m, const Bindings& bindings) {
  for (const auto& [name, store] : m.stores) {
    auto* result = dynamic_cast<Appended*>(store.get());
    if (!result) continue;
    tensor::Tensor shared = bindings.tensors.at(name).stored();
    if (!result->room().publish()) {
      if (const auto region = tensor::region_without_room(result->room(), shared.format()))
        m.fail(FaultKind::region_taken, {},
               name + ": " + tensor::region_taken_text(region->why, shared.format(), region->index));
      m.fail(FaultKind::out_of_memory, {}, "there is no memory to store result " + name);
    }
    shared.assign(result->room());
  }
}

/// What the flow does may end at any place; what it left behind is as it was then.
template <class Do>
void guarded(Machine& m, const Do& what) {
  try {
    what();
  } catch (const Halted&) {
  } catch (const Unsound& unsound) {
    try {
      m.fail(FaultKind::unsound, m.current ? m.current->span : text::Span{}, unsound.what);
    } catch (const Halted&) {}
  }
}

}  // namespace

Execution interpret(const Flow& flow, const Bindings& bindings, const Options& options, Observer* observer) {
  Machine m(flow, options, observer);
  for (const auto& [name, value] : bindings.parameters) {
    const bool real = std::ranges::find(flow.reals, name) != flow.reals.end();
    m.parameters[name] = format::cast(real ? format::ScalarType::f64 : format::ScalarType::i64, value);
  }
  guarded(m, [&] {
    open_tensors(m, bindings);
    for (const PositionMap& map : flow.maps) m.spend(m.store(map.from).stored(1));
    execute(m, flow.root);
    publish_results(m, bindings);
  });
  return std::move(m.execution);
}

}  // namespace trellis::flow
