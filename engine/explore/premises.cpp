#include "engine/explore/premises.hpp"

namespace trellis::explore {
namespace {

/// Of one premise: what decides about more than that is larger than any picture of it.
constexpr std::size_t most_targets = 4096;

}  // namespace

Premises::Premises(const loop::Stmt& nest, const loop::Bindings& bindings) : bindings_(bindings) {
  for (const auto& [name, value] : bindings.parameters)
    if (format::is_integer(value.type)) sizes_[name] = value.as_integer();
  std::vector<int> above;
  gather(nest, above);
}

void Premises::gather(const loop::Stmt& statement, std::vector<int>& above) {
  const int id = statement.id();
  above_[id] = above;
  const auto* loop = statement.as<loop::For>();
  const bool decides = statement.as<loop::If>() || statement.as<loop::While>() || (loop && loop->until);
  const bool is_premise = decides || statement.as<loop::Let>();
  if (is_premise) parts_[id].decides = decides, above.push_back(id);
  loop::for_each_child(
      statement,
      [&](const loop::Stmt& child) {
        if (is_premise) parts_[id].inside.push_back(child);
        gather(child, above);
      },
      [](const lang::Expr&) {});
  if (is_premise) above.pop_back();
}

void Premises::begin_loop(const loop::Moment& moment) { newest_.erase(moment.statement.id()); }

Names Premises::names_at(const loop::Moment& moment) const {
  Names names = sizes_;
  for (const auto& [name, value] : moment.loops) names[name] = value;
  return names;
}

Trace::Premise Premises::begin(const loop::Moment& moment, std::size_t steps, std::size_t number) {
  const int id = moment.statement.id();
  const Part& part = parts_.at(id);
  Trace::Premise premise{steps, around(id), {}, part.decides};
  newest_[id] = number;
  Names names = names_at(moment);
  for (const loop::Stmt& child : part.inside) add_targets(child, names, premise.targets);
  return premise;
}

// What the next iteration would write: of those behind it, which condition decides is not known yet.
Trace::Premise Premises::until(const loop::Moment& moment, std::size_t steps, std::size_t number) {
  const int id = moment.statement.id();
  const auto& loop = *moment.statement.as<loop::For>();
  Trace::Premise premise{steps, around(id), {}, true};
  if (const auto before = newest_.find(id); before != newest_.end()) premise.around.push_back(before->second);
  newest_[id] = number;
  Names names = names_at(moment);
  const auto low = evaluate(loop.low, names), high = evaluate(loop.high, names);
  const std::int64_t next = names[loop.variable] += loop.descending ? -1 : 1;
  if (low && high && *low <= next && next < *high) add_targets(loop.body, names, premise.targets);
  return premise;
}

/// Under whatever conditions; without those whose loops or indices depend on what tensors hold.
void Premises::add_targets(const loop::Stmt& statement, Names& names, std::vector<Trace::Touch>& targets) const {
  if (targets.size() >= most_targets) return;
  if (const auto* assign = statement.as<loop::Assign>()) {
    if (auto target = target_of(*assign, names)) targets.push_back(std::move(*target));
  } else if (const auto* loop = statement.as<loop::For>()) {
    const auto low = evaluate(loop->low, names), high = evaluate(loop->high, names);
    if (!low || !high) return;
    for (std::int64_t at = *low; at < *high && targets.size() < most_targets; ++at) {
      names[loop->variable] = at;
      add_targets(loop->body, names, targets);
    }
    names.erase(loop->variable);
  } else {
    loop::for_each_child(
        statement, [&](const loop::Stmt& child) { add_targets(child, names, targets); }, [](const lang::Expr&) {});
  }
}

std::vector<std::size_t> Premises::around(int statement) const {
  std::vector<std::size_t> numbers;
  for (const int one : above_.at(statement))
    if (const auto newest = newest_.find(one); newest != newest_.end()) numbers.push_back(newest->second);
  return numbers;
}

// Empty where a tensor tells the element, and where there is no such element.
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
