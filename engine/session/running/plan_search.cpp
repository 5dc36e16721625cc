#include "engine/session/running/plan_search.hpp"

#include <algorithm>

#include "engine/explore/contraction.hpp"
#include "engine/explore/moves.hpp"
#include "engine/explore/reassociated.hpp"
#include "engine/flow/look_ups.hpp"
#include "engine/plan/copies.hpp"
#include "engine/plan/inverse_lists.hpp"
#include "engine/plan/jams.hpp"
#include "engine/plan/workspaces.hpp"
#include "engine/session/running/estimates.hpp"
#include "engine/session/running/kernel_orders.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/session/running/split.hpp"
#include "engine/session/running/trial.hpp"
#include "engine/tensor/keeps_promises.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

/// So many times Options::least_planned, and the plans of lazy arrays are looked through, and other orders and jams of
/// loops that look nothing up.
constexpr double worth_a_search = 10;
/// And blocks in registers, some 20 ms. The jit has no vectors to hold a block in, and to the C compiler they are long:
/// a hundred runs have to gain what it takes, some 40 ms for 1000 characters, as its code is kept.
constexpr double worth_blocks = 60, worth_character = 1.2e-3;
/// Of what takes nearly the same the first stays, which is nearest to what is written.
constexpr double nearly = 0.95;
/// Something else than what stands may take so many times its estimate.
constexpr double plans_doubt = 1.25;
/// Steps, which round otherwise, so many times.
constexpr double doubt_of_steps = 2;
/// Jams, of whose registers the estimate knows nothing, and blocks in registers: as `suggest` has it.
constexpr double doubt_of_jams = 1.45, doubt_of_blocks = 1.3;
/// The ways of which jams and workspaces are looked at, the least first, as long as they take no more than so many
/// times the least.
constexpr int most_refined = 3;
constexpr double near_enough = 4;
/// Of a bytemap, which are zeroed when the kernel begins.
constexpr double most_places = 3e7;
/// Other orders are judged and estimated; of kernels of many equations each takes long.
constexpr int most_orders = 12, most_equations = 8;

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

/// No sum is added up in another order than as written.
bool rounds_alike(const Compilation& written, const Compilation& other) {
  const auto sums = explore::reassociated_sums(written);
  return std::ranges::all_of(explore::reassociated_sums(other),
                             [&](const std::string& sum) { return contains(sums, sum); });
}

/// The least of what is considered.
class Search {
 public:
  Search(State& state, const lang::Kernel& kernel, Plan written, bool lists)
      : state_(state), kernel_(kernel), lists_(lists), plan_(std::move(written)) {
    const std::string order = lang::to_string(plan_.written->placed->order);
    looked_at_.push_back({{"as written, order " + order, plan_.cycles}, plan_.written, plain()});
  }

  Plan run() && {
    consider_all();
    const LookedAt chosen = best();
    plan_.chosen = chosen.compilation;
    plan_.cycles = chosen.way.cycles;
    plan_.split = chosen.split;
    plan_.rounds = chosen.rounds;
    plan_.within = chosen.made.within;
    // The chosen one, then the others by their estimates.
    std::ranges::stable_sort(looked_at_, {}, [&](const LookedAt& one) {
      return std::pair(one.compilation != chosen.compilation, one.way.cycles);
    });
    for (const LookedAt& one : looked_at_) plan_.ways.push_back(one.way);
    if (looked_at_.size() > 1) plan_.second = looked_at_[1].compilation;
    return std::move(plan_);
  }

 private:
  /// What was compiled and estimated.
  struct LookedAt {
    Plan::Way way;
    std::shared_ptr<const Compilation> compilation;
    plan::Made made;
    double doubt = 1;                    ///< it may take so many times its estimate
    bool split = false, rounds = false;  ///< as those of Plan
    double pessimistic() const { return doubt * way.cycles; }
  };

  const LookedAt& best() const { return looked_at_[best_]; }
  plan::Made plain() const { return {*state_.declarations.program(), kernel_, {}}; }

  void consider_all() {
    const double enough = worth_a_search * state_.options.least_planned;
    const bool long_enough = plan_.cycles_written >= enough;
    const bool simple = long_enough && std::ssize(kernel_.equations) <= most_equations && has_data();
    if (long_enough) consider_steps();
    const Compilation& written = *plan_.written;
    const bool listed = consider_lists(plain(), written, {});
    const bool searches = listed || avoids_searches(written);
    if (searches) consider_copies(plain(), written, {});
    if (searches || simple) consider_orders(searches);
    if (long_enough && best().way.cycles >= enough) consider_workspaces();
    const bool in_blocks =
        simple && best().way.cycles >= worth_blocks * state_.options.least_planned && consider_blocks();
    // Of recurrences jams promise up to forty times what they keep.
    if (simple && !in_blocks && best().way.cycles >= enough && !explore::recurs(kernel_)) consider_jams();
  }

  /// What the loops search could be walked in another order of loops, or of storage.
  bool avoids_searches(const Compilation& compilation) const {
    return flow::look_ups(compilation.flow, sizes_of(state_, compilation.program)).avoidable() > 0;
  }

  bool has_data() const {
    return std::ranges::all_of(inputs_of(kernel_),
                               [&](const std::string& name) { return filled(state_, name) != nullptr; });
  }

  /// Those near the one that stands, where operands are searched; else as many as keep the order of sums.
  void consider_orders(bool searches) {
    text::Diagnostics ignored;
    const auto orders = KernelOrders::of(state_, kernel_, ignored);
    if (!orders) return;
    for (const lang::Order& order : searches ? orders->other_legal_ones() : orders->other_legal_ones(most_orders)) {
      if (order == plan_.written->placed->order) continue;
      const plan::Made ordered = in_order(plain(), order);
      const auto compilation = state_.compilation(ordered.kernel, ignored);
      if (!compilation || (!searches && !rounds_alike(*plan_.written, *compilation))) continue;
      consider(ordered, std::make_shared<Compilation>(*compilation), {});
      if (searches || avoids_searches(*compilation)) consider_copies(ordered, *compilation, {});
    }
  }

  /// The best ways that there are by now.
  std::vector<LookedAt> best_ways() const {
    std::vector<LookedAt> ways = looked_at_;
    std::ranges::stable_sort(ways, {}, [](const LookedAt& one) { return one.way.cycles; });
    const auto far = std::ranges::find_if(
        ways, [&](const LookedAt& one) { return one.way.cycles > near_enough * ways.front().way.cycles; });
    ways.erase(far, ways.end());
    if (std::ssize(ways) > most_refined) ways.erase(ways.begin() + most_refined, ways.end());
    return ways;
  }

  /// Whether they are the best.
  bool consider_blocks() {
    const std::size_t before = best_;
    const Compilation& written = *plan_.written;
    const auto block = explore::RegisterBlock::of(state_.options.machine.wide_registers);
    for (const auto& one : explore::contractions(written.kernel, written.stored, known_sizes(state_, written.program)))
      for (const auto& lines : explore::block_lines(one, written.placed->order, block, explore::Rounding::as_written))
        for (const std::string& line : lines)
          if (consider_lines(line)) break;
    return best_ != before;
  }

  /// Whether they are legal and round as what is written does.
  bool consider_lines(const std::string& lines) {
    const auto trial = tried_with(state_, kernel_.name, lines);
    if (!trial || !rounds_alike(*plan_.written, *trial->compilation)) return false;
    const auto characters = static_cast<double>(trial->compilation->module.source.size());
    const double gained = plan_.cycles_written - estimated_cycles(state_, *trial->compilation);
    if (gained < worth_character * characters * state_.options.least_planned) return true;
    const lang::Program& program = *trial->state.declarations.program();
    consider({program, *program.kernel(kernel_.name), {}}, std::make_shared<Compilation>(*trial->compilation),
             {doubt_of_blocks});
    return true;
  }

  void consider_jams() {
    for (const LookedAt& way : best_ways())
      for (const lang::ScheduleStep& jam : plan::jams(*way.compilation)) {
        plan::Made jammed = in_order(way.made, way.compilation->placed->order);
        jammed.kernel.schedule.steps.push_back(jam);
        refine(way, jammed, doubt_of_jams);
      }
  }

  void consider_workspaces() {
    for (const LookedAt& way : best_ways())
      for (const lang::Schedule::Workspace& workspace : plan::workspaces(*way.compilation)) {
        const bool wished = std::ranges::any_of(kernel_.schedule.workspaces,
                                                [&](const auto& own) { return own.tensor == workspace.tensor; });
        if (wished || !fits(*way.compilation, workspace)) continue;
        plan::Made collected = in_order(way.made, way.compilation->placed->order);
        collected.kernel.schedule.workspaces.push_back(workspace);
        refine(way, collected, plans_doubt);
      }
  }

  /// A bytemap has a place for each element that it may collect.
  bool fits(const Compilation& compilation, const lang::Schedule::Workspace& workspace) const {
    if (workspace.kind != lang::Schedule::Workspace::Kind::bytemap) return true;
    double places = 1;
    for (const int d : workspace.inner) {
      const auto& shape = compilation.program.tensor(workspace.tensor)->shape;
      places *= static_cast<double>(state_.value_of(shape[static_cast<std::size_t>(d)]).value_or(1));
    }
    return places <= most_places;
  }

  void refine(const LookedAt& way, const plan::Made& made, double of_step) {
    const auto compilation = compiled(made.program, made.kernel);
    if (!compilation || !rounds_alike(*way.compilation, *compilation)) return;
    consider(made, compilation, {way.doubt * of_step, way.split, way.rounds});
  }

  /// In the order that the compiler chooses for all steps together, and in that of the plan.
  void consider_steps() {
    const auto steps = split(state_, kernel_);
    if (!steps) return;
    const plan::Made made{steps->program, steps->kernel, {}};
    if (steps->differs) consider_steps(*steps, made);
    if (steps->differs || steps->order != plan_.written->placed->order)
      if (!steps->order.empty()) consider_steps(*steps, in_order(made, steps->order));
  }

  void consider_steps(const Split& steps, const plan::Made& made) {
    const auto compilation = compiled(made.program, made.kernel);
    if (!compilation) return;
    const Kind kind{steps.rounds ? doubt_of_steps : plans_doubt, steps.differs, steps.rounds};
    consider(made, compilation, kind);
    consider_copies(made, *compilation, kind);
    consider_lists(made, *compilation, kind);
  }

  /// What it is: as LookedAt has it.
  struct Kind {
    double doubt = plans_doubt;
    bool split = false, rounds = false;
  };

  void consider_copies(const plan::Made& of, const Compilation& searching, const Kind& kind) {
    auto made = plan::with_copies(of.program, of.kernel, searching);
    if (!made || !can_lay_out(*made)) return;
    made->kernel.schedule.order = searching.placed->order;
    made->laid_out.insert(made->laid_out.end(), of.laid_out.begin(), of.laid_out.end());
    made->within = of.within;
    if (auto compilation = compiled(made->program, made->kernel)) consider(*made, std::move(compilation), kind);
  }

  /// With as many loops more as there are lists, in an order that the compiler chooses. Whether it is the best.
  bool consider_lists(const plan::Made& of, const Compilation& searching, const Kind& kind) {
    if (!lists_) return false;
    auto made = plan::with_inverse_lists(of.program, of.kernel, searching);
    if (!made || !can_lay_out(*made) || !are_within(state_, made->within)) return false;
    made->kernel.schedule.order.reset();
    const auto compilation = compiled(made->program, made->kernel);
    if (!compilation) return false;
    const std::size_t before = best_;
    consider(*made, compilation, kind);
    consider_copies(*made, *compilation, kind);
    return best_ != before;
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

  void consider(const plan::Made& made, std::shared_ptr<Compilation> compilation, const Kind& kind) {
    const double besides = cycles_to_lay_out(state_, made);
    const double cycles = estimated_cycles(state_, *compilation) + besides;
    compilation->order_chosen = true;
    const Plan::Way way{in_words(made, *compilation), cycles, besides};
    const auto is_that = [&](const LookedAt& one) { return one.way.what == way.what && one.way.cycles == cycles; };
    if (std::ranges::any_of(looked_at_, is_that)) return;  // in the order that was chosen anyway
    looked_at_.push_back({way, compilation, made, kind.doubt, kind.split, kind.rounds});
    if (looked_at_.back().pessimistic() < nearly * best().pessimistic()) best_ = looked_at_.size() - 1;
  }

  /// "in 2 steps, order i j, A_csc instead of A"
  std::string in_words(const plan::Made& made, const Compilation& compilation) const {
    const std::size_t steps = compilation.kernel.equations.size();
    std::string words = steps > kernel_.equations.size() ? "in " + std::to_string(steps) + " steps, " : "";
    words += "order " + lang::to_string(compilation.placed->order);
    for (const lang::ScheduleStep& step : made.kernel.schedule.steps) words += ", " + lang::to_string(step);
    for (const auto& workspace : made.kernel.schedule.workspaces)
      if (!contains(kernel_.schedule.workspaces, workspace)) words += ", " + lang::to_string(workspace);
    for (const std::string& name : made.laid_out) {
      const lang::TensorInfo& info = *made.program.tensor(name);
      words += ", " + name + (info.inverse_of.empty() ? " instead of " : " of ") + info.derived_from();
    }
    return words;
  }

  static plan::Made in_order(plan::Made made, const lang::Order& order) {
    made.kernel.schedule.order = order;
    return made;
  }

  State& state_;
  const lang::Kernel& kernel_;
  bool lists_;  ///< may be walked
  Plan plan_;   ///< what is known of it
  std::vector<LookedAt> looked_at_;
  std::size_t best_ = 0;  ///< of them
};

}  // namespace

bool are_within(State& state, const std::vector<plan::Within>& all) {
  return std::ranges::all_of(all, [&](const plan::Within& one) {
    const tensor::Tensor* held = filled(state, one.tensor);
    if (!held) return false;
    const auto size = state.value_of(one.size);
    const auto* known = state.caches.ranges.find(
        [&](const KnownRange& range) { return range.size == size && &range.of.storage() == &held->storage(); });
    if (known) return known->within;
    const bool within = !tensor::broken_promise(*held, {}, 0, size);
    return state.caches.ranges.add({*held, size, within}).within;
  });
}

Plan search_plan(State& state, const lang::Kernel& kernel, Plan written, bool lists) {
  return Search(state, kernel, std::move(written), lists).run();
}

}  // namespace trellis::session
