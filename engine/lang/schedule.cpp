#include "engine/lang/schedule.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "engine/lang/schedule_commands.hpp"

namespace trellis::lang {

std::string to_string(const ScheduleStep& step) {
  std::string text(command_of(step.kind).name);
  if (!step.tensor.empty()) text += ' ' + step.tensor;
  for (const std::string& loop : step.loops) text += ' ' + loop;
  for (const std::string& tensor : step.tensors) text += ' ' + tensor;
  if (step.kind == ScheduleStep::Kind::narrow) return text + " i" + std::to_string(step.factors[0]);
  if (step.kind == ScheduleStep::Kind::split) {  // tile's names are its loops' own
    text += " into";
    for (const std::string& loop : step.into) text += ' ' + loop;
  }
  for (const std::int64_t factor : step.factors) text += ' ' + std::to_string(factor);
  return text;
}

bool is_lanes(std::int64_t count) { return count >= 2 && count <= 64 && (count & (count - 1)) == 0; }

std::string lanes_wanted(std::int64_t count) {
  return "vectorize adds up in 2, 4, 8, 16, 32 or 64 parts, not " + std::to_string(count);
}

bool is_jam(std::int64_t count) { return count >= 2 && count <= 64; }

std::string jam_wanted(std::int64_t count) {
  return "jam runs 2 to 64 iterations at once, not " + std::to_string(count);
}

std::string to_string(const Schedule::Mask& mask) {
  if (mask.automatic || !mask.pattern) return "mask " + mask.tensor + " auto";
  return "mask " + mask.tensor + (mask.complement ? " !" : " ") + *mask.pattern + (mask.by_value ? " values" : "");
}

std::string to_string(const Schedule::Workspace& workspace) {
  static constexpr std::array<const char*, 4> kinds = {"dense", "bytemap", "hash", "sort"};
  std::string text = "workspace " + workspace.name + " for " + workspace.tensor + "(";
  for (std::size_t k = 0; k < workspace.indices.size(); ++k) text += (k == 0 ? "" : ",") + workspace.indices[k];
  return text + ") " + kinds[static_cast<std::size_t>(workspace.kind)];
}

std::string to_string(const Schedule::March& march) { return "march " + march.tensor + " " + march.variable; }

std::string to_string(const Schedule::Supernodes& supernodes) {
  return "supernodes " + supernodes.partition + " of " + supernodes.tensor +
         (supernodes.relax ? " relax " + std::to_string(*supernodes.relax) : "");
}

std::string_view name_of(Schedule::Find::How how) {
  static constexpr std::array<std::string_view, 7> names = {"merge", "scan", "gallop", "binary",
                                                            "table", "hash", "auto"};
  return names[static_cast<std::size_t>(how)];
}

std::string to_string(const Schedule::Find& find) {
  return "find " + find.tensor + " " + std::string(name_of(find.how));
}

std::string to_string(const Schedule::Distribution& distribution) {
  const std::string by = distribution.by.empty() ? "" : (distribution.parts ? " by parts " : " by ") + distribution.by;
  const std::string cyclic = distribution.cyclic > 0 ? " cyclic " + std::to_string(distribution.cyclic) : "";
  return "distribute " + distribution.loop + " over " + distribution.ranks + by + cyclic;
}

std::string to_string(const Schedule::Pipeline& pipeline) {
  return "pipeline " + pipeline.loop + " " + std::to_string(pipeline.block);
}

std::string to_string(const Schedule::Wavefront& wavefront) {
  return "wavefront " + wavefront.time + " " + wavefront.space +
         (wavefront.factor == 1 ? "" : " " + std::to_string(wavefront.factor));
}

std::string to_string(const Order& order) {
  std::string text;
  for (const LoopName& loop : order) {
    if (!text.empty()) text += ' ';
    const std::size_t slash = loop.descending ? loop.name.find('/') : std::string::npos;
    text += loop.name.substr(0, slash);
    if (loop.descending) text += '-';
    if (slash != std::string::npos) text += loop.name.substr(slash);  // i-/96
  }
  return text;
}

std::optional<TileName> tile_of(const std::string& loop) {
  const std::size_t slash = loop.find('/');
  TileName tile{loop.substr(0, slash)};
  if (slash == std::string::npos) return std::nullopt;
  const char* end = loop.data() + loop.size();
  const auto read = std::from_chars(loop.data() + slash + 1, end, tile.size);
  return read.ec == std::errc() && read.ptr == end && tile.size > 0 ? std::optional(tile) : std::nullopt;
}

std::string tile_text(const std::string& variable, std::int64_t size) { return variable + "/" + std::to_string(size); }

std::string variable_of(const std::string& loop) { return loop.substr(0, loop.find('/')); }

std::string loop_variable(const std::string& loop) {
  std::string name = loop;
  std::ranges::replace(name, '/', '_');
  return name;
}

bool has_tiles(const Order& order) {
  return std::ranges::any_of(order, [](const LoopName& loop) { return tile_of(loop.name).has_value(); });
}

std::optional<Order> parse_order(const std::string& text) {
  auto starts_name = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; };
  auto continues_name = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  Order order;
  std::size_t at = 0;
  bool wants_name = false;  // after a comma
  while (at < text.size()) {
    if (text[at] == ' ' || text[at] == '\t') {
      ++at;
      continue;
    }
    if (text[at] == ',') {
      if (order.empty() || wants_name) return std::nullopt;
      wants_name = true;
      ++at;
      continue;
    }
    if (!starts_name(text[at])) return std::nullopt;
    std::size_t end = at;
    while (end < text.size() && continues_name(text[end])) ++end;
    LoopName loop{text.substr(at, end - at), false};
    if (end < text.size() && text[end] == '-') {
      loop.descending = true;
      ++end;
    }
    if (end < text.size() && text[end] == '/') {
      const std::size_t slash = end++;
      while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
      loop.name += text.substr(slash, end - slash);
      if (!tile_of(loop.name)) return std::nullopt;
    }
    order.push_back(std::move(loop));
    wants_name = false;
    at = end;
  }
  if (wants_name) return std::nullopt;
  return order;
}

}  // namespace trellis::lang
