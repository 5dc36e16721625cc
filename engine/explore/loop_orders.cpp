#include "engine/explore/loop_orders.hpp"

#include <algorithm>

#include "engine/explore/loop_extent.hpp"
#include "engine/schedule/mark.hpp"
#include "engine/schedule/wording.hpp"

namespace trellis::explore {
namespace {

using loop::Stmt;

/// Loops without their numbers, which are then decided about anew.
Stmt undecided(const Stmt& stmt) {
  const Stmt inner = loop::map_children(
      stmt, [](const Stmt& child) { return undecided(child); }, [](const loop::Expr& expr) { return expr; });
  return inner.as<loop::For>() ? schedule::rebuilt(*inner.as<loop::For>(), inner) : inner;
}

Stmt decided(const Stmt& loops, const lang::Program& program, math::Solver& solver) {
  return loop::number(schedule::decide_kinds(undecided(loops), schedule::analyse(loops, program, solver)));
}

void collect_nested(const Stmt& stmt, std::vector<std::string>& outer,
                    std::vector<std::pair<std::string, std::string>>& into) {
  const auto* f = stmt.as<loop::For>();
  if (f) {
    for (const std::string& name : outer) {
      const std::pair<std::string, std::string> pair(name, f->variable);
      if (std::ranges::find(into, pair) == into.end()) into.push_back(pair);
    }
    outer.push_back(f->variable);
  }
  loop::for_each_child(
      stmt, [&](const Stmt& child) { collect_nested(child, outer, into); }, [](const loop::Expr&) {});
  if (f) outer.pop_back();
}

}  // namespace

lang::Order LoopOrders::order_of(const Stmt& loops) const {
  lang::Order order;
  loop::for_each(loops, [&](const Stmt& stmt) {
    const auto* f = stmt.as<loop::For>();
    if (!f || std::ranges::find(names_, f->variable) == names_.end()) return;
    if (std::ranges::find(order, f->variable, &lang::LoopName::name) == order.end())
      order.push_back({f->variable, f->descending});
  });
  return order;
}

LoopOrders::LoopOrders(const Stmt& loops, std::vector<std::string> names, const lang::Program& program)
    : program_(program),
      names_(std::move(names)),
      solver_(std::make_unique<math::Solver>(lang::size_assumptions(program))),
      loops_(decided(loops, program, *solver_)),
      nest_(schedule::analyse(loops_, program, *solver_)) {
  std::vector<std::string> outer;
  collect_nested(loops_, outer, nested_);
}

std::optional<std::pair<std::string, std::string>> LoopOrders::both_ways() const {
  const auto is_named = [&](const std::string& name) { return std::ranges::find(names_, name) != names_.end(); };
  for (const auto& [outer, inner] : nested_) {
    const std::pair<std::string, std::string> turned(inner, outer);
    if (is_named(outer) && is_named(inner) && std::ranges::find(nested_, turned) != nested_.end())
      return std::pair(outer, inner);
  }
  return std::nullopt;
}

lang::Order LoopOrders::completed(const std::optional<lang::Order>& order) {
  if (!order) return order_of(loops_);
  const auto taken = attempt(*order);
  if (const auto* applied = std::get_if<schedule::Applied>(&taken)) return order_of(applied->after);
  lang::Order all = *order;
  for (const lang::LoopName& loop : order_of(loops_))
    if (std::ranges::find(all, loop.name, &lang::LoopName::name) == all.end()) all.push_back(loop);
  return all;
}

Judge LoopOrders::judge() {
  return {[this](const lang::Order& order) { return judged(order).legal; },
          [this](const lang::Order& order) {
            Verdict verdict = judged(order);
            verdict.order = order;
            return verdict;
          }};
}

LoopOrders::Arrangement LoopOrders::arrangement(const lang::Order& order) const {
  const auto place = [&](const std::string& name) { return std::ranges::find(order, name, &lang::LoopName::name); };
  Arrangement result;
  for (const auto& [a, b] : nested_) {
    result.push_back(place(a) != order.end() && place(b) != order.end());
    result.push_back(place(a) < place(b));
  }
  for (const lang::LoopName& loop : order_of(loops_)) {
    const auto here = place(loop.name);
    result.push_back(here != order.end());
    result.push_back(here != order.end() && here->descending);
  }
  return result;
}

std::variant<schedule::Applied, schedule::Refusal> LoopOrders::attempt(const lang::Order& order) {
  return schedule::try_order(loops_, nest_, order, program_, *solver_);
}

const Verdict& LoopOrders::judged(const lang::Order& order) {
  const Arrangement same = arrangement(order);
  if (const auto known = judged_.find(same); known != judged_.end()) return known->second;
  auto taken = attempt(order);
  Verdict verdict;
  verdict.order = order;
  if (std::holds_alternative<schedule::Applied>(taken)) {
    verdict.legal = true;
  } else {
    verdict.reason = std::get<schedule::Refusal>(taken).reason;
  }
  return judged_[same] = std::move(verdict);
}

Why LoopOrders::why(const lang::Order& order) {
  Why result{order, false, {}, {}, {}, {}, {}, {}};
  auto taken = attempt(order);
  result.legal = std::holds_alternative<schedule::Applied>(taken);
  if (result.legal) return result;
  result.refusal = std::get<schedule::Refusal>(std::move(taken));
  result.reason = result.refusal->reason;
  if (const auto& violation = result.refusal->violation) {
    result.instance = schedule::to_instance(*violation);
    result.extent = measure_extent(loops_, nest_, *violation, program_);
  }
  result.nearest = nearest_legal(judge(), order);
  return result;
}

text::Diagnostic LoopOrders::to_diagnostic(const Why& why, text::Span span) {
  text::Diagnostic d = schedule::to_diagnostic(*why.refusal, loops_, why.order, span, program_, *solver_);
  add_remedies(d, why);
  return d;
}

}  // namespace trellis::explore
