#include "engine/lazy/contraction.hpp"

#include <algorithm>

#include "engine/lazy/support.hpp"

namespace trellis::lazy {

void flatten(const Expr& expr, const Operator& op, std::vector<Expr>& into) {
  const auto* m = expr.as<Map>();
  if (!m || !(m->op == op)) return into.push_back(expr);
  for (const Expr& argument : m->arguments) flatten(argument, op, into);
}

Expr product(const Operator& op, const std::vector<Expr>& factors) {
  Expr all = factors.front();
  for (std::size_t k = 1; k < factors.size(); ++k) all = map(op, {all, factors[k]});
  return all;
}

namespace {

using format::ReduceOp;

/// Does it take some value of each field, all of which its operand has?
bool is_plain(const Agg& a) {
  return without(a.over, a.of->fields).empty() &&
         std::ranges::all_of(a.over, [](const Field& field) { return field.size > 0; });
}

/// The operator of a product of two operands.
std::optional<Operator> product_of(const Expr& expr) {
  const auto* m = expr.as<Map>();
  return m && m->arguments.size() == 2 ? std::optional(m->op) : std::nullopt;
}

class Drawing {
 public:
  Drawing(ReduceOp reduction, Operator op, Fields taken) : taken_(std::move(taken)) {
    found_.reduction = reduction;
    found_.product = op;
    found_.free = true;
  }

  Contraction of(const Expr& expr) {
    visit(expr);
    return std::move(found_);
  }

 private:
  void visit(const Expr& expr) {
    if (const auto* m = expr.as<Map>(); m && m->op == *found_.product) {
      for (const Expr& argument : m->arguments) visit(argument);
      return;
    }
    const auto* a = expr.as<Agg>();
    if (!a || a->op != found_.reduction || !is_plain(*a)) return found_.factors.push_back(expr);
    // What is bound inside must not meet what is called the same outside.
    if (!common(a->over, taken_).empty()) {
      std::vector<std::pair<Field, Field>> kept;
      for (const Field& field : expr->fields) kept.emplace_back(field, field);
      return visit(renamed(expr, kept));
    }
    taken_ = united(taken_, a->over);
    found_.over = united(found_.over, a->over);
    visit(a->of);
  }

  Contraction found_;
  Fields taken_;
};

/// What the product's factors are reduced with somewhere, if the laws let that out.
std::optional<ReduceOp> reduction_inside(const Expr& expr, const Operator& op) {
  std::vector<Expr> factors;
  flatten(expr, op, factors);
  for (const Expr& factor : factors)
    if (const auto* a = factor.as<Agg>(); a && is_plain(*a) && find_fact(Law::semiring, a->op, op, expr->type))
      return a->op;
  return std::nullopt;
}

/// As it is written: factors are what the operator's absent operands cut to.
Contraction as_written(const Expr& expr) {
  Contraction c;
  const auto* a = expr.as<Agg>();
  if (a && is_plain(*a)) c.reduction = a->op, c.over = a->over;
  const Expr body = a && is_plain(*a) ? a->of : expr;
  const auto op = product_of(body);
  if (op && support_of(body).as<Intersection>()) {
    c.product = op;
    flatten(body, *op, c.factors);
  } else {
    c.factors = {body};
  }
  return c;
}

}  // namespace

Contraction contraction_of(const Expr& expr, Exactness allowed) {
  const auto* a = expr.as<Agg>();
  if (a && !is_plain(*a)) return as_written(expr);
  const auto op = product_of(a ? a->of : expr);
  if (!op) return as_written(expr);
  const auto reduction = a ? std::optional(a->op) : reduction_inside(expr, *op);
  const Fact* fact = reduction ? find_fact(Law::semiring, *reduction, *op, expr->type) : nullptr;
  if (!fact) return as_written(expr);
  Contraction found = Drawing(*reduction, *op, expr->fields).of(expr);
  Exactness how = both(*fact->of(expr->type), exactness_of_regrouping(*reduction, expr->type));
  if (found.factors.size() > 2) how = both(how, exactness_of_association(*op, expr->type));
  return how <= allowed ? found : as_written(expr);
}

}  // namespace trellis::lazy
