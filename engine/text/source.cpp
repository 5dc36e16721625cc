#include "engine/text/source.hpp"

#include <algorithm>
#include <utility>

namespace trellis::text {

Span cover(Span a, Span b) {
  if (!a.known()) return b;
  if (!b.known() || a.source != b.source) return a;
  return {a.source, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

int Sources::add(std::string name, std::string content) {
  File file{std::move(name), std::move(content), {0}};
  for (std::uint32_t i = 0; i < file.content.size(); ++i)
    if (file.content[i] == '\n') file.line_starts.push_back(i + 1);
  files_.push_back(std::move(file));
  return size() - 1;
}

Place Sources::begin(Span span) const { return span.known() ? place(span.source, span.begin) : Place{}; }

Place Sources::end(Span span) const { return span.known() ? place(span.source, span.end) : Place{}; }

std::string_view Sources::line(int source, int line) const {
  const File& file = files_[source];
  if (line < 1 || line > static_cast<int>(file.line_starts.size())) return {};
  std::size_t from = file.line_starts[line - 1];
  std::size_t to = file.content.find('\n', from);
  std::string_view text = std::string_view(file.content).substr(from, to == std::string::npos ? to : to - from);
  if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

std::string_view Sources::slice(Span span) const {
  if (!span.known()) return {};
  std::string_view all = content(span.source);
  std::size_t begin = std::min<std::size_t>(span.begin, all.size());
  std::size_t end = std::clamp<std::size_t>(span.end, begin, all.size());
  return all.substr(begin, end - begin);
}

Place Sources::place(int source, std::uint32_t offset) const {
  const File& file = files_[source];
  offset = std::min(offset, static_cast<std::uint32_t>(file.content.size()));
  auto after = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
  std::uint32_t start = *(after - 1);
  Place place{static_cast<int>(after - file.line_starts.begin()), 1};
  for (std::uint32_t i = start; i < offset; ++i) {
    bool continues = (static_cast<unsigned char>(file.content[i]) & 0xC0) == 0x80;
    if (!continues) ++place.column;
  }
  return place;
}

}  // namespace trellis::text
