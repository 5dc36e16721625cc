// Replies as programs read them (docs/design/language.md#replies-as-json).
#include "engine/session/reply/json.hpp"

#include <nlohmann/json.hpp>

namespace trellis::session {

using view::Json;

namespace {

// Kinds that say nothing more.
void put(Json&, const Accepted&) {}
void put(Json&, const Left&) {}
void put(Json&, const Cleared&) {}

}  // namespace

nlohmann::ordered_json to_json(const Reply& reply, const text::Sources& sources) {
  Json json{{"command", reply.command}, {"line", reply.line}, {"ok", reply.ok()}};
  if (!reply.diagnostics.empty()) json["diagnostics"] = view::to_json(reply.diagnostics, sources);
  if (reply.ok() || !std::holds_alternative<Accepted>(reply.result))
    std::visit([&](const auto& r) { put(json, r); }, reply.result);
  if (const auto& learning = reply.learning)
    json["learning"] = {{"lesson", learning->lesson}, {"done", learning->task}, {"left", learning->left}};
  return json;
}

}  // namespace trellis::session
