#include "engine/session/prompt.hpp"

#include "engine/lang/parse.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

// Kind and name of what a statement defines; empty when nothing can take its place.
std::string subject(const syntax::Statement& statement) {
  return std::visit(text::overloaded{[](const syntax::Equation& e) { return lang::to_string(e.left); },
                                     [](const syntax::ParamDecl& p) { return "param " + p.name.text; },
                                     [](const syntax::TensorDecl& t) { return "tensor " + t.name.text; },
                                     [](const syntax::LayoutDecl& l) { return "layout " + l.name.text; },
                                     [](const syntax::Definition& d) { return "def " + d.name.text; },
                                     [](const syntax::Kernel& k) { return "kernel " + k.name.text; },
                                     [](const auto&) { return std::string(); }},
                    statement->is);
}

}  // namespace

bool defines_the_same(const syntax::Statement& one, const syntax::Statement& other) {
  const std::string what = subject(one);
  return !what.empty() && what == subject(other);
}

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
