#include "engine/session/stages/plan_picture.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/lazy/find_why.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/view/json.hpp"
#include "engine/view/plan_drawing.hpp"

namespace trellis::session {

std::variant<PlannedKernel, lazy::NoQuery> plan_of(const State& state, const lang::Program& program,
                                                   const lang::Kernel& kernel) {
  auto translated = queries_of(state, program, kernel);
  if (auto* refused = std::get_if<lazy::NoQuery>(&translated)) return std::move(*refused);
  auto& [queries, formats, counted, unfilled] = std::get<KernelQueries>(translated);
  const lazy::PlanOptions options;
  const lazy::Planning planning = lazy::plan(queries, formats, counted, options);
  PlannedKernel made{lazy::why(queries, formats, counted, options, planning), std::move(unfilled)};
  std::map<std::string, double> stored;
  for (const lazy::Query& query : queries)
    if (const tensor::Tensor* held = filled(state, query.name))
      stored[query.name] = static_cast<double>(held->entries());
  lazy::add_stored(made.why, stored);
  return made;
}

PlanPicture plan_picture(State& state, const lang::Program& program, const lang::Kernel& kernel, view::FontSize font) {
  PlanPicture picture{plan_choice(state, kernel, true), "", {}, {}, {}};
  auto made = plan_of(state, program, kernel);
  if (const auto* refused = std::get_if<lazy::NoQuery>(&made)) {
    picture.refused = refused->reason;
    return picture;
  }
  picture.of = std::move(std::get<PlannedKernel>(made));
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
  view::Json json{
      {"choice", to_json(picture.choice)}, {"chosen", nullptr}, {"second", nullptr}, {"remarks", picture.choice.flips}};
  if (!picture.refused.empty()) return json;
  json["chosen"] = way("chosen", why.chosen, picture.chosen);
  if (why.second) json["second"] = way("second", *why.second, picture.second);
  for (const std::string& remark : lazy::remarks_of(why)) json["remarks"].push_back(remark);
  for (const std::string& name : picture.of.unfilled)
    json["remarks"].push_back(name + " holds nothing yet and counts as full");
  return json;
}

}  // namespace trellis::session
