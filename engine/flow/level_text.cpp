#include "engine/flow/level_text.hpp"

#include <algorithm>
#include <charconv>

namespace trellis::flow {

namespace {

using format::Facts;

// What levels of the control flow have beside, or instead of, what their format says.
struct Mark {
  const char* word;
  void (*set)(Facts&);
};
const Mark marks[] = {
    {"unordered",
     [](Facts& f) {
       f.ordered = false;
       if (f.locate == format::Locate::binary) f.locate = format::Locate::none;
     }},
    {"decreasing", [](Facts& f) { f.decreasing = true; }},
    {"nonunique", [](Facts& f) { f.unique = false; }},
    {"wide", [](Facts& f) { f.wide = true; }},
    {"listed", [](Facts& f) { f.listed = true; }},
    {"bounded", [](Facts& f) { f.bounded = f.offsets = true; }},
    {"begins", [](Facts& f) { f.starts = true; }},
};
constexpr unsigned all_marks = 1u << std::size(marks);

Facts named(const std::string& name, std::int64_t count) {
  return format::facts(
      format::Level{name, count > 0 ? std::vector{std::to_string(count)} : std::vector<std::string>()});
}

Facts marked(Facts facts, unsigned chosen) {
  for (std::size_t k = 0; k < std::size(marks); ++k)
    if (chosen >> k & 1u) marks[k].set(facts);
  return facts;
}

std::string words_of(const std::string& name, std::int64_t count, unsigned chosen) {
  std::string text = name + (count > 0 ? ' ' + std::to_string(count) : "");
  for (std::size_t k = 0; k < std::size(marks); ++k)
    if (chosen >> k & 1u) text += std::string(" ") + marks[k].word;
  return text;
}

}  // namespace

std::string level_text(const Facts& facts) {
  static const Facts plain[] = {named("dense", 0), named("compressed", 0)};
  if (std::ranges::find(plain, facts) != std::end(plain)) return "";
  const std::int64_t count = std::max(facts.slots, facts.width);
  for (const std::string& name : format::level_names())
    for (unsigned chosen = 0; chosen < all_marks; ++chosen)
      if (marked(named(name, count), chosen) == facts) return words_of(name, count, chosen);
  return "unknown";
}

const char* array_text(format::Array array) {
  using format::Array;
  switch (array) {
    case Array::values: return "vals";
    case Array::positions: return "pos";
    case Array::coordinates: return "crd";
    case Array::table: return "table";
    case Array::starts: return "starts";
    case Array::offsets: return "offsets";
  }
  return "";
}

std::optional<format::Array> array_called(const std::string& word) {
  if (word == array_text(format::Array::values)) return format::Array::values;
  for (const format::Array array : format::level_arrays)
    if (word == array_text(array)) return array;
  return std::nullopt;
}

std::optional<Facts> level_named(const std::vector<std::string>& words) {
  if (words.empty() || std::ranges::find(format::level_names(), words.front()) == format::level_names().end())
    return std::nullopt;
  std::size_t k = 1;
  std::int64_t count = 0;
  if (k < words.size() && format::is_count(words[k])) {
    const std::string& digits = words[k++];
    std::from_chars(digits.data(), digits.data() + digits.size(), count);
  }
  Facts facts = named(words.front(), count);
  for (; k < words.size(); ++k) {
    const auto mark = std::ranges::find_if(marks, [&](const Mark& m) { return words[k] == m.word; });
    if (mark == std::end(marks)) return std::nullopt;
    mark->set(facts);
  }
  return facts;
}

}  // namespace trellis::flow
