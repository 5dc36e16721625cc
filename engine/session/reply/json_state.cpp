// What a session holds and what becomes of it, loaded, printed, saved, taken back, as JSON.
#include <nlohmann/json.hpp>

#include "engine/session/reply/json.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {

using view::Json;

namespace {

Json node_json(const text::NodeId& node) { return {{"stage", text::name_of(node.stage)}, {"id", node.id}}; }

}  // namespace

void put(Json& json, const Loaded& loaded) {
  json["tensor"] = loaded.tensor;
  json["shape"] = loaded.shape;
  json["entries"] = loaded.entries;
  if (loaded.as_truths) json["as_truths"] = true;
  if (loaded.in_file) json["in_file"] = true;
  if (!loaded.declared.empty()) json["declared"] = loaded.declared;
}

void put(Json& json, const Pruned& pruned) {
  json["tensor"] = pruned.tensor;
  json["entries"] = pruned.after;
  json["dropped"] = pruned.before - pruned.after;
}

void put(Json& json, const Printed& printed) {
  if (printed.expression.empty()) json["tensor"] = printed.tensor;
  else json["expression"] = printed.expression;
  json["type"] = format::name_of(printed.value.type());
  json["shape"] = printed.value.shape();
  json["format"] = printed.value.dense() ? "dense" : format::to_string(printed.value.format());
  json["fill"] = view::to_json(printed.value.fill());
  json["entries"] = view::entries(printed.value);
}

void put(Json& json, const Saved& saved) {
  if (!saved.tensor.empty()) json["tensor"] = saved.tensor;
  json["path"] = saved.path;
  if (saved.fills > 0) json["stored_fills"] = saved.fills;
  if (!saved.tensor.empty()) return;
  json["statements"] = saved.statements;
  json["actions"] = saved.actions;
}

void put(Json& json, const Exported& exported) {
  json["what"] = exported.what;
  json["kernel"] = exported.kernel;
  json["files"] = exported.files;
  if (!exported.function.empty()) json["function"] = exported.function;
  if (!exported.next.empty()) json["next"] = exported.next;
}

void put(Json& json, const Plotted& plotted) {
  json["tensor"] = plotted.tensor;
  if (plotted.path.empty()) json["text"] = plotted.text;
  else json["path"] = plotted.path;
}

void put(Json& json, const Explained& explained) {
  json["topic"] = explained.topic;
  json["text"] = explained.text;
}

void put(Json& json, const Scheduled& scheduled) {
  json["applied"] = scheduled.command;
  if (!scheduled.kernel.empty()) json["kernel"] = scheduled.kernel;
}

void put(Json& json, const Travelled& travelled) {
  if (!travelled.name.empty()) json["name"] = travelled.name;
  if (!travelled.statements.empty()) json["statements"] = travelled.statements;
}

void put(Json& json, const HistoryListed& listed) {
  json["done"] = listed.done;
  json["undone"] = listed.undone;
  json["snapshots"] = listed.snapshots;
}

void put(Json& json, const ProgramListed& listed) { json["statements"] = listed.statements; }

void put(Json& json, const Sourced& sourced) { json["file"] = sourced.file; }

void put(Json& json, const ExamplesListed& listed) {
  json["examples"] = Json::array();
  for (const auto& entry : listed.entries)
    json["examples"].push_back({{"name", entry.name}, {"summary", entry.summary}});
}

/// What is not selected is left out.
void put(Json& json, const Selected& selected) {
  const Selection& s = selected.selection;
  Json one = Json::object();
  if (!s.kernel.empty()) one["kernel"] = s.kernel;
  if (s.stage != text::Stage::source) one["stage"] = text::name_of(s.stage);
  if (s.step) one["step"] = *s.step;
  if (s.node) one["node"] = node_json(*s.node);
  if (!s.instance.empty()) one["instance"] = view::to_json(text::Point(s.instance.begin(), s.instance.end()));
  if (s.element) one["element"] = {{"tensor", s.element->tensor}, {"index", s.element->index}};
  if (s.position)
    one["position"] = {
        {"tensor", s.position->tensor}, {"level", s.position->level}, {"position", s.position->position}};
  one["pins"] = Json::array();
  for (const text::NodeId& node : s.pins) one["pins"].push_back(node_json(node));
  json["selection"] = std::move(one);
}

}  // namespace trellis::session
