#include "engine/session/running/planned.hpp"

#include <bit>

#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/session/running/plan_search.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/text/unseen.hpp"

namespace trellis::session {
namespace {

bool is_open(const lang::Kernel& kernel) {
  return kernel.schedule.planned && !kernel.loops && !kernel.schedule.order && kernel.schedule.steps.empty() &&
         kernel.schedule.distributions.empty() && kernel.schedule.supernodes.empty() && kernel.pattern_of.empty();
}

/// Sizes, and of each operand its format and the power of four of its entries: a plan holds for data like it.
std::string data_like(const State& state, const Compilation& compilation) {
  std::string data;
  for (const auto& [name, size] : sizes_of(state, compilation.program)) data += name + "=" + std::to_string(size) + " ";
  for (const std::string& name : inputs_of(compilation.kernel)) {
    const tensor::Tensor* held = filled(state, name);
    if (!held) continue;
    const auto entries = static_cast<std::uint64_t>(held->entries());
    data += name + ":" + format::to_string(held->format()) + "/" + std::to_string(std::bit_width(entries) / 2) + " ";
  }
  return data;
}

}  // namespace

const lang::TensorInfo* laid_out_of(const State& state, const lang::TensorInfo& tensor) {
  const lang::Program& program = *state.declarations.program();
  const std::string& of = tensor.derived_from();
  return of.empty() || program.tensor(tensor.name) ? nullptr : program.tensor(of);
}

namespace {

const Plan& kept_or_made(State& state, const lang::Kernel& plain, const std::shared_ptr<const Compilation>& written,
                         const std::string& data, bool lists) {
  if (const Plan* known = state.caches.plans.find(
          [&](const Plan& one) { return one.written == written && one.data == data && one.lists == lists; }))
    return *known;
  const double cycles = estimated_cycles(state, *written);
  Plan made{written, data, written, cycles, cycles};
  made.lists = lists;
  if (cycles >= state.options.least_planned) {
    const text::Unseen nobody_reads_why;
    const Offer offer = state.offer;
    const lang::Kernel kernel = state.with_inheritance(plain);
    made = search_plan(state, kernel, std::move(made), lists);
    state.offer = offer;
  }
  return state.caches.plans.add(std::move(made));
}

}  // namespace

const Plan* plan_for(State& state, const lang::Kernel& plain) {
  text::Diagnostics ignored;
  const auto written = is_open(plain) ? state.compilation(plain, ignored) : nullptr;
  if (!written) return nullptr;
  const std::string data = data_like(state, *written);
  const Plan& plan = kept_or_made(state, plain, written, data, true);
  // Index tensors may hold other values than when the plan was made.
  return &(are_within(state, plan.within) ? plan : kept_or_made(state, plain, written, data, false));
}

std::shared_ptr<const Compilation> planned(State& state, const lang::Kernel& plain, text::Diagnostics& diagnostics) {
  const auto written = state.compilation(plain, diagnostics);
  const Plan* plan = written ? plan_for(state, plain) : nullptr;
  return plan ? plan->chosen : written;
}

}  // namespace trellis::session
