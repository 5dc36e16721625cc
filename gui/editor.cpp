#include "gui/editor.hpp"

#include <algorithm>
#include <utility>

namespace trellis::gui {
namespace {

bool continues(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }
bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
int characters(std::string_view text) {
  return static_cast<int>(std::ranges::count_if(text, [](char c) { return !continues(c); }));
}
constexpr std::size_t most_changes = 2000;

}  // namespace

void Editor::set_text(std::string text) {
  text_ = std::move(text);
  starts_ = {0};
  for (std::size_t i = 0; i < text_.size(); ++i)
    if (text_[i] == '\n') starts_.push_back(i + 1);
  ++revision_;
}

void Editor::reset(std::string text) {
  set_text(std::move(text));
  caret_ = anchor_ = 0;
  done_.clear(), undone_.clear();
}

void Editor::apply(Change change) {
  std::string text = text_;
  text.replace(change.at, change.removed.size(), change.added);
  set_text(std::move(text));
  undone_.clear();
  // Letters that follow each other are one change, up to the end of a word.
  if (change.typed && !done_.empty() && done_.back().typed && change.removed.empty() &&
      done_.back().at + done_.back().added.size() == change.at &&
      change.added.find_first_of(" \n") == std::string::npos) {
    done_.back().added += change.added;
    return;
  }
  done_.push_back(std::move(change));
  if (done_.size() > most_changes) done_.erase(done_.begin());
}

void Editor::insert(std::string_view text) {
  const std::size_t begin = selection_begin(), end = selection_end();
  if (text.empty() && begin == end) return;
  apply({begin, text_.substr(begin, end - begin), std::string(text), caret_, characters(text) == 1 && begin == end});
  caret_ = anchor_ = begin + text.size();
  wanted_column_ = -1;
}

void Editor::replace(std::size_t begin, std::size_t end, std::string_view text) {
  if (std::string_view(text_).substr(begin, end - begin) == text) return;
  const auto follow = [&](std::size_t at) {
    return at <= begin ? at : at >= end ? at - (end - begin) + text.size() : std::min(at, begin + text.size());
  };
  const std::size_t caret = follow(caret_), anchor = follow(anchor_);
  apply({begin, text_.substr(begin, end - begin), std::string(text), caret_, false});
  caret_ = std::min(caret, text_.size()), anchor_ = std::min(anchor, text_.size());
}

bool Editor::undo() {
  if (done_.empty()) return false;
  Change change = std::move(done_.back());
  done_.pop_back();
  std::string text = text_;
  text.replace(change.at, change.added.size(), change.removed);
  set_text(std::move(text));
  caret_ = anchor_ = std::min(change.caret, text_.size());
  undone_.push_back(std::move(change));
  return true;
}

bool Editor::redo() {
  if (undone_.empty()) return false;
  Change change = std::move(undone_.back());
  undone_.pop_back();
  std::string text = text_;
  text.replace(change.at, change.removed.size(), change.added);
  set_text(std::move(text));
  caret_ = anchor_ = change.at + change.added.size();
  done_.push_back(std::move(change));
  return true;
}

std::size_t Editor::moved(std::size_t from, Move move) const {
  switch (move) {
    case Move::left:
      if (from > 0) do
          --from;
        while (from > 0 && continues(text_[from]));
      return from;
    case Move::right:
      if (from < text_.size()) do
          ++from;
        while (from < text_.size() && continues(text_[from]));
      return from;
    case Move::word_left:
      while (from > 0 && !in_word(text_[from - 1])) --from;
      while (from > 0 && in_word(text_[from - 1])) --from;
      return from;
    case Move::word_right:
      while (from < text_.size() && in_word(text_[from])) ++from;
      while (from < text_.size() && !in_word(text_[from])) ++from;
      return from;
    case Move::line_begin: {
      const std::size_t start = line_start(line_of(from));
      std::size_t first = start;
      while (first < text_.size() && text_[first] == ' ') ++first;
      return from == first ? start : first;
    }
    case Move::line_end: return line_start(line_of(from)) + line(line_of(from)).size();
    case Move::begin: return 0;
    case Move::end: return text_.size();
    case Move::up:
    case Move::down: break;
  }
  return from;
}

void Editor::move(Move move, bool select) {
  if (move == Move::up || move == Move::down) {
    const int from = line_of(caret_), to = from + (move == Move::up ? -1 : 1);
    if (wanted_column_ < 0)
      wanted_column_ = characters(std::string_view(text_).substr(line_start(from), caret_ - line_start(from)));
    if (to >= 0 && to < line_count()) {
      std::size_t at = line_start(to);
      const std::size_t end = at + line(to).size();
      for (int column = 0; column < wanted_column_ && at < end; ++column) at = moved(at, Move::right);
      caret_ = at;
    } else {
      caret_ = to < 0 ? 0 : text_.size();
    }
  } else if (!select && caret_ != anchor_ && (move == Move::left || move == Move::right)) {
    caret_ = move == Move::left ? selection_begin() : selection_end();
    wanted_column_ = -1;
  } else {
    caret_ = moved(caret_, move);
    wanted_column_ = -1;
  }
  if (!select) anchor_ = caret_;
}

void Editor::place_caret(std::size_t at, bool select) {
  caret_ = std::min(at, text_.size());
  if (!select) anchor_ = caret_;
  wanted_column_ = -1;
}

void Editor::select(std::size_t begin, std::size_t end) {
  anchor_ = std::min(begin, text_.size()), caret_ = std::min(end, text_.size());
}

void Editor::erase(Move towards) {
  if (caret_ == anchor_) caret_ = moved(caret_, towards);
  insert("");
}

void Editor::new_line() {
  const std::string_view before = line(line_of(selection_begin()));
  std::size_t blanks = std::min(before.find_first_not_of(' '), before.size());
  blanks = std::min(blanks, selection_begin() - line_start(line_of(selection_begin())));
  const bool opens = selection_begin() > 0 && text_[selection_begin() - 1] == '{';
  insert("\n" + std::string(blanks + (opens ? 2 : 0), ' '));
}

void Editor::indent(bool back) {
  const int first = line_of(selection_begin()), last = line_of(selection_end());
  for (int number = first; number <= last; ++number) {
    const std::size_t at = line_start(number);
    if (!back) {
      replace(at, at, "  ");
    } else {
      const std::size_t blanks =
          std::min<std::size_t>(2, std::min(line(number).find_first_not_of(' '), line(number).size()));
      replace(at, at + blanks, "");
    }
  }
}

void Editor::toggle_comment() {
  const int first = line_of(selection_begin()), last = line_of(selection_end());
  bool all = true;
  for (int number = first; number <= last; ++number)
    all = all && (line(number).empty() || line(number).starts_with("# "));
  for (int number = first; number <= last; ++number) {
    const std::size_t at = line_start(number);
    if (all && line(number).starts_with("# ")) replace(at, at + 2, "");
    if (!all) replace(at, at, "# ");
  }
}

int Editor::line_of(std::size_t at) const {
  return static_cast<int>(std::ranges::upper_bound(starts_, at) - starts_.begin()) - 1;
}

std::size_t Editor::line_start(int number) const {
  return number < line_count() ? starts_[static_cast<std::size_t>(std::max(number, 0))] : text_.size();
}

std::string_view Editor::line(int number) const {
  const std::size_t begin = line_start(number),
                    end = number + 1 < line_count() ? line_start(number + 1) - 1 : text_.size();
  return std::string_view(text_).substr(begin, end - begin);
}

}  // namespace trellis::gui
