#include "engine/symbolic/symmetrised.hpp"

#include <algorithm>

#include "engine/symbolic/logic.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::symbolic {

namespace {

using lang::Equation;
using lang::Expr;

/// The variables that are the left side's indices.
std::optional<std::vector<std::string>> indices_of(const Equation& equation) {
  std::vector<std::string> names;
  for (const Expr& index : equation.access().indices) {
    const auto* v = index.as<lang::Variable>();
    if (!v) return std::nullopt;
    names.push_back(v->name);
  }
  return names.size() == 2 ? std::optional(names) : std::nullopt;
}

/// Accesses of one pattern as those of the other, transposed.
Expr turned(const Expr& e, const std::string& from, const std::string& to) {
  const Expr inner = lang::map_children(e, [&](const Expr& child) { return turned(child, from, to); });
  const auto* access = inner.as<lang::Access>();
  if (!access || access->tensor != from) return inner;
  lang::Access other = *access;
  other.tensor = to;
  std::ranges::reverse(other.indices);
  return Expr(lang::ExprNode{std::move(other), e->type, e->span}, e.origin());
}

bool binds(const Expr& e, const std::vector<std::string>& variables) {
  const auto* reduce = e.as<lang::Reduce>();
  bool found = reduce && std::ranges::any_of(reduce->domain.variables,
                                             [&](const std::string& v) { return contains(variables, v); });
  lang::for_each_child(e, [&](const Expr& child) { found = found || binds(child, variables); });
  return found;
}

}  // namespace

std::optional<std::vector<Equation>> symmetrised(const std::vector<Equation>& twin, const std::string& own,
                                                 const std::string& other) {
  const Equation* across = nullptr;
  for (const Equation& equation : twin) {
    if (equation.access().tensor != other) continue;
    const auto indices = indices_of(equation);
    if (!indices || ((*indices)[0] != (*indices)[1] && across)) return std::nullopt;
    if ((*indices)[0] != (*indices)[1]) across = &equation;
  }
  if (!across) return std::nullopt;
  const std::vector<std::string> there = *indices_of(*across);
  std::vector<Equation> all;
  for (Equation equation : twin) {
    if (equation.access().tensor != own) continue;
    const auto indices = indices_of(equation);
    if (!indices) return std::nullopt;
    equation.right = turned(equation.right, other, own);
    if ((*indices)[0] != (*indices)[1]) {
      if (binds(across->right, *indices)) return std::nullopt;
      const Expr theirs = lang::substitute(
          across->right, {{there[0], lang::variable((*indices)[1])}, {there[1], lang::variable((*indices)[0])}});
      equation.right = any_of({equation.right, turned(theirs, other, own)});
    }
    all.push_back(std::move(equation));
  }
  return all;
}

}  // namespace trellis::symbolic
