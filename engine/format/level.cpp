#include "engine/format/level.hpp"

#include <algorithm>
#include <charconv>

#include "engine/text/sequence.hpp"

namespace trellis::format {

bool is_count(std::string_view option) { return !option.empty() && option.front() >= '0' && option.front() <= '9'; }

bool has_option(const Level& level, std::string_view option) { return contains(level.options, option); }

namespace {

Facts named(const std::string& name) {
  if (name == "dense")
    return {.region = Region::block,
            .gaps = false,
            .pads = true,
            .locate = Locate::direct,
            .child = Child::product,
            .positions = false,
            .coordinates = false};
  if (name == "singleton") return {.single = true, .child = Child::parent, .positions = false};
  if (name == "hashed") return {.locate = Locate::hash, .table = true};
  if (name == "bytemap") return {.locate = Locate::direct, .child = Child::product, .table = true};
  if (name == "rle") return {.region = Region::run, .gaps = false, .pads = true};
  if (name == "sparse_rle") return {.region = Region::run, .starts = true};
  if (name == "interval")
    return {.region = Region::run,
            .single = true,
            .locate = Locate::one,
            .child = Child::parent,
            .positions = false,
            .starts = true};
  if (name == "vbl") return {.region = Region::block, .child = Child::offset, .offsets = true};
  if (name == "band")
    return {.region = Region::block,
            .pads = true,
            .single = true,
            .locate = Locate::one,
            .child = Child::offset,
            .positions = false,
            .offsets = true};
  if (name == "pinpoint") return {.single = true, .locate = Locate::one, .child = Child::parent, .positions = false};
  return {};  // compressed
}

}  // namespace

namespace {

/// `compressed(4)`: 4; else 0.
std::int64_t count_of(const Level& level) {
  for (const std::string& option : level.options) {
    std::int64_t slots = 0;
    const auto [end, error] = std::from_chars(option.data(), option.data() + option.size(), slots);
    if (error == std::errc() && end == option.data() + option.size()) return slots;
  }
  return 0;
}

}  // namespace

Facts facts(const Level& level) {
  Facts facts = named(level.name);
  if (const std::int64_t count = count_of(level); count > 0 && level.name == "compressed") {
    facts.slots = count;
    facts.positions = false;
  } else if (count > 0 && level.name == "vbl") {
    facts.width = count;
    facts.offsets = false;
    facts.pads = true;
  }
  if (level.bounds) {
    facts.bounded = facts.offsets = facts.wide = true;
    facts.starts = level.bounds->low.has_value();
  }
  if (has_option(level, "nonunique")) facts.unique = false;
  if (has_option(level, "decreasing")) facts.decreasing = true;
  if (has_option(level, "wide")) facts.wide = true;
  if (has_option(level, "listed")) facts.listed = true;
  if (has_option(level, "unordered")) {
    facts.ordered = false;
    if (facts.locate == Locate::binary) facts.locate = Locate::none;
  }
  return facts;
}

std::vector<Facts> facts(const Format& format) {
  std::vector<Facts> all;
  for (const Level& level : format.levels) all.push_back(facts(level));
  if (!all.empty()) all.back().unique = true;
  return all;
}

bool pads(const Format& format) {
  return !format.levels.empty() && !format.pattern && facts(format.levels.back()).pads;
}

bool appends_runs(const Format& format) {
  const std::vector<Facts> all = facts(format);
  if (all.empty() || all.back().region != Region::run || all.back().single) return false;
  return std::ranges::none_of(all.begin(), all.end() - 1, [](const Facts& above) {
    return above.region == Region::run || above.locate == Locate::one || above.child == Child::offset ||
           above.bounded || above.slots > 0;
  });
}

bool available(const Level& level) { return contains(level_names(), level.name) && level.name != "pattern"; }

std::string objection(const Format& format) {
  if (format.pattern && format.levels.empty()) return "a scalar has no pattern: nothing would say whether it is stored";
  const Level* above = nullptr;
  for (const Level& level : format.levels) {
    if (!available(level)) return "`" + level.name + "` cannot be stored yet";
    if (level.name == "dense" && !level.options.empty()) return "`dense` has no options";
    if (has_option(level, "nonunique") && facts(level).table)
      return "`" + level.name + "` finds a coordinate once: it cannot be nonunique";
    const Facts f = facts(level);
    if (f.slots > 0 && (!f.unique || !f.ordered || f.decreasing))
      return "`" + to_string(level) + "` takes no option but `wide`";
    if ((!f.points() || f.locate == Locate::one) && (!f.unique || !f.ordered || f.decreasing))
      return "`" + level.name + "` takes no option but `wide`";
    if (f.covaries() &&
        (!above || facts(*above).child == Child::product || facts(*above).pads || facts(*above).locate == Locate::one))
      return "`singleton` needs a level above it that lists coordinates, such as compressed(nonunique)";
    above = &level;
  }
  if (format.pattern && facts(*above).pads)
    return "`" + above->name + "` stores what nobody listed: all of it would be true";
  return "";
}

}  // namespace trellis::format
