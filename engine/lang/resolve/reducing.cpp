// A function of the user as a reduction, `gcd(k)(e)`: which instance, and what an empty one gives.

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

namespace {

text::Diagnostic& no_identity(Resolution& resolution, const syntax::Reference& r,
                              const syntax::Definition& definition) {
  auto& diagnostic = resolution.error("E0239", r.name.span, r.name.text + " has no identity, so it cannot reduce",
                                      "what would an empty reduction give?");
  diagnostic.notes.push_back({definition.name.span, "defined here"});
  return diagnostic;
}

}  // namespace

std::optional<std::string> reducing(Resolution& resolution, const syntax::Expr& e, const syntax::Reference& r,
                                    format::ScalarType type) {
  const syntax::Definition& definition = *resolution.definitions.at(r.name.text).source;
  const std::string& name = r.name.text;
  if (definition.parameters.size() != 2) {
    resolution.error("E0239", r.name.span, name + " cannot reduce",
                     "it takes " + std::to_string(definition.parameters.size()) + " operands, not 2");
    return std::nullopt;
  }
  if (std::holds_alternative<syntax::Expr>(definition.body)) {
    const std::string operands = definition.parameters[0].text + ", " + definition.parameters[1].text;
    no_identity(resolution, r, definition)
        .notes.push_back({{},
                          "give it a clause and an identity, as in def " + name + "(" + operands + ") { " + operands +
                              " => …; identity 0 }"});
    return std::nullopt;
  }
  const auto number = instantiate(resolution, name, {type, type}, e->span);
  if (!number) return std::nullopt;
  const lang::Function& function = resolution.program.functions[*number];
  if (function.result->type != type) {
    resolution.error("E0239", r.name.span, name + " cannot reduce",
                     "it makes " + std::string(format::name_of(function.result->type)) + " of " +
                         std::string(format::name_of(type)));
    return std::nullopt;
  }
  if (function.identity()) return function.name;
  no_identity(resolution, r, definition).notes.push_back({{}, "write it among its clauses, as in identity 0"});
  return std::nullopt;
}

}  // namespace trellis::lang::resolving
