// plan: the equations of a kernel as queries, and what lazy arrays would make of them. It only shows.
#include <algorithm>

#include "engine/lazy/find_why.hpp"
#include "engine/lazy/from_equation.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

std::map<std::string, format::Value> values_of(const State& state, const lang::Program& program) {
  std::map<std::string, format::Value> values;
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = state.parameter(p.name)) values[p.name] = *value;
  return values;
}

/// Formats and entries of what the queries read. What nobody has filled counts as full.
struct Operands {
  lazy::Formats formats;
  lazy::CountedTables counted;
  std::vector<std::string> unfilled;
};

Operands operands_of(const State& state, const lang::Program& program, const std::vector<lazy::Query>& queries) {
  Operands operands;
  for (const lazy::Query& query : queries)
    for (const std::string& name : lazy::tables_of(query.expr)) {
      const lang::TensorInfo& info = *program.tensor(name);
      operands.formats[name] = info.format;
      if (info.format.all_dense()) continue;
      const tensor::Tensor* held = state.data.has(name) ? state.data.held(name) : nullptr;
      if (held && !held->reserved()) operands.counted[name] = lazy::count_entries(*held);
      else if (std::ranges::none_of(queries, [&](const lazy::Query& made) { return made.name == name; }))
        add_once(operands.unfilled, name);
    }
  return operands;
}

}  // namespace

CommandResult plan(State& state, Words& words) {
  const bool reasons = words.accept("why");
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  const lang::Program* program = kernel ? state.program(words.diagnostics()) : nullptr;
  if (!program) return {};
  const auto translated = lazy::queries_of(*program, *kernel, values_of(state, *program));
  if (const auto* refused = std::get_if<lazy::NoQuery>(&translated)) {
    words.diagnostics().error("E0645", refused->span,
                              "kernel " + kernel->name + " cannot be planned: " + refused->reason);
    return {};
  }
  const auto& queries = std::get<std::vector<lazy::Query>>(translated);
  const Operands operands = operands_of(state, *program, queries);
  const lazy::PlanOptions options;
  const lazy::Planning planning = lazy::plan(queries, operands.formats, operands.counted, options);
  return {PlanShown{kernel->name, reasons, lazy::why(queries, operands.formats, operands.counted, options, planning),
                    operands.unfilled}};
}

}  // namespace trellis::session
