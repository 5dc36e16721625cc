#include "engine/emit/assign.hpp"

#include "engine/emit/shorthand.hpp"

namespace trellis::emit {

namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;

bool has_logical(const flow::Expr& e) {
  const auto* b = e.as<flow::Binary>();
  bool found = b && format::is_logical(b->op);
  flow::for_each_child(e, [&](const flow::Expr& child) { found |= has_logical(child); });
  return found;
}

std::string compound(ReduceOp op, ScalarType type) {
  if (format::is_boolean(type)) return op == ReduceOp::prod || op == ReduceOp::all ? "&=" : "|=";
  return op == ReduceOp::sum ? "+=" : "*=";
}

c::Stmt declared(const std::string& name, const c::Expr& value, ScalarType type, const text::Origin& origin) {
  return c::stmt(c::Declaration{"const " + std::string(format::c_name(type)), name, {}, value}, origin);
}

}  // namespace

void assign(Context& out, const flow::Assign& a, const text::Origin& origin) {
  const ScalarType type = a.value->type;
  c::Expr target = out.expressions.element(a.tensor, a.position);
  auto emit = [&](const std::string& op, c::Expr value) {
    out.add(c::stmt(c::Assignment{target, op, std::move(value)}, origin));
  };
  if (a.op) {
    const bool negated = *a.op == ReduceOp::sum && !format::is_boolean(type) && a.value.as<flow::Unary>() &&
                         a.value.as<flow::Unary>()->op == format::UnaryOp::negate;
    if (negated) return emit("-=", out.expressions.expr(a.value.as<flow::Unary>()->operand));
    c::Expr value = out.expressions.expr(a.value);
    if (*a.op == ReduceOp::min || *a.op == ReduceOp::max) {
      const Helper helper = *a.op == ReduceOp::min ? Helper::min : Helper::max;
      return emit("=", c::call(out.prelude.use(helper, type), {target, value}));
    }
    const bool logical = *a.op == ReduceOp::any || *a.op == ReduceOp::all;
    if (logical && !format::is_boolean(type)) {
      return emit("=", c::binary(*a.op == ReduceOp::any ? "||" : "&&", target, value));
    }
    return emit(compound(*a.op, type), value);
  }
  const auto* b = a.value.as<flow::Binary>();
  const auto* left = b ? b->left.as<flow::Value>() : nullptr;
  const bool compoundable = b && !format::is_boolean(type) &&
                            (b->op == BinaryOp::add || b->op == BinaryOp::subtract || b->op == BinaryOp::multiply ||
                             (b->op == BinaryOp::divide && format::is_floating(type)));
  if (compoundable && left && *left == flow::Value{a.tensor, a.position}) {
    return emit(std::string(format::symbol(b->op)) + "=", out.expressions.expr(b->right));
  }
  emit("=", without_cast(out.expressions.expr(a.value), type));
}

c::Expr updated(Context& out, const flow::Assign& a) {
  const ScalarType type = a.value->type;
  const c::Expr target = out.expressions.element(a.tensor, a.position);
  const auto* negated = *a.op == ReduceOp::sum && !format::is_boolean(type) ? a.value.as<flow::Unary>() : nullptr;
  if (negated && negated->op == format::UnaryOp::negate)
    return arithmetic(type, "-", target, out.expressions.expr(negated->operand));
  return reduced(out, *a.op, type, target, out.expressions.expr(a.value));
}

c::Expr reduced(Context& out, ReduceOp op, ScalarType type, const c::Expr& left, const c::Expr& right) {
  if (op == ReduceOp::min || op == ReduceOp::max)
    return c::call(out.prelude.use(op == ReduceOp::min ? Helper::min : Helper::max, type), {left, right});
  if (format::is_boolean(type)) return c::binary(compound(op, type).substr(0, 1), left, right);
  if (op == ReduceOp::any || op == ReduceOp::all) return c::binary(op == ReduceOp::any ? "||" : "&&", left, right);
  return arithmetic(type, compound(op, type).substr(0, 1), left, right);
}

void assign_together(Context& out, const flow::Assign& a, const text::Origin& origin, bool last) {
  if (!a.op && !flow::mentions(a.value, a.tensor)) {  // whichever thread is last
    out.add(c::stmt(c::Pragma{"omp atomic write"}));
    return assign(out, a, origin);
  }
  const bool atomic = a.op && *a.op != ReduceOp::min && *a.op != ReduceOp::max &&
                      (format::is_boolean(a.value->type) || *a.op == ReduceOp::sum || *a.op == ReduceOp::prod);
  if (!atomic || !has_logical(a.value)) {
    out.add(c::stmt(c::Pragma{atomic ? "omp atomic" : "omp critical (update)"}));
    return assign(out, a, origin);
  }
  // GCC 12 evaluates both sides of `a && b` in an atomic update, even where a says that b has no value.
  out.scoped(last, [&] {
    const ScalarType type = a.value->type;
    const std::string name = a.tensor + "'update";
    const c::Expr value = without_cast(out.expressions.expr(a.value), type);
    out.add(declared(out.bind(name), value, type, origin));
    flow::Assign named = a;
    named.value = flow::Expr(flow::ExprNode{flow::Name{flow::Name::Kind::variable, name}, type, a.value->span});
    out.add(c::stmt(c::Pragma{"omp atomic"}));
    assign(out, named, origin);
  });
}

void fill(Context& out, const flow::Reset& r, const text::Origin& origin) {
  const flow::Tensor& tensor = *out.flow.tensor(r.tensor);
  const bool plain = r.value.as<flow::Constant>() || r.value.as<flow::Name>();
  out.open();
  c::Expr value = without_cast(out.expressions.expr(r.value), tensor.type);
  if (!plain) {
    const std::string local = out.bind("'value");
    out.add(declared(local, value, tensor.type, origin));
    value = c::token(local);
  }
  const c::Expr count = out.expressions.count(tensor);
  const c::Expr some = out.expressions.element(r.tensor, flow::root());
  out.open();
  const std::string p = out.bind("'p");
  out.add(c::stmt(c::Assignment{index(some.as<c::Index>()->array, c::token(p)), "=", value}, origin));
  const c::Stmt body = out.close();
  out.add(c::stmt(c::For{p, c::number(0), c::binary("<", c::token(p), count), p + "++", body}, origin));
  const c::Stmt all = out.close();
  out.add(plain ? all.as<c::Block>()->statements.front() : all);
}

}  // namespace trellis::emit
