#include "engine/distribute/localise.hpp"

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
  explicit Localiser(const Plan& plan) : plan_(plan), names_(schedule::bound_names(plan.loops)) {}

  Stmt localised(const Stmt& s) const {
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
  Stmt between(const Stmt& s, const Deal& deal) const {
    const Partition& p = plan_.partitions[static_cast<std::size_t>(deal.partition)];
    loop::For f = *s.as<loop::For>();
    const auto end = [&](const std::string& name) {
      return lang::to_expr(math::Affine::name(name) - math::Affine(deal.offset), names_);
    };
    f.low = extremum(format::Function::max, f.low, end(p.low));
    f.high = extremum(format::Function::min, f.high, end(p.high));
    return Stmt({std::move(f), s->span}, s.origin());
  }

  const Plan& plan_;
  const std::vector<std::string> names_;
};

}  // namespace

Stmt localise(const Plan& plan, const Stmt& statement) { return Localiser(plan).localised(statement); }

}  // namespace trellis::distribute
