#include "engine/coiterate/lower_functions.hpp"

#include "engine/coiterate/recursion.hpp"

namespace trellis::coiterate {

namespace {

Stmt steps(Context& in, const std::vector<lang::FunctionStep>& all) {
  Seq seq;
  for (const lang::FunctionStep& step : all) {
    const auto add = [&](auto node) {
      seq.statements.push_back(Stmt(StmtNode{std::move(node), step->span}, in.origins.here()));
    };
    step.match(
        [&](const lang::FunctionAssign& a) {
          add(Assign{a.name, root(), {}, lower_expr(in, a.value)});
        },
        [&](const lang::FunctionWhile& w) {
          Expr condition = lower_expr(in, w.condition);
          add(While{condition, steps(in, w.body)});
        },
        [&](const lang::FunctionIf& i) {
          If lowered{lower_expr(in, i.condition), steps(in, i.then), {}};
          if (!i.otherwise.empty()) lowered.otherwise = steps(in, i.otherwise);
          add(std::move(lowered));
        });
  }
  return Stmt(StmtNode{std::move(seq), {}}, in.origins.here());
}

Tensor scalar(const std::string& name, format::ScalarType type) {
  return {name, type, {}, {}, Tensor::Storage::temporary};
}

}  // namespace

Function lower_function(Context& in, const lang::Function& f) {
  const Scoped inside(in.origins.function, std::optional(f.origin));
  Function result{f.name, {}, {}, steps(in, f.body), lower_expr(in, f.result)};
  for (const auto& v : f.parameters) result.parameters.push_back(scalar(v.name, v.type));
  for (const auto& v : f.locals) result.locals.push_back(scalar(v.name, v.type));
  for (int place = 0; place < std::ssize(f.parameters); ++place) result.annihilators.push_back(f.annihilators(place));
  return result;
}

}  // namespace trellis::coiterate
