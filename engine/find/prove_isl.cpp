#include <algorithm>

#include "engine/find/provers.hpp"
#include "engine/math/solver.hpp"

namespace trellis::find {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

namespace {

std::string earlier(const std::string& variable) { return variable + "'"; }

/// Pairs of iterations, in the variables of the earlier one, which have a mark, and those of the later one.
class Pairs {
 public:
  explicit Pairs(const Query& query) : query_(query) {
    for (const Loop& l : query.loops) {
      all_.variables.push_back(earlier(l.variable));
      mark_.emplace(l.variable, Affine::name(earlier(l.variable)));
    }
    for (const Loop& l : query.loops) all_.variables.push_back(l.variable);
    for (const Loop& l : query.loops) {
      const Affine variable = Affine::name(l.variable);
      if (l.low) add_to_both({*affine(*l.low), Relation::less_equal, variable});
      if (l.high) add_to_both({variable, Relation::less, *affine(*l.high)});
    }
    for (const Term& one : query.fiber) equal(*affine(one));
    const Affine asked = *affine(query.asked);
    all_.constraints.push_back({asked.substitute(mark_), Relation::greater, asked});
  }

  /// In which the loop of this number is the first whose variable differs.
  std::vector<Domain> differing_at(std::size_t loop) const {
    Domain one = all_;
    const auto compare = [&](std::size_t l, Relation relation) {
      const std::string& variable = query_.loops[l].variable;
      return Constraint{Affine::name(earlier(variable)), relation, Affine::name(variable)};
    };
    for (std::size_t l = 0; l < loop; ++l) one.constraints.push_back(compare(l, Relation::equal));
    std::vector<Domain> result;
    const Loop::Way way = query_.loops[loop].way;
    for (const Relation relation : {Relation::less, Relation::greater}) {
      if (way == (relation == Relation::less ? Loop::Way::down : Loop::Way::up)) continue;
      result.push_back(one);
      result.back().constraints.push_back(compare(loop, relation));
    }
    return result;
  }

 private:
  void add_to_both(const Constraint& c) {
    all_.constraints.push_back(c);
    all_.constraints.push_back(c.substitute(mark_));
  }
  void equal(const Affine& form) { all_.constraints.push_back({form.substitute(mark_), Relation::equal, form}); }

  const Query& query_;
  Domain all_;
  std::map<std::string, Affine> mark_;
};

Example example_of(const Query& query, const math::Assignment& point) {
  const std::map<std::string, std::int64_t> values(point.begin(), point.end());
  Example example;
  example.sizes.assign(point.begin(), point.end() - static_cast<std::ptrdiff_t>(2 * query.loops.size()));
  for (const Loop& l : query.loops) {
    example.first.emplace_back(l.variable, values.at(earlier(l.variable)));
    example.second.emplace_back(l.variable, values.at(l.variable));
  }
  const auto asked = [&](bool first) {
    return *affine(query.asked)->evaluate([&](const std::string& name) -> std::optional<std::int64_t> {
      const auto own = first ? values.find(earlier(name)) : values.end();
      const auto found = own == values.end() ? values.find(name) : own;
      return found == values.end() ? 0 : found->second;
    });
  };
  example.asked_first = asked(true);
  example.asked_second = asked(false);
  return example;
}

}  // namespace

bool is_affine(const Query& query) {
  const auto known = [](const std::optional<Term>& bound) { return !bound || affine(*bound); };
  return affine(query.asked) && std::ranges::all_of(query.fiber, [](const Term& t) { return affine(t).has_value(); }) &&
         std::ranges::all_of(query.loops, [&](const Loop& l) { return known(l.low) && known(l.high); });
}

Answer never_falls_by_isl(const Query& query, std::size_t same) {
  math::Solver solver(query.assumed);
  const Pairs pairs(query);
  for (std::size_t loop = same; loop < query.loops.size(); ++loop)
    for (const Domain& one : pairs.differing_at(loop))
      if (const auto point = solver.smallest(one)) return {Verdict::refuted, example_of(query, *point), "isl"};
  return {Verdict::proven, {}, "isl"};
}

}  // namespace trellis::find
