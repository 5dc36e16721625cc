#include "engine/session/program/documents.hpp"

#include <algorithm>

namespace trellis::session {
namespace {

constexpr std::string_view mark = "\n## ";

std::string_view first_word(std::string_view heading) { return heading.substr(0, heading.find_first_of(" \n")); }

}  // namespace

std::string_view Example::summary() const {
  if (text.substr(0, 1) != "#") return "";
  const std::size_t start = text.find_first_not_of("# ");
  return text.substr(start, text.find('\n', start) - start);
}

namespace {

// What stands in fences, indented: a terminal has no use for them.
std::string without_fences(std::string_view text) {
  std::string out;
  bool inside = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool fence = line.starts_with("```");
    inside = inside != fence;
    if (!fence) out += (inside && !line.empty() ? "    " : "") + std::string(line) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Whether a heading of a section is the one that is wanted.
template <class Wanted>
std::optional<std::string> find_section(std::string_view page, const Wanted& wanted) {
  for (std::size_t at = page.find(mark); at != std::string_view::npos; at = page.find(mark, at + 1)) {
    const std::size_t start = at + mark.size();
    if (!wanted(page.substr(start, page.find('\n', start) - start))) continue;
    const std::size_t end = std::min(page.find(mark, start), page.find("\n# ", start));
    std::string_view text = page.substr(start, end == std::string_view::npos ? end : end - start);
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    return without_fences(text);
  }
  return std::nullopt;
}

// `a b: c` as a, b; `?:` is a name too.
std::vector<std::string> names_of(std::string_view heading) {
  std::vector<std::string> names;
  while (!heading.empty()) {
    const std::size_t end = std::min(heading.find(' '), heading.size());
    std::string name(heading.substr(0, end));
    heading.remove_prefix(std::min(end + 1, heading.size()));
    const bool last = name.size() > 1 && name.back() == ':';
    if (last && name != "?:") name.pop_back();
    names.push_back(std::move(name));
    if (last) break;
  }
  return names;
}

}  // namespace

std::optional<std::string> section(std::string_view page, std::string_view name) {
  return find_section(page, [&](std::string_view heading) { return first_word(heading) == name; });
}

std::optional<std::string> topic(std::string_view page, std::string_view name) {
  return find_section(page, [&](std::string_view heading) {
    const auto names = names_of(heading);
    return std::ranges::find(names, name) != names.end();
  });
}

std::vector<std::string> topics(std::string_view page) {
  std::vector<std::string> all;
  for (std::size_t at = page.find(mark); at != std::string_view::npos; at = page.find(mark, at + 1)) {
    const std::size_t start = at + mark.size();
    for (std::string& name : names_of(page.substr(start, page.find('\n', start) - start)))
      all.push_back(std::move(name));
  }
  return all;
}

std::vector<std::string> sections(std::string_view page) {
  std::vector<std::string> names;
  for (std::size_t at = page.find(mark); at != std::string_view::npos; at = page.find(mark, at + 1))
    names.emplace_back(first_word(page.substr(at + mark.size())));
  return names;
}

}  // namespace trellis::session
