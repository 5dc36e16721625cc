#include "engine/explore/count_steps.hpp"

#include <algorithm>
#include <map>

namespace trellis::explore {
namespace {

bool floating(const flow::Expr& e) { return format::is_floating(e->type); }

/// Of a choice the dearer side: what is absent is a constant.
std::int64_t operations_of(const flow::Expr& e) {
  if (const auto* s = e.as<flow::Select>())
    return operations_of(s->condition) + std::max(operations_of(s->then), operations_of(s->otherwise));
  const bool counts = floating(e) && (e.as<flow::Binary>() || e.as<flow::Call>() || e.as<flow::Apply>());
  std::int64_t total = counts ? 1 : 0;
  flow::for_each_child(e, [&](const flow::Expr& child) { total += operations_of(child); });
  return total;
}

class OperationCounter : public flow::Observer {
 public:
  std::int64_t operations = 0;

  Go begin(const flow::Moment& m) override {
    const auto [known, fresh] = of_statement_.try_emplace(m.statement.id(), 0);
    if (fresh) known->second = of(m.statement);
    operations += known->second;
    return Go::on;
  }

 private:
  static std::int64_t of(const flow::Stmt& statement) {
    if (const auto* let = statement.as<flow::Let>()) return operations_of(let->value);
    if (const auto* a = statement.as<flow::Assign>())
      return operations_of(a->value) + (a->op && floating(a->value) ? 1 : 0);
    const auto* append = statement.as<flow::Append>();
    return append && !append->counted ? operations_of(append->value) : 0;
  }
  std::map<int, std::int64_t> of_statement_;
};

}  // namespace

StepCount count_steps(const flow::Flow& flow, const flow::Bindings& bindings) {
  OperationCounter counter;
  const flow::Execution execution = flow::interpret(flow, bindings, {}, &counter);
  return {execution.steps, counter.operations, execution.fault};
}

}  // namespace trellis::explore
