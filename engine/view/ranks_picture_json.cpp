// A picture of ranks as the report's page reads it.
#include <nlohmann/json.hpp>

#include "engine/view/json.hpp"
#include "engine/view/ranks_picture.hpp"

namespace trellis::view {
namespace {

Json to_json(const RanksPicture::Axis& axis) { return {{"places", axis.places}, {"cuts", axis.cuts}}; }

Json to_json(const RanksPicture::Owned& owned) {
  Json json{{"tensor", owned.tensor},      {"caption", caption(owned)},         {"order", owned.order},
            {"rows", to_json(owned.rows)}, {"columns", to_json(owned.columns)}, {"cells", Json::array()}};
  for (std::int64_t r = 0; r < owned.rows.cells(); ++r)
    for (std::int64_t c = 0; c < owned.columns.cells(); ++c) {
      const RanksPicture::Cell& cell = owned.at(r, c);
      json["cells"].push_back({{"owner", cell.owner}, {"readers", cell.readers}, {"title", explain(owned, r, c)}});
    }
  return json;
}

Json to_json(const RankLanes& lanes) {
  Json json{{"caption", caption(lanes)}, {"ms", lanes.ms}, {"ranks", Json::array()}};
  for (const RankLanes::Lane& lane : lanes.ranks)
    json["ranks"].push_back({{"compute_ms", lane.compute_ms}, {"wait_ms", lane.wait_ms}, {"waits", lane.waits}});
  return json;
}

}  // namespace

Json to_json(const RanksPicture& picture) {
  Json json{{"ranks", picture.ranks}, {"grid", picture.grid},   {"tensors", Json::array()},
            {"whole", picture.whole}, {"bytes", picture.bytes}, {"at_most", picture.at_most}};
  for (const RanksPicture::Owned& owned : picture.tensors) json["tensors"].push_back(to_json(owned));
  json["forecast"] = forecast_text(picture);
  json["lanes"] = picture.lanes ? to_json(*picture.lanes) : Json(nullptr);
  return json;
}

}  // namespace trellis::view
