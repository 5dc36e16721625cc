#include "tests/golden/golden_file.hpp"

#include <algorithm>
#include <sstream>

#include "engine/lang/parse.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/session.hpp"
#include "tests/agree/agree.hpp"

namespace trellis::testing {
namespace {

std::string trimmed_lines(const std::string& text) {
  std::string out, line;
  std::istringstream stream(text);
  while (std::getline(stream, line)) {
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  while (out.size() > 1 && out[out.size() - 2] == '\n') out.pop_back();
  return out == "\n" ? "" : out;
}

std::string answer_of(session::Session& session, const std::string& text) {
  std::string out;
  session.feed("golden", text, [&](const session::Reply& reply) {
    out += session::output_of(reply);
    if (const auto* why = std::get_if<session::WhyAnswered>(&reply.result); why && !why->why.legal)
      out += text::render(why->diagnostic, session.sources(), text::Colour::off);
    for (const text::Diagnostic& d : reply.diagnostics.all())
      if (d.severity != text::Severity::note) out += text::render(d, session.sources(), text::Colour::off);
  });
  return out;
}

// Everything that is said about a program without running it, announcements included.
std::string errors_of(const std::string& source) {
  text::Sources sources;
  const int number = sources.add("source", source);
  text::Diagnostics diagnostics;
  const auto file = lang::parse(sources, number, diagnostics);
  if (!diagnostics.has_errors())
    if (const auto program = lang::resolve(file, diagnostics))
      for (const lang::Kernel& kernel : program->kernels) place::analyse(*program, kernel, diagnostics);
  std::string out;
  for (const text::Diagnostic& d : diagnostics.all()) out += text::render(d, sources, text::Colour::off);
  return out;
}

// `a=[0 2 0]` as the language writes it: blanks in lists become commas.
std::string fill_statement(const std::string& word) {
  const std::size_t equals = word.find('=');
  std::string literal = word.substr(equals + 1);
  for (std::size_t i = 0; i + 1 < literal.size(); ++i)
    if (literal[i] == ' ' && literal[i + 1] != ' ') literal[i] = ',';
    else if (literal[i] == ']' && literal[i + 1] == '[') literal.insert(i + 1, ",");
  return "fill_with " + word.substr(0, equals) + " " + literal + "\n";
}

// Words of a heading; brackets and quotes keep blanks together.
std::vector<std::string> split(const std::string& heading) {
  std::vector<std::string> words;
  std::string word;
  int depth = 0;
  for (const char c : heading) {
    depth += c == '[' ? 1 : c == ']' ? -1 : 0;
    if (c == ' ' && depth == 0) {
      if (!word.empty()) words.push_back(word);
      word.clear();
    } else {
      word += c;
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

std::string first_word(const std::string& heading) {
  const std::vector<std::string> words = split(heading);
  return words.empty() ? "" : words[0];
}

std::string run_of(const std::string& source, const std::string& heading) {
  std::string data;
  for (const std::string& word : split(heading))
    if (word.find('=') != std::string::npos) data += fill_statement(word);
  return run_on_every_back_end(source + "\n" + data);
}

bool is_stage(const std::string& word) {
  return std::ranges::find(session::stage_names(), word) != session::stage_names().end();
}

bool is_known(const std::string& word) {
  return word == "source" || word == "errors" || word == "run" || is_stage(word) || session::find_command(word);
}

}  // namespace

GoldenFile parse_golden(const std::string& text) {
  GoldenFile file;
  std::istringstream stream(text);
  std::string line;
  while (std::getline(stream, line)) {
    if (line.compare(0, 3, "== ") == 0) file.sections.push_back({line.substr(3), ""});
    else (file.sections.empty() ? file.comment : file.sections.back().body) += line + "\n";
  }
  return file;
}

std::string print_golden(const GoldenFile& file) {
  std::string out = file.comment;
  for (const Section& section : file.sections) out += "== " + section.heading + "\n" + section.body;
  return out;
}

std::string problems_of(const GoldenFile& file) {
  std::string problems;
  bool answers = false;  // the program runs, or it is shown why it cannot
  for (const Section& section : file.sections) {
    const std::string first = first_word(section.heading);
    const bool failed = section.body.find(": error[") != std::string::npos;
    if (!is_known(first)) problems += "`== " + section.heading + "` is no section, stage or command\n";
    if (is_stage(first) && failed)
      problems += "`== " + section.heading + "` has an error, which belongs to `== errors`\n";
    answers = answers || first == "run" || (first == "errors" && failed);
  }
  if (file.comment.compare(0, 2, "# ") != 0) problems += "it does not begin with a comment that says what it shows\n";
  if (file.sections.empty() || file.sections[0].heading != "source")
    problems += "its first section is not `== source`\n";
  if (!answers) problems += "it has neither a `== run` nor a `== errors` with an error\n";
  return problems;
}

GoldenFile answer(const GoldenFile& file) {
  GoldenFile answered = file;
  std::string source;
  for (Section& section : answered.sections) {
    const std::string first = first_word(section.heading);
    if (first == "source") {
      source = section.body;
      continue;
    }
    if (first == "errors") {
      section.body = trimmed_lines(errors_of(source));
    } else if (first == "run") {
      section.body = trimmed_lines(run_of(source, section.heading));
    } else {
      session::Session session({});
      const std::string command = is_stage(first) ? "show " + section.heading : section.heading;
      section.body = trimmed_lines(answer_of(session, source + "\n" + command + "\n"));
    }
  }
  return answered;
}

}  // namespace trellis::testing
