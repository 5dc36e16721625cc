// Orders and what is asked about them, as JSON.
#include <nlohmann/json.hpp>

#include "engine/session/reply/json.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {

using view::Json;

namespace {

void put(Json& json, const lang::Order& order) {
  json["order"] = view::names(order);
  json["descending"] = view::descending(order);
}

}  // namespace

void put(Json& json, const OrdersListed& listed) {
  json["kernel"] = listed.kernel;
  json.update(view::to_json(listed.table));
  if (!listed.present.empty()) json["in_force"] = view::names(listed.present);
  if (listed.timed) json["backend"] = run::name_of(*listed.timed);
  if (listed.both_ways) json["both_ways"] = {listed.both_ways->first, listed.both_ways->second};
}

void put(Json& json, const WhyAnswered& answered) { json.update(view::to_json(answered.why)); }

void put(Json& json, const Suggested& suggested) {
  json["kernel"] = suggested.kernel;
  put(json, suggested.order);
  json["planned"] = suggested.planned;
  json["cost"] = suggested.cycles / suggested.least();
  json["suggestions"] = Json::array();
  for (const explore::Suggestion& s : suggested.suggestions)
    json["suggestions"].push_back(
        {{"command", s.command}, {"reason", s.reason}, {"cost", s.cycles / suggested.least()}, {"doubt", s.doubt}});
  if (!suggested.tuned) return;
  json["backend"] = suggested.tuned->backend;
  json["now_ms"] = suggested.tuned->now_ms;
  for (std::size_t k = 0; k < suggested.tuned->ms.size(); ++k)
    if (const auto& ms = suggested.tuned->ms[k]) json["suggestions"][k]["ms"] = *ms;
  json["kept"] = suggested.tuned->kept ? Json(*suggested.tuned->kept) : Json();
}

void put(Json& json, const CoreFound& found) {
  json["kernel"] = found.kernel;
  put(json, found.order);
  json["legal"] = found.legal;
  json["core"] = Json::array();
  for (std::size_t k = 0; k < found.core.size(); ++k)
    json["core"].push_back({{"read", found.reads[k].text},
                            {"line", found.reads[k].line},
                            {"written_line", found.reads[k].written_line},
                            {"instance", view::to_json(found.core[k].instance)}});
}

void put(Json& json, const Differed& differed) {
  json["stage"] = differed.stage;
  const double least = std::min(differed.left.cycles, differed.right.cycles);
  for (const auto& [key, side] : {std::pair("left", &differed.left), std::pair("right", &differed.right)})
    json[key] = {{"name", side->name}, {"cost", least > 0 ? Json(side->cycles / least) : Json(nullptr)}};
  json["same"] = differed.diff.empty();
  json["diff"] = differed.diff;
}

}  // namespace trellis::session
