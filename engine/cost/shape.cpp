#include "engine/cost/shape.hpp"

#include <algorithm>

#include "engine/cost/data.hpp"

namespace trellis::cost {
namespace {

constexpr double most_unrolled = 16;

bool names(const flow::Expr& e, const std::string& variable) {
  const auto* n = e.as<flow::Name>();
  bool found = n && n->name == variable;
  flow::map_children(e, [&](const flow::Expr& child) {
    found |= names(child, variable);
    return child;
  });
  return found;
}

}  // namespace

std::optional<double> unrolled_trips(const flow::Loop& loop) {
  const auto low = value_of(loop.low, {}), high = value_of(loop.high, {});
  const bool plain =
      !loop.until && !loop.unless && loop.takes_each() && loop.execution == flow::Loop::Execution::serial;
  if (!low || !high || !plain || *high - *low > most_unrolled) return std::nullopt;
  bool alone = true;
  flow::for_each_stmt(loop.body, [&](const flow::Stmt& s) {
    const auto* inner = s.as<flow::Loop>();
    alone &= !s.as<flow::Coiterate>() && !s.as<flow::While>() && (!inner || unrolled_trips(*inner));
  });
  return alone ? std::optional(std::max(0.0, *high - *low)) : std::nullopt;
}

bool is_shaped_by(const flow::Stmt& body, const std::string& variable) {
  bool shaped = false;
  flow::for_each_stmt(body, [&](const flow::Stmt& s) {
    if (const auto* l = s.as<flow::Loop>()) shaped |= names(l->low, variable) || names(l->high, variable);
    if (const auto* c = s.as<flow::Coiterate>()) shaped |= names(c->low, variable) || names(c->high, variable);
    if (const auto* i = s.as<flow::If>()) shaped |= names(i->condition, variable);
    if (const auto* l = s.as<flow::Let>()) shaped |= names(l->value, variable);
  });
  return shaped;
}

}  // namespace trellis::cost
