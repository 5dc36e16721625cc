#include "repl/render/plain.hpp"

#include <map>

#include "engine/text/glyphs.hpp"

namespace trellis::repl {
namespace {

const std::map<std::string, std::string, std::less<>>& likenesses() {
  static const std::map<std::string, std::string, std::less<>> table = {
      {"✓", "+"},   {"✗", "x"},   {"⚠", "!"},    {"●", "*"},   {"○", "o"},   {"⊖", "-"},  {"▲", "^"},  {"▶", ">"},
      {"▸", ">"},   {"╱", "/"},   {"╲", "\\"},   {"‹", "<"},   {"›", ">"},   {"∧", "&"},  {"∨", "|"},  {"÷", "/"},
      {"ᵀ", "'"},   {"◀", "<"},   {"▼", "v"},    {"…", "..."}, {"·", "."},   {"•", "*"},  {"–", "-"},  {"—", "-"},
      {"−", "-"},   {"±", "+-"},  {"×", "x"},    {"≤", "<="},  {"≥", ">="},  {"≠", "!="}, {"→", "->"}, {"←", "<-"},
      {"↑", "^"},   {"↓", "v"},   {"⇒", "=>"},   {"∩", "&"},   {"∪", "|"},   {"¬", "!"},  {"∅", "{}"}, {"∞", "inf"},
      {"∈", "in"},  {"∀", "all"}, {"∃", "some"}, {"²", "^2"},  {"³", "^3"},  {"⁹", "^9"}, {"µ", "u"},  {"λ", "lambda"},
      {"Σ", "sum"}, {"∑", "sum"}, {"∏", "prod"}, {"‖", "||"},  {"°", "deg"}, {"░", "."},  {"▒", "+"},  {"▓", "%"},
      {"█", "#"},   {"▁", "_"},   {"▂", "_"},    {"▃", "-"},   {"▄", "-"},   {"▅", "="},  {"▆", "="},  {"▇", "#"},
      {"“", "\""},  {"”", "\""},  {"‘", "'"},    {"’", "'"},   {"ä", "ae"},  {"ö", "oe"}, {"ü", "ue"}, {"é", "e"}};
  return table;
}

// Lines of boxes, U+2500 and on: two of them run straight, nearly all others meet.
std::string box(unsigned code) {
  if (code == 0x2500 || code == 0x2501 || code == 0x2504 || code == 0x2550) return "-";
  if (code == 0x2502 || code == 0x2503 || code == 0x2506 || code == 0x2551) return "|";
  return "+";
}

// Dots of Braille, U+2800 and on: by how many are set.
std::string dots(unsigned code) {
  const int set = __builtin_popcount(code & 0xFF);
  return set == 0 ? " " : set <= 2 ? "." : set <= 5 ? "o" : "#";
}

unsigned code_point(std::string_view letter) {
  if (letter.size() != 3) return 0;
  const auto bits = [&](std::size_t k, unsigned mask) { return static_cast<unsigned char>(letter[k]) & mask; };
  return bits(0, 0x0F) << 12 | bits(1, 0x3F) << 6 | bits(2, 0x3F);
}

}  // namespace

std::string as_ascii(std::string_view utf8) {
  std::string out;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto first = static_cast<unsigned char>(utf8[at]);
    if (first < 0x80) {
      out += utf8[at++];
      continue;
    }
    const std::size_t length = std::min<std::size_t>(first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, utf8.size() - at);
    const std::string_view letter = utf8.substr(at, length);
    at += length;
    const unsigned code = code_point(letter);
    if (const auto found = likenesses().find(letter); found != likenesses().end()) out += found->second;
    else if (code >= 0x2500 && code < 0x2580) out += box(code);
    else if (code >= 0x2800 && code < 0x2900) out += dots(code);
    else out += '?';
  }
  return out;
}

}  // namespace trellis::repl
