#include "engine/session/live/drop_slots.hpp"

#include <algorithm>

#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/session/stages/formats.hpp"

namespace trellis::session {
namespace {

lang::Order moved(lang::Order order, int from, int to) {
  const auto at = [&](int k) { return order.begin() + k; };
  if (from < to) std::rotate(at(from), at(from + 1), at(to + 1));
  else std::rotate(at(to), at(from), at(from + 1));
  return order;
}

std::vector<flow::LookUp> discordant_look_ups(State& state, lang::Kernel kernel, const lang::Order& order) {
  kernel.schedule.order = order;
  text::Diagnostics ignored;
  const auto compiled = state.compilation(kernel, ignored);
  if (!compiled) return {};
  std::vector<flow::LookUp> found = flow::look_ups(compiled->flow, sizes_of(state, compiled->program)).all;
  std::erase_if(found, [](const flow::LookUp& one) { return !one.searches() || !one.against_storage(); });
  return found;
}

}  // namespace

std::vector<DropSlot> drop_slots(State& state, const lang::Kernel& kernel, int loop, text::Diagnostics& diagnostics,
                                 bool estimated) {
  std::vector<DropSlot> slots;
  const auto orders = KernelOrders::of(state, kernel, diagnostics);
  if (!orders) return slots;
  const explore::Judge judge = orders->judge();
  const auto count = static_cast<int>(orders->present().size());
  std::vector<explore::Verdict> verdicts;
  for (int slot = 0; slot < count; ++slot) {
    verdicts.push_back(judge.verdict(moved(orders->present(), loop, slot)));
    verdicts.back().distance = std::abs(slot - loop);
  }
  if (estimated) estimate_orders(state, kernel, verdicts);
  const Offer offer = state.offer;  // what is tried out offers nothing
  for (int slot = 0; slot < count; ++slot) {
    const explore::Verdict& verdict = verdicts[static_cast<std::size_t>(slot)];
    slots.push_back({slot, verdict, {}});
    if (verdict.legal && estimated) slots.back().discordant = discordant_look_ups(state, kernel, verdict.order);
  }
  state.offer = offer;
  return slots;
}

}  // namespace trellis::session
