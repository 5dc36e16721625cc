#include "repl/render/show.hpp"

#include <unistd.h>

#include <cstdio>

#include "engine/text/diagnostic.hpp"
#include "repl/render/pager.hpp"
#include "repl/render/paint.hpp"
#include "repl/render/plain.hpp"

namespace trellis::repl {
namespace {

// A remark on what was typed just now needs no quotation of it.
std::string rendered(const text::Diagnostic& d, const text::Sources& sources, text::Colour colour) {
  if (d.severity != text::Severity::note || !d.span.known() || sources.name(d.span.source) != prompt_name) return text::render(d, sources, colour);
  text::Diagnostic brief;
  brief.severity = d.severity;
  brief.code = d.code;
  brief.message = d.message;
  return text::render(brief, sources, colour);
}

}  // namespace

Terminal Screen::terminal() const { return repl::terminal(STDOUT_FILENO, wanted_); }

std::string Screen::prompt(std::string_view text) const {
  return terminal().colour ? "\1\x1b[1;32m\1" + std::string(text) + "\1\x1b[0m\1" : std::string(text);
}

std::string Screen::text_of(const session::Reply& reply, const text::Sources& sources, const Terminal& to) {
  const text::Colour colour = to.colour ? text::Colour::on : text::Colour::off;
  std::string out = session::output_of(reply, session::Elision::when_large);
  if (to.colour) out = paint(reply, out);
  if (const auto* why = std::get_if<session::WhyAnswered>(&reply.result); why && !why->why.legal) out += text::render(why->diagnostic, sources, colour);
  for (const text::Diagnostic& d : reply.diagnostics.all()) out += rendered(d, sources, colour);
  out += session::remarks_of(reply);
  return to.unicode ? out : as_ascii(out);
}

void Screen::show(const session::Reply& reply, const text::Sources& sources) const {
  const Terminal to = terminal();
  put_in_pages(text_of(reply, sources, to), to);
}

void Screen::remark(const std::string& line) const { put_in_pages((terminal().colour ? dim(line) : line) + "\n", terminal()); }

}  // namespace trellis::repl
