#include "engine/view/arrays.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/format/storage_order.hpp"
#include "engine/view/json.hpp"

namespace trellis::view {
namespace {

template <class Number>
Strip strip(format::Array which, const void* data, std::size_t bytes, std::int64_t most) {
  const auto* const numbers = static_cast<const Number*>(data);
  Strip out{which, static_cast<std::int64_t>(bytes / sizeof(Number)), {}};
  out.items.assign(numbers, numbers + std::min(out.count, most));
  return out;
}

}  // namespace

const char* name_of(format::Array which) {
  switch (which) {
    case format::Array::positions: return "positions";
    case format::Array::starts: return "starts";
    case format::Array::coordinates: return "coordinates";
    case format::Array::offsets: return "offsets";
    case format::Array::table: return "table";
    case format::Array::values: break;
  }
  return "values";
}

StoredArrays stored_arrays(const std::string& name, const tensor::Tensor& tensor, std::int64_t most) {
  StoredArrays out;
  out.tensor = name;
  out.type = tensor.type();
  out.format = format::to_string(tensor.format());
  out.shape = tensor.shape();
  out.fill = tensor.fill();
  out.pattern = tensor.format().pattern;
  const std::vector<format::Facts> facts = format::facts(tensor.format());
  for (int level = 0; level < static_cast<int>(facts.size()); ++level) {
    const format::Facts& own = facts[static_cast<std::size_t>(level)];
    const std::size_t dimension = format::dimension_of(tensor.format(), static_cast<std::size_t>(level));
    StoredLevel one{format::to_string(tensor.format().levels[static_cast<std::size_t>(level)]), dimension,
                    tensor.shape()[dimension], own.region, {}};
    for (const format::Array which : {format::Array::positions, format::Array::starts, format::Array::coordinates,
                                      format::Array::offsets})
      if (const void* data = tensor.array(level, which)) {
        const std::size_t bytes = tensor.array_bytes(level, which);
        one.strips.push_back(own.wide ? strip<std::int64_t>(which, data, bytes, most)
                                      : strip<std::int32_t>(which, data, bytes, most));
      }
    out.levels.push_back(std::move(one));
  }
  const std::size_t bytes = tensor.array_bytes(-1, format::Array::values);
  out.value_count = static_cast<std::int64_t>(bytes / format::size_of(tensor.type()));
  if (!out.pattern)
    for (std::int64_t k = 0; k < std::min(out.value_count, most); ++k) out.values.push_back(tensor.get_flat(k));
  return out;
}

Json to_json(const StoredArrays& arrays) {
  Json json{{"tensor", arrays.tensor}, {"type", format::name_of(arrays.type)}, {"format", arrays.format},
            {"shape", arrays.shape},   {"fill", to_json(arrays.fill)},         {"levels", Json::array()}};
  for (const StoredLevel& level : arrays.levels) {
    Json one{{"level", level.level}, {"dimension", level.dimension}, {"size", level.size}};
    for (const Strip& strip : level.strips)
      one[name_of(strip.which)] = {{"count", strip.count}, {"items", strip.items}};
    json["levels"].push_back(std::move(one));
  }
  if (arrays.pattern) return json;
  json["values"] = {{"count", arrays.value_count}, {"items", Json::array()}};
  for (const format::Value& value : arrays.values) json["values"]["items"].push_back(to_json(value));
  return json;
}

}  // namespace trellis::view
