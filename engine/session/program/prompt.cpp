#include "engine/session/program/prompt.hpp"

#include "engine/lang/parse.hpp"
#include "engine/session/state/definitions.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

void announce_replacement(const syntax::Statement& statement, text::Diagnostics& diagnostics) {
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0601";
  note.message = subject(statement) + " replaces what it was";
  note.span = statement->span;
  diagnostics.add(std::move(note));
}

namespace {

/// The last statement of a text, if it is an equation; nowhere else are its sources known.
template <class Use>
void with_equation(const std::string& text, const Use& use) {
  text::Sources sources;
  text::Diagnostics ignored;
  const syntax::File file = lang::parse(sources, sources.add("", text), ignored);
  if (file.statements.empty()) return;
  if (const auto* equation = file.statements.back().as<syntax::Equation>())
    use(*equation, sources.slice(file.statements.back()->span));
}

}  // namespace

std::optional<std::string> equation_at_end(const std::string& entry) {
  std::optional<std::string> found;
  with_equation(entry, [&](const syntax::Equation&, std::string_view written) { found = written; });
  return found;
}

std::string amended(std::string entry, const std::string& equation) {
  const std::size_t start = entry.find_first_not_of(" \t\n");
  if (start == std::string::npos || entry[start] != ':') return entry;
  with_equation(equation, [&](const syntax::Equation& known, std::string_view written) {
    entry = std::string(written) + (known.constraints.empty() ? " :" : ",") + entry.substr(start + 1);
  });
  return entry;
}

}  // namespace trellis::session
