#include "engine/session/running/planned.hpp"

#include <algorithm>
#include <bit>

#include "engine/flow/look_ups.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/plan/copies.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {
namespace {

/// Cycles that no plan is made for: what is compiled for it takes longer.
constexpr double too_little = 1e6;
/// Something else than what stands must be estimated to take so much less.
constexpr double worth_it = 0.8;

bool is_open(const lang::Kernel& kernel) {
  return !kernel.loops && !kernel.schedule.order && kernel.schedule.steps.empty() && kernel.pattern_of.empty();
}

/// Sizes, and of each operand its format and the power of four of its entries: a plan holds for data like it.
std::string data_like(const State& state, const Compilation& compilation) {
  std::string data;
  for (const auto& [name, size] : sizes_of(state, compilation.program)) data += name + "=" + std::to_string(size) + " ";
  for (const std::string& name : compilation.kernel.operands()) {
    const tensor::Tensor* held = state.data.held(name);
    if (!held || held->reserved()) continue;
    const auto entries = static_cast<std::uint64_t>(held->entries());
    data += name + ":" + format::to_string(held->format()) + "/" + std::to_string(std::bit_width(entries) / 2) + " ";
  }
  return data;
}

bool has_what_is_searched(const State& state, const flow::LookUps& now) {
  return std::ranges::all_of(now.all, [&](const flow::LookUp& one) {
    const tensor::Tensor* held = state.data.held(one.tensor);
    return !one.searches() || !one.against_storage() || (held && !held->reserved());
  });
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

std::shared_ptr<Compilation> compiled(const plan::Copied& copied) {
  text::Diagnostics said;
  auto analysis = place::analyse(lang::part_for(copied.program, copied.kernel), copied.kernel, said);
  if (!analysis) return nullptr;
  auto made = compile(std::make_shared<const place::Analysis>(std::move(*analysis)), said, copied.kernel.schedule);
  return said.has_errors() || made.rejected ? nullptr : std::make_shared<Compilation>(std::move(made));
}

/// The least of what is considered.
class Choice {
 public:
  Choice(State& state, const lang::Kernel& kernel, std::shared_ptr<const Compilation> written)
      : state_(state), kernel_(kernel), best_{written, {}, written, {}}, least_(estimated_cycles(state, *written)) {}

  Plan run() && {
    if (least_ < too_little) return std::move(best_);
    consider_copies(kernel_, *best_.written);
    text::Diagnostics ignored;
    const auto orders = KernelOrders::of(state_, kernel_, ignored);
    if (orders)
      for (const lang::Order& order : orders->other_legal_ones()) consider(order);
    return std::move(best_);
  }

 private:
  void consider(const lang::Order& order) {
    lang::Kernel ordered = kernel_;
    ordered.schedule.order = order;
    text::Diagnostics ignored;
    const auto compilation = state_.compilation(ordered, ignored);
    if (!compilation) return;
    if (estimated_cycles(state_, *compilation) < worth_it * least_)
      take(std::make_shared<Compilation>(*compilation), {}, estimated_cycles(state_, *compilation));
    consider_copies(ordered, *compilation);
  }

  void consider_copies(const lang::Kernel& kernel, const Compilation& searching) {
    auto copied = plan::with_copies(*state_.declarations.program(), kernel, searching);
    if (!copied) return;
    copied->kernel.schedule.order = searching.placed->order;
    auto compilation = compiled(*copied);
    if (!compilation) return;
    const double cycles = estimated_cycles(state_, *compilation) + cycles_of_copies(state_, *copied);
    if (cycles < worth_it * least_) take(std::move(compilation), std::move(copied->copies), cycles);
  }

  void take(std::shared_ptr<Compilation> compilation, std::vector<std::string> copies, double cycles) {
    compilation->order_chosen = true;
    best_.chosen = std::move(compilation);
    best_.copies = std::move(copies);
    least_ = cycles;
  }

  State& state_;
  const lang::Kernel& kernel_;
  Plan best_;
  double least_;  ///< cycles
};

}  // namespace

std::shared_ptr<const Compilation> planned(State& state, const lang::Kernel& plain, text::Diagnostics& diagnostics) {
  const auto written = state.compilation(plain, diagnostics);
  if (!written || !is_open(plain)) return written;
  const flow::LookUps now = flow::look_ups(written->flow, sizes_of(state, written->program));
  if (now.avoidable() == 0 || !has_what_is_searched(state, now)) return written;
  const std::string data = data_like(state, *written);
  const Plan* known =
      state.caches.plans.find([&](const Plan& one) { return one.written == written && one.data == data; });
  if (known) return known->chosen;
  const text::Unseen nobody_reads_why;
  const Offer offer = state.offer;
  Plan made = Choice(state, state.with_inheritance(plain), written).run();
  state.offer = offer;
  made.data = data;
  return state.caches.plans.add(std::move(made)).chosen;
}

void tell_of_copies(State& state, const lang::Kernel& kernel, const Compilation& ran, text::Diagnostics& diagnostics) {
  for (const std::string& name : ran.kernel.operands()) {
    const lang::TensorInfo& info = *ran.program.tensor(name);
    if (info.entries_of.empty() || kernel.schedule.order || !state.declarations.first_time("N0610 " + name)) continue;
    text::Diagnostic d;
    d.severity = text::Severity::note;
    d.code = "N0610";
    d.span = kernel.span;
    d.message = info.entries_of + " is read from a copy in " + format::to_string(info.format) +
                ", in the order of kernel " + kernel.name + "'s loops, which would search it against its storage";
    d.notes.push_back({{},
                       "the copy is kept for as long as " + info.entries_of + " stays as it is; `order " +
                           lang::to_string(ran.placed->order) + "` reads it as it is stored"});
    diagnostics.add(std::move(d));
  }
}

}  // namespace trellis::session
