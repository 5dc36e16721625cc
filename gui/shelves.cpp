#include "gui/shelves.hpp"

#include <algorithm>

#include "engine/session/program/documents.hpp"
#include "engine/session/program/examples_page.hpp"

namespace trellis::gui {
namespace {

/// What stands between the first pair of such marks, at the beginning of the line.
std::string_view between_marks(std::string_view line, std::string_view open, std::string_view close) {
  if (!line.starts_with(open)) return {};
  line.remove_prefix(open.size());
  const std::size_t end = line.find(close);
  return end == std::string_view::npos ? std::string_view() : line.substr(0, end);
}

}  // namespace

std::vector<Shelf> shelves_of(std::string_view page) {
  std::vector<Shelf> all;
  const auto& programs = session::example_programs;
  std::vector<bool> named(programs.size());
  while (!page.empty()) {
    const std::size_t end = std::min(page.find('\n'), page.size());
    const std::string_view line = page.substr(0, end);
    page.remove_prefix(std::min(page.size(), end + 1));
    if (const std::string_view topic = between_marks(line, "**", "**"); !topic.empty())
      all.push_back({std::string(topic), {}});
    const std::string_view name = between_marks(line, "| `", ".tr`");
    const auto found = std::ranges::find(programs, name, &session::Example::name);
    const auto number = static_cast<std::size_t>(found - programs.begin());
    if (all.empty() || found == programs.end() || named[number]) continue;
    named[number] = true;
    all.back().examples.push_back(number);
  }
  all.push_back({"Others", {}});
  for (std::size_t i = 0; i < programs.size(); ++i)
    if (!named[i]) all.back().examples.push_back(i);
  std::erase_if(all, [](const Shelf& one) { return one.examples.empty(); });
  return all;
}

const std::vector<Shelf>& shelves() {
  static const std::vector<Shelf> all = shelves_of(session::examples_page);
  return all;
}

}  // namespace trellis::gui
