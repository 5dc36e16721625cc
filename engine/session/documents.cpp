#include "engine/session/documents.hpp"

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

std::optional<std::string> section(std::string_view page, std::string_view name) {
  for (std::size_t at = page.find(mark); at != std::string_view::npos; at = page.find(mark, at + 1)) {
    const std::size_t start = at + mark.size();
    if (first_word(page.substr(start)) != name) continue;
    std::size_t end = page.find(mark, start);
    const std::size_t chapter = page.find("\n# ", start);
    end = std::min(end, chapter);
    std::string_view text = page.substr(start, end == std::string_view::npos ? end : end - start);
    while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
    return std::string(text) + "\n";
  }
  return std::nullopt;
}

std::vector<std::string> sections(std::string_view page) {
  std::vector<std::string> names;
  for (std::size_t at = page.find(mark); at != std::string_view::npos; at = page.find(mark, at + 1))
    names.emplace_back(first_word(page.substr(at + mark.size())));
  return names;
}

}  // namespace trellis::session
