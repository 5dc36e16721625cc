#include "engine/schedule/dependences.hpp"

#include <algorithm>
#include <set>

#include "engine/schedule/fixed_value.hpp"

namespace trellis::schedule {
namespace {

using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

void append(std::vector<Constraint>& to, const std::vector<Constraint>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The loops around both, outermost first, compared; then the text.
std::vector<Before> ordered(const Site& first, const Site& second, Relation earlier, bool in_text) {
  std::vector<Before> result;
  std::vector<Constraint> same;
  const std::size_t common = common_loops(first, second);
  for (std::size_t k = 0; k < common; ++k) {
    const Around& around = first.loops[k];
    const Affine a = Affine::name(marked(around.variable)), b = Affine::name(around.variable);
    const Relation opposite = earlier == Relation::less ? Relation::greater : Relation::less;
    result.push_back({k, same});
    result.back().constraints.push_back({a, around.descending ? opposite : earlier, b});
    same.push_back({a, Relation::equal, b});
  }
  if (in_text) result.push_back({common, same});
  return result;
}

std::optional<Through> through_of(const Touch& touch, std::size_t dimension) {
  return dimension < touch.through.size() ? touch.through[dimension] : std::nullopt;
}

/// Index tensors of which no element comes twice, and that stay as they are.
std::set<std::string> injective_tensors(const std::vector<Site>& sites, const lang::Program& program) {
  std::set<std::string> found;
  for (const lang::TensorInfo& info : program.tensors) {
    const bool in_order = (info.promises.sorted || info.promises.decreasing) && info.promises.strictly;
    if (info.promises.injective || (in_order && info.shape.size() == 1)) found.insert(info.name);
  }
  for (const Site& site : sites)
    for (const Touch& touch : site.touches)
      if (touch.kind != Touch::Kind::read) found.erase(touch.tensor);
  return found;
}

/// Do both touch one tensor in a way that their order matters? Then where.
std::optional<std::vector<Constraint>> meeting(const Site& s, const Touch& a, const Touch& b,
                                               const std::set<std::string>& injective) {
  if (a.tensor != b.tensor || a.scope != b.scope) return std::nullopt;
  if (a.kind == Touch::Kind::read && b.kind == Touch::Kind::read) return std::nullopt;
  const auto mark = marking(s.domain.variables);
  std::vector<Constraint> result;
  for (const Constraint& guard : a.guards) result.push_back(guard.substitute(mark));
  append(result, b.guards);
  for (std::size_t d = 0; d < a.index.size() && d < b.index.size(); ++d) {
    if (a.index[d] && b.index[d]) result.push_back({a.index[d]->substitute(mark), Relation::equal, *b.index[d]});
    const std::optional<Through> one = through_of(a, d), other = through_of(b, d);
    if (!one || !other || one->tensor != other->tensor || !injective.contains(one->tensor)) continue;
    for (std::size_t k = 0; k < one->index.size(); ++k)
      result.push_back({one->index[k].substitute(mark), Relation::equal, other->index[k]});
  }
  for (std::size_t k = 0; k < a.shared; ++k) {
    const std::string& variable = s.loops[k].variable;
    result.push_back({Affine::name(marked(variable)), Relation::equal, Affine::name(variable)});
  }
  return result;
}

bool commute(const Touch& a, const Touch& b) {
  return a.kind == Touch::Kind::update && b.kind == Touch::Kind::update && a.op == b.op &&
         a.op != format::ReduceOp::user;
}

/// Statements that write one and the same value.
class FixedWrites {
 public:
  explicit FixedWrites(const loop::Stmt& loops) : values_(fixed_values(loops)) {}

  bool commute(const Site& s, const Touch& a, const Site& t, const Touch& b) const {
    if (a.kind != Touch::Kind::write || b.kind != Touch::Kind::write || a.tensor != b.tensor) return false;
    const auto one = value_of(s), other = value_of(t);
    return one && other && *one == *other;
  }

 private:
  std::optional<loop::Expr> value_of(const Site& site) const {
    const auto found = values_.find(site.statement);
    return site.part == Site::Part::action && found != values_.end() ? std::optional(found->second) : std::nullopt;
  }

  std::map<int, loop::Expr> values_;
};

}  // namespace

std::string marked(const std::string& name) { return name + "'"; }

std::map<std::string, Affine> marking(const std::vector<std::string>& variables) {
  std::map<std::string, Affine> result;
  for (const std::string& v : variables) result.emplace(v, Affine::name(marked(v)));
  return result;
}

Domain both(const Domain& first, const Domain& second) {
  const auto mark = marking(first.variables);
  Domain result;
  for (const std::string& v : first.variables) result.variables.push_back(marked(v));
  result.variables.insert(result.variables.end(), second.variables.begin(), second.variables.end());
  append(result.constraints, first.substitute(mark).constraints);
  append(result.constraints, second.constraints);
  return result;
}

std::vector<Before> runs_before(const Site& first, const Site& second) {
  return ordered(first, second, Relation::less, first.sequence < second.sequence);
}

std::vector<Before> runs_after(const Site& first, const Site& second) {
  return ordered(first, second, Relation::greater, first.sequence >= second.sequence);
}

math::Relations::Id restricted(math::Relations& relations, math::Relations::Id pairs,
                               const std::vector<std::string>& variables, const Before& order) {
  const auto number = [&](const Affine& variable) {
    return static_cast<int>(std::ranges::find(variables, variable.as_name().value()) - variables.begin());
  };
  for (const Constraint& c : order.constraints)
    pairs = relations.restrict(pairs, number(c.left), c.relation, number(c.right));
  return pairs;
}

const Around* Nest::carrier(const Dependence& d) const {
  const Site& source = sites[d.source];
  return d.level < common_loops(source, sites[d.sink]) ? &source.loops[d.level] : nullptr;
}

Nest analyse(const loop::Stmt& loops, const lang::Program& program, math::Solver& solver) {
  Nest nest{sites(loops), {}};
  const std::set<std::string> injective = injective_tensors(nest.sites, program);
  const FixedWrites fixed(loops);
  math::Relations relations(solver);
  for (std::size_t s = 0; s < nest.sites.size(); ++s) {
    for (std::size_t t = 0; t < nest.sites.size(); ++t) {
      const Site &first = nest.sites[s], &second = nest.sites[t];
      const Domain together = both(first.domain, second.domain);
      const std::vector<Before> orders = runs_before(first, second);
      for (const Touch& a : first.touches) {
        for (const Touch& b : second.touches) {
          const auto where = meeting(first, a, b, injective);
          if (!where) continue;
          Domain pairs = together;
          append(pairs.constraints, *where);
          const math::Relations::Id all = relations.add({pairs});
          const bool free = commute(a, b) || fixed.commute(first, a, second, b);
          for (const Before& order : orders) {
            if (relations.is_empty(restricted(relations, all, pairs.variables, order))) continue;
            Domain ordered = pairs;
            append(ordered.constraints, order.constraints);
            nest.dependences.push_back({s, t, order.level, free, a, b, std::move(ordered)});
          }
        }
      }
    }
  }
  return nest;
}

}  // namespace trellis::schedule
