#include "engine/loop/asked_conditions.hpp"

#include <algorithm>
#include <set>

#include "engine/loop/context.hpp"
#include "engine/loop/effects.hpp"
#include "engine/loop/simplify_expressions.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::loop {

namespace {

using format::BinaryOp;
using format::Function;
using Replacements = std::vector<std::pair<std::string, Expr>>;

/// No name of the language's.
std::string placeholder(std::size_t dimension) { return "#" + std::to_string(dimension); }

bool mentions_any(const Expr& expr, const std::set<std::string>& names) {
  return std::ranges::any_of(lang::free_variables(expr), [&](const std::string& v) { return names.contains(v); });
}

/// The variable that an index determines: the only inner one, with 1 or -1 in front of it.
std::optional<std::pair<std::string, Expr>> determined(const Expr& index, std::size_t dimension,
                                                       const std::set<std::string>& inner) {
  const auto form = lang::affine(index);
  if (!form) return std::nullopt;
  std::vector<std::string> names = lang::free_variables(index), own;
  std::ranges::copy_if(names, std::back_inserter(own), [&](const std::string& v) { return inner.contains(v); });
  if (own.size() != 1) return std::nullopt;
  const std::int64_t factor = form->coefficient(own[0]);
  const math::Affine rest = *form - math::Affine::name(own[0], factor);
  if ((factor != 1 && factor != -1) || rest.mentions(own[0])) return std::nullopt;
  names.push_back(placeholder(dimension));
  return std::pair{own[0], lang::to_expr(factor * (math::Affine::name(names.back()) - rest), names)};
}

/// What the loop over a variable knows of it.
std::vector<Expr> bounds_of(const For& f) {
  const Expr variable = lang::variable(f.variable);
  std::vector<Expr> all;
  for (const Expr& low : arguments(f.low, Function::max))
    all.push_back(lang::binary(BinaryOp::less_equal, low, variable));
  for (const Expr& high : arguments(f.high, Function::min)) all.push_back(lang::binary(BinaryOp::less, variable, high));
  return all;
}

class Asking {
 public:
  Asking(const ConditionalRead& read, const lang::Program& program) : read_(read), program_(program) {
    for (const Stmt& around : read.loops) {
      if (const auto* f = around.as<For>()) inner_.insert(f->variable);
      if (const auto* l = around.as<Let>()) inner_.insert(l->name);
    }
    const std::vector<Expr>& indices = read.access.as<lang::Access>()->indices;
    for (std::size_t d = 0; d < indices.size(); ++d)
      if (auto one = determined(indices[d], d, inner_)) element_.push_back(std::move(*one));
  }

  std::vector<Expr> run() {
    for (const Stmt& around : read_.loops) {
      if (around.as<While>()) return {};
      const auto* f = around.as<For>();
      if (!f) continue;
      if (!is_determined(f->variable)) {
        certain_ = false;  // the loop may be empty
        continue;
      }
      for (const Expr& bound : bounds_of(*f))
        if (!lang::affine_condition(bound) || !ask(bound)) return {};
    }
    for (const Expr& condition : read_.conditions) {
      if (!certain_ && (may_fault(condition) || may_be_undefined(condition))) break;
      if (ask(condition)) continue;
      if (lang::affine_condition(condition)) break;  // it may keep an index in its range
      certain_ = false;
    }
    return std::move(asked_);
  }

 private:
  bool is_determined(const std::string& variable) const {
    return std::ranges::any_of(element_, [&](const auto& one) { return one.first == variable; });
  }

  /// Temporaries have values where somebody is going to read them.
  bool may_be_undefined(const Expr& condition) const {
    return std::ranges::any_of(tensors_in(condition), [&](const std::string& name) { return !program_.tensor(name); });
  }

  bool ask(const Expr& condition) {
    const Expr here = simplify(lang::substitute(condition, element_));
    if (mentions_any(here, inner_)) return false;
    add_once(asked_, here);
    return true;
  }

  const ConditionalRead& read_;
  const lang::Program& program_;
  std::set<std::string> inner_;  ///< bound between the temporary and the read
  Replacements element_;
  bool certain_ = true;  ///< everything so far is asked whenever the element is computed
  std::vector<Expr> asked_;
};

}  // namespace

std::vector<Expr> asked_conditions(const ConditionalRead& read, const lang::Program& program) {
  return Asking(read, program).run();
}

std::vector<Expr> at_element(const std::vector<Expr>& conditions, const std::vector<Expr>& indices) {
  Replacements element;
  for (std::size_t d = 0; d < indices.size(); ++d) element.emplace_back(placeholder(d), indices[d]);
  std::vector<Expr> all;
  for (const Expr& condition : conditions) all.push_back(simplify(lang::substitute(condition, element)));
  return all;
}

}  // namespace trellis::loop
