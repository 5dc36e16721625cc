#include "engine/cost/shape.hpp"

#include <algorithm>

#include "engine/cost/data.hpp"
#include "engine/flow/only_statement.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::cost {
namespace {

constexpr double most_unrolled = 16;

}  // namespace

std::optional<double> unrolled_trips(const flow::Loop& loop) {
  const auto low = value_of(loop.low, {}), high = value_of(loop.high, {});
  const bool plain = flow::is_plain(loop, {flow::But::down, flow::But::counting, flow::But::carries});
  if (!low || !high || !plain || *high - *low > most_unrolled) return std::nullopt;
  bool alone = true;
  flow::for_each_stmt(loop.body, [&](const flow::Stmt& s) {
    const auto* inner = s.as<flow::Loop>();
    alone &= !s.as<flow::Coiterate>() && !s.as<flow::While>() && (!inner || unrolled_trips(*inner));
  });
  return alone ? std::optional(std::max(0.0, *high - *low)) : std::nullopt;
}

std::optional<RegisterTile> register_tile(const flow::Loop& rows, const flow::Flow& flow) {
  const auto trips = [](const flow::Loop& loop) -> std::optional<double> {
    const auto low = value_of(loop.low, {}), high = value_of(loop.high, {});
    return low && high ? std::optional(*high - *low) : std::nullopt;
  };
  const auto is_local = [&](const std::string& name) {
    const flow::Tensor* tensor = flow.tensor(name);
    return tensor && tensor->storage == flow::Tensor::Storage::temporary && tensor->levels.size() == 2 &&
           std::ranges::all_of(tensor->levels,
                               [](const auto& level) { return level.facts.dense() && value_of(level.size, {}); });
  };
  const flow::Stmt* inside = flow::only_statement(rows.body);
  const auto* columns = inside ? inside->as<flow::Loop>() : nullptr;
  const flow::Stmt* body = columns ? flow::only_statement(columns->body) : nullptr;
  const auto* assign = body ? body->as<flow::Assign>() : nullptr;
  if (!assign || !trips(rows) || !trips(*columns)) return std::nullopt;
  std::string array = is_local(assign->tensor) ? assign->tensor : "";
  if (const auto* value = assign->value.as<flow::Value>(); value && array.empty() && is_local(value->tensor))
    array = value->tensor;
  if (array.empty()) return std::nullopt;
  return RegisterTile{&rows, columns, assign, *trips(rows), *trips(*columns), array};
}

bool is_shaped_by(const flow::Stmt& body, const std::string& variable) {
  bool shaped = false;
  flow::for_each_stmt(body, [&](const flow::Stmt& s) {
    if (const auto* l = s.as<flow::Loop>()) shaped |= flow::names(l->low, variable) || flow::names(l->high, variable);
    if (const auto* c = s.as<flow::Coiterate>())
      shaped |= flow::names(c->low, variable) || flow::names(c->high, variable);
    if (const auto* i = s.as<flow::If>()) shaped |= flow::names(i->condition, variable);
    if (const auto* l = s.as<flow::Let>()) shaped |= flow::names(l->value, variable);
  });
  return shaped;
}

}  // namespace trellis::cost
