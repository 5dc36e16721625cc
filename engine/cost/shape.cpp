#include "engine/cost/shape.hpp"

#include <algorithm>

#include "engine/cost/data.hpp"
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
