// Affine forms straight from syntax: sizes and the sides of constraints.

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/math/exact.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using math::Affine;

namespace {

class AffineReader {
 public:
  AffineReader(Resolution& resolution, const std::vector<std::string>& variables, const char* what)
      : resolution_(resolution), variables_(variables), what_(what) {}

  std::optional<Affine> read(const syntax::Expr& e) {
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
    return refuse(e, "this is not");
  }

 private:
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
        if (left->is_constant()) return left->constant * *right;
        if (right->is_constant()) return right->constant * *left;
        return refuse(e, "a product of two names is not");
      case BinaryOp::divide:
      case BinaryOp::modulo:
        if (!right->is_constant() || right->constant <= 0)
          return refuse(e, "division by anything but a positive constant is not");
        return b.op == BinaryOp::divide ? Affine::div(*left, right->constant) : Affine::mod(*left, right->constant);
      default: return refuse(e, "this operator is not");
    }
  }

  static bool overflows(BinaryOp op, std::int64_t a, std::int64_t b) {
    return (op == BinaryOp::add && !math::exact_sum(a, b)) || (op == BinaryOp::subtract && !math::exact_difference(a, b)) ||
           (op == BinaryOp::multiply && !math::exact_product(a, b));
  }

  std::optional<Affine> refuse(const syntax::Expr& e, const std::string& because) {
    auto& diagnostic = resolution_.error("E0303", e->span, std::string(what_) + " must be affine", because + " affine");
    diagnostic.notes.push_back({{}, "affine: sums of integers and names, times, / or % a constant"});
    return std::nullopt;
  }

  Resolution& resolution_;
  const std::vector<std::string>& variables_;
  const char* what_;
};

}  // namespace

std::optional<Affine> affine_of(Resolution& resolution, const syntax::Expr& expr,
                                const std::vector<std::string>& variables, const char* what) {
  return AffineReader(resolution, variables, what).read(expr);
}

}  // namespace trellis::lang::resolving
