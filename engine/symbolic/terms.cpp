#include "engine/symbolic/terms.hpp"

#include <algorithm>

#include "engine/symbolic/logic.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::symbolic {
namespace {

using lang::Expr;

constexpr std::size_t most_terms = 64;

class Expansion {
 public:
  explicit Expansion(const lang::Kernel& twin) : results_(twin.results()) {}

  std::vector<Term> expand(const std::vector<Term>& before, const Expr& condition) const {
    if (before.empty() || before.size() > most_terms || is_false(condition)) return {};
    if (is_true(condition)) return before;
    if (const auto ors = disjuncts(condition); ors.size() > 1) {
      std::vector<Term> all;
      for (const Expr& one : ors) std::ranges::copy(expand(before, one), std::back_inserter(all));
      return all;
    }
    if (const auto ands = conjuncts(condition); ands.size() > 1) {
      std::vector<Term> all = before;
      for (const Expr& one : ands) all = expand(all, one);
      return all;
    }
    if (const auto* r = condition.as<lang::Reduce>(); r && r->op == format::ReduceOp::any)
      return expand(reduced(before, r->domain), r->body);
    std::vector<Term> all = before;
    for (Term& term : all) add(term, condition);
    return all;
  }

  bool ambiguous() const { return ambiguous_; }

 private:
  /// Two reductions of one term over variables of one name are not told apart.
  std::vector<Term> reduced(std::vector<Term> terms, const math::Domain& domain) const {
    for (Term& term : terms) {
      for (const std::string& variable : domain.variables) {
        ambiguous_ = ambiguous_ || contains(term.domain.variables, variable);
        add_once(term.domain.variables, variable);
      }
      for (const math::Constraint& c : domain.constraints) add_once(term.domain.constraints, c);
    }
    return terms;
  }

  void add(Term& term, const Expr& factor) const {
    if (const auto* access = factor.as<lang::Access>())
      (contains(results_, access->tensor) ? term.results : term.leaves).push_back(*access);
    else if (const auto where = lang::affine_condition(factor))
      std::ranges::copy(*where, std::back_inserter(term.domain.constraints));
    else term.exact = false;
  }

  std::vector<std::string> results_;
  mutable bool ambiguous_ = false;
};

bool affine_indices(const lang::Access& access) {
  return std::ranges::all_of(access.indices, [](const Expr& index) { return lang::affine(index).has_value(); });
}

}  // namespace

std::optional<std::vector<Term>> terms_of(const lang::Kernel& twin) {
  const Expansion expansion(twin);
  std::vector<Term> all;
  for (const lang::Equation& equation : twin.equations) {
    const std::vector<Term> found = expansion.expand({{equation.access(), equation.domain, {}, {}}}, equation.right);
    all.insert(all.end(), found.begin(), found.end());
    if (all.size() > most_terms || expansion.ambiguous()) return std::nullopt;
  }
  const auto sound = [](const Term& term) {
    return affine_indices(term.head) && std::ranges::all_of(term.results, affine_indices) &&
           std::ranges::all_of(term.leaves, affine_indices);
  };
  return std::ranges::all_of(all, sound) ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace trellis::symbolic
