#include "engine/session/state/compiled.hpp"

#include <algorithm>

#include "engine/lang/action.hpp"

namespace trellis::session {
namespace {

using lang::Expr;

/// Equal, and written at the same place of the same source: what messages point at.
bool same_written(const Expr& a, const Expr& b) {
  if (a.same(b)) return true;
  if (!a || !b || a->span != b->span || a.id() != b.id() || a.origin() != b.origin() || a != b) return false;
  std::vector<Expr> left, right;
  lang::for_each_child(a, [&](const Expr& child) { left.push_back(child); });
  lang::for_each_child(b, [&](const Expr& child) { right.push_back(child); });
  return std::ranges::equal(left, right, [](const Expr& one, const Expr& other) { return same_written(one, other); });
}

bool same_written(const lang::Equation& a, const lang::Equation& b) {
  return a.span == b.span && a.id == b.id && a.domain == b.domain && same_written(a.left, b.left) &&
         same_written(a.right, b.right);
}

bool same_written(const std::optional<lang::Until>& a, const std::optional<lang::Until>& b) {
  if (!a || !b) return !a && !b;
  return a->span == b->span && a->variable == b->variable && a->domain == b->domain &&
         same_written(a->condition, b->condition);
}

bool same_written(const lang::ParameterInfo& a, const lang::ParameterInfo& b) {
  return a.name == b.name && a.real == b.real && a.value == b.value && a.span == b.span;
}

bool same_written(const lang::TensorInfo& a, const lang::TensorInfo& b) {
  return a == b && a.kind == b.kind && a.pad == b.pad && a.span == b.span;
}

bool same_written(const lang::Function& a, const lang::Function& b) {
  return a.name == b.name && a.parameters == b.parameters && a.locals == b.locals && a.body == b.body &&
         a.result == b.result && a.properties == b.properties && a.clauses == b.clauses && a.span == b.span;
}

/// Steps of a schedule and their like: equal, with equal spans.
template <class Step>
requires requires(const Step& s) {
  s.span;
  s == s;
}
bool same_written(const Step& a, const Step& b) { return a == b && a.span == b.span; }

template <class Items>
bool all_same_written(const Items& a, const Items& b) {
  return std::ranges::equal(a, b, [](const auto& one, const auto& other) { return same_written(one, other); });
}

bool same_written(const lang::Schedule& a, const lang::Schedule& b) {
  return a.order == b.order && a.order_span == b.order_span && a.loop_spans == b.loop_spans &&
         all_same_written(a.steps, b.steps) && all_same_written(a.inplace, b.inplace) &&
         all_same_written(a.workspaces, b.workspaces) && all_same_written(a.marches, b.marches) &&
         all_same_written(a.finds, b.finds) && all_same_written(a.distributions, b.distributions) &&
         all_same_written(a.pipelines, b.pipelines) && all_same_written(a.wavefronts, b.wavefronts) &&
         all_same_written(a.supernodes, b.supernodes);
}

}  // namespace

// Names first: most others differ in one already, and equations take longest.
bool CompiledKernel::made_from(const lang::Program& part, const lang::Kernel& kernel) const {
  const auto name = &lang::TensorInfo::name;
  return kernel_.name == kernel.name && std::ranges::equal(part_.tensors, part.tensors, {}, name, name) &&
         kernel_.equations.size() == kernel.equations.size() && kernel_.span == kernel.span &&
         kernel_.timesteps == kernel.timesteps && all_same_written(kernel_.equations, kernel.equations) &&
         same_written(kernel_.until, kernel.until) && kernel_.loops == kernel.loops &&
         all_same_written(kernel_.schedule.masks, kernel.schedule.masks) &&
         all_same_written(kernel_.schedule.wavefronts, kernel.schedule.wavefronts) &&
         all_same_written(part_.tensors, part.tensors) && all_same_written(part_.parameters, part.parameters) &&
         all_same_written(part_.ranks, part.ranks) && all_same_written(part_.functions, part.functions) &&
         part_.assumed == part.assumed && part_.sized_elsewhere == part.sized_elsewhere;
}

Attempt* CompiledKernel::attempt(const lang::Schedule& schedule, const std::set<std::string>& inherited) {
  return attempts_.find(
      [&](const Attempt& one) { return one.inherited == inherited && same_written(one.schedule, schedule); });
}

std::shared_ptr<CompiledKernel> CompiledKernels::of(const lang::Program& program, const lang::Kernel& kernel) {
  lang::Program part = lang::part_for(program, kernel);
  const auto same = [&](const std::shared_ptr<CompiledKernel>& one) { return one->made_from(part, kernel); };
  if (const auto* found = kernels_.find(same)) return *found;
  return kernels_.add(std::make_shared<CompiledKernel>(std::move(part), kernel));
}

std::shared_ptr<const CompiledKernel> CompiledKernels::known(const lang::Program& program,
                                                             const lang::Kernel& kernel) const {
  const lang::Program part = lang::part_for(program, kernel);
  const auto* found =
      kernels_.peek([&](const std::shared_ptr<CompiledKernel>& one) { return one->made_from(part, kernel); });
  return found ? *found : nullptr;
}

}  // namespace trellis::session
