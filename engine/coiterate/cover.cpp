#include "engine/coiterate/cover.hpp"

#include <algorithm>

namespace trellis::coiterate {

namespace {

using Term = Cover::Term;

Algebra algebra_of(const Term& term) {
  Algebra all = Algebra::everywhere();
  for (const auto& [literal, present] : term)
    all = all & (present ? Algebra::literal(literal) : !Algebra::literal(literal));
  return all;
}

bool within(const Algebra& part, const Algebra& whole) { return (part & !whole).is_nowhere(); }

/// A term of the function that holds at the given row, with literals left out as long as it stays one.
Term shorten(Term term, const Algebra& whole) {
  // Absences first: they read worst.
  std::ranges::stable_sort(term, {}, &Term::value_type::second);
  for (std::size_t k = 0; k < term.size();) {
    Term shorter = term;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(k));
    if (within(algebra_of(shorter), whole)) term = shorter;
    else ++k;
  }
  std::ranges::sort(term);
  return term;
}

/// Some row at which the function holds.
Term some_row(Algebra algebra) {
  Term term;
  for (const int literal : std::vector<int>(algebra.literals())) {
    const bool present = algebra.with(literal, false).is_nowhere();
    term.emplace_back(literal, present);
    algebra = algebra.with(literal, present);
  }
  return term;
}

}  // namespace

Cover cover(const Algebra& algebra, std::size_t most_terms) {
  Cover found;
  Algebra rest = algebra;
  while (!rest.is_nowhere() && found.terms.size() < most_terms) {
    found.terms.push_back(shorten(some_row(rest), algebra));
    rest = rest & !algebra_of(found.terms.back());
  }
  found.whole = rest.is_nowhere();
  std::ranges::sort(found.terms);
  return found;
}

}  // namespace trellis::coiterate
