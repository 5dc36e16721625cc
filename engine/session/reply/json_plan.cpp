// A plan, as JSON; where the equations are no queries, "no_query" says why instead of what follows "choice":
// {"kernel", "choice", "chosen": {"outline", "ms", "queries": […]}, "second", "operands", "flips", "rewrites", …}.
#include <nlohmann/json.hpp>

#include "engine/session/reply/json.hpp"

namespace trellis::session {

using view::Json;

namespace {

Json to_json(const lazy::Why::Way& way) {
  Json kernels = Json::array();
  for (const lazy::Why::Kernel& k : way.kernels) {
    kernels.push_back({{"name", k.name},
                       {"equation", k.equation},
                       {"format", k.format},
                       {"order", k.order},
                       {"reads", k.reads},
                       {"entries", k.entries},
                       {"bytes", k.bytes},
                       {"ms", k.nanoseconds / 1e6}});
    if (k.stored) kernels.back()["stored"] = *k.stored;
    if (!k.copy_of.empty()) kernels.back()["copy_of"] = k.copy_of;
  }
  Json json{{"outline", way.outline}, {"ms", way.nanoseconds / 1e6}, {"queries", kernels}};
  if (way.compiled) json["compiled_ms"] = *way.compiled / 1e6;
  return json;
}

}  // namespace

void put(Json& json, const PlanShown& shown) {
  json["kernel"] = shown.kernel;
  json["choice"] = to_json(shown.choice);
  if (!shown.why) {
    json["no_query"] = shown.no_query;
    return;
  }
  const lazy::Why& why = *shown.why;
  json["chosen"] = to_json(why.chosen);
  json["second"] = why.second ? to_json(*why.second) : Json(nullptr);
  json["operands"] = json["flips"] = Json::array();
  for (const lazy::Why::Operand& o : why.operands)
    json["operands"].push_back({{"name", o.name}, {"format", o.format}, {"entries", o.entries}});
  for (const lazy::Why::Flip& f : why.flips)
    json["flips"].push_back(
        {{"tensor", f.table}, {"entries", f.entries}, {"instead", f.instead}, {"outline", f.outline}});
  json["rewrites"] = why.rewrites;
  json["rounds"] = why.associates;
  json["greedy"] = why.greedy;
  json["unfilled"] = shown.unfilled;
}

}  // namespace trellis::session
