#include "engine/session/report/stages.hpp"

#include <nlohmann/json.hpp>

#include "engine/place/progress.hpp"
#include "engine/session/command/ask.hpp"
#include "engine/view/drawing.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {

using view::Json;

namespace {

/// After each event: of every fragment what has become of it, and the numbers of those that it waits for.
Json placed_json(const Shown& shown) {
  Json list = Json::array();
  const place::Needs needs = place::needs(*shown.analysis);
  for (std::size_t k = 0; k < shown.events.size(); ++k) {
    Json all = Json::array();
    for (const place::Progress& one : place::progress(needs, shown.events, k + 1))
      all.push_back({{"state", place::name_of(one.kind)}, {"waits_for", one.waits_for}});
    list.push_back(std::move(all));
  }
  return list;
}

}  // namespace

Json report_answer(const Reply& reply, const text::Sources& sources) {
  Json json = to_json(reply, sources);
  json.erase("line");
  std::string rendered;
  for (const text::Diagnostic& d : reply.diagnostics.all()) rendered += text::render(d, sources, text::Colour::off);
  if (!rendered.empty()) json["rendered"] = rendered;
  return json;
}

void add_stage(State& state, const std::string& kernel, const char* stage, Json& json) {
  const Reply reply = ask(state, "show " + std::string(stage) + " " + kernel);
  json["stages"][stage] = report_answer(reply, state.sources);
  const auto* shown = std::get_if<Shown>(&reply.result);
  if (!shown || !reply.ok()) return;
  if (shown->stage == "graph")
    json["drawings"]["graph"] = view::to_json(view::drawing_of(shown->analysis->graph, shown->analysis->fragments));
  if (shown->stage == "placement") json["placed"] = placed_json(*shown);
  if (shown->stage != "lattice") return;
  json["drawings"]["lattice"] = Json::array();
  for (const view::LatticeDrawing& one : view::drawings_of(shown->lattices))
    json["drawings"]["lattice"].push_back(view::to_json(one));
}

Json stages_json(State& state, const std::string& kernel, std::span<const char* const> stages) {
  Json json = Json::object();
  for (const char* stage : stages)
    json[stage] = report_answer(ask(state, "show " + std::string(stage) + " " + kernel), state.sources);
  return json;
}

}  // namespace trellis::session
