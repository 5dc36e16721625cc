#include "engine/lazy/compute.hpp"

#include <algorithm>
#include <bit>

#include "engine/lazy/queries.hpp"

namespace trellis::lazy {

CountedTables counted_in(const Tensors& tensors) {
  CountedTables counted;
  for (const auto& [name, tensor] : tensors)
    if (!tensor.format().all_dense()) counted[name] = count_entries(tensor);
  return counted;
}

PlanOptions plan_options(const ComputeOptions& options, Seen seen) {
  return {options.allowed, options.limits.trusted ? Memory::of_this_process : Memory::of_a_child, std::move(seen)};
}

namespace {

/// All that a plan and its code hold for.
std::string key_of(const std::vector<Query>& queries, const Tensors& tensors, const ComputeOptions& options) {
  std::string key;
  for (const Query& query : queries) {
    std::vector<Field> order;
    key += query.name + " = " + canonical(query.expr, order) + " at";
    for (const Field& field : query.fields)
      key += " " + std::to_string(std::ranges::find(order, field) - order.begin()) + ":" + std::to_string(field.size);
    key += (query.format ? " in " + format::to_string(*query.format) : "") + "\n";
  }
  for (const auto& [name, tensor] : tensors)
    key += name + ": " + format::to_string(tensor.format()) + " " +
           std::to_string(std::bit_width(static_cast<std::uint64_t>(tensor.entries())) / 2) + "\n";
  const PlanOptions planned = plan_options(options);
  return key + std::to_string(static_cast<int>(planned.allowed)) + std::to_string(static_cast<int>(planned.memory)) +
         std::to_string(static_cast<int>(options.backend));
}

std::optional<Ready> made_ready(const std::vector<Query>& queries, const Formats& formats, const CountedTables& counted,
                                const PlanOptions& planned, run::Backend backend, text::Sources& sources,
                                text::Diagnostics& diagnostics) {
  Ready ready{plan(queries, formats, counted, planned), nullptr};
  auto compiled = compile(ready.planning.chosen.plan(), formats, backend, sources, diagnostics);
  if (!compiled) return std::nullopt;
  ready.compiled = std::make_shared<const Compiled>(std::move(*compiled));
  return ready;
}

}  // namespace

std::optional<Computed> compute(const std::vector<Query>& queries, const Tensors& tensors,
                                const ComputeOptions& options, text::Sources& sources, text::Diagnostics& diagnostics) {
  const Formats formats = formats_of(tensors);
  const std::string key = options.plans ? key_of(queries, tensors, options) : "";
  const PlanOptions planned = plan_options(options, options.plans ? options.plans->seen(key) : Seen());
  std::optional<Ready> ready;
  if (const Ready* known = options.plans ? options.plans->find(key) : nullptr) ready = *known;
  if (!ready) {
    ready = made_ready(queries, formats, counted_in(tensors), planned, options.backend, sources, diagnostics);
    if (!ready) return std::nullopt;
    if (options.plans) options.plans->put(key, *ready);
  }
  auto made = evaluate_all(*ready->compiled, tensors, options.limits, diagnostics);
  if (!made) return std::nullopt;
  Computed computed;
  computed.planning = ready->planning;
  for (const auto& [name, tensor] : *made) computed.stored[name] = static_cast<double>(tensor.entries());
  for (const std::string& name : ready->compiled->plan.produces) computed.results[name] = std::move(made->at(name));
  if (options.plans)
    if (auto seen = corrected(computed.planning.chosen, computed.stored, planned.seen))
      options.plans->plan_anew(key, std::move(*seen));
  computed.why = [=, planning = computed.planning, stored = computed.stored] {
    Why w = why(queries, formats, counted_in(tensors), planned, planning);
    add_stored(w, stored);
    return w;
  };
  return computed;
}

}  // namespace trellis::lazy
