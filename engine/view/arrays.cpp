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

StoredArrays stored_arrays(const std::string& name, const tensor::Tensor& tensor, std::int64_t most) {
  StoredArrays out;
  out.tensor = name;
  out.type = tensor.type();
  out.format = format::to_string(tensor.format());
  out.shape = tensor.shape();
  out.fill = tensor.fill();
  out.pattern = tensor.format().pattern;
  const std::vector<format::Facts> facts = format::facts(tensor.format());
  const tensor::Index sizes = format::level_sizes(tensor.format(), tensor.shape());
  for (int level = 0; level < static_cast<int>(facts.size()); ++level) {
    const format::Facts& own = facts[static_cast<std::size_t>(level)];
    const std::size_t dimension = format::dimension_of(tensor.format(), static_cast<std::size_t>(level));
    StoredLevel one{format::to_string(tensor.format().levels[static_cast<std::size_t>(level)]),
                    dimension,
                    format::stored_by(tensor.format(), static_cast<std::size_t>(level)),
                    sizes[static_cast<std::size_t>(level)],
                    own.region,
                    {},
                    own.width};
    for (const format::Array which :
         {format::Array::positions, format::Array::starts, format::Array::coordinates, format::Array::offsets})
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

namespace {

const std::vector<std::int64_t>* items_of(const StoredLevel& level, format::Array which) {
  const auto found = std::ranges::find(level.strips, which, &Strip::which);
  return found == level.strips.end() ? nullptr : &found->items;
}

std::optional<std::int64_t> item(const std::vector<std::int64_t>* items, std::int64_t at) {
  if (!items || at < 0 || at >= static_cast<std::int64_t>(items->size())) return std::nullopt;
  return (*items)[static_cast<std::size_t>(at)];
}

/// The last of the rising numbers' places that holds at most `value`: of positions, the parent of an entry.
std::int64_t place_in(const std::vector<std::int64_t>& positions, std::int64_t value) {
  return std::ranges::upper_bound(positions, value) - positions.begin() - 1;
}

}  // namespace

std::optional<StoredSpot> spot_of(const StoredArrays& arrays, std::size_t level, std::int64_t entry) {
  StoredSpot spot;
  for (std::size_t l = level + 1; l-- > 0;) {
    const StoredLevel& own = arrays.levels[l];
    const auto* coordinates = items_of(own, format::Array::coordinates);
    const auto* positions = items_of(own, format::Array::positions);
    if (!coordinates) {  // all of them, in turn
      if (own.size <= 0) return std::nullopt;
      if (const auto* offsets = items_of(own, format::Array::offsets)) {  // those within bounds
        const std::int64_t parent = place_in(*offsets, entry);
        const auto begin = item(offsets, parent);
        if (!begin) return std::nullopt;
        const std::int64_t at = item(items_of(own, format::Array::starts), parent).value_or(0) + entry - *begin;
        spot.first.push_back(at), spot.last.push_back(at);
        entry = parent;
        continue;
      }
      spot.first.push_back(entry % own.size), spot.last.push_back(entry % own.size);
      entry /= own.size;
      continue;
    }
    // What a block's children are numbered by, where it is asked about one of them from below.
    const auto* offsets = items_of(own, format::Array::offsets);
    std::int64_t child = -1;
    if (offsets && l < level) child = entry, entry = place_in(*offsets, entry);
    if (own.width > 0 && l < level) child = entry, entry /= own.width;
    const auto last = item(coordinates, entry);
    if (!last) return std::nullopt;
    std::int64_t first = *last;
    if (child >= 0) {
      const auto end = own.width > 0 ? std::optional((entry + 1) * own.width) : item(offsets, entry + 1);
      if (!end) return std::nullopt;
      first = *last - (*end - 1 - child);
      spot.first.push_back(first), spot.last.push_back(first);
    } else {
      const std::int64_t parent = positions ? place_in(*positions, entry) : entry;
      const bool leads = !positions || item(positions, parent) == entry;
      if (const auto start = item(items_of(own, format::Array::starts), entry)) first = *start;
      else if (own.width > 0) first = *last + 1 - own.width;
      else if (own.region == format::Region::run) first = leads ? 0 : item(coordinates, entry - 1).value_or(-1) + 1;
      else if (offsets) first = *last + 1 - (item(offsets, entry + 1).value_or(0) - item(offsets, entry).value_or(0));
      spot.first.push_back(first), spot.last.push_back(*last);
    }
    if (positions) {
      const std::int64_t parent = place_in(*positions, entry);
      if (parent < 0 || parent + 1 >= static_cast<std::int64_t>(positions->size())) return std::nullopt;
      entry = parent;
    }
  }
  std::ranges::reverse(spot.first), std::ranges::reverse(spot.last);
  return spot;
}

Json to_json(const StoredArrays& arrays) {
  Json json{{"tensor", arrays.tensor}, {"type", format::name_of(arrays.type)}, {"format", arrays.format},
            {"shape", arrays.shape},   {"fill", to_json(arrays.fill)},         {"levels", Json::array()}};
  for (const StoredLevel& level : arrays.levels) {
    Json one{{"level", level.level}, {"dimension", level.dimension}, {"stores", level.stores}, {"size", level.size}};
    for (const Strip& strip : level.strips)
      one[format::name_of(strip.which)] = {{"count", strip.count}, {"items", strip.items}};
    json["levels"].push_back(std::move(one));
  }
  if (arrays.pattern) return json;
  json["values"] = {{"count", arrays.value_count}, {"items", Json::array()}};
  for (const format::Value& value : arrays.values) json["values"]["items"].push_back(to_json(value));
  return json;
}

}  // namespace trellis::view
