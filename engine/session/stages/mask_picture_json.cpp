// A pattern's picture as the report's page reads it.
#include <nlohmann/json.hpp>

#include "engine/session/stages/mask_picture.hpp"
#include "engine/view/json.hpp"

namespace trellis::session {

using view::Json;

Json to_json(const MaskPicture& picture) {
  Json json{{"caption", caption(picture)}, {"symmetric", picture.symmetric},
            {"rows", picture.rows},        {"block", picture.block},
            {"across", picture.across},    {"given", Json::array()},
            {"filled", Json::array()},     {"by", Json::array()},
            {"columns", Json::array()}};
  for (const MaskPicture::Cell& cell : picture.cells) {
    json["given"].push_back(cell.given);
    json["filled"].push_back(cell.filled);
    json["by"].push_back(cell.by);
  }
  for (const auto& [first, last] : picture.columns) json["columns"].push_back({first, last});
  if (!picture.tree.nodes.empty()) json["tree"] = view::to_json(picture.tree);
  return json;
}

}  // namespace trellis::session
