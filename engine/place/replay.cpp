// An illegal order, followed all the same: what it violates is dropped until a tree is found, then put back as far as
// that tree respects it (docs/design/placement.md#replay).
//
//   order i j, x(i) = b(i) - sum(j)(U(i,j) * x(j)) : j > i   ->   for i { for j in i+1:n { # reads x(j) too early … } … }

#include <algorithm>
#include <cassert>
#include <tuple>

#include "engine/place/failure.hpp"
#include "engine/place/instances.hpp"
#include "engine/place/late_pairs.hpp"
#include "engine/place/nest.hpp"
#include "engine/place/place.hpp"
#include "engine/place/placer.hpp"
#include "engine/place/tiles.hpp"

namespace trellis::place {
namespace {

using Kind = Dependences::Kind;

/// The analysis' own dependences are shared and stay whole.
Dependences copy_of(const Analysis& analysis) {
  return Dependences(lang::size_assumptions(analysis.program), analysis.fragments);
}

/// A value of the user's that this update reads and that its own component writes; -1 if there is none.
int user_writer(const Search& failed, const Dependences& dependences, int update) {
  for (int f : failed.failed)
    if (!dependences.fragments().fragments[static_cast<std::size_t>(f)].temporary && dependences.depends(f, update))
      return f;
  return -1;
}

/// Drops what the failure names. When a reduction is used before it is complete, that is what the reduction reads, so
/// that it can be completed: temporaries stay whole in a replay as long as possible.
bool drop_violation(const Search& failed, Dependences& dependences, std::vector<Event>& events) {
  const auto& fragments = dependences.fragments().fragments;
  const Attempt* attempt = deepest(failed.attempts, fragments);
  if (!attempt || attempt->violation < 0) return false;
  int writer = attempt->writer, reader = attempt->reader;
  Dependences::Id pairs = attempt->violation;
  if (fragments[static_cast<std::size_t>(writer)].temporary) {
    if (const int f = user_writer(failed, dependences, writer); f >= 0) {
      reader = writer;
      writer = f;
      pairs = dependences.pairs(Kind::flow, writer, reader, {});
    }
  }
  dependences.drop(writer, reader, pairs);
  events.push_back({Event::Kind::ignore,
                    0,
                    {reader, writer},
                    attempt->loop,
                    fragments[static_cast<std::size_t>(reader)].name + " needs what " +
                        fragments[static_cast<std::size_t>(writer)].name + " writes later"});
  return true;
}

/// Each round drops pairs that were there, of one fragment pair and one way to meet it in a tree, so that rounds end.
std::optional<Search> search_dropping(Dependences& dependences, const lang::Order& order, std::vector<Event>& events) {
  while (true) {
    std::vector<Event> steps;
    Search found = search(dependences, order, &steps);
    if (!found.success && drop_violation(found, dependences, events)) continue;
    if (!found.success) return std::nullopt;
    events.insert(events.end(), steps.begin(), steps.end());
    return found;
  }
}

void drop_late(const Tree& tree, Dependences& dependences, std::vector<Event>& events) {
  for (const Fragment& f : dependences.fragments().fragments) {
    for (const Fragment& g : dependences.fragments().fragments) {
      if (!dependences.depends(f.id, g.id)) continue;
      const auto late = late_pairs(tree, dependences, f.id, g.id, dependences.pairs(Kind::flow, f.id, g.id, {}));
      for (Dependences::Id pairs : late) dependences.drop(f.id, g.id, pairs);
      if (!late.empty())
        events.push_back(
            {Event::Kind::ignore, 0, {g.id, f.id}, "", g.name + " needs what " + f.name + " writes later"});
    }
  }
}

auto size_first(const Dependences::Witness& w) { return std::tie(w.sizes, w.first, w.second); }

Violation describe(const Analysis& analysis, const Fragment& writer, const Fragment& reader, int read,
                   const std::vector<Dependences::Id>& late) {
  Dependences& dependences = *analysis.dependences;
  Violation result;
  result.writer = writer.id;
  result.reader = reader.id;
  result.read = read;
  result.read_span = reader.reads[static_cast<std::size_t>(read)].span;
  result.write_span = analysis.kernel.equations[static_cast<std::size_t>(writer.equation)].left->span;
  std::optional<Dependences::Witness> smallest;
  for (Dependences::Id pairs : late) {
    for (math::Domain& domain : dependences.domains(pairs)) result.pairs.push_back(std::move(domain));
    const auto witness = dependences.smallest(pairs, writer.id, reader.id);
    if (witness && (!smallest || size_first(*witness) < size_first(*smallest))) smallest = witness;
  }
  if (smallest) result.instance = instance_of(analysis, *smallest, writer.id, reader.id);
  return result;
}

std::vector<Violation> violations(const Analysis& analysis, const Tree& tree) {
  Dependences& dependences = *analysis.dependences;
  std::vector<Violation> result;
  for (const Fragment& reader : analysis.fragments.fragments) {
    for (int read = 0; read < static_cast<int>(reader.reads.size()); ++read) {
      for (const Fragment& writer : analysis.fragments.fragments) {
        if (!dependences.meets(writer.id, reader.id, read)) continue;
        const auto late =
            late_pairs(tree, dependences, writer.id, reader.id, dependences.through(writer.id, reader.id, read));
        if (!late.empty()) result.push_back(describe(analysis, writer, reader, read, late));
      }
    }
  }
  return result;
}

}  // namespace

std::optional<Replay> place_ignoring(const Analysis& analysis, const lang::Order& order) {
  if (const auto fitting = tiled(analysis, order)) return place_ignoring(*fitting, order);
  const lang::Order used = used_names(analysis.kernel, order);
  Replay replay;
  replay.order = order;
  Search found = search(*analysis.dependences, used, &replay.events);
  if (!found.success) {
    std::vector<Event> first_events;
    Dependences lesser = copy_of(analysis);
    const auto first = search_dropping(lesser, used, first_events);
    if (!first) return std::nullopt;
    replay.events.clear();
    Dependences kept = copy_of(analysis);
    drop_late(first->tree, kept, replay.events);
    auto second = search_dropping(kept, used, replay.events);
    assert(second && "a tree that has been found is not found again");
    if (!second) return std::nullopt;
    found = std::move(*second);
  }
  replay.violated = violations(analysis, found.tree);
  Nest nest = build_nest(analysis, found.tree, place_initialisers(found.tree, *analysis.dependences),
                         keep_all_steps(analysis), replay.violated);
  replay.nest = loop::number(nest.stmt);
  replay.temporaries = std::move(nest.temporaries);
  return replay;
}

}  // namespace trellis::place
