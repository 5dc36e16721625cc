#include "engine/text/source.hpp"

#include <algorithm>
#include <utility>

namespace trellis::text {

Span cover(Span a, Span b) {
  if (!a.known()) return b;
  if (!b.known() || a.source != b.source) return a;
  return {a.source, std::min(a.begin, b.begin), std::max(a.end, b.end)};
}

std::shared_ptr<const Sources::Text> Sources::made(std::string name, std::string content) {
  Text text{std::move(name), std::move(content), {0}};
  for (std::uint32_t i = 0; i < text.content.size(); ++i)
    if (text.content[i] == '\n') text.line_starts.push_back(i + 1);
  return std::make_shared<const Text>(std::move(text));
}

const Sources::Text& Sources::text(int source) const {
  static const Text none{"", "", {0}};
  const Entry& entry = entries_[source];
  return entry.text ? *entry.text : none;
}

int Sources::put(Entry entry) {
  // A text has fewer nodes than bytes, and an end.
  entry.first_node = next_node_;
  next_node_ += static_cast<int>(entry.text->content.size()) + 1;
  if (free_.empty()) {
    entries_.push_back(std::move(entry));
    return size() - 1;
  }
  const int number = free_.back();
  free_.pop_back();
  entries_[number] = std::move(entry);
  return number;
}

int Sources::add(std::string name, std::string content) { return put({made(std::move(name), std::move(content))}); }

void Sources::replace(int source, std::string content) {
  entries_[source].text = made(text(source).name, std::move(content));
}

int Sources::add_piece(int file, std::string content, int first_line) {
  return put({made("", std::move(content)), file, first_line});
}

void Sources::forget(int source) {
  entries_[source] = {};
  free_.push_back(source);
}

Span Sources::in_file(Span span) const {
  if (!span.known() || entries_[span.source].file < 0) return span;
  const Entry& piece = entries_[span.source];
  const auto& starts = text(piece.file).line_starts;
  const std::uint32_t offset = starts[std::min<std::size_t>(piece.first_line - 1, starts.size() - 1)];
  return {piece.file, offset + span.begin, offset + span.end};
}

Place Sources::begin(Span span) const { return span.known() ? place(span.source, span.begin) : Place{}; }

Place Sources::end(Span span) const { return span.known() ? place(span.source, span.end) : Place{}; }

std::string_view Sources::line(int source, int line) const {
  const Text& file = text(source);
  line -= entries_[source].first_line - 1;
  if (line < 1 || line > static_cast<int>(file.line_starts.size())) return {};
  std::size_t from = file.line_starts[line - 1];
  std::size_t to = file.content.find('\n', from);
  std::string_view found = std::string_view(file.content).substr(from, to == std::string::npos ? to : to - from);
  if (!found.empty() && found.back() == '\r') found.remove_suffix(1);
  return found;
}

std::string_view Sources::slice(Span span) const {
  if (!span.known()) return {};
  std::string_view all = content(span.source);
  std::size_t begin = std::min<std::size_t>(span.begin, all.size());
  std::size_t end = std::clamp<std::size_t>(span.end, begin, all.size());
  return all.substr(begin, end - begin);
}

Place Sources::place(int source, std::uint32_t offset) const {
  const Text& file = text(source);
  offset = std::min(offset, static_cast<std::uint32_t>(file.content.size()));
  auto after = std::upper_bound(file.line_starts.begin(), file.line_starts.end(), offset);
  std::uint32_t start = *(after - 1);
  Place place{static_cast<int>(after - file.line_starts.begin()) + entries_[source].first_line - 1, 1};
  for (std::uint32_t i = start; i < offset; ++i) {
    bool continues = (static_cast<unsigned char>(file.content[i]) & 0xC0) == 0x80;
    if (!continues) ++place.column;
  }
  return place;
}

}  // namespace trellis::text
