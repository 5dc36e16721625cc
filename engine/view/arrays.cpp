#include "engine/view/arrays.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/view/json.hpp"

namespace trellis::view {
namespace {

template <class Item>
Json array_json(std::int64_t count, std::int64_t most, const Item& item) {
  Json json{{"count", count}, {"items", Json::array()}};
  for (std::int64_t k = 0; k < std::min(count, most); ++k) json["items"].push_back(item(k));
  return json;
}

template <class Number>
Json numbers_json(const void* data, std::size_t bytes, std::int64_t most) {
  const auto* const numbers = static_cast<const Number*>(data);
  return array_json(static_cast<std::int64_t>(bytes / sizeof(Number)), most, [&](std::int64_t k) { return static_cast<std::int64_t>(numbers[k]); });
}

}  // namespace

Json arrays_json(const std::string& name, const tensor::Tensor& tensor, std::int64_t most) {
  Json json{{"tensor", name}, {"type", format::name_of(tensor.type())}, {"format", format::to_string(tensor.format())}, {"shape", tensor.shape()},
            {"fill", to_json(tensor.fill())}, {"levels", Json::array()}};
  const std::vector<format::Facts> facts = format::facts(tensor.format());
  for (int level = 0; level < static_cast<int>(facts.size()); ++level) {
    const format::Level& kind = tensor.format().levels[static_cast<std::size_t>(level)];
    const std::size_t dimension = format::dimension_of(tensor.format(), static_cast<std::size_t>(level));
    Json one{{"level", format::to_string(kind)}, {"dimension", dimension}, {"size", tensor.shape()[dimension]}};
    for (const auto& [key, which] :
         {std::pair("positions", format::Array::positions), std::pair("starts", format::Array::starts),
          std::pair("coordinates", format::Array::coordinates), std::pair("offsets", format::Array::offsets)})
      if (const void* data = tensor.array(level, which)) {
        const std::size_t bytes = tensor.array_bytes(level, which);
        one[key] = facts[static_cast<std::size_t>(level)].wide ? numbers_json<std::int64_t>(data, bytes, most) : numbers_json<std::int32_t>(data, bytes, most);
      }
    json["levels"].push_back(std::move(one));
  }
  const auto places = static_cast<std::int64_t>(tensor.array_bytes(-1, format::Array::values) / format::size_of(tensor.type()));
  if (!tensor.format().pattern) json["values"] = array_json(places, most, [&](std::int64_t k) { return to_json(tensor.get_flat(k)); });
  return json;
}

}  // namespace trellis::view
