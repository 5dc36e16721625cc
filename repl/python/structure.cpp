#include "repl/python/structure.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "engine/coiterate/properties.hpp"
#include "engine/lang/push_shapes.hpp"

namespace trellis::python {
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
  explicit Absence(const lang::Program& program) : program_(program) {}

  Background of(const lang::Expr& e) const {
    if (const auto* c = e.as<lang::Constant>()) return {c->value, {Term()}};
    if (const auto* access = e.as<lang::Access>()) return of_access(e, *access);
    if (const auto* reduce = e.as<lang::Reduce>()) return of_reduction(*reduce);
    if (e.as<lang::Variable>() || e.as<lang::Parameter>() || e.as<lang::Shape>()) return {};
    return of_operation(e);
  }

 private:
  Background of_access(const lang::Expr& e, const lang::Access& access) const {
    const lang::TensorInfo* info = program_.tensor(access.tensor);
    if (!info || info->format.all_known()) return {};
    const std::vector<std::string> variables = lang::free_variables(e);
    if (variables.empty()) return {};
    return {info->fill, {Term{Literal(variables.begin(), variables.end())}}};
  }

  Background of_operation(const lang::Expr& e) const {
    std::vector<Background> operands;
    for (const lang::Expr& operand : coiterate::operands(e)) operands.push_back(of(operand));
    if (const auto* select = e.as<lang::Select>(); select && operands.front().value)
      return picked(operands, operands.front().value->is_true() ? 1 : 2);
    Background found;
    // One operand decides alone.
    for (const auto& constant : coiterate::properties(e, program_).constants) {
      const Background& one = operands[static_cast<std::size_t>(constant.position)];
      if (one.value != constant.value || (found.value && *found.value != constant.result)) continue;
      found.value = constant.result;
      found.terms.insert(found.terms.end(), one.terms.begin(), one.terms.end());
    }
    // All of them together.
    std::vector<format::Value> values;
    for (const Background& one : operands)
      if (one.value) values.push_back(*one.value);
    if (values.size() != operands.size()) return found;
    const auto together = coiterate::evaluate(e, values);
    if (!together || (found.value && *found.value != *together)) return found;
    found.value = together;
    std::vector<Term> all{Term()};
    for (const Background& one : operands) all = conjunction(all, one.terms);
    found.terms.insert(found.terms.end(), all.begin(), all.end());
    return found;
  }

  static Background picked(const std::vector<Background>& operands, std::size_t arm) {
    if (!operands[arm].value) return {};
    return {operands[arm].value, conjunction(operands.front().terms, operands[arm].terms)};
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

  Background of_reduction(const lang::Reduce& reduce) const {
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

  const lang::Program& program_;
};

bool reduces(const lang::Expr& e) {
  if (e.as<lang::Reduce>()) return true;
  bool found = false;
  lang::for_each_child(e, [&](const lang::Expr& child) { found = found || reduces(child); });
  return found;
}

/// Whether elements may be absent at all: a term that always holds says so of every one.
bool may_be_absent(const Background& background, std::size_t rank, bool reduced) {
  if (!background.value || rank == 0 || (rank == 1 && reduced)) return false;
  const auto stores_something = [](const Term& term) { return !term.empty(); };
  return !background.terms.empty() && std::ranges::all_of(background.terms, stores_something);
}

}  // namespace

std::map<std::string, format::Value> sparse_results(const lang::Program& program, const lang::Kernel& written) {
  std::map<std::string, format::Value> sparse;
  std::set<std::string> dense;
  text::Diagnostics ignored;
  const auto pushed = lang::push_shapes(program, written, ignored);
  const lang::Kernel& kernel = pushed ? pushed->kernel : written;
  for (const lang::Timesteps& stepped : kernel.timesteps) dense.insert(stepped.tensor);
  const Absence absence(program);
  for (const lang::Equation& equation : kernel.equations) {
    const lang::Access& left = equation.access();
    const Background background = absence.of(equation.right);
    const bool absent = may_be_absent(background, left.indices.size(), reduces(equation.right));
    const auto known = sparse.find(left.tensor);
    if (!absent || (known != sparse.end() && known->second != *background.value)) dense.insert(left.tensor);
    else sparse.emplace(left.tensor, *background.value);
  }
  for (const std::string& name : dense) sparse.erase(name);
  return sparse;
}

}  // namespace trellis::python
