#include "engine/schedule/await.hpp"

#include <set>

#include "engine/schedule/jam.hpp"
#include "engine/schedule/mark.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;
using math::Affine;
using math::Domain;
using math::Relation;

/// Calls for each loop inside of a loop over the variable, with both.
template <class Visit>
void for_each_inside(const Stmt& loops, const std::string& variable, Visit&& visit) {
  loop::for_each(loops, [&](const Stmt& s) {
    const auto* outer = s.as<For>();
    if (!outer || outer->variable != variable) return;
    loop::for_each(outer->body, [&](const Stmt& inner) {
      if (const auto* f = inner.as<For>()) visit(*outer, *f);
    });
  });
}

/// To wait costs as much as many operations: worth it only before a loop. And never for iterations that come later.
bool can_wait(const Stmt& loops, const std::string& variable, const std::string& inner, math::Solver& solver) {
  bool can = true;
  for_each_inside(loops, variable, [&](const For& outer, const For& f) {
    if (f.variable != inner) return;
    const auto bounds = bounds_of(f, {variable, inner});
    can &= holds_loop(f.body) && bounds && !f.until;
    if (!can) return;
    Domain late{{variable, inner}, *bounds};
    late.constraints.push_back({Affine::name(inner), outer.descending ? Relation::less_equal : Relation::greater_equal,
                                Affine::name(variable)});
    can &= solver.is_empty(late);
  });
  return can;
}

/// The outermost loop around the sink that is over the source's iterations of the carrying loop.
std::string waits_at(const Stmt& loops, const Nest& nest, const Dependence& d, math::Solver& solver) {
  const std::string& carrier = nest.carrier(d)->variable;
  const Site& sink = nest.sites[d.sink];
  for (std::size_t k = d.level + 1; k < sink.loops.size(); ++k) {
    const std::string& inner = sink.loops[k].variable;
    Domain other = d.pairs;
    other.constraints.push_back({Affine::name(marked(carrier)), Relation::not_equal, Affine::name(inner)});
    if (solver.is_empty(other) && can_wait(loops, carrier, inner, solver)) return inner;
  }
  return "";
}

}  // namespace

std::variant<Stmt, const Dependence*> awaiting(const Stmt& loops, const Nest& nest, const std::string& variable,
                                               math::Solver& solver) {
  std::set<std::string> waiting;
  for (const Dependence& d : nest.dependences) {
    const Around* carrier = nest.carrier(d);
    if (!carrier || carrier->variable != variable) continue;
    const std::string inner = waits_at(loops, nest, d, solver);
    if (inner.empty()) return &d;
    waiting.insert(inner);
  }
  return on_loops(loops, variable, [&](For& f) {
    f.execution = For::Execution::parallel;
    for (const std::string& inner : waiting) f.body = on_loops(f.body, inner, [&](For& own) { own.awaits = variable; });
  });
}

bool awaits(const Stmt& loops) {
  bool found = false;
  loop::for_each(loops, [&](const Stmt& s) { found |= s.as<For>() && !s.as<For>()->awaits.empty(); });
  return found;
}

}  // namespace trellis::schedule
