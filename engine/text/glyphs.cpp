#include "engine/text/glyphs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace trellis::text {

namespace {

constexpr char32_t malformed = 0xFFFD;

struct Decoded {
  char32_t point = malformed;
  int bytes = 1;
};

Decoded decode(std::string_view rest) {
  auto first = static_cast<unsigned char>(rest[0]);
  if (first < 0x80) return {first, 1};
  int length = first >= 0xF0 && first < 0xF8 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 0;
  if (length == 0 || first >= 0xF8 || rest.size() < static_cast<std::size_t>(length)) return {};
  char32_t point = first & (0xFFu >> (length + 1));
  for (int i = 1; i < length; ++i) {
    auto next = static_cast<unsigned char>(rest[static_cast<std::size_t>(i)]);
    if ((next & 0xC0) != 0x80) return {};
    point = point << 6 | (next & 0x3Fu);
  }
  return {point, length};
}

struct Range {
  char32_t first, last;
};

template <std::size_t N>
bool within(char32_t point, const std::array<Range, N>& ranges) {
  return std::any_of(ranges.begin(), ranges.end(), [&](Range r) { return r.first <= point && point <= r.last; });
}

constexpr std::array<Range, 6> combining{
    {{0x300, 0x36F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}}};
constexpr std::array<Range, 8> wide{{{0x1100, 0x115F},
                                     {0x2E80, 0xA4CF},
                                     {0xAC00, 0xD7A3},
                                     {0xF900, 0xFAFF},
                                     {0xFE30, 0xFE6F},
                                     {0xFF00, 0xFF60},
                                     {0x1F300, 0x1FAFF},
                                     {0x20000, 0x3FFFD}}};
// Bidirectional overrides would let a line show something other than what it says.
constexpr std::array<Range, 4> unprintable{{{0, 0x1F}, {0x7F, 0x9F}, {0x202A, 0x202E}, {0x2066, 0x2069}}};

}  // namespace

std::vector<Glyph> glyphs(std::string_view utf8) {
  std::vector<Glyph> result;
  for (std::size_t at = 0; at < utf8.size();) {
    Decoded d = decode(utf8.substr(at));
    Glyph glyph{std::string(utf8.substr(at, static_cast<std::size_t>(d.bytes))), d.bytes, 1};
    if (d.point == '\t') {
      glyph.shown = std::string(tab_width, ' ');
      glyph.width = tab_width;
    } else if (d.point == malformed || within(d.point, unprintable)) {
      glyph.shown = "\uFFFD";
    } else {
      glyph.width = within(d.point, combining) ? 0 : within(d.point, wide) ? 2 : 1;
    }
    at += static_cast<std::size_t>(d.bytes);
    result.push_back(std::move(glyph));
  }
  return result;
}

namespace {

void append_escaped(std::string& to, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    to += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
}

bool is_printable(const Decoded& d) { return d.point != malformed && !within(d.point, unprintable); }

}  // namespace

std::string printable(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const Decoded d = decode(utf8.substr(at));
    const std::string_view bytes = utf8.substr(at, static_cast<std::size_t>(d.bytes));
    if (d.point == '\n' || d.point == '\t' || is_printable(d)) out += bytes;
    else append_escaped(out, bytes);
    at += bytes.size();
  }
  return out;
}

std::string shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-+=.,/:@%").find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, is_plain)) return std::string(word);
  const bool shown = printable(word) == word && word.find_first_of("\n\t") == std::string_view::npos;
  std::string out = shown ? "'" : "$'";
  for (std::size_t at = 0; at < word.size();) {
    const Decoded d = decode(word.substr(at));
    const std::string_view bytes = word.substr(at, static_cast<std::size_t>(d.bytes));
    if (!is_printable(d)) append_escaped(out, bytes);
    else if (bytes == "'") out += shown ? "'\\''" : "\\'";
    else if (bytes == "\\" && !shown) out += "\\\\";
    else out += bytes;
    at += bytes.size();
  }
  return out + "'";
}

}  // namespace trellis::text
