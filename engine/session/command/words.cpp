#include "engine/session/command/words.hpp"

#include <charconv>

#include "engine/session/command/commands.hpp"

namespace trellis::session {

using lang::syntax::Name;
using lang::syntax::Word;

bool Words::accept(std::string_view text) {
  if (at_end() || peek()->kind == Word::Kind::string || peek()->text != text) return false;
  ++next_;
  return true;
}

std::optional<Name> Words::optional_name() {
  if (at_end() || peek()->kind != Word::Kind::name) return std::nullopt;
  const Word& word = command_.words[next_++];
  return Name{word.text, word.span};
}

std::optional<Name> Words::name(const char* wanted) {
  auto found = optional_name();
  if (!found) unexpected(wanted);
  return found;
}

const lang::syntax::Expr* Words::expression(const char* wanted) {
  if (!command_.value || at_end()) {
    unexpected(wanted);
    return nullptr;
  }
  next_ = command_.words.size();
  if (command_.words.back().span.begin >= (*command_.value)->span.end && command_.words.back().text == "whole") --next_;
  return &*command_.value;
}

std::optional<Name> Words::string(const char* wanted) {
  if (at_end() || peek()->kind != Word::Kind::string) {
    unexpected(wanted);
    return std::nullopt;
  }
  const Word& word = command_.words[next_++];
  return Name{word.text, word.span};
}

std::optional<double> Words::number(const char* wanted) {
  const std::size_t start = next_;
  const double sign = accept("-") ? -1 : 1;
  double value = 0;
  if (!at_end() && peek()->kind == Word::Kind::number) {
    const std::string& text = peek()->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) {
      ++next_;
      return sign * value;
    }
  }
  next_ = start;
  unexpected(wanted);
  return std::nullopt;
}

std::optional<std::int64_t> Words::integer(const char* wanted) {
  const std::size_t start = next_;
  const bool negative = accept("-");
  std::int64_t value = 0;
  if (!at_end() && peek()->kind == Word::Kind::number) {
    const std::string& text = peek()->text;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc() && end == text.data() + text.size()) {
      ++next_;
      return negative ? -value : value;
    }
  }
  next_ = start;
  unexpected(wanted);
  return std::nullopt;
}

std::vector<text::Span> Words::spans_of_names() const {
  std::vector<text::Span> result;
  for (std::size_t k = next_; k < command_.words.size(); ++k)
    if (command_.words[k].kind == lang::syntax::Word::Kind::name) result.push_back(command_.words[k].span);
  return result;
}

std::string Words::rest() {
  std::string out;
  for (; !at_end(); ++next_) out += (out.empty() || peek()->joined ? "" : " ") + peek()->text;
  return out;
}

void Words::show_form(text::Diagnostic& diagnostic) const {
  const CommandInfo* info = find_command(command_.name.text);
  if (!info) return;
  const std::string usage(info->usage), example(info->example);
  diagnostic.notes.push_back(
      {{}, "its form is `" + usage + "`" + (example == usage ? "" : ", as in `" + example + "`")});
}

bool Words::finish() {
  if (at_end()) return true;
  show_form(diagnostics_.error("E0601", peek()->span, "`" + command() + "` does not take `" + peek()->text + "`",
                               "not expected here"));
  return false;
}

void Words::unexpected(const std::string& wanted, const std::vector<std::string>& candidates) {
  const std::string found = at_end() ? "the end of the line" : "`" + peek()->text + "`";
  text::Diagnostic& d =
      diagnostics_.error("E0601", span(), "`" + command() + "` needs " + wanted + ", not " + found, "");
  if (!at_end()) {
    const std::string near = text::did_you_mean(peek()->text, candidates);
    if (!near.empty()) d.notes.push_back({{}, "did you mean `" + near + "`?"});
  }
  show_form(d);
}

}  // namespace trellis::session
