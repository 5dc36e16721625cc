#include "engine/distribute/localise.hpp"

#include <algorithm>

#include "engine/loop/context.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::distribute {
namespace {

using loop::Expr;
using loop::Stmt;

Expr extremum(format::Function function, const Expr& a, const Expr& b) {
  return Expr(lang::ExprNode{lang::Call{function, {a, b}}, format::ScalarType::i64, {}});
}

class Localiser {
 public:
  Localiser(const Plan& plan, const Beside& beside)
      : plan_(plan), beside_(beside), names_(schedule::bound_names(plan.loops)) {}

  Stmt localised(const Stmt& s) const {
    if (const auto* b = s.as<loop::Block>(); b && beside_.before) return with_beside(s, *b);
    const Stmt inside = loop::map_children(
        s, [&](const Stmt& child) { return localised(child); }, [](const Expr& e) { return e; });
    if (const auto deal = plan_.dealt.find(s.id()); deal != plan_.dealt.end()) return between(inside, deal->second);
    const auto guard = plan_.guards.find(s.id());
    if (guard == plan_.guards.end()) return inside;
    std::vector<Expr> conditions;
    for (const math::Constraint& c : guard->second) conditions.push_back(lang::to_expr(c, names_));
    return Stmt({loop::If{loop::conjunction(conditions), loop::block({inside}), {}}, s->span}, s.origin());
  }

 private:
  Stmt with_beside(const Stmt& s, const loop::Block& b) const {
    loop::Block all;
    for (const Stmt& child : b.statements) {
      std::ranges::move(beside_.before(child), std::back_inserter(all.statements));
      all.statements.push_back(localised(child));
      std::ranges::move(beside_.behind(child), std::back_inserter(all.statements));
    }
    return Stmt({std::move(all), s->span}, s.origin());
  }

  Stmt between(const Stmt& s, const Deal& deal) const {
    const Partition& p = plan_.partitions[static_cast<std::size_t>(deal.partition)];
    loop::For f = *s.as<loop::For>();
    const auto end = [&](const std::string& name) {
      return lang::to_expr(math::Affine::name(name) - math::Affine(deal.offset), names_);
    };
    // Of a loop over the whole dimension the ends of the part are all there is to say.
    const auto low = lang::affine(f.low), high = lang::affine(f.high);
    const math::Affine first = low ? *low + math::Affine(deal.offset) : math::Affine(1);
    const math::Affine last =
        high ? *high + math::Affine(deal.offset) - p.base - math::Affine(p.extra) : math::Affine(-1);
    const bool from_first = first.is_constant() && first.constant <= 0;
    const bool to_last = last.is_constant() && last.constant >= 0;
    f.low = from_first ? end(p.low) : extremum(format::Function::max, f.low, end(p.low));
    f.high = to_last ? end(p.high) : extremum(format::Function::min, f.high, end(p.high));
    return Stmt({std::move(f), s->span}, s.origin());
  }

  const Plan& plan_;
  const Beside& beside_;
  const std::vector<std::string> names_;
};

}  // namespace

Stmt localise(const Plan& plan, const Stmt& statement, const Beside& beside) {
  const bool lone = beside.before && !statement.as<loop::Block>();
  return Localiser(plan, beside).localised(lone ? loop::block({statement}) : statement);
}

}  // namespace trellis::distribute
