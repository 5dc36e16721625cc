// Stages and formats, as JSON.
#include <nlohmann/json.hpp>

#include "engine/session/reply/json.hpp"
#include "engine/session/stages/find_notes.hpp"
#include "engine/view/json.hpp"
#include "engine/view/lattice.hpp"
#include "engine/view/tree.hpp"

namespace trellis::session {

using view::Json;

namespace {

/// By lattice, what its operands do, and what is proven of those that are looked up.
Json finds_json(const Shown& shown) {
  Json all = Json::array();
  for (const coiterate::NumberedLattice& one : shown.lattices) {
    Json notes = Json::array();
    for (const FindNote& note : find_notes(*shown.compilation, *one.lattice))
      notes.push_back({{"words", note.words}, {"verdict", name_of(note.trust)}});
    all.push_back({{"lattice", one.number}, {"notes", notes}});
  }
  return all;
}

Json to_json(const PassShown& pass) {
  Json lines = Json::array();
  for (const PassShown::Line& line : pass.lines) lines.push_back({std::string(1, line.mark), line.text});
  return {{"name", pass.name}, {"reason", pass.reason}, {"changed", !pass.diff.empty()}, {"lines", std::move(lines)}};
}

Json to_json(const StoredTensor::Level& level) {
  const format::Facts& facts = level.facts;
  const auto named = [](auto kind, std::initializer_list<const char*> names) {
    return names.begin()[static_cast<std::size_t>(kind)];
  };
  Json arrays = Json::object();
  for (const auto& [name, bytes] : level.arrays) arrays[name] = bytes ? Json(*bytes) : Json(nullptr);
  return {{"level", format::to_string(level.level)},
          {"dimension", level.dimension},
          {"stores", level.stores},
          {"region", named(facts.region, {"point", "block", "run"})},
          {"gaps", facts.gaps},
          {"single", facts.single},
          {"ordered", facts.ordered},
          {"decreasing", facts.decreasing},
          {"unique", facts.unique},
          {"locate", named(facts.locate, {"none", "direct", "binary", "hash", "one"})},
          {"wide", facts.wide},
          {"arrays", arrays}};
}

}  // namespace

void put(Json& json, const Shown& shown) {
  json["stage"] = shown.stage;
  json["kernel"] = shown.kernel;
  json["text"] = shown.text.characters;
  json["spans"] = view::spans(shown.text);
  if (shown.stage == "fragments") json["model"] = view::to_json(shown.analysis->fragments);
  if (shown.stage == "graph") json["model"] = view::to_json(shown.analysis->graph, shown.analysis->fragments);
  if (shown.stage == "algebra") json["model"] = view::algebra_json(shown.lattices);
  if (shown.stage == "flow") json["model"] = view::tree_json(view::tree_of_flow(shown.text, "kernel " + shown.kernel));
  for (const PassShown& pass : shown.passes) json["passes"].push_back(to_json(pass));
  if (shown.stage == "lattice") json["model"] = view::lattice_json(shown.lattices);
  if (shown.stage == "lattice") json["finds"] = finds_json(shown);
  for (std::size_t line = 0; line < shown.remarks.size(); ++line)
    if (!shown.remarks[line].empty()) json["remarks"].push_back({{"line", line}, {"words", shown.remarks[line]}});
  for (const auto& [id, share] : shown.cost) json["cost"].push_back({{"id", id}, {"share", view::to_json(share)}});
  if (shown.stage == "placement") {
    json["model"]["events"] = view::to_json(shown.events, shown.analysis->fragments);
    json["model"]["nest"] = view::to_json(shown.nest);
    json["model"]["certificate"] = shown.certificate ? view::to_json(*shown.certificate) : Json(nullptr);
  }
}

void put(Json& json, const FormatsShown& shown) {
  json["stage"] = "formats";
  json["text"] = to_string(shown);
  json["model"] = {{"tensors", Json::array()}, {"kernels", Json::array()}};
  for (const StoredTensor& tensor : shown.tensors) {
    Json one{{"tensor", tensor.info.name},
             {"format", format::to_string(tensor.info.format)},
             {"type", format::name_of(tensor.info.type)},
             {"pattern", tensor.info.format.pattern},
             {"levels", Json::array()}};
    for (const StoredTensor::Level& level : tensor.levels) one["levels"].push_back(to_json(level));
    if (const auto& c = tensor.contents)
      one.update({{"entries", c->entries}, {"density", c->density()}, {"bytes", c->bytes}});
    json["model"]["tensors"].push_back(std::move(one));
  }
  for (const view::StoragePicture& picture : shown.pictures)
    if (!picture.empty()) json["model"]["pictures"].push_back(view::to_json(picture));
  for (const KernelStorage& kernel : shown.kernels)
    json["model"]["kernels"].push_back(
        {{"kernel", kernel.kernel}, {"written", kernel.written}, {"looked_up", kernel.looked_up}});
}

}  // namespace trellis::session
