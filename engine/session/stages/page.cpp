#include "engine/session/stages/page.hpp"

#include <sstream>

#include "engine/text/diagnostic.hpp"

namespace trellis::session {
namespace {

constexpr int most_lines = 24;

struct Part {
  const char* title;
  const char* command;
};
constexpr Part parts[] = {
    {"Equations, as they are understood", "show equations"},
    {"Fragments: every reduction taken out", "show fragments"},
    {"Graph: what depends on what", "show graph"},
    {"Placement: how the loops came about, and what is proven", "show placement"},
    {"Loops, as they are compiled", "show loops"},
    {"Algebra: which coordinates each loop has to visit", "show algebra"},
    {"Lattices: what is left to do as operands run out", "show lattice"},
    {"C", "show c"},
    {"Memory", "show memory"},
    {"Orders", "orders"},
};

std::string underlined(const std::string& title, char line) {
  return title + "\n" + std::string(title.size(), line) + "\n\n";
}

// The nearest orders, and the count behind them.
std::string shortened(const std::string& orders) {
  std::istringstream lines(orders);
  std::string out, line, last;
  int shown = 0;
  while (std::getline(lines, line)) {
    if (shown++ < most_lines) out += line + "\n";
    last = line;
  }
  return shown <= most_lines ? out : out + "…\n" + last + "\n";
}

void add_part(Page& page, Session& session, const Part& part, const std::string& kernel) {
  page.text += underlined(part.title, '-');
  std::string answer;
  const auto fed = session.feed("explain", std::string(part.command) + " " + kernel, [&](const Reply& reply) {
    answer += output_of(reply);
    for (const text::Diagnostic& d : reply.diagnostics.all())
      if (d.severity == text::Severity::error) answer += text::render(d, session.sources(), text::Colour::off);
  });
  if (fed.exit != Exit::success) page.exit = fed.exit;
  page.text += (std::string(part.command) == "orders" ? shortened(answer) : answer) + "\n";
}

}  // namespace

Page explain_page(Session& session) {
  Page page;
  text::Diagnostics diagnostics;
  const lang::Program* program = session.state().program(diagnostics);
  if (!program) return {"", Exit::wrong_program};
  std::vector<std::string> kernels;
  for (const lang::Kernel& kernel : program->kernels) kernels.push_back(kernel.name);
  for (const std::string& kernel : kernels) {
    page.text += underlined("Kernel " + kernel, '=');
    for (const Part& part : parts) add_part(page, session, part, kernel);
  }
  return page;
}

}  // namespace trellis::session
