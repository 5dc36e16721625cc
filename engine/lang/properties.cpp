#include "engine/lang/properties.hpp"

#include <limits>

#include "engine/lang/function_apply.hpp"

namespace trellis::lang {

namespace {

using format::BinaryOp;
using format::ScalarType;

class Table {
 public:
  Table(const Expr& expr, Properties& into)
      : type_(expr->type), into_(into), count_(static_cast<int>(operands(expr).size())) {}

  void annihilator(const format::Value& value) {
    for (int p = 0; p < count_; ++p) into_.constants.push_back({value, p, value});
  }
  void constant(const format::Value& value, int position, const format::Value& result) {
    into_.constants.push_back({value, position, result});
  }
  void identity(const format::Value& value) {
    for (int p = 0; p < count_; ++p) into_.identities.push_back({value, p});
  }
  void identity(const format::Value& value, int position) { into_.identities.push_back({value, position}); }
  format::Value number(std::int64_t value) const {
    return format::is_floating(type_) ? format::Value::of(type_, static_cast<double>(value))
                                      : format::Value::of_integer(type_, value);
  }
  format::Value infinity(int sign) const {
    return format::Value::of(type_, sign * std::numeric_limits<double>::infinity());
  }

  void binary(BinaryOp op) {
    switch (op) {
      case BinaryOp::power:
        constant(number(0), 1, number(1));
        identity(number(1), 1);
        break;
      case BinaryOp::multiply:
        annihilator(number(0));
        identity(number(1));
        break;
      case BinaryOp::divide:
        constant(number(0), 0, number(0));
        identity(number(1), 1);
        break;
      case BinaryOp::modulo: constant(number(0), 0, number(0)); break;
      case BinaryOp::add:
        identity(number(0));
        if (format::is_floating(type_)) {
          annihilator(infinity(1));
          annihilator(infinity(-1));
        }
        break;
      case BinaryOp::subtract: identity(number(0), 1); break;
      case BinaryOp::bit_and:
        annihilator(number(0));
        into_.idempotent = true;
        break;
      case BinaryOp::bit_or:
        identity(number(0));
        into_.idempotent = true;
        break;
      case BinaryOp::bit_xor: identity(number(0)); break;
      case BinaryOp::shift_left:
      case BinaryOp::shift_right: constant(number(0), 0, number(0)); break;
      case BinaryOp::logical_and:
        annihilator(format::Value::truth(false));
        identity(format::Value::truth(true));
        into_.idempotent = true;
        break;
      case BinaryOp::logical_or:
        annihilator(format::Value::truth(true));
        identity(format::Value::truth(false));
        into_.idempotent = true;
        break;
      default: break;
    }
  }

  /// `inf < x` is false, and its kin; operands are floating, so no not-a-number but inf itself can be larger.
  void comparison(BinaryOp op, ScalarType operand) {
    if (!format::is_floating(operand)) return;
    const format::Value top = format::Value::of(operand, std::numeric_limits<double>::infinity());
    const format::Value bottom = format::Value::of(operand, -std::numeric_limits<double>::infinity());
    const format::Value no = format::Value::truth(false);
    if (op == BinaryOp::less) {
      constant(top, 0, no);
      constant(bottom, 1, no);
    } else if (op == BinaryOp::greater) {
      constant(bottom, 0, no);
      constant(top, 1, no);
    }
  }

  void function(format::Function f) {
    if (f != format::Function::min && f != format::Function::max) return;
    const format::Value low = format::lowest(type_), high = format::highest(type_);
    const bool min = f == format::Function::min;
    annihilator(min ? low : high);
    identity(min ? high : low);
    into_.idempotent = true;
  }

  void declared(const FunctionProperties& p) {
    const auto each = [&](const FunctionProperties::Special& special, auto&& add) {
      for (int k = 0; k < count_; ++k)
        if (!special.position || *special.position == k) add(k);
    };
    for (const auto& a : p.annihilators) each(a, [&](int k) { constant(a.value, k, a.value); });
    for (const auto& c : p.constants) each(c.when, [&](int k) { constant(c.when.value, k, c.result); });
    for (const auto& i : p.identities) each(i, [&](int k) { identity(i.value, k); });
    into_.idempotent = p.idempotent;
  }

 private:
  ScalarType type_;
  Properties& into_;
  int count_;
};

}  // namespace

std::vector<Expr> operands(const Expr& expr) {
  std::vector<Expr> all;
  for_each_child(expr, [&](const Expr& child) { all.push_back(child); });
  return all;
}

Properties properties(const Expr& expr, const Program& program) {
  Properties result;
  Table table(expr, result);
  if (const auto* b = expr.as<Binary>()) {
    if (format::is_comparison(b->op)) table.comparison(b->op, b->left->type);
    else table.binary(b->op);
  } else if (const auto* c = expr.as<Call>()) {
    table.function(c->function);
  } else if (const auto* a = expr.as<Apply>()) {
    if (const Function* f = program.function(a->function)) table.declared(f->properties);
  }
  return result;
}

std::optional<format::Value> evaluate(const Expr& expr, const std::vector<format::Value>& values) {
  if (const auto* u = expr.as<Unary>()) return format::apply(u->op, values[0]);
  if (expr.as<Cast>()) return format::cast(expr->type, values[0]);
  if (const auto* c = expr.as<Call>())
    return format::apply(c->function, values.data(), static_cast<int>(values.size()));
  if (const auto* s = expr.as<Select>(); s) return values[0].is_true() ? values[1] : values[2];
  if (const auto* b = expr.as<Binary>()) {
    format::Fault fault = format::Fault::none;
    const format::Value result = format::apply(b->op, values[0], values[1], fault);
    if (fault == format::Fault::none) return result;
  }
  return std::nullopt;
}

bool gives(const Expr& expr, const std::vector<format::Value>& values, const format::Value& result,
           const Program& program) {
  constexpr std::int64_t most_steps = 10'000;
  const auto* a = expr.as<Apply>();
  const Function* f = a ? program.function(a->function) : nullptr;
  if (!f) return evaluate(expr, values) == result;
  const Applied applied = apply(*f, values, program.functions, most_steps);
  return applied.end == Applied::End::finished && applied.value == result;
}

}  // namespace trellis::lang
