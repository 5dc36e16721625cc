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

std::variant<KernelQueries, lazy::NoQuery> queries_of(const State& state, const lang::Program& program,
                                                      const lang::Kernel& kernel) {
  auto translated = lazy::queries_of(program, kernel, values_of(state, program));
  if (auto* refused = std::get_if<lazy::NoQuery>(&translated)) return std::move(*refused);
  KernelQueries made{std::move(std::get<std::vector<lazy::Query>>(translated)), {}, {}};
  for (const lazy::Query& query : made.queries)
    for (const std::string& name : lazy::tables_of(query.expr)) {
      const lang::TensorInfo& info = *program.tensor(name);
      made.formats[name] = info.format;
      if (info.format.all_dense()) continue;
      if (const tensor::Tensor* held = filled(state, name)) made.counted[name] = lazy::count_entries(*held);
      else if (std::ranges::none_of(made.queries, [&](const lazy::Query& other) { return other.name == name; }))
        add_once(made.unfilled, name);
    }
  return made;
}

}  // namespace trellis::session
