#include "engine/schedule/lead.hpp"

#include <algorithm>
#include <utility>

#include "engine/format/level.hpp"
#include "engine/format/storage_order.hpp"
#include "engine/loop/cut_loop.hpp"
#include "engine/loop/isolate.hpp"
#include "engine/loop/simplify_expressions.hpp"
#include "engine/schedule/reorder.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using format::Layout;
using loop::For;
using loop::Stmt;
using math::Affine;
using math::Constraint;
using math::Relation;

using Variables = std::vector<std::string>;

/// The tensor's layout; of an order of dimensions, what that is as one.
Layout layout_of(const lang::TensorInfo& tensor) {
  if (tensor.format.layout) return *tensor.format.layout;
  Layout layout;
  Layout::Branch branch;
  const std::size_t rank = tensor.shape.size();
  for (std::size_t d = 0; d < rank; ++d) layout.dimensions.push_back("d" + std::to_string(d));
  branch.back.resize(rank);
  for (std::size_t l = 0; l < rank; ++l) {
    const std::size_t d = l < tensor.format.levels.size() ? format::dimension_of(tensor.format, l) : l;
    branch.to.push_back(Affine::name(layout.dimensions[d]));
    branch.back[d] = Affine::name(format::level_coordinate(l));
  }
  layout.branches = {std::move(branch)};
  return layout;
}

Unfit unfit(const std::string& tensor, const std::string& why) {
  return {"E0145", tensor + " cannot lead: " + why, "an operand leads whose indices are variables, A(i,j), in one nest of loops"};
}

/// The variables that index the tensor, by dimension; an error where they are not the same everywhere.
std::variant<Variables, Unfit> variables_of(const Stmt& loops, const std::string& tensor) {
  std::vector<lang::Access> found;
  const std::function<void(const loop::Expr&)> collect = [&](const loop::Expr& e) {
    if (const auto* access = e.as<lang::Access>(); access && access->tensor == tensor) found.push_back(*access);
    lang::for_each_child(e, collect);
  };
  loop::for_each(loops, [&](const Stmt& s) {
    if (const auto* a = s.as<loop::Assign>()) collect(a->target), collect(a->value);
    if (const auto* i = s.as<loop::If>()) collect(i->condition);
    if (const auto* l = s.as<loop::Let>()) collect(l->value);
  });
  if (found.empty()) return unfit(tensor, "no loop reads it");
  Variables names;
  for (const lang::Expr& index : found.front().indices) {
    const auto* v = index.as<lang::Variable>();
    if (!v || contains(names, v->name)) return unfit(tensor, "it is indexed by " + lang::to_string(index) + (v ? " twice" : ""));
    names.push_back(v->name);
  }
  if (std::ranges::any_of(found, [&](const lang::Access& a) { return a.indices != found.front().indices; }))
    return unfit(tensor, "it is read at several indices");
  return names;
}

/// Loops over these variables, one holding nothing but the other, and what the innermost one holds.
struct Chain {
  std::vector<Stmt> loops;
  Stmt body;
};

std::optional<Chain> chain_at(const Stmt& stmt, const Variables& variables) {
  Chain chain;
  Stmt now = stmt;
  while (now && now.as<For>() && contains(variables, now.as<For>()->variable)) {
    chain.loops.push_back(now);
    chain.body = now.as<For>()->body;
    now = only_statement(chain.body);
  }
  if (chain.loops.size() != variables.size()) return std::nullopt;
  return chain;
}

/// Loops around one of the variables, outermost first, that lead to the tensor.
void path_to(const Stmt& stmt, const std::string& tensor, Variables& path) {
  bool done = false;
  loop::map_children(
      stmt,
      [&](const Stmt& child) {
        if (done || !mentions(child, tensor)) return child;
        done = true;
        if (const auto* f = child.as<For>()) path.push_back(f->variable);
        path_to(child, tensor, path);
        return child;
      },
      [](const loop::Expr& e) { return e; });
}

/// The nest with the variables' loops in one piece, others inside; what stood beside them has loops of its own.
Transformed in_one_piece(const Stmt& loops, const std::string& tensor, const Variables& variables, math::Solver& solver) {
  Variables path;
  if (const auto* f = loops.as<For>()) path.push_back(f->variable);
  path_to(loops, tensor, path);
  const auto outermost = std::ranges::find_if(path, [&](const std::string& v) { return contains(variables, v); });
  Variables order, rest;
  for (auto at = outermost; at != path.end(); ++at) (contains(variables, *at) ? order : rest).push_back(*at);
  if (order.size() != variables.size()) return unfit(tensor, "a loop over one of its indices is missing");
  std::ranges::reverse(order);  // another order takes the nest apart
  order.insert(order.end(), rest.begin(), rest.end());
  return order.size() > 1 ? reorder(loops, order, solver) : Moved{loops, {}};
}

class Leading {
 public:
  Leading(const lang::TensorInfo& tensor, Variables variables, Variables taken)
      : tensor_(tensor), layout_(layout_of(tensor)), variables_(std::move(variables)), taken_(std::move(taken)) {
    // The layout in terms of the loops' variables.
    std::map<std::string, Affine> own;
    for (std::size_t d = 0; d < variables_.size(); ++d) own[layout_.dimensions[d]] = Affine::name(variables_[d]);
    for (Layout::Branch& branch : layout_.branches) {
      for (Affine& form : branch.to) form = form.substitute(own);
      for (Constraint& c : branch.where) c = c.substitute(own);
    }
    const Layout named = layout_of(tensor);
    const std::vector<format::LevelRange> ranges = format::level_ranges(named, tensor.shape);
    for (std::size_t l = 0; l < ranges.size(); ++l) {
      const Affine& form = layout_.branches.front().to[l];
      levels_.push_back({name_for(form), ranges[l].low, ranges[l].size});
      place_[format::level_coordinate(l)] = Affine::name(levels_.back().variable) + levels_.back().low;
    }
  }

  std::size_t branches() const { return layout_.branches.size(); }

  /// The chains, one for each branch, as one nest.
  std::optional<Stmt> nest(const std::vector<Chain>& chains, const loop::Context& known, Moves& moves) {
    std::vector<std::vector<Constraint>> domains;
    for (std::size_t b = 0; b < chains.size(); ++b) {
      auto domain = domain_of(chains[b], b);
      if (!domain) return std::nullopt;
      domains.push_back(std::move(*domain));
    }
    loop::Context inside = known;
    for (const Level& level : levels_) inside = inside.inside(loop_over(level, chains.front().loops.front()));
    std::vector<Constraint> shared;
    for (const Constraint& c : domains.front())
      if (std::ranges::all_of(domains, [&](const auto& domain) { return holds(c, domain, inside); })) shared.push_back(c);
    std::vector<For> placed = bounded(shared, known, chains.front().loops.front());
    loop::Context here = known;
    for (const For& f : placed) here = here.inside(f);
    std::vector<Stmt> bodies;
    for (std::size_t b = 0; b < chains.size(); ++b) {
      Stmt body = moved(body_of(chains[b], b), b, moves);
      std::vector<loop::Expr> open;
      for (const Constraint& c : domains[b])
        if (!here.implies(c)) open.push_back(here.to_expr(c));
      if (open.empty()) {
        for (const Stmt& s : body.as<loop::Block>()->statements) bodies.push_back(s);
      } else {
        bodies.push_back(Stmt(loop::StmtNode{loop::If{loop::conjunction(open), body, std::nullopt}, body->span}, body.origin()));
      }
    }
    std::vector<loop::Context> around{known};
    for (const For& f : placed) around.push_back(around.back().inside(f));
    for (std::size_t k = placed.size(); k-- > 0;) {
      const std::string variable = placed[k].variable;
      placed[k].body = loop::block(std::move(bodies), chains.front().body.origin());
      const Stmt whole = rebuilt(std::move(placed[k]), chains.front().loops.front());
      bodies = k + 1 == placed.size() ? cut(whole, variable, domains, around[k]) : std::vector{whole};
    }
    return bodies.size() == 1 ? bodies.front() : loop::block(std::move(bodies), chains.front().body.origin());
  }

  /// The nest under the conditions of a branch.
  Stmt under(const Chain& chain, std::size_t b) const {
    Stmt inside = loop::block({Stmt(loop::StmtNode{loop::If{condition_of(b), chain.body, std::nullopt}, chain.body->span},
                                    chain.body.origin())},
                              chain.body.origin());
    for (std::size_t k = chain.loops.size(); k-- > 0;) {
      For f = *chain.loops[k].as<For>();
      f.body = inside;
      const Stmt loop = rebuilt(std::move(f), chain.loops[k]);
      if (k == 0) return loop;
      inside = loop::block({loop}, chain.body.origin());
    }
    return inside;
  }

 private:
  loop::Expr condition_of(std::size_t b) const {
    std::vector<loop::Expr> conditions;
    for (const Constraint& c : layout_.branches[b].where) conditions.push_back(lang::to_expr(c, variables_));
    return loop::conjunction(conditions);
  }

  /// Without the condition that `under` has put around it: the branch's domain says the same.
  Stmt body_of(const Chain& chain, std::size_t b) const {
    const Stmt only = only_statement(chain.body);
    const auto* guarded = only ? only.as<loop::If>() : nullptr;
    const bool own = branches() > 1 && guarded && !guarded->otherwise && guarded->condition == condition_of(b);
    return own ? guarded->then : chain.body;
  }

  struct Level {
    std::string variable;
    Affine low, size;
  };

  /// The variable itself; of digits i1 and i0; of other forms their variables' names in a row.
  std::string name_for(const Affine& form) {
    if (const auto name = form.as_name(); name && contains(variables_, *name)) return *name;
    std::string name;
    for (const std::string& v : variables_)
      if (form.mentions(v)) name = v + (name.empty() ? "" : "_") + name;
    const bool digit = form.terms.empty() && form.quotients.size() == 1;
    if (digit) name += form.quotients.front().kind == math::Quotient::Kind::div ? "1" : "0";
    if (name.empty()) name = "l";
    while (contains(taken_, name)) name += "_";
    taken_.push_back(name);
    return name;
  }

  static For loop_over(const Level& level, const Stmt& like) {
    For f = *like.as<For>();
    f.variable = level.variable;
    f.low = lang::integer(0);
    f.high = lang::to_expr(level.size, {});
    f.descending = false;
    return f;
  }

  std::map<std::string, Affine> values(std::size_t b) const {
    std::map<std::string, Affine> all;
    for (std::size_t d = 0; d < variables_.size(); ++d)
      all[variables_[d]] = layout_.branches[b].back[d].substitute(place_);
    return all;
  }

  /// The innermost loop where the conditions of some branch begin or end: of a symmetric matrix at the diagonal.
  static std::vector<Stmt> cut(const Stmt& whole, const std::string& variable,
                               const std::vector<std::vector<Constraint>>& domains, const loop::Context& known) {
    if (domains.size() < 2) return {whole};
    for (const auto& domain : domains)
      for (const Constraint& c : domain) {
        const auto interval = c.mentions(variable) ? loop::isolate(c, variable) : std::nullopt;
        if (!interval) continue;
        for (const auto& end : {interval->low, interval->high}) {
          const auto parts = end ? loop::cut_loop(whole, *end, known) : std::nullopt;
          if (parts) return {parts->lower, parts->upper};
        }
      }
    return {whole};
  }

  /// Places of elements that the loops run over, of this branch.
  std::optional<std::vector<Constraint>> domain_of(const Chain& chain, std::size_t b) const {
    const auto value = values(b);
    std::vector<Constraint> all;
    for (const Stmt& loop : chain.loops) {
      const auto bounds = bounds_of(*loop.as<For>(), variables_);
      if (!bounds || loop.as<For>()->until) return std::nullopt;
      for (const Constraint& c : *bounds) all.push_back(c.substitute(value));
    }
    for (const Constraint& c : layout_.branches[b].where) all.push_back(c.substitute(value));
    for (std::size_t l = 0; l < levels_.size(); ++l) {
      const Affine here = Affine::name(levels_[l].variable) + levels_[l].low;
      const Affine back = layout_.branches[b].to[l].substitute(value);
      if (!(back == here)) all.push_back({back, Relation::equal, here});
      all.push_back({0, Relation::less_equal, Affine::name(levels_[l].variable)});
      all.push_back({0, Relation::less_equal, levels_[l].size - Affine::name(levels_[l].variable) - Affine(1)});
    }
    return all;
  }

  static bool holds(const Constraint& c, const std::vector<Constraint>& domain, loop::Context inside) {
    if (c.relation == Relation::equal) return false;  // tested, where the levels' ranges do not say so
    for (const Constraint& other : domain) inside = inside.where(other);
    return inside.implies(c);
  }

  /// Bounds of the innermost loop first: what is left of the constraints bounds the loops around it.
  std::vector<For> bounded(std::vector<Constraint> all, const loop::Context& known, const Stmt& like) const {
    std::vector<std::vector<Constraint>> bounds(levels_.size());
    for (std::size_t k = levels_.size(); k-- > 0;) {
      bounds[k] = all;
      all = eliminate(levels_[k].variable, all);
    }
    std::vector<For> placed;
    loop::Context inner = known;
    Variables names = taken_;
    names.insert(names.end(), variables_.begin(), variables_.end());
    for (std::size_t k = 0; k < levels_.size(); ++k) {
      placed.push_back(with_bounds(loop_over(levels_[k], like), bounds[k], inner, names));
      inner = inner.inside(placed.back());
    }
    return placed;
  }

  Stmt moved(const Stmt& body, std::size_t b, Moves& moves) const {
    Variables names = taken_;
    names.insert(names.end(), variables_.begin(), variables_.end());
    Stmt result = body;
    // A variable that a level keeps for another one in this branch must not be taken for its own.
    std::map<std::string, Affine> apart;
    for (const auto& [variable, value] : values(b)) {
      const std::string other = variable + "'";
      result = replace(result, variable, Affine::name(other), [&] { Variables more = names; more.push_back(other); return more; }(), moves);
      apart[other] = value;
      names.push_back(other);
    }
    Moves second;
    for (const auto& [other, value] : apart) result = replace(result, other, value, names, second);
    moves = compose(moves, second);
    return result;
  }

  const lang::TensorInfo& tensor_;
  Layout layout_;
  Variables variables_, taken_;
  std::vector<Level> levels_;
  std::map<std::string, Affine> place_;  ///< of a level's coordinate: its variable, from the least coordinate on
};

/// Rewrites the places where chains of the variables' loops hold the tensor; `several` of them in a row at once.
class Walk {
 public:
  using Rebuild = std::function<std::optional<Stmt>(const std::vector<Chain>&, const loop::Context&)>;
  Walk(const std::string& tensor, const Variables& variables, std::size_t several, Rebuild rebuild)
      : tensor_(tensor), variables_(variables), several_(several), rebuild_(std::move(rebuild)) {}

  Stmt visit(const Stmt& stmt, const loop::Context& known) {
    if (!mentions(stmt, tensor_)) return stmt;
    if (const auto one = chain_at(stmt, variables_); one && several_ == 1) return made({*one}, stmt, known);
    if (const auto* block = stmt.as<loop::Block>()) return visit(stmt, *block, known);
    bool first = true;
    return loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child, known.within(stmt, std::exchange(first, false))); },
        [](const loop::Expr& e) { return e; });
  }

  int found = 0;
  bool failed = false;

 private:
  Stmt visit(const Stmt& stmt, const loop::Block& block, const loop::Context& known) {
    loop::Block next;
    bool changed = false;
    for (std::size_t k = 0; k < block.statements.size(); ++k) {
      std::vector<Chain> chains;
      for (std::size_t c = 0; c < several_ && k + c < block.statements.size(); ++c)
        if (auto one = chain_at(block.statements[k + c], variables_); one && mentions(block.statements[k + c], tensor_))
          chains.push_back(std::move(*one));
      const bool here = several_ > 1 && chains.size() == several_;
      const Stmt after = here ? made(chains, block.statements[k], known) : visit(block.statements[k], known);
      changed |= here || !after.same(block.statements[k]);
      const auto* several = after.as<loop::Block>();
      if (several && !after.same(block.statements[k]))
        next.statements.insert(next.statements.end(), several->statements.begin(), several->statements.end());
      else
        next.statements.push_back(after);
      if (here) k += several_ - 1;
    }
    return changed ? Stmt(loop::StmtNode{std::move(next), stmt->span}, stmt.origin(), stmt.id()) : stmt;
  }

  Stmt made(const std::vector<Chain>& chains, const Stmt& before, const loop::Context& known) {
    ++found;
    auto after = rebuild_(chains, known);
    failed |= !after;
    return after.value_or(before);
  }

  const std::string& tensor_;
  const Variables& variables_;
  const std::size_t several_;
  const Rebuild rebuild_;
};

}  // namespace

Transformed one_for_each_branch(const Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver) {
  auto variables = variables_of(loops, tensor.name);
  if (const auto* wrong = std::get_if<Unfit>(&variables)) return *wrong;
  const Variables& names = std::get<Variables>(variables);
  const Transformed whole = in_one_piece(loops, tensor.name, names, solver);
  const auto* moved = std::get_if<Moved>(&whole);
  if (!moved) return whole;
  const Leading leading(tensor, names, bound_names(loops));
  if (leading.branches() == 1) return whole;
  Walk walk(tensor.name, names, 1, [&](const std::vector<Chain>& chains, const loop::Context&) {
    std::vector<Stmt> all;
    for (std::size_t b = 0; b < leading.branches(); ++b) all.push_back(leading.under(chains.front(), b));
    return loop::block(std::move(all), chains.front().body.origin());
  });
  Stmt result = walk.visit(moved->loops, loop::Context(solver));
  if (walk.found != 1) return unfit(tensor.name, "its loops hold more than one another");
  return Moved{std::move(result), moved->moves};
}

Transformed lead(const Stmt& loops, const lang::TensorInfo& tensor, math::Solver& solver) {
  auto variables = variables_of(loops, tensor.name);
  if (const auto* wrong = std::get_if<Unfit>(&variables)) return *wrong;
  const Variables& names = std::get<Variables>(variables);
  Leading leading(tensor, names, bound_names(loops));
  Moves moves;
  Walk walk(tensor.name, names, leading.branches(), [&](const std::vector<Chain>& chains, const loop::Context& known) {
    return leading.nest(chains, known, moves);
  });
  Stmt result = walk.visit(loops, loop::Context(solver));
  if (walk.found != 1) return unfit(tensor.name, "its loops hold more than one another");
  if (walk.failed) return unfit(tensor.name, "a loop over its indices has bounds that are only known while it runs");
  return Moved{std::move(result), std::move(moves)};
}

}  // namespace trellis::schedule
