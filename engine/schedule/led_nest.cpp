#include "engine/schedule/led_nest.hpp"

#include <algorithm>
#include <utility>

#include "engine/format/storage_order.hpp"
#include "engine/loop/cut_loop.hpp"
#include "engine/loop/isolate.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

using format::Layout;
using loop::For;
using loop::Stmt;
using math::Affine;
using math::Constraint;
using math::Relation;

namespace {

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

Stmt guarded(const loop::Expr& condition, const Stmt& body) {
  return Stmt(loop::StmtNode{loop::If{condition, body, std::nullopt}, body->span}, body.origin());
}

For loop_over(const std::string& variable, const Affine& size, const Stmt& like) {
  For f = *like.as<For>();
  f.variable = variable;
  f.low = lang::integer(0);
  f.high = lang::to_expr(size, {});
  f.descending = false;
  return f;
}

bool holds(const Constraint& c, const std::vector<Constraint>& domain, loop::Context inside) {
  if (c.relation == Relation::equal) return false;  // tested, where the levels' ranges do not say so
  for (const Constraint& other : domain) inside = inside.where(other);
  return inside.implies(c);
}

/// The innermost loop where the conditions of some branch begin or end: of a symmetric matrix at the diagonal.
std::vector<Stmt> cut(const Stmt& whole, const std::vector<std::vector<Constraint>>& domains,
                      const loop::Context& known) {
  if (domains.size() < 2) return {whole};
  const std::string& variable = whole.as<For>()->variable;
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

}  // namespace

LedNest::LedNest(const lang::TensorInfo& tensor, std::vector<std::string> variables, std::vector<std::string> taken)
    : layout_(layout_of(tensor)), variables_(std::move(variables)), taken_(std::move(taken)) {
  const std::vector<format::LevelRange> ranges = format::level_ranges(layout_, tensor.shape);
  std::map<std::string, Affine> own;
  for (std::size_t d = 0; d < variables_.size(); ++d) own[layout_.dimensions[d]] = Affine::name(variables_[d]);
  for (Layout::Branch& branch : layout_.branches) {
    for (Affine& form : branch.to) form = form.substitute(own);
    for (Constraint& c : branch.where) c = c.substitute(own);
  }
  for (std::size_t l = 0; l < ranges.size(); ++l) {
    levels_.push_back({name_for(layout_.branches.front().to[l]), ranges[l].low, ranges[l].size});
    place_[format::level_coordinate(l)] = Affine::name(levels_.back().variable) + levels_.back().low;
  }
}

std::optional<Stmt> LedNest::nest(const std::vector<Chain>& chains, const loop::Context& known, Moves& moves) const {
  std::vector<Domain> domains;
  for (std::size_t b = 0; b < chains.size(); ++b) {
    auto domain = domain_of(chains[b], b);
    if (!domain) return std::nullopt;
    domains.push_back(std::move(*domain));
  }
  const Stmt& like = chains.front().loops.front();
  const text::Origin origin = chains.front().body.origin();
  loop::Context inside = known;
  for (const Level& level : levels_) inside = inside.inside(loop_over(level.variable, level.size, like));
  Domain shared;
  for (const Constraint& c : domains.front())
    if (std::ranges::all_of(domains, [&](const Domain& domain) { return holds(c, domain, inside); }))
      shared.push_back(c);
  std::vector<For> placed;
  for (const Level& level : levels_) placed.push_back(loop_over(level.variable, level.size, like));
  placed = with_bounds(std::move(placed), std::move(shared), known, names());
  std::vector<loop::Context> around{known};
  for (const For& f : placed) around.push_back(around.back().inside(f));
  std::vector<Stmt> bodies;
  for (std::size_t b = 0; b < chains.size(); ++b) {
    const Stmt body = moved(body_of(chains[b], b), b, moves);
    std::vector<loop::Expr> open;
    for (const Constraint& c : domains[b])
      if (!around.back().implies(c)) open.push_back(around.back().to_expr(c));
    if (!open.empty()) {
      bodies.push_back(guarded(loop::conjunction(open), body));
      continue;
    }
    const auto& statements = body.as<loop::Block>()->statements;
    bodies.insert(bodies.end(), statements.begin(), statements.end());
  }
  for (std::size_t k = placed.size(); k-- > 0;) {
    placed[k].body = loop::block(std::move(bodies), origin);
    const Stmt whole = rebuilt(std::move(placed[k]), like);
    bodies = k + 1 == placed.size() ? cut(whole, domains, around[k]) : std::vector{whole};
  }
  return bodies.size() == 1 ? bodies.front() : loop::block(std::move(bodies), origin);
}

Stmt LedNest::under(const Chain& chain, std::size_t branch) const {
  const text::Origin origin = chain.body.origin();
  Stmt inside = guarded(condition_of(branch), chain.body);
  for (std::size_t k = chain.loops.size(); k-- > 0;) {
    For f = *chain.loops[k].as<For>();
    f.body = loop::block({inside}, origin);
    inside = rebuilt(std::move(f), chain.loops[k]);
  }
  return inside;
}

loop::Expr LedNest::condition_of(std::size_t branch) const {
  std::vector<loop::Expr> conditions;
  for (const Constraint& c : layout_.branches[branch].where) conditions.push_back(lang::to_expr(c, variables_));
  return loop::conjunction(conditions);
}

/// Without the condition that `under` has put around it: the branch's domain says the same.
Stmt LedNest::body_of(const Chain& chain, std::size_t branch) const {
  const Stmt only = only_statement(chain.body);
  const auto* own = only ? only.as<loop::If>() : nullptr;
  const bool put = branches() > 1 && own && !own->otherwise && own->condition == condition_of(branch);
  return put ? own->then : chain.body;
}

/// The variable itself; of digits i1 and i0; of other forms their variables' names in a row.
std::string LedNest::name_for(const Affine& form) {
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

std::vector<std::string> LedNest::names() const {
  std::vector<std::string> all = taken_;
  all.insert(all.end(), variables_.begin(), variables_.end());
  return all;
}

/// The old variables at a place of the branch.
std::map<std::string, Affine> LedNest::values(std::size_t branch) const {
  std::map<std::string, Affine> all;
  for (std::size_t d = 0; d < variables_.size(); ++d)
    all[variables_[d]] = layout_.branches[branch].back[d].substitute(place_);
  return all;
}

/// Places of elements that the loops run over, of this branch.
std::optional<LedNest::Domain> LedNest::domain_of(const Chain& chain, std::size_t branch) const {
  const auto value = values(branch);
  Domain all;
  for (const Stmt& loop : chain.loops) {
    const auto bounds = bounds_of(*loop.as<For>(), variables_);
    if (!bounds || loop.as<For>()->until) return std::nullopt;
    for (const Constraint& c : *bounds) all.push_back(c.substitute(value));
  }
  for (const Constraint& c : layout_.branches[branch].where) all.push_back(c.substitute(value));
  for (std::size_t l = 0; l < levels_.size(); ++l) {
    const Affine variable = Affine::name(levels_[l].variable), here = variable + levels_[l].low;
    const Affine back = layout_.branches[branch].to[l].substitute(value);
    if (!(back == here)) all.push_back({back, Relation::equal, here});
    all.push_back({0, Relation::less_equal, variable});
    all.push_back({0, Relation::less_equal, levels_[l].size - variable - Affine(1)});
  }
  return all;
}

Stmt LedNest::moved(const Stmt& body, std::size_t branch, Moves& moves) const {
  std::vector<std::string> known = names();
  Stmt result = body;
  // A variable that a level keeps for another one in this branch must not be taken for its own.
  std::map<std::string, Affine> apart;
  for (const auto& [variable, value] : values(branch)) {
    const std::string other = variable + "'";
    known.push_back(other);
    apart[other] = value;
    result = replace(result, variable, Affine::name(other), known, moves);
  }
  Moves second;
  for (const auto& [other, value] : apart) result = replace(result, other, value, known, second);
  moves = compose(moves, second);
  return result;
}

}  // namespace trellis::schedule
