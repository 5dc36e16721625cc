#include "engine/flow/fuse_products.hpp"

#include <algorithm>

namespace trellis::flow {

namespace {

using Kind = lang::ScheduleStep::Kind;

/// Of floating numbers only: an integer product is exact.
const Binary* floating_product(const Expr& expr) {
  const auto* b = expr.as<Binary>();
  return b && b->op == format::BinaryOp::multiply && format::is_floating(expr->type) ? b : nullptr;
}

class Fusing {
 public:
  bool fused = false;

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* a = inner.as<Assign>();
    const Binary* product = a && a->op == format::ReduceOp::sum && !a->atomic ? floating_product(a->value) : nullptr;
    if (!product) return inner;
    fused = true;
    const Expr before(ExprNode{Value{a->tensor, a->position}, a->value->type, a->value->span});
    Assign added = *a;
    added.op.reset();
    added.value = Expr(
        ExprNode{Call{format::Function::fma, {product->left, product->right, before}}, a->value->type, a->value->span});
    return Stmt(StmtNode{std::move(added), s->span}, s.origin(), s.id());
  }
};

bool has_fused_multiply_add() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("fma") != 0;
#else
  return true;
#endif
}

}  // namespace

std::optional<Flow> fuse_products(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  const auto step = std::ranges::find(kernel.schedule.steps, Kind::fused, &lang::ScheduleStep::kind);
  if (step == kernel.schedule.steps.end()) return flow;
  if (!has_fused_multiply_add()) {
    diagnostics.error("E0161", step->span, "this processor has no instruction that multiplies and adds at once",
                      "without it each product would be computed step by step: leave `fused` out");
    return std::nullopt;
  }
  Fusing fusing;
  Flow result = flow;
  result.root = fusing.visit(flow.root);
  if (fusing.fused) return result;
  diagnostics.error("E0161", step->span, "nothing here adds a product of floating numbers to a sum",
                    "`fused` is for updates such as s += a*b");
  return std::nullopt;
}

}  // namespace trellis::flow
