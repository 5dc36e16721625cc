#include "engine/session/running/ranks_cuts.hpp"

#include <algorithm>

#include "engine/distribute/graph_parts.hpp"
#include "engine/distribute/nest.hpp"
#include "engine/session/running/compiled_ranks.hpp"
#include "engine/session/running/kernel_queries.hpp"
#include "engine/session/running/long_rows.hpp"
#include "engine/session/running/needed_through.hpp"

namespace trellis::session {
namespace {

/// One number for each dimension of the grid; of one number the first dimension has all.
bool fit_grid(const distribute::Plan& plan, std::vector<std::int64_t>& asked, text::Span at,
              text::Diagnostics& diagnostics) {
  if (asked.size() == 1) asked.resize(plan.grid.size(), 1);
  if (asked.size() != plan.grid.size()) {
    const std::string dimensions = plan.grid.size() == 1 ? " dimension" : " dimensions";
    diagnostics
        .error("E0601", at,
               "the grid of ranks has " + std::to_string(plan.grid.size()) + dimensions + ", not " +
                   std::to_string(asked.size()))
        .notes.push_back({{}, plan.grid.size() == 1 ? "as in `4`" : "as in `2x3`"});
    return false;
  }
  for (std::size_t g = 0; g < asked.size(); ++g) {
    const lang::RanksInfo& ranks = plan.grid[g];
    if (ranks.count == 0 || ranks.count == asked[g]) continue;
    diagnostics
        .error(
            "E0601", at,
            "there are " + std::to_string(ranks.count) + " ranks " + ranks.name + ", not " + std::to_string(asked[g]))
        .notes.push_back({ranks.span, "said here; without a number there are as many as a run has"});
    return false;
  }
  return true;
}

std::size_t dimension_of(const distribute::Plan& plan, const std::string& ranks) {
  return static_cast<std::size_t>(std::ranges::find(plan.grid, ranks, &lang::RanksInfo::name) - plan.grid.begin());
}

/// By what a partition is cut: the rows of a tensor, if it is filled in.
struct Rows {
  const tensor::Tensor* held = nullptr;
  std::size_t dimension = 0;
  std::string by;
};

std::optional<Rows> rows_by(const State& state, const distribute::Plan& plan, const distribute::Partition& partition) {
  const std::string& by = plan.by[dimension_of(plan, partition.ranks)];
  const distribute::Home* home = plan.home({by, -1});
  const tensor::Tensor* held = by.empty() ? nullptr : filled(state, by);
  const bool parts = std::ranges::any_of(plan.renumbered, [&](const distribute::Renumbered& r) {
    return r.by == by && r.ranks == partition.ranks && distribute::base_of(r.size) == partition.base;
  });
  if (!held) return std::nullopt;
  if (parts) return Rows{held, 0, by};
  if (!home) return std::nullopt;
  const auto d = std::ranges::find_if(
      *home, [&](int p) { return p >= 0 && plan.partitions[static_cast<std::size_t>(p)].base == partition.base; });
  return d == home->end() ? std::nullopt : std::optional(Rows{held, static_cast<std::size_t>(d - home->begin()), by});
}

/// The numbering of the partition's size; null: the user's.
const distribute::Numbering* numbering_of(const distribute::Plan& plan, const distribute::Cuts& cuts,
                                          const distribute::Partition& partition) {
  for (std::size_t k = 0; k < cuts.numberings.size(); ++k)
    if (plan.renumbered[k].size == partition.base + math::Affine(partition.extra)) return cuts.numberings[k].get();
  return nullptr;
}

void warn_of_uneven(const distribute::Plan& plan, const distribute::Cuts& cuts, text::Span at,
                    text::Diagnostics& diagnostics) {
  for (std::size_t k = 0; k < plan.partitions.size(); ++k) {
    const std::vector<std::int64_t>& places = cuts.places[k];
    const std::int64_t parts = std::ssize(places) - 1, size = places.back();
    if (parts <= size) continue;
    const distribute::Partition& p = plan.partitions[k];
    diagnostics
        .warning("W0212", at,
                 std::to_string(parts) + " ranks " + p.ranks + " share " + std::to_string(size) +
                     " rows: " + std::to_string(parts - size) + " or more of them have none")
        .notes.push_back({{}, "ranks that have no part wait for the others: use at most " + std::to_string(size)});
    return;
  }
}

distribute::Numbers sizes_of_program(const State& state, const lang::Program& program) {
  distribute::Numbers sizes;
  for (const lang::ParameterInfo& p : program.parameters)
    if (!p.real)
      if (const auto value = state.value_of(math::Affine::name(p.name))) sizes[p.name] = *value;
  return sizes;
}

distribute::RowGraph& rows_along(const State& state, const tensor::Tensor& held, std::size_t along) {
  text::Recent<distribute::RowGraph>& all = state.caches.rows;
  distribute::RowGraph* const known = all.find([&](const distribute::RowGraph& one) { return one.is_of(held, along); });
  return known ? *known : all.add(distribute::RowGraph(held, along));
}

/// Numbers of rows, and where their parts are, by Plan::renumbered.
struct Numbered {
  std::vector<std::shared_ptr<const distribute::Numbering>> numberings;
  std::vector<std::vector<std::int64_t>> places;  ///< empty where nothing is filled in
};

std::optional<Numbered> number_rows(const State& state, const Compilation& compilation,
                                    const std::vector<std::int64_t>& grid, text::Span at,
                                    text::Diagnostics& diagnostics) {
  const distribute::Plan& plan = *compilation.distributed;
  Numbered made;
  for (const distribute::Renumbered& r : plan.renumbered) {
    made.numberings.emplace_back();
    made.places.emplace_back();
    const tensor::Tensor* held = filled(state, r.by);
    if (!held) continue;
    const std::int64_t parts = grid[dimension_of(plan, r.ranks)];
    const auto found = rows_along(state, *held, 0).parts(parts);
    if (!found) {
      diagnostics.error("E0411", at, "there is no memory to find " + std::to_string(parts) + " parts of " + r.by, "")
          .notes.push_back({{}, "its graph may have up to 2^30 edges"});
      return std::nullopt;
    }
    made.numberings.back() = found->numbering;
    made.places.back() = found->places;
    // Cuts are those of the size without its constant.
    const std::int64_t rows = std::ssize(found->part);
    const std::int64_t without = r.size.is_constant() ? rows : rows - r.size.constant;
    for (std::int64_t& place : made.places.back()) place = std::min(place, without);
    made.places.back().back() = without;
  }
  return made;
}

}  // namespace

std::vector<std::int64_t> ranks_of_program(const distribute::Plan& plan) {
  std::vector<std::int64_t> grid;
  for (const lang::RanksInfo& ranks : plan.grid)
    if (ranks.count > 0) grid.push_back(ranks.count);
  return grid.size() == plan.grid.size() ? grid : std::vector<std::int64_t>{};
}

std::optional<distribute::Cuts> cuts_for(State& state, const Compilation& compilation, std::vector<std::int64_t> asked,
                                         text::Span at, text::Diagnostics& diagnostics) {
  const distribute::Plan& plan = *compilation.distributed;
  if (!fit_grid(plan, asked, at, diagnostics)) return std::nullopt;
  auto numbered = number_rows(state, compilation, asked, at, diagnostics);
  if (!numbered) return std::nullopt;
  const auto by_rows = [&](const distribute::Partition& p,
                           std::int64_t parts) -> std::optional<std::vector<std::int64_t>> {
    const auto rows = rows_by(state, plan, p);
    if (!rows) return std::nullopt;
    const std::vector<std::int64_t> weights = rows_along(state, *rows->held, rows->dimension).weights();
    warn_of_long_row(weights, rows->by, parts, Sharers::ranks, at, diagnostics);
    for (std::size_t k = 0; k < plan.renumbered.size(); ++k)
      if (plan.renumbered[k].ranks == p.ranks && distribute::base_of(plan.renumbered[k].size) == p.base)
        return numbered->places[k];
    return distribute::weighted_cuts(weights, parts);
  };
  auto cuts = distribute::cut(plan, asked, sizes_of_program(state, compilation.program), by_rows);
  if (cuts) {
    cuts->numberings = std::move(numbered->numberings);
    warn_of_uneven(plan, *cuts, at, diagnostics);
  } else {
    diagnostics.error("E0602", at, "sizes have no values yet, so there is nothing to cut", "")
        .notes.push_back({{}, "`show ranks` without a number shows the plan for all sizes and all cuts"});
  }
  return cuts;
}

namespace {

/// Fills in how even the parts are that are cut by a matrix, and what is read through it.
void add_spreads(const State& state, const distribute::Plan& plan, distribute::Cuts& cuts) {
  for (std::size_t k = 0; k < plan.partitions.size(); ++k) {
    const distribute::Partition& p = plan.partitions[k];
    const auto rows = p.cyclic > 0 ? std::nullopt : rows_by(state, plan, p);
    if (!rows || rows->held->shape()[rows->dimension] != cuts.places[k].back()) continue;
    const std::int64_t parts = std::ssize(cuts.places[k]) - 1;
    distribute::RowGraph& graph = rows_along(state, *rows->held, rows->dimension);
    const distribute::Pattern& pattern = graph.pattern();
    const std::vector<std::int64_t>& weights = graph.weights();
    const distribute::Numbering* numbering = numbering_of(plan, cuts, p);
    const std::vector<std::int64_t> by_number = distribute::parts_between(cuts.places[k]);
    std::vector<std::int64_t> part;  // by row of the user
    for (std::size_t i = 0; i < by_number.size(); ++i)
      part.push_back(by_number[numbering ? static_cast<std::size_t>(numbering->to[i]) : i]);
    distribute::Spread spread{static_cast<int>(k), rows->by, distribute::largest_part(weights, part, parts)};
    if (rows->held->shape().size() == 2 && rows->held->shape()[0] == rows->held->shape()[1] && pattern.rows() > 0) {
      const auto n = static_cast<double>(pattern.rows());
      spread.ghosts = static_cast<double>(distribute::ghosts_of(pattern, part, parts)) / n;
      const auto in_file = distribute::parts_between(distribute::weighted_cuts(weights, parts));
      if (numbering) spread.in_file = static_cast<double>(distribute::ghosts_of(pattern, in_file, parts)) / n;
    }
    cuts.spreads.push_back(std::move(spread));
  }
}

/// Finds out what is wanted of exchanges that go through operands, if these are filled in.
void add_wants(State& state, const std::shared_ptr<const Compilation>& compilation, distribute::Cuts& cuts) {
  const distribute::Plan& plan = *compilation->distributed;
  if (std::ranges::all_of(plan.exchanges, [](const auto& e) { return e.lists.empty(); })) return;
  if (!not_compiled(plan, cuts).empty()) {  // in step ranks are sent all that sections have
    cuts.wants.emplace();
    return;
  }
  text::Diagnostics ignored;
  const auto of_rank = compiled_for_ranks(state, compilation, ignored);
  if (!of_rank) return;
  cuts.wants = wants_through(plan, cuts, *of_rank, true,
                             [&](const std::string& name, std::size_t along) -> const distribute::Pattern* {
                               const tensor::Tensor* held = filled(state, name);
                               const bool plain = held && held->shape().size() == 2 && !held->format().layout;
                               return plain ? &rows_along(state, *held, along).pattern() : nullptr;
                             });
}

}  // namespace

std::optional<distribute::Cuts> cuts_to_show(State& state, const std::shared_ptr<const Compilation>& compilation,
                                             std::vector<std::int64_t> asked, text::Span at,
                                             text::Diagnostics& diagnostics) {
  auto cuts = cuts_for(state, *compilation, std::move(asked), at, diagnostics);
  if (!cuts) return cuts;
  add_spreads(state, *compilation->distributed, *cuts);
  add_wants(state, compilation, *cuts);
  return cuts;
}

}  // namespace trellis::session
