#include "engine/format/turned.hpp"

#include <algorithm>
#include <utility>

#include "engine/format/storage_order.hpp"

namespace trellis::format {

Format with_known_name(Format format) {
  for (const std::string& name : format_names())
    if (const auto known = Format::named(name, format.rank()); known && same_storage(*known, format))
      format.name = name;
  return format;
}

std::optional<Format> turned(const Format& format, const std::vector<int>& order) {
  std::vector<Format> others = in_other_orders(format);
  const auto found = std::ranges::find(others, order, &Format::order);
  return found == others.end() ? std::nullopt : std::optional(with_known_name(std::move(*found)));
}

}  // namespace trellis::format
