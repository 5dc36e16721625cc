#include "engine/session/state/definitions.hpp"

#include "engine/lang/parse.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

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

bool defines_the_same(const syntax::Statement& one, const syntax::Statement& other) {
  const std::string what = subject(one);
  return !what.empty() && what == subject(other);
}

}  // namespace trellis::session
