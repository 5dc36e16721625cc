#include "engine/session/state/definitions.hpp"

#include <functional>

#include "engine/lang/parse.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

std::string subject(const syntax::Statement& statement) {
  return std::visit(text::overloaded{[](const syntax::Equation& e) { return lang::to_string(e.left); },
                                     [](const syntax::ParamDecl& p) { return "param " + p.name.text; },
                                     [](const syntax::RanksDecl&) { return std::string("ranks"); },
                                     [](const syntax::TensorDecl& t) { return "tensor " + t.name.text; },
                                     [](const syntax::LayoutDecl& l) { return "layout " + l.name.text; },
                                     [](const syntax::Definition& d) { return "def " + d.name.text; },
                                     [](const syntax::Kernel& k) { return "kernel " + k.name.text; },
                                     [](const auto&) { return std::string(); }},
                    statement->is);
}

bool computes(const syntax::Statement& statement) {
  return statement.as<syntax::Equation>() || statement.as<syntax::Loops>() || statement.as<syntax::Kernel>();
}

bool defines_the_same(const syntax::Statement& one, const syntax::Statement& other) {
  const std::string what = subject(one);
  return !what.empty() && what == subject(other);
}

std::size_t Subjects::find(const std::vector<syntax::Statement>& statements, const syntax::Statement& like) {
  const std::hash<std::string> hash;
  while (hashes_.size() < statements.size()) hashes_.push_back(hash(subject(statements[hashes_.size()])));
  const std::size_t wanted = hash(subject(like));
  for (std::size_t k = 0; k < hashes_.size(); ++k)
    if (hashes_[k] == wanted && defines_the_same(statements[k], like)) return k;
  return statements.size();
}

}  // namespace trellis::session
