#include "engine/lang/resolve/constant_value.hpp"

#include <algorithm>
#include <cmath>

#include "engine/lang/resolve/walk.hpp"
#include "engine/math/exact.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using format::ScalarType;
using format::Value;

namespace {

/// The value of a `param`: integers stay integers until something real joins them, which a quotient that leaves a
/// remainder is, unless the parameter has to be whole.
class ConstantEvaluator {
 public:
  ConstantEvaluator(Resolution& resolution, Quotients quotients) : resolution_(resolution), quotients_(quotients) {}

  /// The first quotient that was rounded, if any.
  const std::optional<syntax::Expr>& rounded() const { return rounded_; }

  std::optional<Value> value(const syntax::Expr& e) {
    if (const auto* n = e.as<syntax::Number>())
      return literal_value(resolution_, e, number_value(n->spelling).integral ? ScalarType::i64 : ScalarType::f64);
    if (e.as<syntax::Character>()) return literal_value(resolution_, e, ScalarType::i64);
    if (e.as<syntax::Infinity>()) return literal_value(resolution_, e, ScalarType::f64);
    if (const auto* u = e.as<syntax::Unary>(); u && u->op == format::UnaryOp::negate) {
      auto operand = value(u->operand);
      return operand ? std::optional(format::apply(u->op, *operand)) : std::nullopt;
    }
    if (const auto* b = e.as<syntax::Binary>()) return binary_value(e, *b);
    if (const auto* r = e.as<syntax::Reference>()) return reference_value(e, *r);
    return refuse(e);
  }

 private:
  std::optional<Value> refuse(const syntax::Expr& e) {
    resolution_.error("E0215", e->span, "a parameter's value must be constant",
                      "only numbers, earlier parameters and functions of them");
    return std::nullopt;
  }

  static void join(std::vector<Value>& values) {
    bool real = std::any_of(values.begin(), values.end(), [](const Value& v) { return format::is_floating(v.type); });
    for (Value& v : values) v = format::cast(real ? ScalarType::f64 : ScalarType::i64, v);
  }

  /// Sizes that have wrapped around would be sizes of something else.
  static bool overflows(BinaryOp op, std::int64_t a, std::int64_t b) {
    if (op == BinaryOp::add) return !math::exact_sum(a, b);
    if (op == BinaryOp::subtract) return !math::exact_difference(a, b);
    if (op == BinaryOp::multiply) return !math::exact_product(a, b);
    return op == BinaryOp::power && b > 0 &&
           std::fabs(std::pow(static_cast<double>(a), static_cast<double>(b))) >= 0x1p63;
  }

  std::optional<Value> binary_value(const syntax::Expr& e, const syntax::Binary& b) {
    auto left = value(b.left);
    auto right = value(b.right);
    if (!left || !right) return std::nullopt;
    std::vector<Value> both{*left, *right};
    join(both);
    const bool integer_only = format::is_bitwise(b.op) && format::is_floating(both[0].type);
    if (format::is_comparison(b.op) || format::is_logical(b.op) || integer_only) return refuse(e);
    if (!format::is_floating(both[0].type) && overflows(b.op, both[0].integer, both[1].integer)) {
      resolution_.error("E0222", e->span, "a parameter's value does not fit i64", "more than 64 bits hold");
      return std::nullopt;
    }
    if (b.op == BinaryOp::divide && leaves_remainder(both[0], both[1])) {
      if (quotients_ == Quotients::exact) return Value::of(ScalarType::f64, both[0].as_double() / both[1].as_double());
      if (!rounded_) rounded_ = e;
    }
    format::Fault fault = format::Fault::none;
    Value result = format::apply(b.op, both[0], both[1], fault);
    if (fault == format::Fault::none) return result;
    resolution_.error("E0215", e->span, "a parameter's value divides by zero");
    return std::nullopt;
  }

  static bool leaves_remainder(const Value& a, const Value& b) {
    if (format::is_floating(a.type) || b.integer == 0 || b.integer == -1) return false;
    return a.integer % b.integer != 0;
  }

  /// What rounds makes a whole number of one that is not.
  static Value whole(format::Function function, const Value& value) {
    using format::Function;
    const bool rounds = function == Function::floor || function == Function::ceil || function == Function::round ||
                        function == Function::trunc;
    return rounds && std::abs(value.real) < 0x1p62 ? format::cast(ScalarType::i64, value) : value;
  }

  std::optional<Value> reference_value(const syntax::Expr& e, const syntax::Reference& r) {
    if (const std::string* name = bare_name(e)) {
      if (resolution_.poisoned.count(*name)) return std::nullopt;
      const ParameterInfo* parameter = resolution_.program.parameter(*name);
      if (is_constant(resolution_, *name)) return Value::of(ScalarType::f64, *constant_called(*name));
      return parameter && parameter->value ? parameter->value : refuse(e);
    }
    if (kind_of(resolution_, r) != ReferenceKind::call) return refuse(e);
    const format::Function function = *format::function(r.name.text);
    std::vector<Value> arguments;
    for (const syntax::Argument& argument : *r.arguments) {
      auto next = value(argument.value);
      if (!next) return std::nullopt;
      arguments.push_back(*next);
    }
    const format::Arity arity = format::arity(function);
    const int count = static_cast<int>(arguments.size());
    if (count < arity.least || (arity.most >= 0 && count > arity.most)) return refuse(e);
    join(arguments);
    if (format::floating_only(function))
      for (Value& v : arguments) v = format::cast(ScalarType::f64, v);
    return whole(function, format::apply(function, arguments.data(), count));
  }

  Resolution& resolution_;
  const Quotients quotients_;
  std::optional<syntax::Expr> rounded_;
};

}  // namespace

ConstantValue constant_value(Resolution& resolution, const syntax::Expr& e, Quotients quotients) {
  ConstantEvaluator evaluator(resolution, quotients);
  auto value = evaluator.value(e);
  return {std::move(value), evaluator.rounded()};
}

}  // namespace trellis::lang::resolving
