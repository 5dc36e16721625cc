#include "engine/coiterate/lower_coiterate.hpp"

#include <algorithm>

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/cover.hpp"
#include "engine/coiterate/loop_parts.hpp"
#include "engine/coiterate/lower_regions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/open_cursor.hpp"
#include "engine/coiterate/open_lattice.hpp"
#include "engine/coiterate/recursion.hpp"
#include "engine/coiterate/reduce.hpp"

namespace trellis::coiterate {

using format::BinaryOp;

namespace {

/// What is done in one case of the point.
Stmt outcome(Context& in, const OpenLattice& walk, const loop::Stmt& body, const std::vector<int>& present) {
  Origins& origins = in.origins;
  const Scoped around(origins.around);
  origins.around.push_back(origins.in_lattice(origins.within.point, origins.within.outcomes++));
  return is_nothing(body) ? make(in, Seq{}, body) : lower_leaf(in, walk, body, present);
}

bool is_empty(const Stmt& s) {
  const auto* seq = s.as<Seq>();
  return seq && seq->statements.empty();
}

Stmt cases(Context& in, const OpenLattice& walk, const Lattice::Case& c, const std::vector<int>& present);

/// The position of the entry, or of the segment, that the operand's cursor stands at.
void stand_at(Context& in, const OpenLattice& walk, int operand, const std::string& name, const std::string& missing) {
  const Literal& literal = walk.literal(operand);
  const bool segment = literal.sequence.takes_segments();
  const Position position(PositionNode{At{name, segment || !literal.stored().unique}});
  if (!segment) in.entries[literal.key] = {position, missing};
  else
    in.segments[literal.key] = {position, missing, literal.sequence.inverse.at(math::Affine::name(walk.loop.variable))};
}

/// The cases in which the tested operand has an entry, which is where its cursor stands.
Stmt if_present(Context& in, const OpenLattice& walk, const Lattice::Case& c, std::vector<int> present) {
  const Scoped entries(in.entries);
  const Scoped segments(in.segments);
  stand_at(in, walk, c.tested, walk.cursor(c.tested).name, "");
  present.push_back(c.tested);
  return cases(in, walk, c.branches.front(), present);
}

Stmt if_absent(Context& in, const OpenLattice& walk, const Lattice::Case& c, const std::vector<int>& present) {
  const Scoped absent(in.origins.within.absent);
  in.origins.within.absent.push_back(c.tested);
  return cases(in, walk, c.branches.back(), present);
}

Stmt cases(Context& in, const OpenLattice& walk, const Lattice::Case& c, const std::vector<int>& present) {
  if (c.tested < 0) return outcome(in, walk, c.body, present);
  Origins& origins = in.origins;
  const int first = origins.within.outcomes;
  Test test{walk.cursor(c.tested).name, if_present(in, walk, c, present), {}, c.certain};
  const int end = origins.within.outcomes;
  if (!c.certain) {
    const Stmt otherwise = if_absent(in, walk, c, present);
    if (is_empty(test.then) && is_empty(otherwise)) return make(in, Seq{}, c.body);
    if (!is_empty(otherwise)) test.otherwise = otherwise;
  }
  // It tests for the cases in which the operand is there.
  const Scoped around(origins.around);
  for (int outcome = first; outcome < end; ++outcome)
    origins.around.push_back(origins.in_lattice(origins.within.point, outcome));
  return make(in, std::move(test), c.body);
}

/// Is it worth asking whether there is something to do, before doing it for nothing? Loops would run, and fills be
/// stored.
bool is_costly(Context& in, const loop::Stmt& body) {
  bool loops = false;
  loop::for_each(body, [&](const loop::Stmt& s) { loops |= s.as<loop::For>() || s.as<loop::While>(); });
  const std::set<std::string> results = surroundings(in).results;
  return loops ||
         std::ranges::any_of(written_in(body), [&](const std::string& name) { return results.contains(name); });
}

/// That there is something to do where the point stands, as far as its operands say so; empty: there always is.
std::optional<Expr> something_to_do(const Lattice::Point& point, const std::map<int, std::string>& here) {
  Algebra asked = point.algebra, visited = Algebra::nowhere();
  for (const int operand : std::vector<int>(asked.literals()))
    if (!here.contains(operand)) asked = asked.with(operand, true) | asked.with(operand, false);
  for (const int lead : point.leads) visited = visited | Algebra::literal(lead);
  if (point.leads.empty() || (visited & !asked).is_nowhere()) return std::nullopt;
  constexpr std::size_t most_terms = 16;
  const Cover terms = cover(asked, most_terms);
  if (!terms.whole) return std::nullopt;
  std::optional<Expr> any;
  for (const Cover::Term& term : terms.terms) {
    std::optional<Expr> all;
    for (const auto& [operand, present] : term)
      all =
          both(condition(present ? BinaryOp::greater_equal : BinaryOp::less, name(here.at(operand)), integer(0)), all);
    any = either(*all, any);
  }
  return any;
}

// One body for all cases: each operand is where its cursor stands, or missing. (docs/design/coiteration.md#no-blow-up)
Stmt one_body(Context& in, const OpenLattice& walk, const Lattice::Point& point) {
  const loop::Stmt& body = point.body;
  const Scoped scope(in.scope);
  const Scoped entries(in.entries);
  const Scoped segments(in.segments);
  const Scoped around(in.origins.around);
  in.origins.around.push_back(in.origins.in_lattice(in.origins.within.point, 0));
  std::vector<std::pair<std::string, Expr>> lets;
  std::map<int, std::string> flags;
  for (const int operand : walk.operands_walked()) {
    const Literal& literal = walk.literal(operand);
    const std::string& cursor = walk.cursor(operand).name;
    const bool several = literal.sequence.takes_segments() || !literal.stored().unique;
    const std::string here = in.scope.introduce(cursor + "_here");
    lets.emplace_back(here, Expr(ExprNode{Here{cursor, several}, format::ScalarType::i64, {}}));
    stand_at(in, walk, operand, here, here);
    flags[operand] = here;
  }
  Stmt result = lower_leaf(in, walk, body, walk.operands_walked(), Present::some);
  if (is_costly(in, body) && !is_empty(result))
    if (const auto asked = something_to_do(point, flags)) result = make(in, If{*asked, result, {}}, body);
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    result = make(in, Let{let->first, let->second, result}, body);
  return result;
}

Coiterate::Point lower_point(Context& in, OpenLattice& walk, const Lattice::Point& point) {
  const Scoped scope(in.scope);
  const std::string& i = walk.loop.variable;
  walk.regions.reset();
  if (point.by_regions) {
    walk.regions = {in.scope.unused(i + "_first"), in.scope.unused(i + "_last")};
    in.scope.bound.insert({walk.regions->first, walk.regions->last});
  } else {
    in.scope.bound.insert(i);
  }
  Origins::Within& within = in.origins.within;
  ++within.point;
  within.outcomes = 0;
  const Scoped absent(within.absent, point.gone);
  const Scoped around(in.origins.around);
  const text::NodeId made_of = in.origins.in_lattice(within.point);
  in.origins.around.push_back(made_of);
  const bool any = point.goes == Lattice::Point::Goes::while_any;
  const Stmt body = point.by_cases ? cases(in, walk, point.cases, {}) : one_body(in, walk, point);
  return {walk.cursors_of(point.leads),
          walk.cursors_of(point.follows),
          any,
          is_empty(body) || point.by_regions ? body : behind_await(in, point.body, walk.loop, body),
          walk.regions,
          point.together,
          {made_of}};
}

/// Its points are the lattice's, its cursors the operands that lead, then those that follow.
OpenLattice open_walk(Context& in, const loop::For& f, const Lattice& lattice) {
  OpenLattice walk{lattice, f, {}, {}, std::vector<int>(lattice.operands.size(), -1)};
  const auto open = [&](Lattice::Role role, Cursor::Role as) {
    for (const int operand : lattice.with_role(role)) {
      walk.cursor_of[static_cast<std::size_t>(operand)] = static_cast<int>(walk.cursors.size());
      walk.cursors.push_back(open_cursor(in, walk.literal(operand), f, as));
    }
  };
  open(Lattice::Role::leads, Cursor::Role::lead);
  open(Lattice::Role::follows, Cursor::Role::follow);
  return walk;
}

/// As the loop wants it, of what is beside others that are needed as well.
void find_as_asked(const loop::For& f, Coiterate& c) {
  const auto is_sought = [&](std::size_t cursor) {
    return std::ranges::any_of(c.points, [&](const Coiterate::Point& point) {
      return !point.any && point.leads.size() > 1 &&
             std::ranges::find(point.leads, static_cast<int>(cursor)) != point.leads.end();
    });
  };
  for (const lang::Schedule::Find& find : f.finds) {
    using Asked = lang::Schedule::Find::How;
    if (find.how == Asked::binary) continue;
    const auto asked = find.how == Asked::merge  ? Cursor::Find::merge
                       : find.how == Asked::scan ? Cursor::Find::scan
                                                 : Cursor::Find::gallop;
    for (std::size_t k = 0; k < c.cursors.size(); ++k)
      if (c.cursors[k].tensor == find.tensor && is_sought(k)) c.cursors[k].find = asked;
  }
}

}  // namespace

Stmt lower_coiterate(Context& in, const loop::Stmt& s, const loop::For& f, const Lattice& lattice) {
  const Scoped scope(in.scope);
  const Scoped around(in.origins.around, {in.origins.in_lattice()});
  Coiterate c;
  c.variable = f.variable;
  c.low = lower_expr(in, f.low);
  c.high = lower_expr(in, f.high);
  if (f.descending) c.direction = Loop::Direction::down;
  if (f.execution == loop::For::Execution::parallel) c.execution = Loop::Execution::parallel;
  c.reduces = reduced(in, f);
  c.merge_path = merge_path(in, f);
  OpenLattice walk = open_walk(in, f, lattice);
  c.cursors = walk.cursors;
  in.scope.ranges.enter(c);
  for (const Lattice::Point& point : lattice.points) c.points.push_back(lower_point(in, walk, point));
  find_as_asked(f, c);
  const text::Origin algebra = {{text::Stage::algebra, in.origins.within.lattice}};
  return Stmt(StmtNode{std::move(c), s->span}, text::merge(in.origins.of(s), algebra));
}

}  // namespace trellis::coiterate
