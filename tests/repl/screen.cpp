#include "tests/repl/screen.hpp"

#include <algorithm>
#include <cstdlib>

#include "engine/text/glyphs.hpp"

namespace trellis::testing {
namespace {

std::size_t bytes_of_letter(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// The length of the control sequence at the start; 0: it is not all there.
std::size_t sequence_length(std::string_view bytes) {
  if (bytes.size() < 2) return 0;
  if (bytes[1] == '(' || bytes[1] == ')') return bytes.size() < 3 ? 0 : 3;
  if (bytes[1] != '[') return 2;
  for (std::size_t k = 2; k < bytes.size(); ++k)
    if (bytes[k] >= '@' && bytes[k] <= '~') return k + 1;
  return 0;
}

}  // namespace

void Screen::write(std::string_view bytes) {
  pending_ += bytes;
  std::size_t at = 0;
  while (at < pending_.size()) {
    const char c = pending_[at];
    const std::string_view rest = std::string_view(pending_).substr(at);
    if (c == '\x1b') {
      const std::size_t length = sequence_length(rest);
      if (length == 0) break;
      if (rest[1] == '[') control(std::string(rest.substr(2, length - 3)), rest[length - 1]);
      else if (rest[1] != '(' && rest[1] != ')' && rest[1] != '=' && rest[1] != '>')
        unknown_ += "ESC " + std::string(1, rest[1]) + " ";
      at += length;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      if (c == '\n') new_line();
      else if (c == '\r') column_ = 0, wraps_ = false;
      else if (c == '\b') column_ = std::max(0, column_ - 1), wraps_ = false;
      else if (c == '\t') column_ = std::min(columns_ - 1, (column_ / 8 + 1) * 8);
      ++at;
    } else {
      const std::size_t length = bytes_of_letter(c);
      if (rest.size() < length) break;
      const std::string letter(rest.substr(0, length));
      put(letter, text::glyphs(letter).front().width);
      at += length;
    }
  }
  pending_.erase(0, at);
}

void Screen::put(const std::string& letter, int width) {
  if (wraps_ || column_ + width > columns_) {
    column_ = 0;
    new_line();
  }
  reach(static_cast<std::size_t>(column_ + std::max(width, 1)));
  if (width == 0) {
    if (column_ > 0) line()[static_cast<std::size_t>(column_ - 1)] += letter;
    return;
  }
  line()[static_cast<std::size_t>(column_)] = letter;
  for (int k = 1; k < width; ++k) line()[static_cast<std::size_t>(column_ + k)].clear();
  column_ += width;
  wraps_ = column_ == columns_;
  if (wraps_) --column_;
}

void Screen::new_line() {
  wraps_ = false;
  if (row_ + 1 < rows_) ++row_;
  else ++top_;
  if (lines_.size() <= top_ + static_cast<std::size_t>(row_)) lines_.resize(top_ + static_cast<std::size_t>(row_) + 1);
}

void Screen::reach(std::size_t column) {
  if (line().size() < column) line().resize(column, " ");
}

void Screen::control(const std::string& parameters, char final) {
  if (final == 'm' || final == 'h' || final == 'l') return;  // colours and modes
  const int given = std::atoi(parameters.c_str());
  const int n = std::max(1, given);
  const auto at = static_cast<std::size_t>(column_);
  wraps_ = false;
  switch (final) {
    case 'A': row_ = std::max(0, row_ - n); break;
    case 'B': row_ = std::min(rows_ - 1, row_ + n); break;
    case 'C': column_ = std::min(columns_ - 1, column_ + n); break;
    case 'D': column_ = std::max(0, column_ - n); break;
    case 'G': column_ = std::min(columns_, n) - 1; break;
    case 'd': row_ = std::min(rows_, n) - 1; break;
    case 'K':
      if (given == 0) line().resize(std::min(line().size(), at));
      else line().clear();
      break;
    case 'J':
      if (given == 0) {
        line().resize(std::min(line().size(), at));
        lines_.resize(top_ + static_cast<std::size_t>(row_) + 1);
      } else {
        row_ = 0, column_ = 0;
        lines_.resize(top_ + 1);
        line().clear();
      }
      break;
    case 'H': {
      row_ = std::min(rows_, n) - 1;
      const std::size_t comma = parameters.find(';');
      column_ = comma == std::string::npos
                    ? 0
                    : std::min(columns_, std::max(1, std::atoi(parameters.c_str() + comma + 1))) - 1;
      break;
    }
    case '@':
      reach(at);
      line().insert(line().begin() + column_, static_cast<std::size_t>(n), " ");
      break;
    case 'P': {
      reach(at);
      const auto end = std::min(line().size(), at + static_cast<std::size_t>(n));
      line().erase(line().begin() + column_, line().begin() + static_cast<std::ptrdiff_t>(end));
      break;
    }
    default: unknown_ += "ESC [ " + parameters + final + " "; break;
  }
  if (lines_.size() <= top_ + static_cast<std::size_t>(row_)) lines_.resize(top_ + static_cast<std::size_t>(row_) + 1);
}

std::vector<std::string> Screen::lines() const {
  std::vector<std::string> all;
  for (const Line& cells : lines_) {
    std::string text;
    for (const std::string& cell : cells) text += cell;
    while (!text.empty() && text.back() == ' ') text.pop_back();
    all.push_back(text);
  }
  return all;
}

std::string Screen::before_cursor() const {
  const Line& cells = lines_[top_ + static_cast<std::size_t>(row_)];
  std::string text;
  for (std::size_t k = 0; k < cells.size() && k < static_cast<std::size_t>(column_); ++k) text += cells[k];
  text.resize(std::max(text.size(), cells.size() < static_cast<std::size_t>(column_)
                                        ? text.size() + static_cast<std::size_t>(column_) - cells.size()
                                        : 0),
              ' ');
  return text;
}

}  // namespace trellis::testing
