#include "engine/format/format.hpp"

#include <algorithm>
#include <numeric>

namespace trellis::format {

bool Format::operator==(const Format& other) const {
  const bool alike = name == other.name && levels == other.levels && order == other.order && pattern == other.pattern;
  return alike && (layout == other.layout || (layout && other.layout && *layout == *other.layout));
}

Format Format::stored() const {
  if (!layout) return *this;
  Format levels_alone = *this;
  levels_alone.name.clear();
  levels_alone.layout.reset();
  return levels_alone;
}

bool Format::all_dense() const {
  return all_known() && std::ranges::none_of(levels, [](const Level& level) { return level.bounds.has_value(); });
}

bool Format::all_known() const {
  return !pattern && !layout && std::ranges::all_of(levels, [](const Level& level) { return level.name == "dense"; });
}

Bounds::Range Bounds::below(std::int64_t coordinate, std::int64_t size) const {
  const auto at = [&](const Line& line) {
    return std::clamp<std::int64_t>(line.slope * coordinate + line.at_0, 0, size);
  };
  const std::int64_t first = low ? at(*low) : 0;
  return {first, std::max(first, end ? at(*end) : size)};
}

Format Format::dense(int rank) {
  Format format;
  format.levels.resize(static_cast<std::size_t>(rank));
  format.order.resize(static_cast<std::size_t>(rank));
  std::iota(format.order.begin(), format.order.end(), 0);
  return format;
}

Format Format::inverse_lists(int rank) {
  Format format = dense(rank + 1);
  for (std::size_t l = 1; l < format.levels.size(); ++l) format.levels[l] = {"compressed", {}};
  format.pattern = true;
  return format;
}

std::optional<Format> Format::named(const std::string& name, int rank) {
  Format format = dense(rank);
  format.name = name;
  const bool by_column = name == "csc" || name == "dcsc";
  if (by_column) format.order = {1, 0};
  if (name == "dense" || (name == "sparse" && rank == 0)) return format;
  if (name == "csr" || name == "csc") {
    if (rank != 2) return std::nullopt;
    format.levels[1].name = "compressed";
  } else if (name == "dcsr" || name == "dcsc" || name == "csf") {
    if (rank < 1 || (name != "csf" && rank != 2)) return std::nullopt;
    for (Level& level : format.levels) level.name = "compressed";
  } else if (name == "coo") {
    if (rank < 1) return std::nullopt;
    for (std::size_t l = 0; l < format.levels.size(); ++l) {
      format.levels[l].name = l == 0 ? "compressed" : "singleton";
      if (l + 1 < format.levels.size()) format.levels[l].options = {"nonunique"};
    }
  } else {
    return std::nullopt;
  }
  return format;
}

bool same_storage(const Format& a, const Format& b) {
  Format unnamed = a;
  unnamed.name = b.name;
  return unnamed == b;
}

std::string to_string(const Level& level) {
  std::string text = level.name;
  for (std::size_t k = 0; k < level.options.size(); ++k) text += (k == 0 ? "(" : ", ") + level.options[k];
  return level.options.empty() ? text : text + ")";
}

std::string to_string(const Format& format) {
  if (format.layout) return format.layout->name + (format.pattern ? " pattern" : "");
  const std::optional<Format> known = Format::named(format.name, format.rank());
  if (known && *known == format) return format.name;
  std::string text;
  if (known && known->levels == format.levels && std::is_sorted(known->order.begin(), known->order.end()) &&
      !format.pattern) {
    text = format.name;
  } else {
    for (const Level& level : format.levels) text += (text.empty() ? "" : ", ") + to_string(level);
    if (format.pattern) text += text.empty() ? "pattern" : ", pattern";
    if (format.rank() != 1 || format.pattern) text = "{" + text + "}";
  }
  if (std::is_sorted(format.order.begin(), format.order.end())) return text;
  for (std::size_t k = 0; k < format.order.size(); ++k)
    text += (k == 0 ? " @ (" : ", ") + std::to_string(format.order[k]);
  return text + ")";
}

const std::vector<std::string>& level_names() {
  static const std::vector<std::string> names{"dense",      "compressed", "singleton", "hashed", "bytemap",  "rle",
                                              "sparse_rle", "interval",   "vbl",       "band",   "pinpoint", "pattern"};
  return names;
}

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names{"dense", "csr",  "csc", "coo", "dcsr",  "dcsc",
                                              "csf",   "bcsr", "dia", "ell", "sparse"};
  return names;
}

}  // namespace trellis::format
