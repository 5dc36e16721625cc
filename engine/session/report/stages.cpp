#include "engine/session/report/stages.hpp"

#include <nlohmann/json.hpp>

#include "engine/session/command/ask.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {

using view::Json;

Json report_answer(const Reply& reply, const text::Sources& sources) {
  Json json = to_json(reply, sources);
  json.erase("line");
  std::string rendered;
  for (const text::Diagnostic& d : reply.diagnostics.all()) rendered += text::render(d, sources, text::Colour::off);
  if (!rendered.empty()) json["rendered"] = rendered;
  return json;
}

Json stages_json(State& state, const std::string& kernel, std::span<const char* const> stages) {
  Json json = Json::object();
  for (const char* stage : stages)
    json[stage] = report_answer(ask(state, "show " + std::string(stage) + " " + kernel), state.sources);
  return json;
}

}  // namespace trellis::session
