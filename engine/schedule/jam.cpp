#include "engine/schedule/jam.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;
using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

/// Of the dependence's pairs, those that are as near each other in the loop that carries it.
Domain within_block(const Nest& nest, const Dependence& d, int count) {
  const Around& loop = *nest.carrier(d);
  const Affine from = Affine::name(marked(loop.variable)), to = Affine::name(loop.variable);
  Domain pairs = d.pairs;
  pairs.constraints.push_back({loop.descending ? from - to : to - from, Relation::less, count});
  return pairs;
}

/// The ways in which the sink's inner iteration, or its place in the text, comes before the source's.
std::vector<std::vector<Constraint>> inner_orders(const Nest& nest, const Dependence& d) {
  const Site &source = nest.sites[d.source], &sink = nest.sites[d.sink];
  std::vector<std::vector<Constraint>> all;
  std::vector<Constraint> same;
  for (std::size_t k = d.level + 1; k < common_loops(source, sink); ++k) {
    const Around& loop = source.loops[k];
    const Affine first = Affine::name(marked(loop.variable)), second = Affine::name(loop.variable);
    all.push_back(same);
    all.back().push_back({second, loop.descending ? Relation::greater : Relation::less, first});
    same.push_back({first, Relation::equal, second});
  }
  if (sink.sequence < source.sequence) all.push_back(same);
  return all;
}

/// Dependences of which pairs within a block now run the other way round.
template <class Visit>
void for_each_late(const Nest& nest, int loop, int count, math::Solver& solver, Visit&& visit) {
  for (const Dependence& d : nest.dependences) {
    const Around* carrier = nest.carrier(d);
    if (!carrier || carrier->id != loop || (d.commutes && !rounds_by_order(d))) continue;
    const Domain near = within_block(nest, d, count);
    for (const auto& order : inner_orders(nest, d)) {
      Domain late = near;
      late.constraints.insert(late.constraints.end(), order.begin(), order.end());
      if (!solver.is_empty(late)) visit(d, late);
    }
  }
}

/// Calls with the loop's number in the text, and how many of its iterations run at once.
template <class Visit>
void for_each_jammed(const Stmt& loops, Visit&& visit) {
  int number = 0;
  loop::for_each(loops, [&](const Stmt& s) {
    number += s.as<For>() || s.as<loop::While>();
    if (const auto* f = s.as<For>(); f && f->jam > 1) visit(number, f->jam);
  });
}

}  // namespace

bool holds_loop(const Stmt& body) {
  bool found = false;
  loop::for_each(body, [&](const Stmt& s) { found |= s.as<For>() != nullptr; });
  return found;
}

std::optional<Unfit> cannot_jam(const Stmt& loops, const std::string& variable) {
  bool holds = false, ends = false, vectors = false;
  loop::for_each(loops, [&](const Stmt& s) {
    const auto* f = s.as<For>();
    if (!f || f->variable != variable) return;
    holds |= holds_loop(f->body);
    ends |= f->until.has_value();
    vectors |= f->execution == For::Execution::vectorized;
  });
  const std::string loop = "loop " + variable;
  if (!holds)
    return Unfit{"E0141", loop + " holds no other loop to run several iterations in",
                 "`unroll` writes a body several times"};
  if (ends)
    return Unfit{"E0144", loop + " ends early, by until, and takes one iteration after the other",
                 "loops inside it can be jammed"};
  if (vectors)
    return Unfit{"E0141", loop + " runs in vectors, which are several iterations already", "jam a loop around it"};
  return std::nullopt;
}

std::optional<Violation> jammed_too_early(const Nest& nest, int loop, int count, math::Solver& solver) {
  std::optional<Violation> found;
  for_each_late(nest, loop, count, solver, [&](const Dependence& d, const Domain& wrong) {
    if (!d.commutes && !found) found = smallest(nest, d, wrong, solver);
  });
  return found;
}

std::optional<Violation> jammed_too_early(const Stmt& loops, const Nest& nest, math::Solver& solver) {
  std::optional<Violation> found;
  for_each_jammed(loops, [&](int loop, int count) {
    if (!found) found = jammed_too_early(nest, loop, count, solver);
  });
  return found;
}

void note_jammed_sums(Certificate& certificate, const Stmt& loops, const Nest& nest, math::Solver& solver) {
  for_each_jammed(loops, [&](int loop, int count) {
    for_each_late(nest, loop, count, solver, [&](const Dependence& d, const Domain&) {
      if (rounds_by_order(d)) add_reassociated(certificate, nest, d);
    });
  });
}

}  // namespace trellis::schedule
