#include "engine/session/drop_slots.hpp"

#include <algorithm>

#include "engine/session/formats.hpp"
#include "engine/session/kernel_orders.hpp"
#include "engine/session/trial.hpp"

namespace trellis::session {
namespace {

lang::Order moved(lang::Order order, int from, int to) {
  const auto at = [&](int k) { return order.begin() + k; };
  if (from < to) std::rotate(at(from), at(from + 1), at(to + 1));
  else std::rotate(at(to), at(from), at(from + 1));
  return order;
}

std::vector<flow::LookUp> discordant_look_ups(State& state, const lang::Kernel& kernel, const lang::Order& order) {
  const auto compiled = compiled_with(state, kernel.name, "order " + lang::to_string(order));
  if (!compiled) return {};
  std::vector<flow::LookUp> found = flow::look_ups(compiled->flow, sizes_of(state, compiled->program)).all;
  std::erase_if(found, [](const flow::LookUp& one) { return !one.searches() || !one.against_storage(); });
  return found;
}

}  // namespace

std::vector<DropSlot> drop_slots(State& state, const lang::Kernel& kernel, int loop, text::Diagnostics& diagnostics) {
  std::vector<DropSlot> slots;
  const auto orders = KernelOrders::of(state, kernel, diagnostics);
  if (!orders) return slots;
  const explore::Judge judge = orders->judge();
  const auto count = static_cast<int>(orders->present().size());
  for (int slot = 0; slot < count; ++slot) {
    const lang::Order order = moved(orders->present(), loop, slot);
    slots.push_back({slot, judge.verdict(order), {}});
    slots.back().verdict.distance = std::abs(slot - loop);
    if (slots.back().verdict.legal) slots.back().discordant = discordant_look_ups(state, kernel, order);
  }
  return slots;
}

}  // namespace trellis::session
