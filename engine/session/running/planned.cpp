#include "engine/session/running/planned.hpp"

#include <algorithm>
#include <bit>

#include "engine/flow/look_ups.hpp"
#include "engine/plan/copies.hpp"
#include "engine/plan/inverse_lists.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/session/running/split.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/tensor/keeps_promises.hpp"
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
  return kernel.schedule.planned && !kernel.loops && !kernel.schedule.order && kernel.schedule.steps.empty() &&
         kernel.pattern_of.empty();
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

double cycles_to_lay_out(const State& state, const plan::Made& made) {
  double cycles = 0;
  for (const std::string& name : made.laid_out) {
    const lang::TensorInfo& info = *made.program.tensor(name);
    const tensor::Tensor& held = *state.data.held(info.derived_from());
    double fibers = 0;
    for (const math::Affine& size : info.shape) fibers += static_cast<double>(state.value_of(size).value_or(0));
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

/// Whether all of these index tensors' values are indices of what they choose from.
bool are_within(State& state, const std::vector<plan::Within>& all) {
  return std::ranges::all_of(all, [&](const plan::Within& one) {
    const tensor::Tensor* held = filled(state, one.tensor);
    return held && !tensor::broken_promise(*held, {}, 0, state.value_of(one.size));
  });
}

/// The least of what is considered.
class Choice {
 public:
  Choice(State& state, const lang::Kernel& kernel, Plan written, bool lists)
      : state_(state), kernel_(kernel), lists_(lists), best_(std::move(written)) {}

  Plan run() && {
    const Compilation& written = *best_.written;
    looked_at_.push_back(
        {{"as written, order " + lang::to_string(written.placed->order), best_.cycles}, best_.written});
    consider_all();
    // The chosen one, then the others by their estimates.
    std::ranges::stable_sort(looked_at_, {}, [&](const LookedAt& one) {
      return std::pair(one.compilation != best_.chosen, one.way.cycles);
    });
    for (const LookedAt& one : looked_at_) best_.ways.push_back(one.way);
    if (looked_at_.size() > 1) best_.second = looked_at_[1].compilation;
    return std::move(best_);
  }

 private:
  /// What was compiled and estimated.
  struct LookedAt {
    Plan::Way way;
    std::shared_ptr<const Compilation> compilation;
  };

  void consider_all() {
    if (best_.cycles >= worth_a_search * state_.options.least_planned) consider_steps();
    const Compilation& written = *best_.written;
    const plan::Made plain{*state_.declarations.program(), kernel_, {}};
    const bool listed = consider_lists(plain, written, worth_it);
    if (!listed && flow::look_ups(written.flow, sizes_of(state_, written.program)).avoidable() == 0) return;
    consider_copies(plain, written, worth_it);
    text::Diagnostics ignored;
    const auto orders = KernelOrders::of(state_, kernel_, ignored);
    if (orders)
      for (const lang::Order& order : orders->other_legal_ones()) consider_order(plain.program, order);
  }

  void consider_order(const lang::Program& program, const lang::Order& order) {
    const plan::Made ordered{program, in_order(kernel_, order), {}};
    text::Diagnostics ignored;
    const auto compilation = state_.compilation(ordered.kernel, ignored);
    if (!compilation) return;
    consider(std::make_shared<Compilation>(*compilation), worth_it);
    consider_copies(ordered, *compilation, worth_it);
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
    const plan::Made made{steps.program, kernel, {}};
    const auto less = [&] { return best_.split || !steps.rounds ? worth_it : worth_steps; };
    const bool as_stored = consider(compilation, less());
    const bool copied = consider_copies(made, *compilation, less());
    const bool listed = consider_lists(made, *compilation, less());
    if (!as_stored && !copied && !listed) return;
    best_.split = steps.differs;
    best_.rounds = steps.rounds;
  }

  bool consider_copies(const plan::Made& of, const Compilation& searching, double less) {
    auto made = plan::with_copies(of.program, of.kernel, searching);
    if (!made || !can_lay_out(*made)) return false;
    made->kernel.schedule.order = searching.placed->order;
    made->laid_out.insert(made->laid_out.end(), of.laid_out.begin(), of.laid_out.end());
    made->within = of.within;
    auto compilation = compiled(made->program, made->kernel);
    return compilation && consider(std::move(compilation), less, &*made);
  }

  /// With as many loops more as there are lists, in an order that the compiler chooses.
  bool consider_lists(const plan::Made& of, const Compilation& searching, double less) {
    if (!lists_) return false;
    auto made = plan::with_inverse_lists(of.program, of.kernel, searching);
    if (!made || !can_lay_out(*made) || !are_within(state_, made->within)) return false;
    made->kernel.schedule.order.reset();
    const auto compilation = compiled(made->program, made->kernel);
    if (!compilation) return false;
    const bool listed = consider(compilation, less, &*made);
    return consider_copies(*made, *compilation, listed ? worth_it : less) || listed;
  }

  /// What the plan needs is there, and lists are laid out, so that what is in them can be counted.
  bool can_lay_out(const plan::Made& made) const {
    return std::ranges::all_of(made.laid_out, [&](const std::string& name) {
      const lang::TensorInfo& info = *made.program.tensor(name);
      text::Diagnostics ignored;
      return filled(state_, info.derived_from()) &&
             (info.inverse_of.empty() || state_.tensor(info, kernel_.span, ignored));
    });
  }

  bool consider(std::shared_ptr<Compilation> compilation, double less, const plan::Made* made = nullptr) {
    const double besides = made ? cycles_to_lay_out(state_, *made) : 0;
    const double cycles = estimated_cycles(state_, *compilation) + besides;
    looked_at_.push_back({{in_words(*compilation, made), cycles, besides}, compilation});
    if (cycles >= less * best_.cycles) return false;
    compilation->order_chosen = true;
    best_.chosen = std::move(compilation);
    best_.cycles = cycles;
    best_.split = best_.rounds = false;
    best_.within = made ? made->within : std::vector<plan::Within>();
    return true;
  }

  /// "in 2 steps, order i j, A_csc instead of A"
  std::string in_words(const Compilation& compilation, const plan::Made* made) const {
    const std::size_t steps = compilation.kernel.equations.size();
    std::string words = steps > kernel_.equations.size() ? "in " + std::to_string(steps) + " steps, " : "";
    words += "order " + lang::to_string(compilation.placed->order);
    for (const std::string& name : made ? made->laid_out : std::vector<std::string>()) {
      const lang::TensorInfo& info = *made->program.tensor(name);
      words += ", " + name + (info.inverse_of.empty() ? " instead of " : " of ") + info.derived_from();
    }
    return words;
  }

  static lang::Kernel in_order(lang::Kernel kernel, const lang::Order& order) {
    kernel.schedule.order = order;
    return kernel;
  }

  State& state_;
  const lang::Kernel& kernel_;
  bool lists_;  ///< may be walked
  Plan best_;
  std::vector<LookedAt> looked_at_;
};

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
    made = Choice(state, kernel, std::move(made), lists).run();
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
