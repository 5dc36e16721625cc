// A program without what one of its kernels does not read.

#include <algorithm>
#include <set>

#include "engine/lang/action.hpp"
#include "engine/lang/distinct_names.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

namespace {

using Names = std::set<std::string>;

/// Functions that an expression applies, and those that they apply.
class FunctionsApplied {
 public:
  explicit FunctionsApplied(const Program& program) : program_(program) {}

  void visit(const Expr& expr) {
    if (!expr) return;
    if (const auto* apply = expr.as<Apply>()) add(apply->function);
    if (const auto* reduce = expr.as<Reduce>(); reduce && !reduce->function.empty()) add(reduce->function);
    for_each_child(expr, [&](const Expr& child) { visit(child); });
  }

  Names names;

 private:
  void add(const std::string& name) {
    const Function* function = program_.function(name);
    if (!names.insert(name).second || !function) return;
    visit(function->body);
    visit(function->result);
    for (const Function::Clause& clause : function->clauses) visit(clause.result);
  }
  void visit(const std::vector<FunctionStep>& steps) {
    for (const FunctionStep& step : steps)
      step.match([&](const FunctionAssign& a) { visit(a.value); },
                 [&](const FunctionWhile& w) {
                   visit(w.condition);
                   visit(w.body);
                 },
                 [&](const FunctionIf& i) {
                   visit(i.condition);
                   visit(i.then);
                   visit(i.otherwise);
                 });
  }
  const Program& program_;
};

Names applied_in(const Program& program, const Kernel& kernel) {
  FunctionsApplied applied(program);
  for (const Equation& equation : kernel.equations) {
    applied.visit(equation.left);
    applied.visit(equation.right);
  }
  if (kernel.until) applied.visit(kernel.until->condition);
  if (kernel.loops)
    for (const Action& action : *kernel.loops)
      action::for_each(action, [&](const Action& one) {
        for (const Expr& expr : action::expressions(one)) applied.visit(expr);
      });
  return std::move(applied.names);
}

}  // namespace

std::vector<std::string> tensors_of(const Kernel& kernel) {
  DistinctNames names;
  for (const std::string& name : kernel.operands()) names.add(name);
  for (const std::string& name : kernel.results()) names.add(name);
  if (kernel.loops)
    for (const Action& action : *kernel.loops)
      action::for_each(action, [&](const Action& one) {
        if (const auto* lifecycle = one.as<action::Lifecycle>()) names.add(lifecycle->tensor);
      });
  return names.all();
}

Program part_for(const Program& program, const Kernel& kernel) {
  Program part;
  part.parameters = program.parameters;
  part.ranks = program.ranks;
  part.assumed = program.assumed;
  part.kernels = {kernel};
  const std::vector<std::string> all = tensors_of(kernel);
  Names used(all.begin(), all.end());
  for (const Schedule::Distribution& d : kernel.schedule.distributions)
    if (d.parts) used.insert(d.by);
  std::ranges::copy_if(program.tensors, std::back_inserter(part.tensors),
                       [&](const TensorInfo& t) { return used.contains(t.name); });
  const Names applied = applied_in(program, kernel);
  std::ranges::copy_if(program.functions, std::back_inserter(part.functions),
                       [&](const Function& f) { return applied.contains(f.name); });
  const std::vector<math::Constraint> own = size_assumptions(part);
  for (const math::Constraint& constraint : size_assumptions(program))
    if (!contains(own, constraint)) part.sized_elsewhere.push_back(constraint);
  return part;
}

}  // namespace trellis::lang
