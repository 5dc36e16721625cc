#include "engine/coiterate/lattice.hpp"

#include <algorithm>
#include <optional>

#include "engine/coiterate/bodies.hpp"
#include "engine/coiterate/known_indices.hpp"
#include "engine/coiterate/reduce.hpp"
#include "engine/coiterate/roles.hpp"
#include "engine/coiterate/support.hpp"
#include "engine/coiterate/why_everywhere.hpp"
#include "engine/text/cancel.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

using Role = Lattice::Role;

class Points {
 public:
  Points(Lattice& lattice, const Surroundings& around)
      : lattice_(lattice),
        around_(around),
        leads_(lattice.with_role(Role::leads)),
        follows_(lattice.with_role(Role::follows)) {}

  void build(const loop::Stmt& body) {
    text::stop_if_cancelled();  // nests multiply
    if (leads_.empty())
      return has_regions(follows_) && gapped(follows_) <= most_merged
                 ? every_region(body)
                 : one_body(Lattice::Point::Goes::everywhere, body);
    using Goes = Lattice::Point::Goes;
    const bool all_needed =
        std::ranges::all_of(leads_, [&](int l) { return lattice_.algebra.with(l, false).is_nowhere(); });
    const bool one_for_all = cases_multiply(all_needed, body) ||
                             (!all_needed && std::ranges::any_of(leads_, [&](int l) { return literal(l).grows; }));
    if (one_for_all) return one_body(all_needed && !by_regions() ? Goes::while_all : Goes::while_any, body);
    top_down(body);
  }

 private:
  const Literal& literal(int l) const { return lattice_.operands[static_cast<std::size_t>(l)].literal; }

  void one_body(Lattice::Point::Goes goes, const loop::Stmt& body) {
    lattice_.points.push_back(
        {goes, leads_, follows_, by_regions(), false, false, {}, lattice_.algebra, body, {}, {Lattice::Edge{}}});
  }

  /// All coordinates, as many at once as no operand begins or ends in.
  void every_region(const loop::Stmt& body) {
    const Lattice::Case what = cases(follows_, {}, lattice_.algebra, body);
    const auto everywhere = Lattice::Point::Goes::everywhere;
    lattice_.points.push_back(
        {everywhere, {}, follows_, true, false, true, {}, lattice_.algebra, body, what, {Lattice::Edge{}}});
  }

  /// A loop for each subset of the leads would take too much code, or loops inside would do so for each of those: three
  /// operands have 19 leaves at one level, 61 at two, each with a nest of its own. Three levels down, what each leaf
  /// has to append is long as well. What else the body reads is asked for in each of those.
  bool cases_multiply(bool all_needed, const loop::Stmt& body) const {
    const auto nested =
        std::ranges::count_if(leads_, [&](int l) { return !literal(l).last || literal(l).level() > 1; });
    if (!all_needed && (leads_.size() > most_merged || (leads_.size() == most_merged && nested > 1))) return true;
    double own = bodies_of(lattice_.algebra);
    for (const int l : follows_) own *= reads(body, l) ? 2 : 1;
    return own > 1 && own * bodies_inside(body, around_) > most_bodies;
  }

  /// Points that follow each other stop and go on in the middle of a region, so that all of them go by regions or none.
  bool by_regions() const { return has_regions(leads_.empty() ? follows_ : leads_); }

  bool has_regions(const std::vector<int>& operands) const {
    return std::ranges::any_of(operands, [&](int l) { return literal(l).sequence.has_regions(); });
  }

  std::size_t gapped(const std::vector<int>& operands) const {
    return static_cast<std::size_t>(std::ranges::count_if(operands, [&](int l) { return !literal(l).sequence.full; }));
  }

  std::vector<int> needed(const Algebra& algebra) const {
    std::vector<int> result;
    for (const int l : leads_)
      if (algebra.depends_on(l)) result.push_back(l);
    return result;
  }

  using Ways = std::vector<std::vector<int>>;  ///< what has run out, for each way to a point

  /// A point for each set of leads that can be left while the residual asks for any of them. Those with more leads come
  /// first: no loop runs before one that it must follow, and every way to a point is known when its turn comes.
  void top_down(const loop::Stmt& body) {
    struct Ahead {
      std::vector<int> leads;
      Algebra algebra;
      Ways ways;
    };
    std::vector<Ahead> ahead{{needed(lattice_.algebra), lattice_.algebra, {{}}}};
    std::vector<std::vector<std::vector<int>>> targets;  // by point and edge: the leads of the point there
    while (!ahead.empty()) {
      const auto next = std::max_element(
          ahead.begin(), ahead.end(), [](const Ahead& a, const Ahead& b) { return a.leads.size() < b.leads.size(); });
      const Ahead current = *next;
      ahead.erase(next);
      const auto point = merged(current.leads, current.algebra, residual(body, current.ways), current.ways);
      if (!point) continue;
      targets.emplace_back();
      for (const int l : current.leads) {
        const Algebra rest = current.algebra.with(l, false);
        targets.back().push_back(rest.is_nowhere() ? std::vector<int>{} : needed(rest));
        if (rest.is_nowhere()) continue;
        auto known =
            std::find_if(ahead.begin(), ahead.end(), [&](const Ahead& a) { return a.leads == targets.back().back(); });
        if (known == ahead.end()) known = ahead.insert(ahead.end(), {targets.back().back(), rest, {}});
        for (std::vector<int> way : current.ways) {
          way.insert(std::upper_bound(way.begin(), way.end(), l), l);
          add_once(known->ways, way);
        }
      }
      lattice_.points.push_back(*point);
    }
    for (std::size_t p = 0; p < targets.size(); ++p)
      for (std::size_t e = 0; e < targets[p].size(); ++e)
        for (std::size_t to = p + 1; to < targets.size(); ++to)
          if (lattice_.points[to].leads == targets[p][e]) lattice_.points[p].edges[e].to = static_cast<int>(to);
  }

  /// Nothing when there is nothing to do there.
  std::optional<Lattice::Point> merged(const std::vector<int>& leads, const Algebra& algebra, const loop::Stmt& body,
                                       const Ways& ways) const {
    if (is_nothing(body)) return std::nullopt;
    const bool together = by_regions() && all_needed(leads, algebra);
    Lattice::Point point{
        Lattice::Point::Goes::while_all, leads, {}, by_regions(), together, true, ways.front(), algebra, body, {}, {}};
    for (const std::vector<int>& way : ways) std::erase_if(point.gone, [&](int l) { return !contains(way, l); });
    std::vector<int> untested = leads;
    for (const int l : follows_) untested.push_back(l);
    for (const int l : leads_)
      if (!contains(leads, l) && !contains(point.gone, l)) untested.push_back(l);
    point.cases = cases(untested, leads, algebra, body);
    if (together) point.cases = with_all(std::move(point.cases), leads);
    for (const int l : untested)
      if (!contains(leads, l) && tests(point.cases, l)) point.follows.push_back(l);
    for (const int l : leads) point.edges.push_back({l, -1});
    return point;
  }

  /// Is there something to do only where all of several are? Of several entries at one coordinate none is passed by.
  bool all_needed(const std::vector<int>& leads, const Algebra& algebra) const {
    return leads.size() > 1 && std::ranges::all_of(leads, [&](int l) {
             return literal(l).stored().unique && algebra.with(l, false).is_nowhere();
           });
  }

  static Lattice::Case with_all(Lattice::Case c, const std::vector<int>& leads) {
    if (!contains(leads, c.tested)) return c;
    c.certain = true;
    c.branches.resize(1);
    c.branches.front() = with_all(std::move(c.branches.front()), leads);
    return c;
  }

  /// The body that is right whatever way the loop came: that of one way, if it comes to the same as the others' where
  /// what has run out on those is absent; else the one in which nothing is taken to be absent that may still be there.
  loop::Stmt residual(const loop::Stmt& body, const Ways& ways) const {
    std::vector<loop::Stmt> bodies;
    for (const std::vector<int>& way : ways) bodies.push_back(without_all(body, way));
    for (const loop::Stmt& candidate : bodies) {
      bool right = true;
      for (std::size_t w = 0; w < ways.size() && right; ++w) right = without_all(candidate, ways[w]) == bodies[w];
      if (right) return candidate;
    }
    std::vector<int> certain = ways.front();
    for (const std::vector<int>& way : ways) std::erase_if(certain, [&](int l) { return !contains(way, l); });
    return without_all(body, certain);
  }

  loop::Stmt without_all(loop::Stmt body, const std::vector<int>& gone) const {
    for (const int l : gone) body = without(body, literal(l), around_);
    return body;
  }

  /// A decision tree over what may be here, leads first; where the residual asks for nothing, nothing is done. The loop
  /// stands at the coordinate of some lead: one of `may_stand`, unless it is empty because one has been found to be
  /// there.
  Lattice::Case cases(std::vector<int> untested, const std::vector<int>& may_stand, const Algebra& algebra,
                      const loop::Stmt& body) const {
    if (algebra.is_nowhere() || is_nothing(body)) return {-1, false, {}, loop::block({}, body.origin())};
    std::erase_if(untested, [&](int l) { return !algebra.depends_on(l) && !reads(body, l); });
    if (untested.empty()) return {-1, false, {}, body};
    const int l = untested.front();
    untested.erase(untested.begin());
    Lattice::Case result{l, may_stand == std::vector<int>{l} || literal(l).sequence.full, {}, body};
    const bool found = contains(may_stand, l);
    result.branches.push_back(
        cases(untested, found ? std::vector<int>{} : may_stand, algebra.with(l, true), with_entry(body, l)));
    if (result.certain) return result;
    std::vector<int> others = may_stand;
    std::erase(others, l);
    result.branches.push_back(cases(untested, others, algebra.with(l, false), without_entry(body, l)));
    return result;
  }

  loop::Stmt with_entry(const loop::Stmt& body, int l) const {
    const loop::Stmt present = literal(l).exact ? where_stored(body, literal(l), around_) : body;
    return by_regions() ? with_known(present, where_present(literal(l), around_), around_) : present;
  }

  loop::Stmt without_entry(const loop::Stmt& body, int l) const {
    const loop::Stmt absent = without(body, literal(l), around_);
    if (!by_regions()) return absent;
    return with_known(absent, where_absent(literal(l), lattice_.for_(), around_), around_);
  }

  bool reads(const loop::Stmt& body, int l) const {
    bool found = false;
    const Offers one{{literal(l)}, {}};
    const std::string& tensor = literal(l).access.as<lang::Access>()->tensor;
    for_each_read(body, [&](const Read& read) {
      const auto& access = *read.access.as<lang::Access>();
      found |= access.tensor == tensor && one.of(access, *around_.tensor(tensor)) == 0;
    });
    return found;
  }

  static bool tests(const Lattice::Case& c, int l) {
    return c.tested == l || std::any_of(c.branches.begin(), c.branches.end(),
                                        [&](const Lattice::Case& branch) { return tests(branch, l); });
  }

  Lattice& lattice_;
  const Surroundings& around_;
  std::vector<int> leads_, follows_;
};

}  // namespace

std::vector<int> Lattice::with_role(Role role) const {
  std::vector<int> found;
  for (std::size_t k = 0; k < operands.size(); ++k)
    if (operands[k].role == role) found.push_back(static_cast<int>(k));
  return found;
}

std::vector<std::string> Lattice::names() const {
  std::vector<std::string> all;
  for (const Operand& operand : operands) all.push_back(operand.literal.name);
  return all;
}

Lattice build_lattice(const loop::Stmt& loop, const Offers& offers, const Surroundings& around) {
  Lattice lattice;
  lattice.loop = loop;
  lattice.refusals = offers.refusals;
  for (const Literal& literal : offers.literals) lattice.operands.push_back({literal});
  const loop::Stmt body = reduce(lattice.for_().body, around);
  lattice.algebra = offers.literals.empty() ? Algebra::everywhere() : support(body, offers, around);
  if (lattice.algebra.is_nowhere()) return lattice;
  if (lattice.algebra.is_everywhere())
    lattice.everywhere = why_everywhere(body, lattice.for_().variable, offers, around);
  choose_roles(lattice, around);
  const bool cursors = std::any_of(lattice.operands.begin(), lattice.operands.end(),
                                   [](const auto& o) { return o.role != Role::located; });
  if (cursors) Points(lattice, around).build(body);
  return lattice;
}

}  // namespace trellis::coiterate
