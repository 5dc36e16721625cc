#include "engine/session/typing/complete_orders.hpp"

#include <algorithm>

#include "engine/explore/orders.hpp"

namespace trellis::session {
namespace {

constexpr std::size_t most = 8;
constexpr std::size_t most_tried = 60;

/// The words as loops: `j`, or `j -` for a descending one. Empty when one of them is no loop of the kernel, or stands
/// twice.
std::optional<lang::Order> loops_of(const std::vector<std::string>& words, const lang::Kernel& kernel) {
  lang::Order order;
  const std::vector<std::string> variables = kernel.variables();
  for (const std::string& word : words) {
    if (word == "-" && !order.empty() && !order.back().descending) {
      order.back().descending = true;
      continue;
    }
    const bool again = std::ranges::any_of(order, [&](const lang::LoopName& loop) { return loop.name == word; });
    if (again || std::ranges::find(variables, word) == variables.end()) return std::nullopt;
    order.push_back({word, false});
  }
  return order;
}

lang::Order written_order(const lang::Kernel& kernel) {
  lang::Order order;
  for (const std::string& name : kernel.variables()) order.push_back({name, false});
  return order;
}

/// Null when it would take too long to find out, or the equations are wrong.
std::shared_ptr<const place::Analysis> analysis_of(State& state, const lang::Kernel& kernel) {
  constexpr std::size_t soon = 4;  // indices
  if (kernel.variables().size() > soon) {
    const auto known = state.caches.known(*state.declarations.program(), kernel);
    return known ? known->analysis : nullptr;
  }
  text::Diagnostics ignored;
  const Offer offer = state.offer;
  auto analysis = state.analysis(kernel, ignored);
  state.offer = offer;
  return analysis;
}

}  // namespace

bool takes_order(const CommandInfo& command) {
  return command.name == "order" || command.name == "why" || command.name == "core";
}

std::vector<std::string> order_ends(const std::vector<std::string>& words, State& state) {
  text::Diagnostics ignored;
  const lang::Program* program = state.program(ignored);
  if (!program || program->kernels.empty()) return {};
  const lang::Kernel* kernel = nullptr;
  auto first = words.begin();
  if (!words.empty() && (kernel = program->kernel(words[0]))) {
    ++first;
    if (first != words.end() && *first == ":") ++first;
  } else {
    kernel = state.kernel({}, {}, ignored);
  }
  const auto begun = kernel ? loops_of({first, words.end()}, *kernel) : std::nullopt;
  const auto analysis = begun && !kernel->loops ? analysis_of(state, *kernel) : nullptr;
  if (!analysis) return {};
  lang::Order rest;
  for (const lang::LoopName& loop : kernel->schedule.order.value_or(written_order(*kernel)))
    if (std::ranges::none_of(*begun, [&](const lang::LoopName& one) { return one.name == loop.name; }))
      rest.push_back({loop.name, false});
  std::vector<std::string> found;
  if (rest.size() < 2) return found;
  std::size_t judged = 0;
  explore::walk_orders(rest, explore::Directions::ascending, [&](const lang::Order& end, int) {
    lang::Order order = *begun;
    order.insert(order.end(), end.begin(), end.end());
    if (place::is_legal(*analysis, order)) found.push_back(lang::to_string(end));
    return found.size() < most && ++judged < most_tried;
  });
  return found;
}

}  // namespace trellis::session
