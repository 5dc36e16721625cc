#include "engine/math/solver.hpp"

#include <isl/options.h>

#include <algorithm>
#include <functional>
#include <ranges>

#include "engine/math/solver_state.hpp"
#include "engine/text/cancel.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::math {
namespace {

void append_new(Names& into, const Affine& affine, const std::vector<std::string>& except) {
  std::set<std::string> names;
  affine.collect_names(names);
  for (const std::string& name : names) {
    if (!contains(except, name)) add_once(into, name);
  }
}

Relation negation(Relation relation) {
  switch (relation) {
    case Relation::less: return Relation::greater_equal;
    case Relation::less_equal: return Relation::greater;
    case Relation::equal: return Relation::not_equal;
    case Relation::not_equal: return Relation::equal;
    case Relation::greater_equal: return Relation::less;
    case Relation::greater: return Relation::less_equal;
  }
  return relation;
}

Constraint negation(const Constraint& c) { return {c.left, negation(c.relation), c.right}; }

Assignment assign(const Names& names, const std::vector<std::int64_t>& values) {
  Assignment result;
  for (std::size_t k = 0; k < names.size(); ++k) result.emplace_back(names[k], values[k]);
  return result;
}

void mix(std::size_t& hash, std::size_t other) { hash = hash * 31 + other + (hash >> 29); }

std::size_t hash_of(const Affine& affine) {
  auto hash = static_cast<std::size_t>(affine.constant);
  for (const auto& [name, coefficient] : affine.terms) {
    mix(hash, std::hash<std::string>()(name));
    mix(hash, static_cast<std::size_t>(coefficient));
  }
  for (const Quotient& q : affine.quotients) {
    mix(hash, hash_of(*q.numerator));
    mix(hash, static_cast<std::size_t>(q.divisor * 2 + (q.kind == Quotient::Kind::div)));
    mix(hash, static_cast<std::size_t>(q.coefficient));
  }
  return hash;
}

std::size_t hash_of(const Constraint& c) {
  std::size_t hash = hash_of(c.left);
  mix(hash, static_cast<std::size_t>(c.relation));
  mix(hash, hash_of(c.right));
  return hash;
}

}  // namespace

Names Solver::State::dimensions(const std::vector<std::string>& variables,
                                const std::vector<Constraint>& constraints) const {
  Names names = sizes;
  std::erase_if(names, [&](const std::string& n) { return contains(variables, n); });
  for (const Constraint& c : constraints) {
    append_new(names, c.left, variables);
    append_new(names, c.right, variables);
  }
  names.insert(names.end(), variables.begin(), variables.end());
  return names;
}

OwnedSet Solver::State::set(const Names& names, std::vector<Constraint> constraints) const {
  constraints.insert(constraints.begin(), assumptions.begin(), assumptions.end());
  return to_set(context.get(), names, constraints);
}

Differences Solver::State::differences(const std::vector<Constraint>& constraints) const {
  Differences all;
  for (const Constraint& c : assumptions) all.require(c);
  for (const Constraint& c : constraints) all.require(c);
  return all;
}

Solver::Solver(std::vector<Constraint> assumptions) : state_(std::make_unique<State>()) {
  state_->context.reset(isl_ctx_alloc());
  isl_options_set_on_error(state_->context.get(), ISL_ON_ERROR_CONTINUE);
  for (const Constraint& c : assumptions) {
    append_new(state_->sizes, c.left, {});
    append_new(state_->sizes, c.right, {});
  }
  state_->assumptions = std::move(assumptions);
}

Solver::~Solver() = default;

bool Solver::State::are_empty(const std::vector<Constraint>& constraints, const Constraint* also) {
  text::stop_if_cancelled();
  constexpr std::size_t most_kept = 1 << 12;
  if (answers >= most_kept) asked.clear(), answers = 0;
  Asked& of = asked_of(constraints);
  if (!also) {
    if (!of.empty) of.empty = answer(of.premises, nullptr);
    return *of.empty;
  }
  const std::size_t key = hash_of(*also);
  const auto [begin, end] = of.with.equal_range(key);
  for (auto known = begin; known != end; ++known)
    if (known->second.first == *also) return known->second.second;
  const bool empty = answer(of.premises, also);
  of.with.emplace(key, std::pair(*also, empty));
  ++answers;
  return empty;
}

Solver::State::Asked& Solver::State::asked_of(const std::vector<Constraint>& constraints) {
  std::size_t key = 0;
  for (const Constraint& c : constraints) mix(key, hash_of(c));
  const auto [begin, end] = asked.equal_range(key);
  for (auto known = begin; known != end; ++known)
    if (std::ranges::equal(std::views::drop(known->second.premises.constraints(), std::ssize(assumptions)),
                           constraints))
      return known->second;
  std::vector<Constraint> all = assumptions;
  all.insert(all.end(), constraints.begin(), constraints.end());
  ++answers;
  return asked.emplace(key, Asked{Premises(dimensions({}, constraints), std::move(all))})->second;
}

bool Solver::State::answer(Premises& premises, const Constraint* also) const {
  if (also && !premises.are_about_names_of(*also)) return answer_beyond(premises, *also);
  if (const auto told = premises.are_contradictory(also)) return *told;
  std::vector<Constraint> all = premises.constraints();
  if (also) all.push_back(*also);
  return math::is_empty(context.get(), premises.names(), all);
}

/// Of a constraint that has names of its own.
bool Solver::State::answer_beyond(const Premises& premises, const Constraint& also) const {
  Names names = premises.names();
  append_new(names, also.left, {}), append_new(names, also.right, {});
  std::vector<Constraint> all = premises.constraints();
  all.push_back(also);
  Premises together(std::move(names), std::move(all));
  return answer(together, nullptr);
}

bool Solver::is_empty(const Domain& domain) { return state_->are_empty(domain.constraints, nullptr); }

bool Solver::implies(const Domain& domain, const Constraint& constraint) {
  if (contains(domain.constraints, constraint)) return true;
  const Constraint otherwise = negation(constraint);
  return state_->are_empty(domain.constraints, &otherwise);
}

bool Solver::implies_all(const Domain& domain, std::vector<Constraint> constraints) {
  text::stop_if_cancelled();
  std::erase_if(constraints, [&](const Constraint& c) { return contains(domain.constraints, c); });
  const Differences given = state_->differences(domain.constraints);
  const auto told = [&](const Constraint& c) {
    Differences counterexamples = given;
    counterexamples.require(negation(c));
    return counterexamples.is_empty();
  };
  std::erase_if(constraints, [&](const Constraint& c) { return told(c) == true; });
  if (constraints.empty()) return true;
  if (std::ranges::any_of(constraints, [&](const Constraint& c) { return told(c) == false; })) return false;
  std::vector<Constraint> every = domain.constraints;
  every.insert(every.end(), constraints.begin(), constraints.end());
  const Names names = state_->dimensions(domain.variables, every);
  const OwnedSet points = state_->set(names, domain.constraints);
  return std::ranges::all_of(constraints, [&](const Constraint& c) {
    OwnedSet counterexamples = to_set(state_->context.get(), names, {negation(c)});
    return math::is_empty(OwnedSet(isl_set_intersect(isl_set_copy(points.get()), counterexamples.release())));
  });
}

bool Solver::equal(const Domain& domain, const Affine& a, const Affine& b) {
  return a == b || implies(domain, {a, Relation::equal, b});
}

std::vector<Constraint> Solver::gist(const Domain& domain, const Domain& context) {
  // One constraint at a time, so that what is left reads as it was written.
  std::vector<Constraint> kept = domain.constraints;
  for (std::size_t k = kept.size(); k-- > 0;) {
    Domain others{domain.variables, context.constraints};
    for (const std::string& v : context.variables) { add_once(others.variables, v); }
    for (std::size_t other = 0; other < kept.size(); ++other) {
      if (other != k) others.constraints.push_back(kept[other]);
    }
    if (implies(others, kept[k])) kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(k));
  }
  return kept;
}

std::vector<Domain> Solver::project(const Domain& domain, const std::vector<std::string>& onto) {
  text::stop_if_cancelled();
  Domain ordered{{}, domain.constraints};
  for (const std::string& v : domain.variables) {
    if (!contains(onto, v)) ordered.variables.push_back(v);
  }
  unsigned dropped = static_cast<unsigned>(ordered.variables.size());
  ordered.variables.insert(ordered.variables.end(), onto.begin(), onto.end());
  Names names = state_->dimensions(ordered.variables, ordered.constraints);
  unsigned first = static_cast<unsigned>(names.size() - ordered.variables.size());
  OwnedSet set(isl_set_project_out(state_->set(names, ordered.constraints).release(), isl_dim_set, first, dropped));
  names.erase(names.begin() + first, names.begin() + first + dropped);
  std::vector<Domain> result;
  for (std::vector<Constraint>& piece : to_constraints(std::move(set), names)) {
    Domain given{onto, {}};
    result.push_back({onto, gist({onto, std::move(piece)}, given)});
  }
  return result;
}

bool Solver::covers(const std::vector<Domain>& pieces, const Domain& domain) {
  text::stop_if_cancelled();
  std::vector<Constraint> all = domain.constraints;
  std::vector<std::string> inner;  // what is projected away, of all pieces
  for (const Domain& piece : pieces) {
    all.insert(all.end(), piece.constraints.begin(), piece.constraints.end());
    for (const std::string& v : piece.variables) {
      if (!contains(domain.variables, v)) add_once(inner, v);
    }
  }
  std::vector<std::string> variables = domain.variables;
  variables.insert(variables.end(), inner.begin(), inner.end());
  const Names names = state_->dimensions(variables, all);
  const auto first = static_cast<unsigned>(names.size() - inner.size()), dropped = static_cast<unsigned>(inner.size());
  const auto outer = [&](const std::vector<Constraint>& constraints) {
    return isl_set_project_out(state_->set(names, constraints).release(), isl_dim_set, first, dropped);
  };
  isl_set* rest = outer(domain.constraints);
  for (const Domain& piece : pieces) rest = isl_set_subtract(rest, outer(piece.constraints));
  return math::is_empty(OwnedSet(rest));
}

std::vector<Domain> Solver::without(const Domain& domain, const std::vector<Domain>& removed) {
  text::stop_if_cancelled();
  std::vector<Constraint> every = domain.constraints;
  std::vector<std::string> variables;
  for (const Domain& d : removed) {
    every.insert(every.end(), d.constraints.begin(), d.constraints.end());
    for (const std::string& v : d.variables)
      if (!contains(domain.variables, v)) add_once(variables, v);
  }
  const unsigned dropped = static_cast<unsigned>(variables.size());
  variables.insert(variables.end(), domain.variables.begin(), domain.variables.end());
  Names names = state_->dimensions(variables, every);
  const unsigned first = static_cast<unsigned>(names.size() - variables.size());
  auto seen = [&](const std::vector<Constraint>& constraints) {
    return isl_set_project_out(state_->set(names, constraints).release(), isl_dim_set, first, dropped);
  };
  isl_set* rest = seen(domain.constraints);
  for (const Domain& d : removed) rest = isl_set_subtract(rest, seen(d.constraints));
  OwnedSet set(isl_set_coalesce(isl_set_make_disjoint(rest)));
  isl_ctx_set_max_operations(state_->context.get(), 0);  // of `without_soon`: what follows has to come to its end
  if (!set) return {};
  names.erase(names.begin() + first, names.begin() + first + dropped);
  std::vector<Domain> result;
  for (std::vector<Constraint>& piece : to_constraints(std::move(set), names)) {
    Domain one{domain.variables, domain.constraints};
    for (Constraint& c : gist({domain.variables, std::move(piece)}, domain)) one.constraints.push_back(std::move(c));
    result.push_back(std::move(one));
  }
  return result;
}

std::optional<std::vector<Domain>> Solver::without_soon(const Domain& domain, const std::vector<Domain>& removed) {
  constexpr unsigned long most_steps = 500'000;  // a second or two
  isl_ctx* const context = state_->context.get();
  isl_ctx_reset_operations(context);
  isl_ctx_set_max_operations(context, most_steps);
  std::vector<Domain> rest = without(domain, removed);
  const bool ended = isl_ctx_last_error(context) != isl_error_quota;
  isl_ctx_reset_error(context);
  return ended ? std::optional(std::move(rest)) : std::nullopt;
}

std::optional<Assignment> Solver::smallest(const Domain& domain) {
  text::stop_if_cancelled();
  Names names = state_->dimensions(domain.variables, domain.constraints);
  auto point = smallest_point(state_->set(names, domain.constraints));
  if (!point) return std::nullopt;
  return assign(names, *point);
}

}  // namespace trellis::math
