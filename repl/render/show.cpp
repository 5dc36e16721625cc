#include "repl/render/show.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

#include "engine/text/fit.hpp"
#include "engine/text/glyphs.hpp"
#include "repl/render/pager.hpp"
#include "repl/render/paint.hpp"
#include "repl/render/plain.hpp"

namespace trellis::repl {
namespace {

text::Page page_of(const Terminal& to) {
  return {to.columns, to.unicode ? "…" : "...", to.program, to.program.empty() ? 0 : to.fixes_before};
}

// A remark on what was typed just now needs no quotation of it.
text::Diagnostic brief(const text::Diagnostic& d, const text::Sources& sources) {
  if (d.severity != text::Severity::note || !d.span.known() || sources.name(d.span.source) != prompt_name) return d;
  text::Diagnostic brief;
  brief.severity = d.severity;
  brief.code = d.code;
  brief.message = d.message;
  brief.fixes = d.fixes;
  return brief;
}

}  // namespace

std::string fitting(const std::string& text, const Terminal& to, text::Overflow overflow) {
  return text::fit(to.unicode ? text : as_ascii(text), page_of(to), overflow);
}

std::string Screen::rendered(const text::Diagnostic& d, const text::Sources& sources, const Terminal& to) {
  return fitting(text::render(d, sources, to.colour ? text::Colour::on : text::Colour::off, page_of(to)), to,
                 text::Overflow::flow);
}

Terminal Screen::terminal() const { return repl::terminal(STDOUT_FILENO, wanted_); }

// The colour ends before the blank: libedit drops control sequences that no letter follows.
std::string Screen::prompt(std::string_view text) const {
  if (!terminal().colour) return std::string(text);
  const std::size_t blank = text.find_last_not_of(' ') + 1;
  return "\1\x1b[1;32m\1" + std::string(text.substr(0, blank)) + "\1\x1b[0m\1" + std::string(text.substr(blank));
}

std::string Screen::output_of(const session::Reply& reply, const text::Sources& sources, const Terminal& to) {
  const auto elision = to.there ? session::Elision::when_large : session::Elision::never;
  const std::string output = text::printable(session::output_of(reply, elision, page_of(to)));
  std::string out = fitting(to.colour ? paint(reply, output) : output, to, session::overflow_of(reply));
  if (const text::Diagnostic* answer = session::answer_of(reply)) out += rendered(*answer, sources, to);
  return out;
}

std::string Screen::messages_of(const session::Reply& reply, const text::Sources& sources, const Terminal& to) {
  std::string out;
  Terminal next = to;
  for (const text::Diagnostic* d : session::messages_of(reply)) {
    if (d != session::answer_of(reply)) out += rendered(brief(*d, sources), sources, next);
    next.fixes_before += static_cast<int>(text::shown_fixes(*d).size());
  }
  return out + fitting(text::printable(session::remarks_of(reply)), to, text::Overflow::flow);
}

void Screen::write(const std::string& text) {
  standing_ += text;
  if (typed_.empty()) typed_ = put_in_pages(text, terminal());
  else std::fputs(text.c_str(), stdout);  // what was typed is to be heeded now
}

void Screen::wipe(const std::string& above) const {
  const Terminal to = terminal();
  const int rows = height_of(above, to.columns) + 1;
  if (to.moves && rows < to.rows) std::printf("\x1b[%dA\r\x1b[J", rows);
}

void Screen::show(const session::Reply& reply, const text::Sources& sources) {
  const Terminal to = terminal();
  if (std::holds_alternative<session::Cleared>(reply.result)) {
    if (to.moves) std::fputs("\x1b[H\x1b[2J\x1b[3J", stdout);
    return;
  }
  std::string output = output_of(reply, sources, to);
  const std::string shown = std::exchange(shown_, {});
  if (output.starts_with(shown)) output.erase(0, shown.size());
  write(output + messages_of(reply, sources, to));
}

void Screen::show_rows(const session::OrdersListed& so_far, Progress& progress) {
  const Terminal to = terminal();
  if (!to.moves) return;
  session::Reply reply;
  reply.command = "orders";
  reply.result = so_far;
  const std::string output = output_of(reply, {}, to);
  if (!output.starts_with(shown_)) return;
  progress.write_above(output.substr(shown_.size()));
  shown_ = output;
}

void Screen::remark(const std::string& line) {
  const Terminal to = terminal();
  const std::string fit = fitting(text::printable(line), to, text::Overflow::flow);
  write((to.colour ? dim(fit) : fit) + "\n");
}

}  // namespace trellis::repl
