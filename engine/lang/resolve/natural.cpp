// What type an expression has by itself.

#include "engine/lang/resolve/integers.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using format::ScalarType;
using Kind = Natural::Kind;

namespace {

/// Empty where no type holds both. What is added up in i64 fits u64 beside what is u64, if its terms do.
std::optional<Natural> joined_integers(const Natural& a, const Natural& b) {
  const auto plain = common_integer(a.plain, b.plain);
  if (!plain) return std::nullopt;
  const auto type = common_integer(a.type, b.type);
  return Natural{Kind::fixed, type.value_or(*plain), *plain};
}

}  // namespace

Natural join(const Natural& a, const Natural& b) {
  if (a.kind != b.kind) return a.kind > b.kind ? a : b;
  if (a.kind != Kind::fixed) return a;
  if (format::is_integer(a.type) && format::is_integer(b.type))
    if (const auto both = joined_integers(a, b)) return *both;
  auto rank = [](ScalarType t) {
    return (format::is_boolean(t)   ? 0
            : format::is_integer(t) ? 100
                                    : 200) +
           static_cast<int>(format::size_of(t)) * 2 + (format::is_signed(t) ? 1 : 0);
  };
  return rank(b.type) > rank(a.type) ? b : a;
}

ScalarType default_type(const Natural& natural) {
  if (natural.kind == Kind::fixed) return natural.type;
  return natural.kind == Kind::real ? ScalarType::f64 : ScalarType::i64;
}

Natural NaturalTypes::of(const syntax::Expr& e) {
  if (auto known = known_.find(&*e); known != known_.end()) return known->second;
  Natural natural = compute(e);
  known_.emplace(&*e, natural);
  return natural;
}

Natural NaturalTypes::compute(const syntax::Expr& e) {
  const Natural truth = Natural::fixed(ScalarType::boolean);
  return e.match(
      [&](const syntax::Number& n) { return Natural{number_value(n.spelling).integral ? Kind::integer : Kind::real}; },
      [&](const syntax::Character&) { return Natural{Kind::integer}; }, [&](const syntax::Truth&) { return truth; },
      [&](const syntax::Infinity&) { return Natural{Kind::real}; }, [&](const syntax::Missing&) { return Natural{}; },
      [&](const syntax::Tuple&) { return Natural{}; }, [&](const syntax::Reference& r) { return of_reference(e, r); },
      [&](const syntax::Unary& u) { return u.op == format::UnaryOp::logical_not ? truth : of(u.operand); },
      [&](const syntax::Binary& b) {
        if (format::is_comparison(b.op) || format::is_logical(b.op)) return truth;
        if (b.op == BinaryOp::shift_left || b.op == BinaryOp::shift_right) return of(b.left);
        return join(of(b.left), of(b.right));
      },
      [&](const syntax::Select& s) { return join(of(s.then), of(s.otherwise)); });
}

Natural NaturalTypes::of_reference(const syntax::Expr& e, const syntax::Reference& r) {
  const std::string& name = r.name.text;
  switch (kind_of(resolution_, r)) {
    case ReferenceKind::cast: return Natural::fixed(*format::scalar_type(name));
    case ReferenceKind::reduction: {
      auto op = reduction_of(resolution_, r);
      if (!op || !r.body) return {};
      if (format::is_arg(*op)) return {Kind::integer};
      if (*op == format::ReduceOp::any || *op == format::ReduceOp::all) return Natural::fixed(ScalarType::boolean);
      Natural natural = of(*r.body);
      if (*op == format::ReduceOp::sum || *op == format::ReduceOp::prod) natural.type = accumulating(natural.type);
      return natural;
    }
    case ReferenceKind::call: {
      Natural natural;
      for (const syntax::Argument& argument : *r.arguments) natural = join(natural, of(argument.value));
      if (natural.kind == Kind::integer && format::floating_only(*format::function(name))) natural.kind = Kind::real;
      return natural;
    }
    case ReferenceKind::coalesce: {
      Natural natural;
      for (const syntax::Argument& argument : *r.arguments) natural = join(natural, of(argument.value));
      return natural;
    }
    case ReferenceKind::application: return of_application(r);
    case ReferenceKind::shape: {
      Natural natural;
      const auto form = operator_form(r);
      if (!form) return natural;
      for (const syntax::Expr& part : form->parts) natural = join(natural, of(part));
      return form->outside ? join(natural, of(*form->outside)) : natural;
    }
    case ReferenceKind::access: break;
  }
  if (results_)
    if (auto result = results_->find(name); result != results_->end()) return result->second;
  const TensorInfo* info = resolution_.tensor(name);
  if (info && (r.arguments || info->shape.empty())) return Natural::fixed(info->type);
  if (!bare_name(e)) return {};
  const ParameterInfo* parameter = resolution_.program.parameter(name);
  return {parameter && parameter->real ? Kind::real : Kind::integer};
}

}  // namespace trellis::lang::resolving
