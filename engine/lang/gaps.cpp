#include "engine/lang/gaps.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "engine/format/level.hpp"
#include "engine/lang/properties.hpp"

namespace trellis::lang {

namespace {

/// One operand stores nothing at these variables' values.
using Literal = std::set<std::string>;
/// All of them; none: always.
using Term = std::vector<Literal>;

/// An expression has the value wherever one of the terms holds; without a value nothing is known.
struct Background {
  std::optional<format::Value> value;
  std::vector<Term> terms;
};

constexpr std::size_t most_terms = 64;

class Absence {
 public:
  explicit Absence(const Program& program) : program_(program) {}

  Background of(const Expr& e) const {
    if (const auto* c = e.as<Constant>()) return {c->value, {Term()}};
    if (const auto* access = e.as<Access>()) return of_access(e, *access);
    if (const auto* reduce = e.as<Reduce>()) return of_reduction(*reduce);
    if (e.as<Variable>() || e.as<Parameter>() || e.as<Shape>()) return {};
    return of_operation(e);
  }

 private:
  Background of_access(const Expr& e, const Access& access) const {
    const TensorInfo* info = program_.tensor(access.tensor);
    if (!info || !has_gaps(info->format)) return {};
    const std::vector<std::string> variables = free_variables(e);
    if (variables.empty()) return {};
    return {info->fill, {Term{Literal(variables.begin(), variables.end())}}};
  }

  Background of_operation(const Expr& e) const {
    std::vector<Background> parts;
    for (const Expr& operand : operands(e)) parts.push_back(of(operand));
    if (e.as<Select>()) return picked(parts);
    Background found;
    // One operand decides alone.
    for (const auto& constant : properties(e, program_).constants) {
      const Background& one = parts[static_cast<std::size_t>(constant.position)];
      if (one.value != constant.value || (found.value && *found.value != constant.result)) continue;
      found.value = constant.result;
      found.terms.insert(found.terms.end(), one.terms.begin(), one.terms.end());
    }
    // All of them together.
    std::vector<format::Value> values;
    for (const Background& one : parts)
      if (one.value) values.push_back(*one.value);
    if (values.size() != parts.size()) return found;
    const auto together = evaluate(e, values);
    if (!together || (found.value && *found.value != *together)) return found;
    found.value = together;
    std::vector<Term> all{Term()};
    for (const Background& one : parts) all = conjunction(all, one.terms);
    found.terms.insert(found.terms.end(), all.begin(), all.end());
    return found;
  }

  /// By a condition that chooses an arm where it is absent; and whatever it is, where both arms have the same value.
  static Background picked(const std::vector<Background>& parts) {
    const Background &condition = parts[0], &then = parts[1], &otherwise = parts[2];
    Background found;
    if (condition.value) {
      const Background& arm = condition.value->is_true() ? then : otherwise;
      if (arm.value) found = {arm.value, conjunction(condition.terms, arm.terms)};
    }
    if (!then.value || then.value != otherwise.value || (found.value && found.value != then.value)) return found;
    found.value = then.value;
    const std::vector<Term> both = conjunction(then.terms, otherwise.terms);
    found.terms.insert(found.terms.end(), both.begin(), both.end());
    return found;
  }

  static std::vector<Term> conjunction(const std::vector<Term>& a, const std::vector<Term>& b) {
    std::vector<Term> all;
    for (const Term& one : a)
      for (const Term& other : b) {
        if (all.size() == most_terms) return all;  // what is left out only makes a result dense
        all.push_back(one);
        all.back().insert(all.back().end(), other.begin(), other.end());
      }
    return all;
  }

  Background of_reduction(const Reduce& reduce) const {
    if (reduce.op == format::ReduceOp::user || format::is_arg(reduce.op)) return {};
    Background body = of(reduce.body);
    if (!body.value) return {};
    const bool adds_up = reduce.op == format::ReduceOp::sum || reduce.op == format::ReduceOp::prod;
    if (adds_up && *body.value != format::identity(reduce.op, body.value->type)) return {};
    for (const std::string& variable : reduce.domain.variables) body.terms = without(variable, body.terms);
    if (body.terms.empty()) return {};
    return body;
  }

  /// Nothing is stored for any value of the variable: of one list that is not known, unless it has two dimensions more,
  /// of which it stores some together; of two lists, as they may have no value in common.
  static std::vector<Term> without(const std::string& variable, const std::vector<Term>& terms) {
    std::vector<Term> kept, touched;
    for (const Term& term : terms) {
      const bool mentions = std::ranges::any_of(term, [&](const Literal& l) { return l.contains(variable); });
      (mentions ? touched : kept).push_back(term);
    }
    Literal together;
    for (const Term& term : touched) {
      Term smaller = term;
      for (Literal& literal : smaller) {
        literal.erase(variable);
        together.insert(literal.begin(), literal.end());
      }
      if (std::ranges::all_of(smaller, [](const Literal& l) { return l.size() > 1; })) kept.push_back(smaller);
    }
    if (touched.size() > 1 && together.size() > 1) kept.push_back({together});
    return kept;
  }

  const Program& program_;
};

bool reduces(const Expr& e) {
  if (e.as<Reduce>()) return true;
  bool found = false;
  for_each_child(e, [&](const Expr& child) { found = found || reduces(child); });
  return found;
}

/// Whether elements may be absent at all: a term that always holds says so of every one.
bool may_be_absent(const Background& background, std::size_t rank, bool reduced) {
  if (!background.value || rank == 0 || (rank == 1 && reduced)) return false;
  if (std::isnan(background.value->real)) return false;  // no declaration says such a fill
  const auto stores_something = [](const Term& term) { return !term.empty(); };
  return !background.terms.empty() && std::ranges::all_of(background.terms, stores_something);
}

}  // namespace

bool has_gaps(const format::Format& format) {
  return !format.all_dense() && std::ranges::any_of(format::facts(format), &format::Facts::gaps);
}

std::optional<format::Value> value_in_gaps(const Program& program, const Equation& equation) {
  const Background background = Absence(program).of(equation.right);
  const bool absent = may_be_absent(background, equation.access().indices.size(), reduces(equation.right));
  return absent ? background.value : std::nullopt;
}

}  // namespace trellis::lang
