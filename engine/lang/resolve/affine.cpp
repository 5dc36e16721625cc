// Affine forms straight from syntax: sizes and the sides of constraints.

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/resolve/whole_arrays.hpp"
#include "engine/math/exact.hpp"
#include "engine/math/limits.hpp"
#include "engine/math/sizes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using math::Affine;
using math::Constraint;
using math::Relation;

namespace {

class AffineReader {
 public:
  AffineReader(Resolution& resolution, const std::vector<std::string>& variables, const char* what)
      : resolution_(resolution), variables_(variables), what_(what) {}

  std::optional<Affine> read(const syntax::Expr& e) {
    const std::optional<Affine> form = read_any(e);
    return !form || math::within_limits(*form) ? form : refuse_size(e);
  }

 private:
  std::optional<Affine> read_any(const syntax::Expr& e) {
    if (e.as<syntax::Number>() || e.as<syntax::Character>()) {
      auto value = literal_value(resolution_, e, format::ScalarType::i64);
      return value ? std::optional(Affine(value->integer)) : std::nullopt;
    }
    if (const std::string* name = bare_name(e)) return read_name(e, *name);
    if (const auto* u = e.as<syntax::Unary>(); u && u->op == format::UnaryOp::negate) {
      auto operand = read(u->operand);
      return operand ? std::optional(-*operand) : std::nullopt;
    }
    if (const auto* b = e.as<syntax::Binary>()) return read_binary(e, *b);
    if (const ArrayFunction* f = array_function(resolution_, e)) return refuse_function(e, *f);
    return refuse(e, "this is not");
  }

  /// `t < len(b)`.
  std::optional<Affine> refuse_function(const syntax::Expr& e, const ArrayFunction& f) {
    std::string instead = f.instead;
    const syntax::Reference& call = *e.as<syntax::Reference>();
    const std::string* name = call.arguments->size() == 1 ? bare_name(call.arguments->front().value) : nullptr;
    const TensorInfo* info = name ? resolution_.tensor(*name) : nullptr;
    if (f.kind == ArrayFunction::Kind::length && info && !info->shape.empty() &&
        !resolution_.shapeless.contains(*name)) {
      instead += "; here " + *name + " is ";
      for (std::size_t d = 0; d < info->shape.size(); ++d) instead += (d ? " by " : "") + to_string(info->shape[d]);
    }
    report_notation(resolution_, e->span, f.name).notes.push_back({{}, instead});
    return std::nullopt;
  }

  std::optional<Affine> read_name(const syntax::Expr& e, const std::string& name) {
    if (contains(variables_, name)) return Affine::name(name);
    if (const ParameterInfo* parameter = resolution_.program.parameter(name)) {
      if (!parameter->real) return Affine::name(name);
      return refuse(e, name + " is real, so this is not");
    }
    if (resolution_.poisoned.count(name)) return std::nullopt;
    if (resolution_.tensor(name)) return refuse(e, name + " is a tensor, so this is not");
    std::vector<std::string> known = variables_;
    for (const ParameterInfo& parameter : resolution_.program.parameters) known.push_back(parameter.name);
    auto& diagnostic = resolution_.error("E0201", e->span, "unknown name " + name, "not an index or a parameter here");
    if (std::string close = text::did_you_mean(name, known); !close.empty())
      diagnostic.notes.push_back({{}, "did you mean " + close + "?"});
    return std::nullopt;
  }

  std::optional<Affine> read_binary(const syntax::Expr& e, const syntax::Binary& b) {
    auto left = read(b.left);
    auto right = read(b.right);
    if (!left || !right) return std::nullopt;
    if (left->is_constant() && right->is_constant() && overflows(b.op, left->constant, right->constant)) {
      resolution_.error("E0222", e->span, std::string(what_) + " does not fit i64", "more than 64 bits hold");
      return std::nullopt;
    }
    switch (b.op) {
      case BinaryOp::add: return *left + *right;
      case BinaryOp::subtract: return *left - *right;
      case BinaryOp::multiply:
        if (left->is_constant()) return times(e, left->constant, *right);
        if (right->is_constant()) return times(e, right->constant, *left);
        if (mentions_any(e, variables_)) return refuse(e, "a product of two names is not");
        if (const auto both = math::product(*left, *right)) return both;  // of sizes
        return refuse(e, "a product of quotients is not");
      case BinaryOp::divide:
      case BinaryOp::modulo: return read_quotient(e, b.op, *left, *right);
      default: return refuse(e, "this operator is not");
    }
  }

  std::optional<Affine> read_quotient(const syntax::Expr& e, BinaryOp op, const Affine& left, const Affine& right) {
    const auto divisor = constant_divisor(resolution_, right);
    if (!divisor)
      return refuse(e, "division by anything but a positive constant, or a parameter that has such a value, is not");
    return op == BinaryOp::divide ? Affine::div(left, *divisor) : Affine::mod(left, *divisor);
  }

  std::optional<Affine> times(const syntax::Expr& e, std::int64_t factor, const Affine& form) {
    return math::within_limits(factor, form) ? factor * form : refuse_size(e);
  }

  std::optional<Affine> refuse_size(const syntax::Expr& e) {
    resolution_.error("E0606", e->span, std::string(what_) + " is about numbers that 64 bits do not hold",
                      "beyond 2^62");
    return std::nullopt;
  }

  static bool overflows(BinaryOp op, std::int64_t a, std::int64_t b) {
    return (op == BinaryOp::add && !math::exact_sum(a, b)) ||
           (op == BinaryOp::subtract && !math::exact_difference(a, b)) ||
           (op == BinaryOp::multiply && !math::exact_product(a, b));
  }

  std::optional<Affine> refuse(const syntax::Expr& e, const std::string& because) {
    auto& diagnostic = resolution_.error("E0303", e->span, std::string(what_) + " must be affine", because + " affine");
    diagnostic.notes.push_back(
        {{}, "affine: sums of integers and names, times, / or % a constant; / or % a parameter with a value"});
    return std::nullopt;
  }

  Resolution& resolution_;
  const std::vector<std::string>& variables_;
  const char* what_;
};

}  // namespace

void report_restriction(Resolution& resolution, text::Span span) {
  resolution.error("E0303", span, "a reduction's restriction must be affine")
      .notes.push_back({{},
                        "what hangs on values is a choice in what is reduced: c ? e : 0 in a sum, c ? e : inf in a min "
                        "or an argmin"});
}

std::optional<Affine> affine_of(Resolution& resolution, const syntax::Expr& expr,
                                const std::vector<std::string>& variables, const char* what) {
  return AffineReader(resolution, variables, what).read(expr);
}

std::optional<std::int64_t> value_now(const Resolution& resolution, const Affine& size) {
  return size.evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
    const ParameterInfo* const p = resolution.program.parameter(name);
    return p && p->value && !p->real ? std::optional(p->value->as_integer()) : std::nullopt;
  });
}

void assume_equal(Resolution& resolution, const Affine& a, const Affine& b) {
  add_once(resolution.program.assumed,
           a.is_constant() ? Constraint{b, Relation::equal, a} : Constraint{a, Relation::equal, b});
}

void assume_no_more(Resolution& resolution, const Affine& less, const Affine& more) {
  add_once(resolution.program.assumed, Constraint{less, Relation::less_equal, more});
}

std::optional<std::int64_t> constant_divisor(Resolution& resolution, const Affine& divisor) {
  const auto value = value_now(resolution, divisor);
  if (!value || *value <= 0) return std::nullopt;
  if (!divisor.is_constant()) assume_equal(resolution, divisor, Affine(*value));
  return value;
}

}  // namespace trellis::lang::resolving
