#include "engine/session/stages/plan_picture.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/lazy/find_why.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/text/sequence.hpp"
#include "engine/view/json.hpp"
#include "engine/view/plan_drawing.hpp"

namespace trellis::session {
namespace {

std::map<std::string, format::Value> values_of(const State& state, const lang::Program& program) {
  std::map<std::string, format::Value> values;
  for (const lang::ParameterInfo& p : program.parameters)
    if (const auto value = state.parameter(p.name)) values[p.name] = *value;
  return values;
}

/// Null: nothing is in memory, or not all of it yet.
const tensor::Tensor* filled(const State& state, const std::string& name) {
  const tensor::Tensor* held = state.data.has(name) ? state.data.held(name) : nullptr;
  return held && !held->reserved() ? held : nullptr;
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
      if (const tensor::Tensor* held = filled(state, name)) operands.counted[name] = lazy::count_entries(*held);
      else if (std::ranges::none_of(queries, [&](const lazy::Query& made) { return made.name == name; }))
        add_once(operands.unfilled, name);
    }
  return operands;
}

}  // namespace

std::variant<PlannedKernel, lazy::NoQuery> planned(const State& state, const lang::Program& program,
                                                   const lang::Kernel& kernel) {
  auto translated = lazy::queries_of(program, kernel, values_of(state, program));
  if (auto* refused = std::get_if<lazy::NoQuery>(&translated)) return std::move(*refused);
  const auto& queries = std::get<std::vector<lazy::Query>>(translated);
  Operands operands = operands_of(state, program, queries);
  const lazy::PlanOptions options;
  const lazy::Planning planning = lazy::plan(queries, operands.formats, operands.counted, options);
  PlannedKernel made{lazy::why(queries, operands.formats, operands.counted, options, planning),
                     std::move(operands.unfilled)};
  std::map<std::string, double> stored;
  for (const lazy::Query& query : queries)
    if (const tensor::Tensor* held = filled(state, query.name))
      stored[query.name] = static_cast<double>(held->entries());
  lazy::add_stored(made.why, stored);
  return made;
}

PlanPicture plan_picture(const State& state, const lang::Program& program, const lang::Kernel& kernel,
                         view::FontSize font) {
  auto made = planned(state, program, kernel);
  if (const auto* refused = std::get_if<lazy::NoQuery>(&made)) return {refused->reason, {}, {}, {}};
  PlanPicture picture{"", std::move(std::get<PlannedKernel>(made)), {}, {}};
  picture.chosen = view::drawing_of(picture.of.why, picture.of.why.chosen, font);
  if (picture.of.why.second) picture.second = view::drawing_of(picture.of.why, *picture.of.why.second, font);
  return picture;
}

view::Json to_json(const PlanPicture& picture) {
  const lazy::Why& why = picture.of.why;
  const auto way = [](const char* name, const lazy::Why::Way& one, const view::Drawing& drawing) {
    return view::Json{{"caption", std::string(name) + ", " + lazy::estimate_of(one)},
                      {"drawing", view::to_json(drawing)}};
  };
  view::Json json{{"chosen", way("chosen", why.chosen, picture.chosen)}, {"second", nullptr}};
  if (why.second) json["second"] = way("second", *why.second, picture.second);
  json["remarks"] = lazy::remarks_of(why);
  for (const std::string& name : picture.of.unfilled)
    json["remarks"].push_back(name + " holds nothing yet and counts as full");
  return json;
}

}  // namespace trellis::session
