#include "engine/coiterate/lowering.hpp"

#include <algorithm>
#include <cassert>

#include "engine/coiterate/lift.hpp"
#include "engine/coiterate/walk.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

bool reads_any(const lang::Expr& e, const std::set<std::string>& tensors) {
  bool found = false;
  for_each_read(e, [&](const Read& read) { found |= tensors.count(read.access.as<lang::Access>()->tensor) > 0; });
  return found;
}

}  // namespace

// A sequence: the variable indexes a sparse level, in a way that has an inverse, below a parent that is known; and the loop leaves
// the tensor alone.
Offers Lowering::offers(const loop::For& f) {
  Offers found;
  const std::set<std::string> changed = written_in(f.body);
  const auto refuse = [&](const lang::Access& access, const lang::TensorInfo& described, std::string why) {
    const std::string name = access::element_name(access, described, static_cast<int>(access.indices.size()) - 1);
    const bool told = std::any_of(found.refusals.begin(), found.refusals.end(), [&](const Offers::Refusal& r) { return r.name == name; });
    if (!told) found.refusals.push_back({name, std::move(why)});
  };
  for_each_read(f.body, [&](const Read& read) {
    const auto& access = *read.access.as<lang::Access>();
    const lang::TensorInfo* described = info(access.tensor);
    if (!described || (declared_.count(access.tensor) && !alive_.count(access.tensor)) || !lookup(access.tensor).sparse()) return;
    const Tensor& tensor = lookup(access.tensor);
    const auto rank = static_cast<int>(tensor.levels.size());
    const auto dense = [&](int level) { return tensor.levels[static_cast<std::size_t>(level)].facts.dense(); };
    int level = 0;
    // What was found already needs no index: all along a run it is the same.
    const auto found_already = [&](int l) { return states_.count(level_key(access, *described, l)) > 0; };
    while (level < rank && (dense(level) ? known(level_index(access, *described, level)) : found_already(level)))
      ++level;
    const auto indexed = [&](int l) {
      const auto variables = lang::free_variables(level_index(access, *described, l));
      return contains(variables, f.variable);
    };
    int wanted = level;
    while (wanted < rank && (dense(wanted) || !indexed(wanted))) ++wanted;
    if (wanted == rank) return;
    if (changed.count(access.tensor)) return refuse(access, *described, "is written in this loop");
    const std::string index_text = lang::to_string(level_index(access, *described, level));
    if (wanted != level && lang::free_variables(level_index(access, *described, level)) == std::vector<std::string>{f.variable})
      return refuse(access, *described, "has one element for each " + f.variable);
    if (wanted != level) return refuse(access, *described, "is stored by " + index_text + " first");
    Conditions only_if = read.around;
    only_if.insert(only_if.end(), read.conditions.begin(), read.conditions.end());
    const auto decided = [&](const lang::Expr& condition) { return !reads_any(condition, changed) && known(condition); };
    for (int l = 0; l < level; ++l)
      if (check(access, level_index(access, *described, l)) && !std::ranges::all_of(only_if, decided))
        return refuse(access, *described, "has an index that may be out of range where it is not read");
    const format::Facts& facts = tensor.levels[static_cast<std::size_t>(level)].facts;
    const lang::Expr& index = level_index(access, *described, level);
    auto offered = access::sequence(access.tensor, level, facts, index, f.variable);
    if (!offered)
      return refuse(access, *described, "is not indexed by " + f.variable + " itself, but by " + index_text);
    std::set<std::string> names;
    offered->inverse.offset.collect_names(names);
    for (const std::string& name : names)
      if (!bound_.count(name) && !program_.parameter(name)) return refuse(access, *described, "needs to know " + name + " first");
    offered->covers = covers(*offered, access, f);
    Literal literal{level_key(access, *described, level),
                    access::element_name(access, *described, level),
                    read.access,
                    *offered,
                    level + 1 == rank,
                    level + 1 == rank && tensor.pattern,
                    tensor.fill,
                    tensor.storage == Tensor::Storage::temporary,
                    level == 0 && !bound_.empty()};
    for (Literal& known_literal : found.literals)
      if (known_literal.key == literal.key && known_literal.access.as<lang::Access>()->tensor == access.tensor) {
        if (only_if.empty()) known_literal.only_if.clear();
        if (!known_literal.only_if.empty()) add_once(known_literal.only_if, only_if);
        return;
      }
    if (!only_if.empty()) literal.only_if.push_back(only_if);
    found.literals.push_back(std::move(literal));
  });
  return found;
}

Cursor Lowering::cursor(const Literal& literal, const loop::For& f, Cursor::Role role) {
  const auto& access = *literal.access.as<lang::Access>();
  const Tensor tensor = lookup(access.tensor);
  const Resolved parent = resolve(access);
  Cursor c;
  c.name = fresh("p" + tensor.name + (literal.last ? "" : std::to_string(literal.level() + 1)));
  c.tensor = tensor.name;
  c.level = literal.level();
  c.parent = parent.position;
  c.exists = exists(in_range(access, literal.level(), false), parent.missing);
  for (int level = 0; level < literal.level(); ++level)
    if (check(access, level_index(access, *info(access.tensor), level))) {
      // The loop may turn out to run nowhere, or nothing in it to read the access.
      if (!literal.only_if.empty()) c.exists = both(any_of(literal.only_if), c.exists);
      c.exists = both(runs(f), c.exists);
      break;
    }
  c.reversed = literal.sequence.inverse.reversed;
  c.stride = literal.sequence.inverse.stride;
  c.stretch = literal.sequence.inverse.stretch;
  c.offset = affine(literal.sequence.inverse.offset);
  c.role = role;
  c.full = literal.sequence.full();
  const std::optional<math::Affine> low = lang::affine(f.low), high = lang::affine(f.high);
  const auto [least, most] = literal.sequence.inverse.range(access::level_size(*info(access.tensor), literal.level()));
  const auto is_positive = [](const math::Affine& a) { return a.is_constant() && a.constant > 0; };
  // The last multiple of the stride before the low bound comes before all that is stored.
  c.below = !low || !is_positive(least - c.stride * (*low - math::Affine(1)));
  c.above = !high || !is_positive(c.stride * *high - most);
  names_.insert(c.name);
  return c;
}

/// What is done in gaps comes behind the loop, if operands can lead it then. (COITERATION rule 8.)
std::optional<loop::Stmt> Lowering::lifted(const loop::Stmt& s, const Offers& offered) {
  if (!within_.absent.empty())
    if (const auto constant = lift_constant(s)) return constant;
  const auto free_name = [&](std::string name) {
    while (program_.tensor(name) || program_.parameter(name) || alive_.count(name)) name += "_";
    return name;
  };
  const auto parts = lift(s, offered, around(), free_name);
  if (!parts) return std::nullopt;
  const auto made = [&](auto node) { return loop::Stmt(loop::StmtNode{std::move(node), s->span}, s.origin(), s.id()); };
  std::vector<loop::Stmt> all;
  for (const lang::TensorInfo& one : parts->counters) {
    declared_[one.name] = one;
    all.push_back(made(loop::Declare{one}));
    all.push_back(made(loop::Assign{lang::Expr(lang::ExprNode{lang::Access{one.name, {}, {}}, one.type, {}}), {}, lang::integer(0)}));
  }
  const Lattice lattice = build_lattice(parts->walk, offers(*parts->walk.as<loop::For>()), around());
  if (!lattice.algebra.is_nowhere() && lattice.with_role(Lattice::Role::leads).empty()) return std::nullopt;
  all.push_back(parts->walk);
  all.insert(all.end(), parts->rest.begin(), parts->rest.end());
  return loop::block(std::move(all));
}

/// An index above what the loop walks is checked before it, if what is above that may be missing.
std::optional<Stmt> Lowering::with_checks_apart(const loop::Stmt& s, const loop::For& f, const Lattice& lattice) {
  for (const Lattice::Operand& operand : lattice.operands) {
    const Literal& literal = operand.literal;
    const auto& access = *literal.access.as<lang::Access>();
    for (int level = 0; operand.role != Lattice::Role::located && level < literal.level(); ++level) {
      if (states_.count(level_key(access, *info(access.tensor), level)) || !is_checked_apart(access, level)) continue;
      const std::optional<Expr> read =
          literal.only_if.empty() ? std::nullopt : std::optional(any_of(literal.only_if));
      return checked_apart(s, access, level, both(runs(f), read), [&](const Expr& at) {
        return placed(access, level, at, literal.only_if, [&] { return loop(s, f); });
      });
    }
  }
  return std::nullopt;
}

Expr Lowering::runs(const loop::For& f) {
  return Expr(ExprNode{Binary{format::BinaryOp::less, expr(f.low), expr(f.high)}, format::ScalarType::boolean, {}});
}

Stmt Lowering::loop(const loop::Stmt& s, const loop::For& f) {
  if (const auto walk = walked_until(s, f)) return stmt(*walk);
  unsettle(s);
  const Offers offered = f.until ? Offers{} : offers(f);
  Lattice lattice = build_lattice(s, offered, around());
  if (lattice.algebra.is_nowhere()) return make(Seq{}, s);
  if (lattice.with_role(Lattice::Role::leads).empty())
    if (const auto apart = lifted(s, offered)) return stmt(*apart);
  if (const auto apart = with_checks_apart(s, f, lattice)) return *apart;
  lattice.parent = within_.lattice;
  lattice.absent = within_.absent;
  lattices_.push_back(lattice);
  const Within outside = std::exchange(within_, {static_cast<int>(lattices_.size()) - 1, {}, -1, 0});
  const bool everywhere = lattice.with_role(Lattice::Role::leads).empty() && everywhere_.insert(f.variable).second;
  Stmt lowered = lattice.walks() ? coiterate(s, f, lattice) : dense_loop(s, f);
  if (everywhere) everywhere_.erase(f.variable);
  within_ = outside;
  return lowered;
}

Stmt Lowering::coiterate(const loop::Stmt& s, const loop::For& f, const Lattice& lattice) {
  const text::Origin outside_lattice = std::exchange(around_, {in_lattice()});
  Coiterate c;
  c.variable = f.variable;
  c.low = expr(f.low);
  c.high = expr(f.high);
  if (f.descending) c.direction = Loop::Direction::down;
  if (f.execution == loop::For::Execution::parallel) c.execution = Loop::Execution::parallel;
  c.reduces = reduced(f);
  const std::set<std::string> outer_names = names_;
  Walk walk{lattice, f, {}, {}, std::vector<int>(lattice.operands.size(), -1)};
  const auto open = [&](Lattice::Role role, Cursor::Role as) {
    for (const int operand : lattice.with_role(role)) {
      walk.cursor_of[static_cast<std::size_t>(operand)] = static_cast<int>(walk.cursors.size());
      walk.cursors.push_back(cursor(walk.literal(operand), f, as));
    }
  };
  open(Lattice::Role::leads, Cursor::Role::lead);
  open(Lattice::Role::follows, Cursor::Role::follow);
  c.cursors = walk.cursors;
  ranges_.enter(c);
  for (const Lattice::Point& p : lattice.points) {
    const std::set<std::string> outside = bound_;
    walk.regions.reset();
    if (p.by_regions) walk.regions = {fresh(f.variable + "_first"), fresh(f.variable + "_last")};
    if (p.by_regions) bound_.insert({walk.regions->first, walk.regions->last});
    else bound_.insert(f.variable);
    ++within_.point;
    c.points.push_back(point(walk, p));
    bound_ = outside;
  }
  ranges_.leave();
  names_ = outer_names;
  // Its points are the lattice's, its cursors the operands that lead, then those that follow.
  const text::Origin made_of = text::merge(origin(s), {{text::Stage::algebra, within_.lattice}});
  around_ = outside_lattice;
  return Stmt(StmtNode{std::move(c), s->span}, made_of);
}

// Temporaries may have turned out to be useless where operands are absent.
std::vector<std::string> Lowering::reduced(const loop::For& f) {
  std::vector<std::string> names;
  for (const std::string& tensor : f.reduces)
    if (alive_.count(tensor) || program_.tensor(tensor)) names.push_back(lookup(tensor).name);
  return names;
}

Stmt Lowering::dense_loop(const loop::Stmt& s, const loop::For& f) {
  Loop l{f.variable, expr(f.low), expr(f.high), Loop::Direction::up, Loop::Execution::serial, {}, f.unroll, {}};
  if (f.descending) l.direction = Loop::Direction::down;
  if (f.execution == loop::For::Execution::parallel) l.execution = Loop::Execution::parallel;
  if (f.execution == loop::For::Execution::vectorized) l.execution = Loop::Execution::vector;
  l.reduces = reduced(f);
  l.lanes = f.lanes;
  bound_.insert(f.variable);
  ranges_.enter(l);
  l.body = stmt(f.body);
  if (f.until) l.until = expr(*f.until);
  ranges_.leave();
  bound_.erase(f.variable);
  return make(std::move(l), s);
}

Coiterate::Point Lowering::point(const Walk& walk, const Lattice::Point& point) {
  const bool any = point.goes == Lattice::Point::Goes::while_any;
  Coiterate::Point result{walk.cursors_of(point.leads), walk.cursors_of(point.follows), any, {}, walk.regions, point.together};
  within_.absent = point.gone;
  within_.outcomes = 0;
  const text::Origin outside = around_;
  result.origin = {in_lattice(within_.point)};
  around_.push_back(result.origin.front());
  result.body = point.by_cases ? cases(walk, point.cases, {}) : one_body(walk, point);
  around_ = outside;
  within_.absent.clear();
  return result;
}

Stmt Lowering::cases(const Walk& walk, const Lattice::Case& c, std::vector<int> present) {
  const auto nothing = [&] { return Stmt(StmtNode{Seq{}, c.body->span}, origin(c.body)); };
  const text::Origin around = around_;
  if (c.tested < 0) {
    around_.push_back(in_lattice(within_.point, within_.outcomes++));
    Stmt done = is_nothing(c.body) ? nothing() : leaf(walk, c.body, present);
    around_ = around;
    return done;
  }
  const Literal& literal = walk.literal(c.tested);
  Test test{walk.cursor(c.tested).name, {}, {}, c.certain};
  const std::map<access::LevelKey, State> outside = states_;
  states_[literal.key] = {Position(PositionNode{At{test.cursor, !literal.stored().unique}}), ""};
  std::vector<int> and_this = present;
  and_this.push_back(c.tested);
  const int first = within_.outcomes;
  test.then = cases(walk, c.branches.front(), and_this);
  states_ = outside;
  // It tests for the cases in which the operand is there.
  for (int outcome = first; outcome < within_.outcomes; ++outcome)
    around_.push_back(in_lattice(within_.point, outcome));
  const text::Origin made_of = origin(c.body);
  around_ = around;
  if (!c.certain) {
    within_.absent.push_back(c.tested);
    Stmt otherwise = cases(walk, c.branches.back(), present);
    within_.absent.pop_back();
    const auto empty = [](const Stmt& s) {
      const auto* seq = s.as<Seq>();
      return seq && seq->statements.empty();
    };
    if (empty(test.then) && empty(otherwise)) return nothing();
    if (!empty(otherwise)) test.otherwise = otherwise;
  }
  return Stmt(StmtNode{std::move(test), c.body->span}, made_of);
}

// One body for all cases: each operand is where its cursor stands, or missing. (COITERATION rule 14.)
Stmt Lowering::one_body(const Walk& walk, const Lattice::Point& point) {
  const std::map<access::LevelKey, State> outside = states_;
  around_.push_back(in_lattice(within_.point, 0));
  std::vector<std::pair<std::string, Expr>> lets;
  for (std::size_t operand = 0; operand < walk.cursor_of.size(); ++operand) {
    if (walk.cursor_of[operand] < 0) continue;
    const Literal& literal = walk.literal(static_cast<int>(operand));
    const Cursor& cursor = walk.cursor(static_cast<int>(operand));
    const bool several = !literal.stored().unique;
    const std::string here = fresh(cursor.name + "_here");
    names_.insert(here);
    lets.emplace_back(here, Expr(ExprNode{Here{cursor.name, several}, format::ScalarType::i64, {}}));
    states_[literal.key] = {Position(PositionNode{At{here, several}}), here};
  }
  Stmt result = leaf(walk, point.body, walk.operands_walked(), Present::some);
  for (auto let = lets.rbegin(); let != lets.rend(); ++let)
    result = Stmt(StmtNode{Let{let->first, let->second, result}, point.body->span}, origin(point.body));
  states_ = outside;
  return result;
}

}  // namespace trellis::coiterate
