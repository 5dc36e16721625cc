#include "engine/session/running/time_orders.hpp"

#include <algorithm>

#include "engine/run/timing.hpp"
#include "engine/session/running/execution.hpp"

namespace trellis::session {
namespace {

// There are many orders: a rough figure of each says more than an exact one of a few.
constexpr run::Patience rough{.runs = 30, .seconds = 0.3};

std::optional<double> median_of(State& state, lang::Kernel kernel, const lang::Order& order, run::Backend backend,
                                Words& words, text::Diagnostics& diagnostics) try {
  kernel.schedule.order = order;
  Exit exit = Exit::success;
  auto prepared = prepare(state, kernel, words.whole(), diagnostics, exit);
  const run::Kernel* code = prepared ? state.machine_code(*prepared->compilation, backend, diagnostics, exit) : nullptr;
  if (!code) return std::nullopt;
  const run::Timing timing = run::repeat_until_stable(*code, prepared->bindings, state.options.limits, rough);
  if (timing.outcome.status != run::Outcome::Status::interrupted)
    report_failure(timing.outcome, *prepared->compilation, prepared->before, diagnostics);
  if (timing.ms.empty() || timing.outcome.status != run::Outcome::Status::ok) return std::nullopt;
  return timing.median;
} catch (const text::Cancelled&) {
  return std::nullopt;  // those measured before are worth showing
}

}  // namespace

bool time_orders(State& state, const lang::Kernel& given, OrdersListed& listed, Words& words) {
  const lang::Kernel kernel = given;  // compiling others may renew the program that holds it
  explore::OrderTable& table = listed.table;
  const auto legal = std::ranges::count_if(table.orders, &explore::Verdict::legal);
  std::ptrdiff_t tried = 0, measured = 0;
  text::Diagnostics first;
  listed.filled = 0;
  for (explore::Verdict& verdict : table.orders) {
    if (state.cancel.requested()) break;
    if (verdict.legal) {
      state.tell({"timing order", ++tried, legal, lang::to_string(verdict.order)});
      text::Diagnostics problems;
      verdict.median_ms = median_of(state, kernel, verdict.order, *listed.timed, words, problems);
      if (state.cancel.requested()) break;
      measured += verdict.median_ms.has_value();
      if (first.empty()) first = std::move(problems);
    }
    ++*listed.filled;
    if (state.filling) state.filling(listed);
  }
  listed.stopped = *listed.filled < table.orders.size();
  listed.filled.reset();
  if (measured > 0 || legal == 0 || listed.stopped) return true;
  words.diagnostics().append(first);
  return false;
}

}  // namespace trellis::session
