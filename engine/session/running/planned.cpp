#include "engine/session/running/planned.hpp"

#include <algorithm>
#include <bit>

#include "engine/flow/look_ups.hpp"
#include "engine/plan/copies.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/session/running/split.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {
namespace {

/// So many times Options::least_planned, and the plans of lazy arrays are looked through.
constexpr double worth_a_search = 10;
/// Something else than what stands must be estimated to take so much less.
constexpr double worth_it = 0.8;
/// Steps, which round otherwise, so much less.
constexpr double worth_steps = 0.5;

bool is_open(const lang::Kernel& kernel) {
  return !kernel.loops && !kernel.schedule.order && kernel.schedule.steps.empty() && kernel.pattern_of.empty();
}

/// Sizes, and of each operand its format and the power of four of its entries: a plan holds for data like it.
std::string data_like(const State& state, const Compilation& compilation) {
  std::string data;
  for (const auto& [name, size] : sizes_of(state, compilation.program)) data += name + "=" + std::to_string(size) + " ";
  for (const std::string& name : compilation.kernel.operands()) {
    const tensor::Tensor* held = filled(state, name);
    if (!held) continue;
    const auto entries = static_cast<std::uint64_t>(held->entries());
    data += name + ":" + format::to_string(held->format()) + "/" + std::to_string(std::bit_width(entries) / 2) + " ";
  }
  return data;
}

double cycles_of_copies(const State& state, const plan::Copied& copied) {
  double cycles = 0;
  for (const std::string& copy : copied.copies) {
    const tensor::Tensor& held = *state.data.held(copied.program.tensor(copy)->entries_of);
    double fibers = 0;
    for (const std::int64_t size : held.shape()) fibers += static_cast<double>(size);
    cycles += plan::cycles_to_lay_out(static_cast<double>(held.entries()), fibers);
  }
  return cycles;
}

std::shared_ptr<Compilation> compiled(const lang::Program& program, const lang::Kernel& kernel) {
  text::Diagnostics said;
  auto analysis = place::analyse(lang::part_for(program, kernel), kernel, said);
  if (!analysis) return nullptr;
  auto made = compile(std::make_shared<const place::Analysis>(std::move(*analysis)), said, kernel.schedule);
  return said.has_errors() || made.rejected ? nullptr : std::make_shared<Compilation>(std::move(made));
}

/// The least of what is considered.
class Choice {
 public:
  Choice(State& state, const lang::Kernel& kernel, Plan written)
      : state_(state), kernel_(kernel), best_(std::move(written)) {}

  Plan run() && {
    if (best_.cycles >= worth_a_search * state_.options.least_planned) consider_steps();
    const Compilation& written = *best_.written;
    if (flow::look_ups(written.flow, sizes_of(state_, written.program)).avoidable() == 0) return std::move(best_);
    const lang::Program& program = *state_.declarations.program();
    consider_copies(program, kernel_, written, worth_it);
    text::Diagnostics ignored;
    const auto orders = KernelOrders::of(state_, kernel_, ignored);
    if (orders)
      for (const lang::Order& order : orders->other_legal_ones()) consider_order(program, order);
    return std::move(best_);
  }

 private:
  void consider_order(const lang::Program& program, const lang::Order& order) {
    const lang::Kernel ordered = in_order(kernel_, order);
    text::Diagnostics ignored;
    const auto compilation = state_.compilation(ordered, ignored);
    if (!compilation) return;
    consider(std::make_shared<Compilation>(*compilation), worth_it);
    consider_copies(program, ordered, *compilation, worth_it);
  }

  /// In the order that the compiler chooses for all steps together, and in that of the plan.
  void consider_steps() {
    const auto steps = split(state_, kernel_);
    if (!steps) return;
    if (steps->differs) consider_steps(*steps, steps->kernel);
    if (!steps->order.empty()) consider_steps(*steps, in_order(steps->kernel, steps->order));
  }

  void consider_steps(const Split& steps, const lang::Kernel& kernel) {
    const auto compilation = compiled(steps.program, kernel);
    if (!compilation) return;
    const auto less = [&] { return best_.split || !steps.rounds ? worth_it : worth_steps; };
    const bool as_stored = consider(compilation, less());
    const bool copied = consider_copies(steps.program, kernel, *compilation, less());
    if (!as_stored && !copied) return;
    best_.split = steps.differs;
    best_.rounds = steps.rounds;
  }

  bool consider_copies(const lang::Program& program, const lang::Kernel& kernel, const Compilation& searching,
                       double less) {
    auto copied = plan::with_copies(program, kernel, searching);
    if (!copied || !holds_all(*copied)) return false;
    copied->kernel.schedule.order = searching.placed->order;
    auto compilation = compiled(copied->program, copied->kernel);
    return compilation && consider(std::move(compilation), less, cycles_of_copies(state_, *copied));
  }

  bool holds_all(const plan::Copied& copied) const {
    return std::ranges::all_of(copied.copies, [&](const std::string& copy) {
      return filled(state_, copied.program.tensor(copy)->entries_of) != nullptr;
    });
  }

  bool consider(std::shared_ptr<Compilation> compilation, double less, double besides = 0) {
    const double cycles = estimated_cycles(state_, *compilation) + besides;
    if (cycles >= less * best_.cycles) return false;
    compilation->order_chosen = true;
    best_.chosen = std::move(compilation);
    best_.cycles = cycles;
    best_.split = best_.rounds = false;
    return true;
  }

  static lang::Kernel in_order(lang::Kernel kernel, const lang::Order& order) {
    kernel.schedule.order = order;
    return kernel;
  }

  State& state_;
  const lang::Kernel& kernel_;
  Plan best_;
};

}  // namespace

const lang::TensorInfo* copied_from(const State& state, const lang::TensorInfo& tensor) {
  const lang::Program& program = *state.declarations.program();
  return tensor.entries_of.empty() || program.tensor(tensor.name) ? nullptr : program.tensor(tensor.entries_of);
}

const Plan* plan_for(State& state, const lang::Kernel& plain) {
  text::Diagnostics ignored;
  const auto written = is_open(plain) ? state.compilation(plain, ignored) : nullptr;
  if (!written) return nullptr;
  const std::string data = data_like(state, *written);
  const Plan* known =
      state.caches.plans.find([&](const Plan& one) { return one.written == written && one.data == data; });
  if (known) return known;
  const double cycles = estimated_cycles(state, *written);
  Plan made{written, data, written, cycles, cycles};
  if (cycles >= state.options.least_planned) {
    const text::Unseen nobody_reads_why;
    const Offer offer = state.offer;
    const lang::Kernel kernel = state.with_inheritance(plain);
    made = Choice(state, kernel, std::move(made)).run();
    state.offer = offer;
  }
  return &state.caches.plans.add(std::move(made));
}

std::shared_ptr<const Compilation> planned(State& state, const lang::Kernel& plain, text::Diagnostics& diagnostics) {
  const auto written = state.compilation(plain, diagnostics);
  const Plan* plan = written ? plan_for(state, plain) : nullptr;
  return plan ? plan->chosen : written;
}

}  // namespace trellis::session
