#include "engine/text/text.hpp"

#include <cassert>
#include <utility>

namespace trellis::text {

Text concat(Text first, const Text& second) {
  const auto shift = static_cast<std::uint32_t>(first.characters.size());
  first.characters += second.characters;
  for (TextSpan span : second.spans) {
    span.begin += shift;
    span.end += shift;
    first.spans.push_back(std::move(span));
  }
  return first;
}

TextBuilder& TextBuilder::operator<<(std::string_view characters) {
  for (char c : characters) *this << c;
  return *this;
}

TextBuilder& TextBuilder::operator<<(char c) {
  if (c == '\n') {
    newline();
  } else {
    start_line();
    text_.characters += c;
  }
  return *this;
}

TextBuilder& TextBuilder::operator<<(std::int64_t number) { return *this << std::to_string(number); }

void TextBuilder::newline() {
  text_.characters += '\n';
  at_line_start_ = true;
}

void TextBuilder::open(NodeId node, const Origin& origin) {
  start_line();
  auto here = static_cast<std::uint32_t>(text_.characters.size());
  open_.push_back(text_.spans.size());
  text_.spans.push_back({here, here, node, origin});
}

void TextBuilder::close() {
  assert(!open_.empty());
  TextSpan& span = text_.spans[open_.back()];
  open_.pop_back();
  auto end = static_cast<std::uint32_t>(text_.characters.size());
  while (end > span.begin && text_.characters[end - 1] == '\n') --end;
  span.end = end;
}

Text TextBuilder::take() {
  assert(open_.empty());
  at_line_start_ = true;
  return std::exchange(text_, {});
}

void TextBuilder::start_line() {
  if (!at_line_start_) return;
  at_line_start_ = false;
  text_.characters.append(2 * static_cast<std::size_t>(depth_), ' ');
}

}  // namespace trellis::text
