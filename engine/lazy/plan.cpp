#include "engine/lazy/plan.hpp"

#include <algorithm>
#include <cmath>

#include "engine/cost/machine.hpp"
#include "engine/lazy/compiled_cost.hpp"
#include "engine/lazy/notation.hpp"
#include "engine/lazy/queries.hpp"

namespace trellis::lazy {

Plan Alternative::plan() const {
  Plan plan{{}, produces};
  for (const PlannedQuery& one : queries) plan.queries.push_back(one.query);
  return plan;
}

double Alternative::nanoseconds() const { return cycles / cost::cycles::per_nanosecond; }

namespace {

/// Reductions of products are drawn together, so that all ways to reduce them early are there to choose from.
Expr drawn_together(const Expr& expr, Exactness allowed) {
  const Contraction c = contraction_of(expr, allowed);
  if (!c.free) return map_children(expr, [&](const Expr& child) { return drawn_together(child, allowed); });
  std::vector<Expr> factors;
  for (const Expr& factor : c.factors) factors.push_back(drawn_together(factor, allowed));
  return agg(c.reduction, c.over, product(*c.product, factors));
}

/// Plans whose estimates are no further apart are compared as compiled, the first so many of them.
constexpr double near_tie = 1.5;
constexpr std::size_t most_compiled = 3;

/// Is there more than one way to compute it?
bool has_choices(const Expr& expr, Exactness allowed) {
  const Contraction c = contraction_of(expr, allowed);
  return c.free && c.factors.size() > 2 && expr.as<Agg>();
}

class Planner {
 public:
  Planner(const std::vector<Query>& queries, Formats formats, CountedTables counted, const PlanOptions& options)
      : formats_(std::move(formats)), counted_(std::move(counted)), options_(options) {
    std::vector<Query> drawn;
    for (Query query : queries) {
      produces_.push_back(query.name);
      Rewriting rewriting = rewrite(query.expr, options.allowed, rules_before_plans());
      std::ranges::move(rewriting.steps, std::back_inserter(rewrites_));
      query.expr = drawn_together(rewriting.expr, options.allowed);
      drawn.push_back(std::move(query));
    }
    const Plan kept = with_kept(drawn, [&](const Expr& expr) { return has_choices(expr, options.allowed); });
    for (const Query& query : kept.queries) {
      taken_.insert(query.name);
      for (const std::string& table : tables_of(query.expr)) taken_.insert(table);
    }
    for (const Query& query : kept.queries) add(query);
  }

  /// The cheapest candidate of each query, but for one of them.
  Alternative written(std::size_t other = 0, std::size_t candidate = 0) {
    Alternative all{{}, produces_, 0};
    const FreshName fresh = fresh_names();
    for (std::size_t q = 0; q < plans_.size(); ++q) {
      const Candidate& chosen = plans_[q].candidates()[q == other ? candidate : 0];
      if (q == other) all.outline = plans_[q].outline_of(chosen), all.compiled = chosen.compiled;
      all.cycles += chosen.cycles;
      std::ranges::move(plans_[q].queries_of(chosen, fresh), std::back_inserter(all.queries));
    }
    return all;
  }

  Planning planned() {
    std::optional<std::pair<std::size_t, std::size_t>> second;
    double least = 0;
    Planning planning;
    for (std::size_t q = 0; q < plans_.size(); ++q) {
      const auto& candidates = plans_[q].candidates();
      planning.plans += candidates.size();
      planning.kernels += plans_[q].costed();
      planning.greedy |= plans_[q].greedy();
      planning.associates |= plans_[q].associates();
      if (candidates.size() < 2) continue;
      const double more = std::abs(candidates[1].cycles - candidates[0].cycles);
      if (!second || more < least) second = {q, 1}, least = more;
    }
    planning.chosen = written(second ? second->first : 0, 0);
    if (second) planning.second = written(second->first, second->second);
    planning.rewrites = std::move(rewrites_);
    return planning;
  }

  std::vector<Alternative> all() {
    std::vector<Alternative> found;
    for (std::size_t q = 0; q < plans_.size(); ++q)
      for (std::size_t c = 1; c < plans_[q].candidates().size(); ++c) found.push_back(written(q, c));
    std::ranges::stable_sort(found, {}, &Alternative::cycles);
    found.insert(found.begin(), written());
    return found;
  }

 private:
  FreshName fresh_names() const {
    return [taken = taken_, number = 0]() mutable {
      std::string name;
      do name = "t" + std::to_string(++number);
      while (!taken.insert(name).second);
      return name;
    };
  }

  /// Of those that are estimated to take nearly as long as the best one, the one that takes the least as compiled.
  void settle_near_ties(QueryPlans& plans) const {
    std::size_t near = 0;
    const std::vector<Candidate>& all = plans.candidates();
    while (near < std::min(all.size(), most_compiled) && all[near].cycles <= near_tie * all.front().cycles) ++near;
    if (near < 2) return;
    std::size_t best = 0;
    for (std::size_t c = 0; c < near; ++c) {
      const auto cycles =
          compiled_cycles({plans.queries_of(all[c], fresh_names()), {}}, formats_, counted_, options_.memory);
      if (!cycles) return;
      plans.set_compiled(c, *cycles);
      if (*cycles < *all[best].compiled) best = c;
    }
    plans.prefer(best);
  }

  void add(const Query& query) {
    QueryPlans plans(query, formats_, counted_, options_.allowed, options_.memory, options_.seen);
    settle_near_ties(plans);
    formats_[query.name] = result_format(query, formats_);
    // What is dense is full, and so is what nobody has counted.
    const Statistics stored = plans.expected();
    if (stored.density() < 1 && as_set(query.fields).size() == query.fields.size())
      counted_[query.name] = counted(stored, query.fields);
    plans_.push_back(std::move(plans));
  }

  std::set<std::string> taken_;
  Formats formats_;
  CountedTables counted_;
  PlanOptions options_;
  std::vector<std::string> produces_;
  std::vector<Applied> rewrites_;
  std::vector<QueryPlans> plans_;
};

}  // namespace

Planning plan(const std::vector<Query>& queries, const Formats& formats, const CountedTables& counted,
              const PlanOptions& options) {
  return Planner(queries, formats, counted, options).planned();
}

std::vector<Alternative> all_plans(const std::vector<Query>& queries, const Formats& formats,
                                   const CountedTables& counted, const PlanOptions& options) {
  return Planner(queries, formats, counted, options).all();
}

std::optional<Seen> corrected(const Alternative& plan, const std::map<std::string, double>& stored,
                              const Seen& before) {
  Seen seen = before;
  bool more = false;
  for (const PlannedQuery& one : plan.queries) {
    const auto found = stored.find(one.query.name);
    if (found == stored.end() || one.of.empty() || !is_far_off(one.stored.entries, found->second)) continue;
    seen[one.of] = found->second;
    more = true;
  }
  return more ? std::optional(std::move(seen)) : std::nullopt;
}

}  // namespace trellis::lazy
