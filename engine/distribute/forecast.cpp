#include "engine/distribute/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/distribute/owners.hpp"
#include "engine/distribute/wants.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::distribute {
namespace {

using math::Affine;
using math::Domain;
using math::Relation;

/// The statement's loops, outermost first; false where it is not in `at`.
bool loops_to(const loop::Stmt& at, int statement, std::vector<loop::Stmt>& loops) {
  if (at.id() == statement) return true;
  const bool is_loop = at.as<loop::For>() || at.as<loop::While>();
  if (is_loop) loops.push_back(at);
  bool found = false;
  loop::for_each_child(
      at, [&](const loop::Stmt& child) { found = found || loops_to(child, statement, loops); },
      [](const loop::Expr&) {});
  if (is_loop && !found) loops.pop_back();
  return found;
}

class Forecaster {
 public:
  Forecaster(const Plan& plan, const Cuts& cuts, const Network& network)
      : plan_(plan), cuts_(cuts), network_(network) {}

  std::optional<Forecast> of(double seconds) {
    Forecast made;
    made.mean = seconds / static_cast<double>(cuts_.ranks());
    made.work = made.mean * imbalance();
    for (const Exchange& e : plan_.exchanges)
      if (!add(e, made)) return std::nullopt;
    for (const auto& [blocks, pipeline] : plan_.pipelines) fill(blocks, pipeline, made);
    return made;
  }

 private:
  /// How much larger the largest part is than the mean of them, over all dimensions of ranks.
  double imbalance() const {
    double all = 1;
    for (std::size_t g = 0; g < plan_.grid.size(); ++g) {
      double worst = 1;
      for (std::size_t k = 0; k < plan_.partitions.size(); ++k) {
        const std::vector<std::int64_t>& places = cuts_.places[k];
        if (plan_.partitions[k].ranks != plan_.grid[g].name || places.back() <= 0) continue;
        const auto spread = std::ranges::find(cuts_.spreads, static_cast<int>(k), &Spread::partition);
        if (spread != cuts_.spreads.end()) {  // which counts entries as well
          worst = std::max(worst, spread->largest);
          continue;
        }
        std::int64_t most = 0;
        for (std::size_t r = 0; r + 1 < places.size(); ++r) most = std::max(most, places[r + 1] - places[r]);
        worst = std::max(worst, static_cast<double>(most) * static_cast<double>(std::ssize(places) - 1) /
                                    static_cast<double>(places.back()));
      }
      all *= worst;
    }
    return all;
  }

  /// Ranks at the ends, next to them and in the middle, along each dimension: one of these has as much to do as any.
  std::set<std::int64_t> looked_at() const {
    std::set<std::int64_t> ranks{0};
    for (const std::int64_t count : cuts_.grid) {
      std::set<std::int64_t> further;
      for (const std::int64_t rank : ranks)
        for (const std::int64_t c : {std::int64_t{0}, std::int64_t{1}, count / 2, count - 2, count - 1})
          if (c >= 0 && c < count) further.insert(rank * count + c);
      ranks = std::move(further);
    }
    return ranks;
  }

  /// Of what goes through entries any of them may be sent most.
  std::set<std::int64_t> all_ranks() const {
    std::set<std::int64_t> ranks;
    for (std::int64_t rank = 0; rank < cuts_.ranks(); ++rank) ranks.insert(ranks.end(), rank);
    return ranks;
  }

  /// How often loops run what is in them, and where they stand in the middle.
  struct Executions {
    double times = 1;
    Numbers around;
  };
  std::optional<Executions> executions(int statement) const {
    std::vector<loop::Stmt> loops;
    loops_to(plan_.loops, statement, loops);
    Executions made{1, cuts_.sizes};
    auto& [times, around] = made;
    for (const loop::Stmt& one : loops) {
      const auto* f = one.as<loop::For>();
      const auto low = f ? lang::affine(f->low) : std::nullopt, high = f ? lang::affine(f->high) : std::nullopt;
      const auto from = low ? number_in(*low, around) : std::nullopt,
                 to = high ? number_in(*high, around) : std::nullopt;
      if (!from || !to) return std::nullopt;
      const std::int64_t first = from.value_or(0), last = std::max(first, to.value_or(0));
      times *= static_cast<double>(last - first);
      around[f->variable] = first + (last - first) / 2;
    }
    return made;
  }

  /// Each rank of a pipeline begins a block behind the one before it.
  void fill(int blocks, const Pipeline& pipeline, Forecast& made) const {
    const auto all = executions(blocks), each = executions(pipeline.nest);
    const auto g = std::ranges::find(plan_.grid, pipeline.ranks, &lang::RanksInfo::name) - plan_.grid.begin();
    const auto behind = static_cast<double>(cuts_.grid[static_cast<std::size_t>(g)] - 1);
    if (!all || !each || each->times < 1 || behind < 1 || made.work <= 0) return;
    const double work = made.work / static_cast<double>(plan_.pipelines.size());
    made.fill += all->times * behind * (work / each->times + network_.latency);
    const double iterations = each->times / all->times * static_cast<double>(pipeline.block);
    const double best = iterations * std::sqrt(network_.latency * all->times / (behind * work));
    made.block = static_cast<std::int64_t>(std::clamp(best, 1.0, std::max(1.0, iterations)));
  }

  bool add(const Exchange& e, Forecast& made) {
    const auto found = executions(e.statement);
    if (!found) return false;
    const auto& [times, around] = *found;
    const double size = static_cast<double>(format::size_of(plan_.tensors.at(e.tensor).type));
    reached_ = ranks_reached(e, around);
    double worst = 0;
    std::int64_t messages = 0, elements = 0;
    for (const std::int64_t rank : wants(plan_, cuts_, e) ? all_ranks() : looked_at()) {
      const auto [count, sent] = received(e, rank, around);
      const double takes = seconds(e, count, static_cast<double>(sent) * size);
      if (takes > worst) worst = takes, messages = count, elements = sent;
    }
    (travels_meanwhile(e) ? made.ghosts : made.behind) += times * worst;
    made.messages += messages * static_cast<std::int64_t>(times);
    made.bytes += static_cast<std::int64_t>(static_cast<double>(elements) * size * times);
    return true;
  }

  static bool travels_meanwhile(const Exchange& e) {
    return e.kind == Exchange::Kind::ghosts && e.pattern != "from one" && !e.onward;
  }

  double seconds(const Exchange& e, std::int64_t messages, double bytes) const {
    if (messages == 0) return 0;
    if (e.pattern == "from one" && !e.onward) return broadcast_seconds(network_, reached_, bytes);
    if (e.kind == Exchange::Kind::sums && !plan_.home(e.tensor))
      return gather_seconds(network_, ranks_along(e), bytes / static_cast<double>(messages));
    return static_cast<double>(messages) * network_.latency + bytes / network_.bandwidth;
  }

  /// Those that share a sum: along the dimensions in which its parts lie.
  std::int64_t ranks_along(const Exchange& e) const {
    std::int64_t ranks = 1;
    for (std::size_t g = 0; g < plan_.grid.size(); ++g)
      if (contains(e.along, plan_.grid[g].name)) ranks *= cuts_.grid[g];
    return ranks;
  }

  /// How many ranks have what comes from one: those along the dimensions in which it stands elsewhere than its readers.
  std::int64_t ranks_reached(const Exchange& e, const Numbers& around) const {
    std::set<std::size_t> dimensions;
    for (const std::int64_t rank : looked_at()) {
      const std::vector<std::int64_t> own = coordinates_of(cuts_, rank);
      for (const std::int64_t owner : owners(e, rank, around)) {
        const std::vector<std::int64_t> there = coordinates_of(cuts_, owner);
        for (std::size_t g = 0; g < own.size(); ++g)
          if (own[g] != there[g]) dimensions.insert(g);
      }
    }
    std::int64_t ranks = 1;
    for (const std::size_t g : dimensions) ranks *= cuts_.grid[g];
    return ranks;
  }

  /// The exchange's sections within its tensor.
  std::vector<Domain> sections_of(const Exchange& e) const {
    const lang::TensorInfo& info = plan_.tensors.at(e.tensor);
    std::vector<Domain> sections = e.sections;
    for (Domain& section : sections)
      for (std::size_t d = 0; d < info.shape.size(); ++d) {
        const Affine name = Affine::name(element_name(d));
        section.constraints.push_back({Affine(0), Relation::less_equal, name});
        section.constraints.push_back({name, Relation::less, info.shape[d]});
      }
    return sections;
  }

  Numbers numbers_at(std::int64_t rank, const Numbers& around) const {
    Numbers numbers = numbers_of(plan_, cuts_, rank);
    numbers.insert(around.begin(), around.end());
    return numbers;
  }

  /// Other ranks that own something of a rank's sections; none of what nobody owns alone.
  std::set<std::int64_t> owners(const Exchange& e, std::int64_t rank, const Numbers& around) const {
    std::set<std::int64_t> found;
    if (!plan_.home(e.tensor)) return found;
    const Numbers numbers = numbers_at(rank, around);
    for (const Domain& section : sections_of(e))
      if (count_wanted(section, numbers, wants(plan_, cuts_, e), rank) > 0)
        for (const std::int64_t owner : owners_near(plan_, cuts_, e, section, numbers, rank)) found.insert(owner);
    found.erase(rank);
    return found;
  }

  /// Messages and elements that a rank is sent of ghosts, and that it sends of anything else, in one execution.
  std::pair<std::int64_t, std::int64_t> received(const Exchange& e, std::int64_t rank, const Numbers& around) const {
    const Numbers numbers = numbers_at(rank, around);
    std::int64_t elements = 0;
    if (!plan_.home(e.tensor)) {  // to all others that add it up
      elements = 1;
      for (const Affine& size : plan_.tensors.at(e.tensor).shape) elements *= number_in(size, numbers).value_or(1);
      const std::int64_t others = ranks_along(e) - 1;
      return {others, others * elements};
    }
    const Wants* const wanted = wants(plan_, cuts_, e);
    for (const Domain& section : sections_of(e)) elements += count_wanted(section, numbers, wanted, rank);
    return {std::ssize(owners(e, rank, around)), elements};
  }

  const Plan& plan_;
  const Cuts& cuts_;
  const Network& network_;
  std::int64_t reached_ = 1;  ///< of the exchange that is looked at
};

double rounds(std::int64_t ranks) { return ranks > 1 ? std::ceil(std::log2(static_cast<double>(ranks))) : 0; }

}  // namespace

double broadcast_seconds(const Network& network, std::int64_t ranks, double bytes) {
  return rounds(ranks) * network.latency + 2 * bytes / network.bandwidth;
}

double gather_seconds(const Network& network, std::int64_t ranks, double bytes) {
  return rounds(ranks) * network.latency + static_cast<double>(ranks) * bytes / network.bandwidth;
}

std::optional<Forecast> forecast(const Plan& plan, const Cuts& cuts, double seconds, const Network& network) {
  return Forecaster(plan, cuts, network).of(seconds);
}

}  // namespace trellis::distribute
