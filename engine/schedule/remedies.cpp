#include "engine/schedule/remedies.hpp"

#include <algorithm>

#include "engine/schedule/apply.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::schedule {
namespace {

using lang::ScheduleStep;
using loop::Stmt;
using Kind = ScheduleStep::Kind;
using Steps = std::vector<ScheduleStep>;

/// A loop and the nearest loop around it.
struct Neighbours {
  std::string outer, inner;
  bool operator==(const Neighbours&) const = default;
};

void collect(const Stmt& stmt, const std::string& outer, std::vector<Neighbours>& into) {
  const auto* f = stmt.as<loop::For>();
  if (f && !outer.empty()) into.push_back({outer, f->variable});
  loop::for_each_child(
      stmt, [&](const Stmt& child) { collect(child, f ? f->variable : outer, into); }, [](const loop::Expr&) {});
}

ScheduleStep step(Kind kind, std::vector<std::string> loops, std::vector<std::int64_t> factors = {}) {
  return {kind, std::move(loops), {}, std::move(factors), {}, {}};
}

struct Search {
  const Stmt& loops;
  const lang::Program& program;
  math::Solver& solver;

  // Steps that only exist to try others: their own refusals look for no remedies.
  std::optional<Stmt> after(const Steps& steps) {
    Stmt now = loops;
    for (const ScheduleStep& step : steps) {
      auto taken = attempt(now, step, program, solver);
      if (!taken) return std::nullopt;
      now = *taken;
    }
    return now;
  }
  bool works(const Steps& steps) { return after(steps).has_value(); }

  /// The skew behind which the loop can be jammed: on a wavefront, whose iterations do not wait for each other, if
  /// there is one.
  std::string wavefront(const std::vector<Neighbours>& pairs, const ScheduleStep& jam) {
    std::string legal;
    for (const Neighbours& pair : pairs) {
      for (const std::int64_t factor : {1, 2}) {
        const Steps steps{step(Kind::skew, {pair.outer, pair.inner}, {factor}),
                          step(Kind::reorder, {pair.inner, pair.outer}), jam};
        const auto found = after(steps);
        if (found && is_free(*found, pair.outer)) return in_words(steps);
        const Steps in_place{steps.front(), jam};
        if (legal.empty() && (found || works(in_place))) legal = in_words(found ? steps : in_place);
      }
    }
    return legal;
  }

  static bool is_free(const Stmt& nest, const std::string& variable) {
    bool free = true;
    loop::for_each(nest, [&](const Stmt& s) {
      const auto* f = s.as<loop::For>();
      if (f && f->variable == variable) free &= f->kind == loop::For::Kind::forall;
    });
    return free;
  }

  static std::string in_words(const Steps& steps) {
    std::string text;
    for (const ScheduleStep& s : steps) text += (text.empty() ? "`" : ", then `") + lang::to_string(s) + "`";
    return text;
  }

  std::string skewed(const std::vector<Neighbours>& pairs, const ScheduleStep& refused, bool then_reorder) {
    for (const Neighbours& pair : pairs) {
      for (const std::int64_t factor : {1, 2}) {
        Steps steps{step(Kind::skew, {pair.outer, pair.inner}, {factor})};
        if (then_reorder) steps.push_back(step(Kind::reorder, {pair.inner, pair.outer}));
        steps.push_back(refused);
        if (then_reorder) steps.back().loops = {pair.outer};
        if (!works(steps)) continue;
        return in_words(steps);
      }
    }
    return {};
  }
};

}  // namespace

void add_remedies(text::Diagnostic& refusal, const Stmt& loops, const ScheduleStep& refused,
                  const lang::Program& program, math::Solver& solver) {
  std::vector<Neighbours> pairs;
  collect(loops, "", pairs);
  Search search{loops, program, solver};
  const bool runs_freely = refused.kind == Kind::parallel || refused.kind == Kind::vectorize;
  if (runs_freely) {
    std::string free;
    for (const std::string& name : bound_names(loops)) {
      if (name == refused.loops[0] || !has_loop(loops, name) || !search.works({step(refused.kind, {name})})) continue;
      free += (free.empty() ? "`" : ", `") + lang::to_string(step(refused.kind, {name})) + "`";
    }
    if (!free.empty()) {
      refusal.notes.push_back({{}, "this would work: " + free});
      return;
    }
  }
  const bool jams = refused.kind == Kind::jam;
  std::erase_if(pairs, [&](const Neighbours& pair) {
    const auto named = [&](const std::string& name) {
      return std::ranges::find(refused.loops, name) != refused.loops.end();
    };
    if (jams) return !named(pair.outer);
    return runs_freely ? !named(pair.outer) && !named(pair.inner) : !named(pair.outer) || !named(pair.inner);
  });
  const std::string found = jams ? search.wavefront(pairs, refused) : search.skewed(pairs, refused, runs_freely);
  if (!found.empty()) refusal.notes.push_back({{}, "this would work: " + found});
}

}  // namespace trellis::schedule
