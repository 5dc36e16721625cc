#include "engine/lang/program.hpp"

#include <set>

#include "engine/lang/action.hpp"
#include "engine/lang/distinct_names.hpp"
#include "engine/math/sizes.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang {

namespace {

void collect_reads(const Expr& expr, DistinctNames& into) {
  if (const auto* access = expr.as<Access>()) into.add(access->tensor);
  for_each_child(expr, [&](const Expr& child) { collect_reads(child, into); });
}

void collect_reduced(const Expr& expr, DistinctNames& into) {
  if (const auto* reduce = expr.as<Reduce>())
    for (const std::string& name : reduce->domain.variables) into.add(name);
  for_each_child(expr, [&](const Expr& child) { collect_reduced(child, into); });
}

using Names = std::set<std::string>;

/// `visit(action, the tensors that blocks around it declare)`, in program order.
template <class F>
void each_action(const Actions& actions, Names declared, F&& visit) {
  for (const Action& one : actions) {
    if (const auto* declare = one.as<action::Declare>()) declared.insert(declare->tensor.name);
    visit(one, declared);
    for (const Actions* body : action::bodies(one)) each_action(*body, declared, visit);
  }
}

template <class F>
void each_action(const std::optional<Actions>& loops, F&& visit) {
  if (loops) each_action(*loops, Names{}, visit);
}

template <class Items>
auto find_named(const Items& items, const std::string& wanted) -> decltype(items.data()) {
  for (const auto& item : items)
    if (item.name == wanted) return &item;
  return nullptr;
}

}  // namespace

std::vector<std::string> Kernel::results() const {
  DistinctNames names;
  for (const Equation& equation : equations) names.add(equation.access().tensor);
  each_action(loops, [&](const Action& action, const Names& declared) {
    const auto* assign = action.as<action::Assign>();
    const auto* reset = action.as<action::Reset>();
    if (!assign && !reset) return;
    const std::string& written = reset ? reset->tensor : assign->target.as<Access>()->tensor;
    if (!declared.contains(written)) names.add(written);
  });
  return names.all();
}

std::vector<std::string> Kernel::operands() const {
  DistinctNames names;
  for (const Equation& equation : equations) {
    for (const Expr& index : equation.access().indices) collect_reads(index, names);
    collect_reads(equation.right, names);
  }
  each_action(loops, [&](const Action& action, const Names& declared) {
    DistinctNames read;
    for (const Expr& expr : action::expressions(action)) {
      const auto* assign = action.as<action::Assign>();
      const bool overwritten = assign && !assign->op && expr.same(assign->target);
      if (!overwritten) collect_reads(expr, read);
      else for_each_child(expr, [&](const Expr& index) { collect_reads(index, read); });
    }
    for (const std::string& tensor : read.all())
      if (!declared.contains(tensor)) names.add(tensor);
  });
  if (until) collect_reads(until->condition, names);
  for (const Schedule::Mask& mask : schedule.masks)
    if (mask.pattern) names.add(*mask.pattern);
  for (const Schedule::Supernodes& supernodes : schedule.supernodes)
    if (!supernodes.panels.empty()) names.add(supernodes.partition), names.add(supernodes.updates());
  return names.all();
}

std::vector<std::string> Kernel::variables() const {
  DistinctNames names;
  for (const Equation& equation : equations)
    for (const std::string& v : equation.domain.variables) names.add(v);
  for (const Equation& equation : equations) collect_reduced(equation.right, names);
  each_action(loops, [&](const Action& action, const Names&) {
    if (const auto* f = action.as<action::For>()) names.add(f->variable);
  });
  if (until) collect_reduced(until->condition, names);
  return names.all();
}

const TensorInfo* Program::tensor(const std::string& name) const { return find_named(tensors, name); }
const ParameterInfo* Program::parameter(const std::string& name) const { return find_named(parameters, name); }
const Function* Program::function(const std::string& name) const { return find_named(functions, name); }
const Kernel* Program::kernel(const std::string& name) const { return find_named(kernels, name); }

namespace {

void assume_sizes(const TensorInfo& tensor, std::vector<math::Constraint>& assumptions) {
  for (const math::Affine& size : tensor.shape) {
    math::Constraint constraint{size, math::Relation::greater_equal, math::Affine(0)};
    if (!size.is_constant()) add_once(assumptions, std::move(constraint));
  }
}

}  // namespace

std::vector<math::Constraint> size_assumptions(const Program& program) {
  std::vector<math::Constraint> assumptions = program.assumed;
  for (const TensorInfo& tensor : program.tensors) assume_sizes(tensor, assumptions);
  for (const math::Constraint& constraint : program.sized_elsewhere) add_once(assumptions, constraint);
  return assumptions;
}

std::string assumed_sizes(const Program& program) {
  std::string text;
  for (const math::Constraint& c : program.assumed) {
    const auto name = c.left.as_name();
    if (name && math::is_product(*name)) continue;  // follows from its factors
    text += (text.empty() ? "" : ", ") + math::to_string(c);
  }
  return text;
}

std::string proven_sizes(const Program& program) {
  const std::string assumed = assumed_sizes(program);
  return "for " + (assumed.empty() ? "all sizes" : assumed);
}

}  // namespace trellis::lang
