#include "engine/distribute/localise.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/distribute/overlap.hpp"
#include "engine/loop/context.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/text/sequence.hpp"

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
      : plan_(plan), beside_(beside), names_(schedule::bound_names(plan.loops)) {
    std::set<std::string> turning;
    loop::for_each(plan.loops, [&](const Stmt& s) {
      const auto deal = plan.dealt.find(s.id());
      if (deal != plan.dealt.end() && partition(deal->second).cyclic > 0) turning.insert(s.as<loop::For>()->variable);
    });
    for (const std::string& variable : turning) {
      std::string turn = variable + "_o";
      while (contains(names_, turn)) turn += "_";
      names_.push_back(turn);
      turns_[variable] = turn;
    }
  }

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
    const auto add = [&](std::vector<Stmt> more) { std::ranges::move(more, std::back_inserter(all.statements)); };
    for (const Stmt& child : b.statements) {
      if (beside_.overlapped.contains(child.id())) {
        const std::int64_t width = beside_.overlapped.at(child.id());
        add(beside_.start(child));
        all.statements.push_back(part_of(child, width, true));
        add(beside_.finish(child));
        add(outside(child, width));
      } else {
        add(beside_.before(child));
        all.statements.push_back(localised(child));
      }
      add(beside_.behind(child));
    }
    return Stmt({std::move(all), s->span}, s.origin());
  }

  enum class Part { inner, low, high };

  Stmt with_body(const Stmt& loop, Stmt body) const {
    loop::For f = *loop.as<loop::For>();
    f.body = loop::block({std::move(body)});
    return Stmt({std::move(f), loop->span}, loop.origin());
  }

  /// The iterations that read no ghosts: in this loop, and `through` all dealt-out loops inside.
  Stmt part_of(const Stmt& s, std::int64_t width, bool through) const {
    const Stmt inside = through ? dealt_inside(plan_, s) : Stmt();
    const Stmt whole = inside ? with_body(s, part_of(inside, width, true)) : plain(s);
    return narrowed(between(whole, plan_.dealt.at(s.id())), plan_.dealt.at(s.id()), width, Part::inner);
  }

  /// The others: those at the low end, those of the rest that are outside in the loops inside, those at the high end.
  std::vector<Stmt> outside(const Stmt& s, std::int64_t width) const {
    const Deal& deal = plan_.dealt.at(s.id());
    std::vector<Stmt> all{narrowed(localised(s), deal, width, Part::low)};
    if (const Stmt inside = dealt_inside(plan_, s))
      for (const Stmt& one : outside(inside, width))
        all.push_back(narrowed(between(with_body(s, one), deal), deal, width, Part::inner));
    all.push_back(narrowed(localised(s), deal, width, Part::high));
    return all;
  }

  /// With what is inside localised, itself not yet.
  Stmt plain(const Stmt& s) const {
    return loop::map_children(
        s, [&](const Stmt& child) { return localised(child); }, [](const Expr& e) { return e; });
  }

  Stmt narrowed(const Stmt& s, const Deal& deal, std::int64_t width, Part part) const {
    const Partition& p = plan_.partitions[static_cast<std::size_t>(deal.partition)];
    const auto at = [&](const std::string& end, std::int64_t away) {
      return lang::to_expr(math::Affine::name(end) + math::Affine(away - deal.offset), names_);
    };
    loop::For f = *s.as<loop::For>();
    const Expr low = at(p.low, width), high = at(p.high, -width);
    if (part == Part::low) f.high = extremum(format::Function::min, f.high, low);
    else f.low = extremum(format::Function::max, f.low, low);
    if (part == Part::inner) f.high = extremum(format::Function::min, f.high, high);
    if (part == Part::high) f.low = extremum(format::Function::max, f.low, high);
    return Stmt({std::move(f), s->span}, s.origin());
  }

  Stmt between(const Stmt& s, const Deal& deal) const {
    const Partition& p = partition(deal);
    if (p.cyclic > 0) return in_turns(s, deal);
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

  const Partition& partition(const Deal& deal) const {
    return plan_.partitions[static_cast<std::size_t>(deal.partition)];
  }

  /// A loop over a rank's blocks, and in it one over a block. Of turn k the block is k*parts + low.
  Stmt in_turns(const Stmt& s, const Deal& deal) const {
    const Partition& p = partition(deal);
    const loop::For& f = *s.as<loop::For>();
    const std::string& turn = turns_.at(f.variable);
    const math::Affine own = math::Affine::name(p.low), size = p.base + math::Affine(p.extra);
    const auto turn_of = [&](const math::Affine& coordinate, std::int64_t up) {
      return math::Affine::div(math::Affine::div(coordinate, p.cyclic) - own + math::Affine(up), p.parts);
    };
    const auto low = lang::affine(f.low), high = lang::affine(f.high);
    const math::Affine first = low ? *low + math::Affine(deal.offset) : math::Affine(0);
    const math::Affine last = (high ? *high + math::Affine(deal.offset) : size) - math::Affine(1);
    const math::Affine begin =
        math::Affine::name(turn, p.cyclic * p.parts) + p.cyclic * own - math::Affine(deal.offset);
    loop::For outer = f, inner = f;
    outer.variable = turn;
    outer.low = lang::to_expr(turn_of(first, p.parts - 1), names_);
    outer.high = lang::to_expr(turn_of(last, p.parts), names_);
    outer.unroll = outer.jam = 1;
    outer.registers = false;
    (f.execution == loop::For::Execution::parallel ? inner : outer).execution = loop::For::Execution::serial;
    inner.low = extremum(format::Function::max, f.low, lang::to_expr(begin, names_));
    inner.high = extremum(format::Function::min, f.high, lang::to_expr(begin + math::Affine(p.cyclic), names_));
    outer.body = loop::block({Stmt({std::move(inner), s->span}, s.origin())});
    return Stmt({std::move(outer), s->span}, s.origin());
  }

  const Plan& plan_;
  const Beside& beside_;
  std::vector<std::string> names_;
  std::map<std::string, std::string> turns_;  ///< by the variable of a loop whose blocks go to ranks in turn
};

}  // namespace

Stmt localise(const Plan& plan, const Stmt& statement, const Beside& beside) {
  const bool lone = beside.before && !statement.as<loop::Block>();
  return Localiser(plan, beside).localised(lone ? loop::block({statement}) : statement);
}

}  // namespace trellis::distribute
