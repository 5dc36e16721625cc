// A picture of storage as the report's page reads it.
#include <nlohmann/json.hpp>

#include "engine/view/json.hpp"
#include "engine/view/storage_picture.hpp"

namespace trellis::view {
namespace {

const char* name_of(StoragePicture::Holds holds) {
  switch (holds) {
    case StoragePicture::Holds::entry: return "entry";
    case StoragePicture::Holds::padding: return "padding";
    case StoragePicture::Holds::nobody: return "nobody";
    case StoragePicture::Holds::absent: return "absent";
    case StoragePicture::Holds::excluded: break;
  }
  return "excluded";
}

Json to_json(const StoragePicture& picture, const StoragePicture::Fiber& fiber) {
  Json json{{"outer", Json::array()}, {"news", fiber.news}, {"group", fiber.group},
            {"cells", Json::array()}, {"free", fiber.free}, {"beyond", fiber.beyond}};
  for (const auto& [first, last] : fiber.outer) json["outer"].push_back({first, last});
  for (const StoragePicture::Cell& cell : fiber.cells)
    json["cells"].push_back({{"holds", name_of(cell.holds)},
                             {"coordinates", {cell.first, cell.last}},
                             {"place", cell.place},
                             {"elements", cell.elements},
                             {"title", explain(picture, cell)}});
  return json;
}

}  // namespace

Json to_json(const StoragePicture& picture) {
  Json json{{"tensor", picture.tensor},
            {"format", picture.format},
            {"rows", picture.rows},
            {"columns", picture.columns},
            {"matrix", picture.shape.size() > 1},
            {"row_cuts", picture.row_cuts},
            {"column_cuts", picture.column_cuts},
            {"grid", Json::array()},
            {"levels", Json::array()},
            {"fibers", Json::array()},
            {"legend", Json::array()}};
  for (std::size_t at = 0; at < picture.grid.size(); ++at) {
    const StoragePicture::Element& element = picture.grid[at];
    json["grid"].push_back({{"holds", name_of(element.holds)},
                            {"place", element.place},
                            {"group", element.group},
                            {"mirrored", element.mirrored},
                            {"title", explain(picture, at)}});
  }
  for (const StorageLegend& entry : legend(picture))
    json["legend"].push_back({{"mark", entry.mark}, {"words", entry.words}});
  for (const StoragePicture::Level& level : picture.levels)
    json["levels"].push_back({{"stores", level.stores}, {"level", level.name}});
  for (const StoragePicture::Fiber& fiber : picture.fibers) json["fibers"].push_back(to_json(picture, fiber));
  return json;
}

}  // namespace trellis::view
