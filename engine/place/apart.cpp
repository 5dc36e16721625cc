#include "engine/place/apart.hpp"

#include <algorithm>
#include <string>

#include "engine/text/sequence.hpp"

namespace trellis::place {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

namespace {

/// "i" of i + 1.
std::optional<std::string> variable_of(const Affine& index, const Domain& domain) {
  const bool plain = index.terms.size() == 1 && index.quotients.empty() && index.terms[0].second == 1;
  if (!plain || !contains(domain.variables, index.terms[0].first)) return std::nullopt;
  return index.terms[0].first;
}

bool is_fixed(const Affine& index, const Domain& domain) {
  return std::ranges::none_of(domain.variables, [&](const std::string& v) { return index.mentions(v); });
}

Domain with(Domain domain, const Constraint& constraint) {
  domain.constraints.push_back(constraint);
  return domain;
}

}  // namespace

std::optional<Constraint> kept_apart(math::Solver& solver, const Defined& one, const Defined& other,
                                     const Domain& both) {
  for (std::size_t d = 0; d < one.index.size() && d < other.index.size(); ++d) {
    const auto name = variable_of(one.index[d], one.domain);
    if (!name || !is_fixed(other.index[d], other.domain)) continue;
    const Affine variable = Affine::name(*name), place = other.index[d] - Affine(one.index[d].constant);
    const std::pair<Constraint, Constraint> kept_and_left[] = {
        {{place + Affine(1), Relation::less_equal, variable}, {variable, Relation::less_equal, place}},
        {{variable, Relation::less, place}, {variable, Relation::greater_equal, place}}};
    for (const auto& [kept, left] : kept_and_left)
      if (solver.smallest(with(one.domain, kept)) && solver.is_empty(with(both, kept)) &&
          solver.covers({both}, with(one.domain, left)))
        return kept;
  }
  return std::nullopt;
}

}  // namespace trellis::place
