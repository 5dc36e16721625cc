#include "engine/session/running/kernel_queries.hpp"

#include <algorithm>

#include "engine/lazy/notation.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

std::map<std::string, format::Value> values_of(const State& state, const lang::Program& program) {
  std::map<std::string, format::Value> values;
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = state.parameter(p.name)) values[p.name] = *value;
  return values;
}

}  // namespace

const tensor::Tensor* filled(const State& state, const std::string& name) {
  const tensor::Tensor* held = state.data.has(name) ? state.data.held(name) : nullptr;
  return held && !held->reserved() ? held : nullptr;
}

std::shared_ptr<const lazy::Counted> counted_entries(const State& state, const tensor::Tensor& held) {
  text::Recent<KnownDegrees>& all = state.caches.degrees;
  const KnownDegrees* known = all.find([&](const KnownDegrees& one) { return &one.of.storage() == &held.storage(); });
  if (known) return known->counted;
  return all.add({held, std::make_shared<const lazy::Counted>(lazy::count_entries(held))}).counted;
}

std::vector<std::string> inputs_of(const lang::Kernel& kernel) {
  const std::vector<std::string> made = kernel.results();
  std::vector<std::string> inputs = kernel.operands();
  std::erase_if(inputs,
                [&](const std::string& name) { return contains(made, name) && !kernel.inherited.contains(name); });
  return inputs;
}

std::variant<KernelQueries, lazy::NoQuery> queries_of(const State& state, const lang::Program& program,
                                                      const lang::Kernel& kernel) {
  auto translated = lazy::queries_of(program, kernel, values_of(state, program));
  if (auto* refused = std::get_if<lazy::NoQuery>(&translated)) return std::move(*refused);
  KernelQueries made{std::move(std::get<std::vector<lazy::Query>>(translated)), {}, {}};
  for (const lazy::Query& query : made.queries)
    for (const std::string& name : lazy::tables_of(query.expr)) {
      const lang::TensorInfo& info = *program.tensor(name);
      made.formats[name] = info.format;
      // What another query makes is expected, whether or not an earlier run has made it.
      const bool made_here =
          std::ranges::any_of(made.queries, [&](const lazy::Query& other) { return other.name == name; });
      if (info.format.all_dense() || made_here) continue;
      if (const tensor::Tensor* held = filled(state, name)) made.counted[name] = *counted_entries(state, *held);
      else add_once(made.unfilled, name);
    }
  return made;
}

}  // namespace trellis::session
