#include "repl/render/paint.hpp"

#include <algorithm>
#include <array>

#include "engine/session/typing/colouring.hpp"

namespace trellis::repl {
namespace {

namespace colour {
constexpr const char *off = "\x1b[0m", *key_word = "\x1b[1;34m", *type = "\x1b[36m", *number = "\x1b[35m",
                     *comment = "\x1b[2m", *string = "\x1b[32m", *heading = "\x1b[1m", *good = "\x1b[32m",
                     *bad = "\x1b[31m", *doubtful = "\x1b[33m", *function = "\x1b[36m", *faint = "\x1b[2m";
}

std::string painted(const char* how, std::string_view text) { return how + std::string(text) + colour::off; }

const char* colour_of(session::Word word) {
  switch (word) {
    case session::Word::key_word: return colour::key_word;
    case session::Word::type: return colour::type;
    case session::Word::function: return colour::function;
    case session::Word::number: return colour::number;
    case session::Word::string: return colour::string;
    case session::Word::comment: return colour::comment;
    case session::Word::name: return nullptr;
  }
  return nullptr;
}

std::string paint_words(std::string_view text, session::TextLanguage language) {
  std::string out;
  std::size_t done = 0;
  for (const session::ColouredStretch& stretch : session::coloured_stretches(text, language)) {
    out += text.substr(done, stretch.begin - done);
    const std::string_view word = text.substr(stretch.begin, stretch.end - stretch.begin);
    const char* how = colour_of(stretch.word);
    out += how ? painted(how, word) : std::string(word);
    done = stretch.end;
  }
  return out.append(text.substr(done));
}

std::string paint_lines(std::string_view text, std::string (*paint_line)(std::string_view, std::size_t)) {
  std::string out;
  std::size_t at = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += paint_line(text.substr(0, end), at++);
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string paint_c(std::string_view text) { return paint_words(text, session::TextLanguage::c); }

std::string paint_program(std::string_view text) { return paint_words(text, session::TextLanguage::program); }

std::string paint_help(std::string_view text) {
  return paint_lines(text, [](std::string_view line, std::size_t at) {
    return at == 0                    ? painted(colour::heading, line)
           : line.starts_with("    ") ? paint_program(line)
                                      : std::string(line);
  });
}

std::string paint_assembly(std::string_view text) {
  return paint_lines(text, [](std::string_view line, std::size_t) {
    return line.starts_with("# ") ? dim(line.substr(0, 2)) + paint_c(line.substr(2)) : std::string(line);
  });
}

std::string paint_verdicts(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 3> verdicts = {
      {{"✓", colour::good}, {"✗", colour::bad}, {"⚠", colour::doubtful}}};
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto found =
        std::ranges::find_if(verdicts, [&](const auto& v) { return text.substr(at).starts_with(v.first); });
    const std::size_t length = found == verdicts.end() ? 1 : found->first.size();
    out += found == verdicts.end() ? std::string(1, text[at]) : painted(found->second, found->first);
    at += length;
  }
  return out;
}

std::string paint_values(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = text.substr(at).find_first_of(" []()\n");
    length = length == std::string_view::npos ? text.size() - at : std::max<std::size_t>(length, 1);
    const std::string_view word = text.substr(at, length);
    const bool steps_back = word == "0" || word == "[" || word == "]" || word == "…";
    out += steps_back ? dim(word) : std::string(word);
    at += length;
  }
  return out;
}

std::string dim(std::string_view text) { return painted(colour::faint, text); }

std::string paint(const session::Reply& reply, std::string_view output) {
  if (const auto* shown = std::get_if<session::Shown>(&reply.result)) {
    if (shown->stage == "c") return paint_c(output);
    if (shown->stage == "asm") return paint_assembly(output);
    const bool program = shown->stage == "loops" || shown->stage == "equations" || shown->stage == "fragments" ||
                         shown->stage == "flow" || shown->stage == "schedule";
    return program ? paint_program(output) : paint_verdicts(output);
  }
  if (std::holds_alternative<session::Explained>(reply.result))
    return reply.command == "examples" ? paint_program(output) : paint_help(output);
  if (std::holds_alternative<session::LessonShown>(reply.result)) return paint_verdicts(paint_help(output));
  if (std::holds_alternative<session::Printed>(reply.result)) return paint_values(output);
  return paint_verdicts(output);
}

}  // namespace trellis::repl
