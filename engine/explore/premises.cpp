#include "engine/explore/premises.hpp"

namespace trellis::explore {

Premises::Premises(const loop::Stmt& nest, const loop::Bindings& bindings) : bindings_(bindings) {
  for (const auto& [name, value] : bindings.parameters)
    if (format::is_integer(value.type)) sizes_[name] = value.as_integer();
  std::vector<int> above;
  gather(nest, above);
}

void Premises::gather(const loop::Stmt& statement, std::vector<int>& above) {
  const int id = statement.id();
  above_[id] = above;
  if (const auto* assign = statement.as<loop::Assign>())
    for (const int one : above) parts_[one].inside.push_back(assign);
  const bool decides = statement.as<loop::If>() || statement.as<loop::While>();
  const bool is_premise = decides || statement.as<loop::Let>();
  if (is_premise) parts_[id].decides = decides, above.push_back(id);
  loop::for_each_child(
      statement, [&](const loop::Stmt& child) { gather(child, above); }, [](const lang::Expr&) {});
  if (is_premise) above.pop_back();
}

Trace::Premise Premises::begin(const loop::Moment& moment, std::size_t steps, std::size_t number) {
  const int id = moment.statement.id();
  const Part& part = parts_.at(id);
  Trace::Premise premise{steps, around(id), {}, part.decides};
  newest_[id] = number;
  Names names = sizes_;
  for (const auto& [name, value] : moment.loops) names[name] = value;
  for (const loop::Assign* assign : part.inside)
    if (auto target = target_of(*assign, names)) premise.targets.push_back(std::move(*target));
  return premise;
}

std::vector<std::size_t> Premises::around(int statement) const {
  std::vector<std::size_t> numbers;
  for (const int one : above_.at(statement))
    if (const auto newest = newest_.find(one); newest != newest_.end()) numbers.push_back(newest->second);
  return numbers;
}

// Empty where a loop inside, or a tensor, tells the element, and where there is no such element.
std::optional<Trace::Touch> Premises::target_of(const loop::Assign& assign, const Names& names) const {
  const auto& access = *assign.target.as<lang::Access>();
  const auto tensor = bindings_.tensors.find(access.tensor);
  Trace::Touch touch{access.tensor, {}, {}};
  for (const lang::Expr& index : access.indices) {
    const auto at = evaluate(index, names);
    if (!at) return std::nullopt;
    const std::size_t dimension = touch.index.size();
    if (tensor != bindings_.tensors.end() && (*at < 0 || *at >= tensor->second.shape()[dimension])) return std::nullopt;
    touch.index.push_back(*at);
  }
  return touch;
}

}  // namespace trellis::explore
