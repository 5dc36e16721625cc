// Where a replay stands, as JSON.
#include <nlohmann/json.hpp>

#include "engine/session/reply/json.hpp"
#include "engine/view/json.hpp"
#include "engine/view/lattice.hpp"

namespace trellis::session {

using view::Json;

namespace {

void put(Json& json, const explore::Trace::Step& step) {
  const auto touched = [](const explore::Trace::Touch& t) {
    Json one{{"tensor", t.tensor}, {"index", t.index}, {"value", view::to_json(t.value)}};
    if (!t.last.empty()) one["last"] = t.last;
    return one;
  };
  json["statement"] = step.statement;
  json["loops"] = Json::object();
  for (const auto& [name, value] : step.loops) json["loops"][name] = value;
  json["reads"] = Json::array();
  for (const explore::Trace::Touch& read : step.reads) {
    json["reads"].push_back(touched(read));
    json["reads"].back()["early"] = read.early;
  }
  if (step.write) json["writes"] = touched(*step.write);
  if (!step.starts.empty()) json["starts"] = step.starts;
  if (!step.ends.empty()) json["ends"] = step.ends;
}

/// Of each fragment after the step, and the nest as far as it stands.
void put_progress(Json& json, const ReplayedPlacement& p, std::size_t at) {
  const auto name = [&](int f) { return p.analysis->fragments.fragments[static_cast<std::size_t>(f)].name; };
  json["fragments"] = Json::array();
  const std::vector<place::Progress> all = place::progress(p.needs, p.events, at);
  for (std::size_t f = 0; f < all.size(); ++f) {
    Json one{{"name", name(static_cast<int>(f))}, {"state", place::name_of(all[f].kind)}, {"waits_for", Json::array()}};
    if (!all[f].why.empty()) one["why"] = all[f].why;
    for (const int other : all[f].waits_for) one["waits_for"].push_back(name(other));
    json["fragments"].push_back(std::move(one));
  }
  json["nest"] = Json::array();
  if (at == 0) return;
  for (const place::SketchLine& line : p.events[at - 1].nest) {
    json["nest"].push_back({{"depth", line.depth}});
    if (line.fragment >= 0) json["nest"].back()["fragment"] = name(line.fragment);
    else json["nest"].back()["loop"] = lang::to_string(lang::Order{line.loop});
  }
}

}  // namespace

void put(Json& json, const Stepped& stepped) {
  json["replay"] = stepped.replay;
  json["kernel"] = stepped.kernel;
  json["at"] = stepped.at;
  json["of"] = stepped.of;
  json["complete"] = stepped.complete;
  if (stepped.execution) {
    json["order"] = view::names(stepped.execution->order);
    json["legal"] = stepped.execution->legal;
    json["replays"] = stepped.execution->compilation ? "control flow" : "loops";
    if (stepped.at > 0) put(json, stepped.execution->trace.steps[stepped.at - 1]);
  } else if (stepped.placement) {
    const ReplayedPlacement& p = *stepped.placement;
    json["order"] = view::names(p.order);
    json["legal"] = p.legal;
    json["events"] = view::to_json({p.events.begin(), p.events.begin() + static_cast<std::ptrdiff_t>(stepped.at)},
                                   p.analysis->fragments);
    put_progress(json, p, stepped.at);
  } else if (stepped.at > 0) {
    json["step"] = view::to_json(stepped.lattices->trace.steps[stepped.at - 1], stepped.lattices->lattices);
  }
}

}  // namespace trellis::session
