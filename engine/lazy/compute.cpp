#include "engine/lazy/compute.hpp"

namespace trellis::lazy {

CountedTables counted_in(const Tensors& tensors) {
  CountedTables counted;
  for (const auto& [name, tensor] : tensors)
    if (!tensor.format().all_dense()) counted[name] = count_entries(tensor);
  return counted;
}

PlanOptions plan_options(const ComputeOptions& options) {
  return {options.allowed, options.limits.trusted ? Memory::of_this_process : Memory::of_a_child};
}

std::optional<Computed> compute(const std::vector<Query>& queries, const Tensors& tensors,
                                const ComputeOptions& options, text::Sources& sources, text::Diagnostics& diagnostics) {
  const Formats formats = formats_of(tensors);
  const CountedTables counted = counted_in(tensors);
  Computed computed;
  computed.planning = plan(queries, formats, counted, plan_options(options));
  const Plan chosen = computed.planning.chosen.plan();
  const auto compiled = compile(chosen, formats, options.backend, sources, diagnostics);
  if (!compiled) return std::nullopt;
  auto made = evaluate_all(*compiled, tensors, options.limits, diagnostics);
  if (!made) return std::nullopt;
  for (const auto& [name, tensor] : *made) computed.stored[name] = static_cast<double>(tensor.entries());
  for (const std::string& name : chosen.produces) computed.results[name] = std::move(made->at(name));
  computed.why = [=, planning = computed.planning, stored = computed.stored] {
    Why w = why(queries, formats, counted, plan_options(options), planning);
    add_stored(w, stored);
    return w;
  };
  return computed;
}

}  // namespace trellis::lazy
