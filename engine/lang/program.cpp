#include "engine/lang/program.hpp"

#include <algorithm>

namespace trellis::lang {

namespace {

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void collect_reads(const Expr& expr, std::vector<std::string>& into) {
  if (const auto* access = expr.as<Access>()) add_name(into, access->tensor);
  for_each_child(expr, [&](const Expr& child) { collect_reads(child, into); });
}

void collect_reduced(const Expr& expr, std::vector<std::string>& into) {
  if (const auto* reduce = expr.as<Reduce>())
    for (const std::string& name : reduce->domain.variables) add_name(into, name);
  for_each_child(expr, [&](const Expr& child) { collect_reduced(child, into); });
}

template <class Items>
auto find_named(const Items& items, const std::string& wanted) -> decltype(items.data()) {
  for (const auto& item : items)
    if (item.name == wanted) return &item;
  return nullptr;
}

}  // namespace

std::vector<std::string> Kernel::results() const {
  std::vector<std::string> names;
  for (const Equation& equation : equations) add_name(names, equation.access().tensor);
  return names;
}

std::vector<std::string> Kernel::operands() const {
  std::vector<std::string> names;
  for (const Equation& equation : equations) {
    for (const Expr& index : equation.access().indices) collect_reads(index, names);
    collect_reads(equation.right, names);
  }
  return names;
}

std::vector<std::string> Kernel::variables() const {
  std::vector<std::string> names;
  for (const Equation& equation : equations)
    for (const std::string& v : equation.domain.variables) add_name(names, v);
  for (const Equation& equation : equations) collect_reduced(equation.right, names);
  return names;
}

const TensorInfo* Program::tensor(const std::string& name) const { return find_named(tensors, name); }
const ParameterInfo* Program::parameter(const std::string& name) const { return find_named(parameters, name); }
const Function* Program::function(const std::string& name) const { return find_named(functions, name); }
const Kernel* Program::kernel(const std::string& name) const { return find_named(kernels, name); }

std::vector<math::Constraint> size_assumptions(const Program& program) {
  std::vector<math::Constraint> assumptions;
  for (const TensorInfo& tensor : program.tensors)
    for (const math::Affine& size : tensor.shape) {
      math::Constraint constraint{size, math::Relation::greater_equal, math::Affine(0)};
      if (!size.is_constant() && std::find(assumptions.begin(), assumptions.end(), constraint) == assumptions.end())
        assumptions.push_back(std::move(constraint));
    }
  return assumptions;
}

}  // namespace trellis::lang
