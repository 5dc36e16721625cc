// Shape operators as typed expressions, and what stands around what `pad` puts in the middle.

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/types.hpp"

namespace trellis::lang::resolving {

using format::Value;
using Op = Shape::Op;

namespace {

using Maybe = std::optional<Value>;

/// The value of an expression where nothing is stored; empty where it depends on the place.
class Nowhere {
 public:
  explicit Nowhere(const Program& program) : program_(program) {}

  Maybe of(const Expr& e) const {
    return e.match(
        [](const Constant& c) { return Maybe(c.value); },
        [&](const Parameter& p) {
          const ParameterInfo* info = program_.parameter(p.name);
          return info && info->real && info->value ? Maybe(format::cast(e->type, *info->value)) : Maybe();
        },
        [](const Variable&) { return Maybe(); },
        [&](const Access& a) {
          const TensorInfo* info = program_.tensor(a.tensor);
          return info ? Maybe(info->fill) : Maybe();
        },
        [&](const Unary& u) {
          const Maybe operand = of(u.operand);
          return operand ? Maybe(format::apply(u.op, *operand)) : Maybe();
        },
        [&](const Binary& b) { return binary(b); }, [&](const Select& s) { return same(of(s.then), of(s.otherwise)); },
        [&](const Cast& c) {
          const Maybe operand = of(c.operand);
          return operand ? Maybe(format::cast(e->type, *operand)) : Maybe();
        },
        [&](const Call& c) {
          std::vector<Value> values;
          for (const Expr& argument : c.arguments)
            if (const Maybe value = of(argument)) values.push_back(*value);
          const bool all = values.size() == c.arguments.size();
          return all ? Maybe(format::apply(c.function, values.data(), static_cast<int>(values.size()))) : Maybe();
        },
        [](const Apply&) { return Maybe(); },
        [&](const Reduce& r) {
          if (format::is_arg(r.op) || r.op == format::ReduceOp::user) return Maybe();
          return same(of(r.body), Maybe(format::identity(r.op, e->type)));
        },
        [&](const Shape& s) {
          Maybe value = s.outside ? of(*s.outside) : of(s.parts[0]);
          for (const Expr& part : s.parts) value = same(value, of(part));
          return value;
        },
        [](const Stored&) { return Maybe(); });
  }

 private:
  static Maybe same(const Maybe& a, const Maybe& b) { return a && b && *a == *b ? a : Maybe(); }

  /// `A(i,j)*x` is 0 whatever x is: an absent 0 wins.
  Maybe binary(const Binary& b) const {
    const Maybe left = of(b.left), right = of(b.right);
    const auto zero = [](const Maybe& value) { return value && *value == Value::of(value->type, 0); };
    if (b.op == format::BinaryOp::multiply && (zero(left) || zero(right))) return zero(left) ? left : right;
    if (!left || !right) return std::nullopt;
    format::Fault fault = format::Fault::none;
    const Value value = format::apply(b.op, *left, *right, fault);
    return fault == format::Fault::none ? Maybe(value) : Maybe();
  }

  const Program& program_;
};

}  // namespace

Expr Elaborator::shape(const syntax::Expr& e, format::ScalarType type) {
  const auto form = operator_at(resolution_, e);
  const auto measured =
      std::ranges::find_if(resolution_.operators, [&](const MeasuredOperator& o) { return o.node.same(e); });
  if (!form || measured == resolution_.operators.end() || !measured->complete) {
    resolution_
        .error("E0302", e->span,
               "nothing says how long what this " + e.as<syntax::Reference>()->name.text + " binds is")
        .notes.push_back({{}, "declare the tensors that it indexes, or write the size after ':'"});
    return {};
  }
  Shape result{form->op, {}, {}, measured->from_sizes, {}, measured->to_sizes, measured->numbers, {}};
  for (const syntax::Name& name : form->from) result.from.push_back(name.text);
  for (const syntax::Name& name : form->to) {
    if (!contains(scope_, name.text)) return unknown_name(syntax::name_expr(name.text, name.span), name.text);
    result.to.push_back(Expr(ExprNode{Variable{name.text}, format::ScalarType::i64, name.span}));
  }
  std::vector<Expr>* outer = std::exchange(present_, nullptr);
  const std::size_t known = scope_.size();
  for (std::size_t part = 0; part < form->parts.size(); ++part) {
    for (const syntax::Name& name : form->bound_in(part)) scope_.push_back(name.text);
    result.parts.push_back(elaborate(form->parts[part], type));
    scope_.resize(known);
  }
  bool sound = std::ranges::all_of(result.parts, [](const Expr& part) { return static_cast<bool>(part); });
  if (sound && form->op == Op::pad) {
    result.outside = form->outside ? elaborate(*form->outside, type) : outside_of(e, result.parts[0]);
    sound = static_cast<bool>(*result.outside);
  }
  present_ = outer;
  return sound ? Expr(ExprNode{std::move(result), type, e->span}) : Expr();
}

/// Left out: the fill of a bare access; else 0, if that is what the operand is where nothing is stored.
Expr Elaborator::outside_of(const syntax::Expr& e, const Expr& part) {
  const auto value = Nowhere(resolution_.program).of(part);
  const bool bare = part.as<Access>() != nullptr;
  if (value && (bare || *value == Value::of(part->type, 0))) return constant(*value);
  const auto& r = *e.as<syntax::Reference>();
  auto& d = resolution_.error(
      "E0245", e->span, "what is around " + to_string(r.arguments->front().value) + "?",
      value ? "it is " + format::to_string(*value) + " where nothing is stored" : "it depends on the place");
  if (draft_.source)
    for (const std::string& number : {std::string("0"), value ? format::to_string(*value) : std::string("1")}) {
      syntax::Reference with = r;
      with.arguments->emplace_back().value = syntax::Expr(syntax::ExprNode{syntax::Number{number}, e->span});
      if (number.front() != '-' && (number.find_first_not_of("0123456789.") == std::string::npos))
        offer(draft_, rewritten(draft_, e, syntax::Expr(syntax::ExprNode{std::move(with), e->span})), "", d);
    }
  else d.notes.push_back({{}, "write the value last, as in pad(e, i->k, 1:1, 0)"});
  return {};
}

}  // namespace trellis::lang::resolving
