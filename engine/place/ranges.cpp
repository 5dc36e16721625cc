#include "engine/place/ranges.hpp"

#include <algorithm>

#include "engine/place/bounds.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {
namespace {

using lang::Expr;
using math::Affine;
using math::Constraint;
using math::Domain;
using math::Relation;

enum class Side { low, high };

Constraint holds(Side side, const std::string& variable, const Affine& bound) {
  return side == Side::low ? at_least(variable, bound) : below(variable, bound);
}

std::vector<Affine>& of(Bounds& bounds, Side side) { return side == Side::low ? bounds.lows : bounds.highs; }

/// Without what is no bound: remainders, of which each piece of a projection would have its own bounds.
Domain convex(const Domain& domain) {
  Domain result = domain;
  std::erase_if(result.constraints, [](const Constraint& c) {
    return c.relation == Relation::not_equal || !c.left.quotients.empty() || !c.right.quotients.empty();
  });
  return result;
}

/// One side of one statement's range, from its own constraints, else from its projection.
std::vector<Affine> side_of(math::Solver& solver, const std::string& variable, const Domain& member,
                            const Domain& around, Side side) {
  auto outer = [&](const std::string& n) { return contains(around.variables, n) || !contains(member.variables, n); };
  Bounds direct = bounds_of(variable, member.constraints, outer);
  if (!of(direct, side).empty()) return of(direct, side);
  std::vector<std::string> onto;
  for (const std::string& v : member.variables)
    if (contains(around.variables, v)) onto.push_back(v);
  onto.push_back(variable);
  std::vector<Affine> result;
  for (const Domain& piece : solver.project(member, onto)) {
    Bounds bounds = bounds_of(variable, piece.constraints, outer);
    for (const Affine& a : of(bounds, side))
      if (solver.implies(member, holds(side, variable, a))) result.push_back(a);
  }
  if (!result.empty()) return result;
  const Domain simpler = convex(member);
  return simpler.constraints.size() < member.constraints.size() ? side_of(solver, variable, simpler, around, side)
                                                                : result;
}

/// Bounds that every statement keeps.
std::vector<Affine> common(math::Solver& solver, const std::string& variable, const std::vector<Domain>& members,
                           const std::vector<std::vector<Affine>>& sides, Side side) {
  std::vector<Affine> result;
  for (const auto& candidates : sides) {
    for (const Affine& a : candidates) {
      if (contains(result, a)) continue;
      bool always = true;
      for (std::size_t m = 0; m < members.size() && always; ++m) {
        const bool stated = contains(sides[m], a);
        always = stated || solver.implies(members[m], holds(side, variable, a));
      }
      if (always) result.push_back(a);
    }
  }
  return result;
}

/// Without bounds that another one makes superfluous.
void simplify(math::Solver& solver, std::vector<Affine>& bounds, const Domain& around, Side side) {
  const Relation looser = side == Side::low ? Relation::less_equal : Relation::greater_equal;
  for (std::size_t k = 0; k < bounds.size() && bounds.size() > 1;) {
    bool superfluous = false;
    for (std::size_t other = 0; other < bounds.size() && !superfluous; ++other)
      superfluous = other != k && solver.implies(around, {bounds[k], looser, bounds[other]});
    if (superfluous) bounds.erase(bounds.begin() + static_cast<std::ptrdiff_t>(k));
    else ++k;
  }
}

Expr combined(const std::vector<Expr>& parts, format::Function function) {
  if (parts.empty()) return lang::integer(0);
  if (parts.size() == 1) return parts[0];
  return Expr({lang::Call{function, parts}, format::ScalarType::i64, {}});
}

Expr combined(const std::vector<Affine>& bounds, const std::vector<std::string>& variables, format::Function function) {
  std::vector<Expr> parts;
  for (const Affine& a : bounds) parts.push_back(lang::to_expr(a, variables));
  return combined(parts, function);
}

Expr side_expr(math::Solver& solver, const std::string& variable, const std::vector<Domain>& members,
               const Domain& around, Side side, std::vector<Affine>& shared) {
  const format::Function inner = side == Side::low ? format::Function::max : format::Function::min;
  const format::Function outer = side == Side::low ? format::Function::min : format::Function::max;
  std::vector<std::vector<Affine>> sides;
  for (const Domain& m : members) sides.push_back(side_of(solver, variable, m, around, side));
  shared = common(solver, variable, members, sides, side);
  simplify(solver, shared, around, side);
  if (!shared.empty()) return combined(shared, around.variables, inner);
  std::vector<Expr> parts;
  for (std::vector<Affine>& s : sides) {
    simplify(solver, s, around, side);
    Expr part = combined(s, around.variables, inner);
    add_once(parts, part);
  }
  return combined(parts, outer);
}

/// Constraints that say the same, as one form.
Affine canonical(const Constraint& c) {
  switch (c.relation) {
    case Relation::less: return c.right - c.left - 1;
    case Relation::less_equal: return c.right - c.left;
    case Relation::greater: return c.left - c.right - 1;
    default: return c.left - c.right;
  }
}

bool is_stated(const Constraint& c, const std::vector<Constraint>& in) {
  if (c.relation == Relation::equal || c.relation == Relation::not_equal) return contains(in, c);
  const Affine form = canonical(c);
  return std::any_of(in.begin(), in.end(), [&](const Constraint& k) {
    return k.relation != Relation::equal && k.relation != Relation::not_equal && canonical(k) == form;
  });
}

}  // namespace

std::vector<Constraint> Range::known(const std::string& variable) const {
  std::vector<Constraint> result;
  for (const Affine& a : lows) result.push_back(at_least(variable, a));
  for (const Affine& a : highs) result.push_back(below(variable, a));
  return result;
}

Range range_of(math::Solver& solver, const std::string& variable, const std::vector<Domain>& members,
               const Domain& around) {
  Range range;
  range.low = side_expr(solver, variable, members, around, Side::low, range.lows);
  range.high = side_expr(solver, variable, members, around, Side::high, range.highs);
  return range;
}

std::vector<Constraint> guards_of(math::Solver& solver, const Domain& domain, const Domain& around) {
  Domain open{domain.variables, {}};
  for (const Constraint& c : domain.constraints) {
    if (!is_stated(c, around.constraints) && !is_stated(c, open.constraints)) open.constraints.push_back(c);
  }
  return open.constraints.empty() ? open.constraints : solver.gist(open, around);
}

}  // namespace trellis::place
