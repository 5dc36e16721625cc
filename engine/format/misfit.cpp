#include "engine/format/misfit.hpp"

#include <algorithm>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"

namespace trellis::format {

namespace {

/// An option that the level alone rules out.
std::optional<Misfit> option_misfit(const Level& level, std::size_t place) {
  const Facts f = facts(level);
  const bool counts = std::ranges::any_of(level.options, is_count);
  if (counts && level.name != "compressed" && level.name != "vbl")
    return Misfit{place, level.name + " takes no number",
                  "compressed(4) has 4 slots in each fiber, vbl(4) 4 coordinates in each block"};
  if (counts && !f.overhangs())
    return Misfit{
        place,
        level.name + (f.region == Region::block ? " needs blocks of a coordinate at least" : " needs a slot at least"),
        "as in " + level.name + "(4)"};
  for (const std::string& option : level.options) {
    if (is_count(option)) continue;
    if (f.slots > 0 && option != "wide")
      return Misfit{place, to_string(level) + " takes no " + option, "its slots are filled in rising order"};
    if (!f.coordinates) return Misfit{place, level.name + " takes no " + option, "it keeps no coordinates"};
    if (option != "wide" && (!f.points() || f.locate == Locate::one))
      return Misfit{place, level.name + " takes no " + option, "its regions rise, each in one place"};
    if (option == "listed" && f.locate != Locate::hash)
      return Misfit{place, level.name + " takes no listed", "hashed does, where nobody looks before all is there"};
    if (option == "nonunique" && f.table)
      return Misfit{place, level.name + " takes no nonunique", "its table finds one entry for a coordinate"};
    if (std::count(level.options.begin(), level.options.end(), option) > 1)
      return Misfit{place, level.name + " has " + option + " twice", ""};
  }
  if (has_option(level, "unordered") && has_option(level, "decreasing"))
    return Misfit{place, level.name + " cannot be unordered and decreasing", "coordinates fall, or are in no order"};
  return std::nullopt;
}

}  // namespace

std::optional<Misfit> misfit(const Format& format) {
  bool gaps = false;
  for (std::size_t l = 0; l < format.levels.size(); ++l) {
    const Level& level = format.levels[l];
    if (auto found = option_misfit(level, l)) return found;
    const Facts f = facts(level);
    const bool under_several = l > 0 && !facts(format.levels[l - 1]).unique;
    if (f.covaries() && !under_several)
      return Misfit{l, level.name + " stands " + (l == 0 ? "first" : "below " + to_string(format.levels[l - 1])),
                    "it has one coordinate for each entry above it, as in {compressed(nonunique), " + level.name + "}"};
    if (!f.covaries() && under_several)
      return Misfit{l, level.name + " stands below " + to_string(format.levels[l - 1]),
                    "below a nonunique level each entry has one coordinate: singleton"};
    gaps = gaps || f.gaps;
  }
  if (format.pattern && !gaps)
    return Misfit{format.levels.size(), "pattern stands behind dense levels alone",
                  "what is not stored is false, and they store everything"};
  if (format.pattern && facts(format.levels.back()).pads)
    return Misfit{format.levels.size(), "pattern stands behind " + format.levels.back().name,
                  "it stores what nobody listed, all of which would be true"};
  return std::nullopt;
}

bool lists_entries(const Format& format) {
  Format pattern = format;
  pattern.pattern = true;
  return !pads(format) && objection(pattern).empty() && !misfit(pattern);
}

const std::vector<std::string>& option_names() {
  static const std::vector<std::string> names{"nonunique", "unordered", "decreasing", "wide", "listed"};
  return names;
}

Format widened(Format format, const std::vector<std::int64_t>& shape) {
  const std::vector<std::int64_t> sizes = level_sizes(format, shape);
  for (std::size_t l = 0; l < format.levels.size(); ++l) {
    Level& level = format.levels[l];
    const bool needs = sizes[l] > largest_narrow;
    if (needs && facts(level).coordinates && !has_option(level, "wide")) level.options.emplace_back("wide");
  }
  return format;
}

}  // namespace trellis::format
