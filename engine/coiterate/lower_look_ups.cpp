#include <algorithm>

#include "engine/coiterate/lowering.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

bool is_leaf(const loop::Stmt& s) { return s.as<loop::Assign>() || s.as<loop::Reset>() || s.as<loop::If>() || s.as<loop::Let>(); }

/// Those reads that a statement makes before any statement inside it runs.
void for_each_own_read(const loop::Stmt& s, const std::function<void(const Read&)>& visit) {
  if (const auto* i = s.as<loop::If>()) return for_each_read(i->condition, visit);
  if (const auto* l = s.as<loop::Let>()) return for_each_read(l->value, visit);
  for_each_read(s, visit);
}

/// Those reads that happen whenever the statement runs, as opposed to those behind a condition or in a loop that may be empty.
void for_each_certain_read(const loop::Stmt& s, const std::function<void(const Read&)>& visit) {
  if (const auto* b = s.as<loop::Block>()) {
    for (const loop::Stmt& inner : b->statements) for_each_certain_read(inner, visit);
  } else if (const auto* f = s.as<loop::For>()) {
    for_each_read(f->low, visit);
    for_each_read(f->high, visit);
  } else if (s.as<loop::Assign>() || s.as<loop::Reset>() || s.as<loop::If>() || s.as<loop::Let>()) {
    for_each_own_read(s, visit);
  }
}

}  // namespace

// Looked up as early as possible: where all indices are known and nothing in the statement changes the tensor, or else right
// at the statement that reads it.
std::optional<std::pair<Read, int>> Lowering::next_to_locate(const loop::Stmt& s) {
  std::optional<std::pair<Read, int>> found;
  const std::set<std::string> changed = written_in(s);
  const auto consider = [&](const Read& read, bool own) {
    const auto& access = *read.access.as<lang::Access>();
    if (found && (found->first.guarded <= read.guarded)) return;
    const lang::TensorInfo* described = info(access.tensor);
    if (changed.count(access.tensor) && !own) return;
    if (!described || (declared_.count(access.tensor) && !alive_.count(access.tensor))) return;
    if (!lookup(access.tensor).sparse()) return;
    // What guards it is asked first, so it must be known, and be about to be asked anyway.
    const auto known_here = [&](const lang::Expr& e) { return known(e); };
    if (read.guarded && is_checked(access) && (s.as<loop::Block>() || !std::ranges::all_of(read.conditions, known_here))) return;
    const auto rank = static_cast<int>(access.indices.size());
    const auto is_there = [&](int l) {
      const auto state = states_.find(level_key(access, *described, l));
      return state != states_.end() && state->second.covers(read);
    };
    int level = rank;
    while (level > 0 && !is_there(level - 1)) --level;
    for (; level < rank; ++level) {
      if (!known(level_index(access, *described, level))) break;
      const bool dense = lookup(access.tensor).levels[static_cast<std::size_t>(level)].facts.dense();
      if (dense && !is_checked_apart(access, level)) continue;
      found = {read, level};
      return;
    }
  };
  for_each_certain_read(s, [&](const Read& read) { consider(read, false); });
  // What may not be read at all must not fault, nor read an index that is not there.
  for_each_read(s, [&](const Read& read) {
    if (!found && !is_checked(*read.access.as<lang::Access>())) consider({read.access, true}, false);
  });
  if (!found && is_leaf(s)) for_each_own_read(s, [&](const Read& read) { consider(read, true); });
  return found;
}

// An entry may be read under several conditions, of which one may depend on an earlier read:
//   (c ? Z(p(i)) : 0) < 1 ? 0 : Z(p(i))
// Then it is looked up again, else once where any of them holds.
bool Lowering::State::covers(const Read& read) const {
  return only_if.empty() || contains(only_if, read.conditions);
}

Expr Lowering::any_of(const std::vector<Conditions>& lists) {
  std::optional<Expr> any;
  for (const Conditions& conditions : lists) {
    std::optional<Expr> all;
    for (auto condition = conditions.rbegin(); condition != conditions.rend(); ++condition) all = both(expr(*condition), all);
    any = any ? Expr(ExprNode{Binary{format::BinaryOp::logical_or, *any, *all}, format::ScalarType::boolean, {}}) : *all;
  }
  return *any;
}

bool Lowering::is_missed(const Read& read, const lang::Access& access, int level, const State& state) {
  const auto& other = *read.access.as<lang::Access>();
  const lang::TensorInfo& described = *info(access.tensor);
  return other.tensor == access.tensor && level_key(other, described, level) == level_key(access, described, level) &&
         !state.covers(read);
}

// A checked index is only looked at where the access is read: under conditions that are about to be asked.
std::vector<Lowering::Conditions> Lowering::asked_under(const loop::Stmt& s, const Read& read, int level) {
  const auto& access = *read.access.as<lang::Access>();
  if (!is_checked(access) || read.conditions.empty()) return {};
  State state;
  if (const auto before = states_.find(level_key(access, *info(access.tensor), level)); before != states_.end())
    state.only_if = before->second.only_if;
  state.only_if.push_back(read.conditions);
  const auto known_here = [&](const lang::Expr& e) { return known(e); };
  for_each_own_read(s, [&](const Read& other) {
    if (is_leaf(s) && is_missed(other, access, level, state) && std::ranges::all_of(other.conditions, known_here))
      state.only_if.push_back(other.conditions);
  });
  return state.only_if;
}

Stmt Lowering::located(const loop::Stmt& s, const Read& read, int level) {
  const auto& access = *read.access.as<lang::Access>();
  const std::vector<Conditions> only_if = asked_under(s, read, level);
  const std::optional<Expr> asked = only_if.empty() ? std::nullopt : std::optional(any_of(only_if));
  if (!is_checked_apart(access, level)) {
    const bool lenient = read.guarded && !asked;  // outside of its range there is no entry; no fault, as it may not be read
    const lang::Expr& index = level_index(access, *info(access.tensor), level);
    return found(s, read, level, {expr(index), lenient ? std::nullopt : check(access, index), lenient}, only_if);
  }
  return checked_apart(s, access, level, asked, [&](const Expr& at) {
    if (!lookup(access.tensor).levels[static_cast<std::size_t>(level)].facts.dense())
      return found(s, read, level, {at, std::nullopt, false}, only_if);
    return placed(access, level, at, only_if, [&] { return stmt(s); });
  });
}

Stmt Lowering::placed(const lang::Access& access, int level, const Expr& coordinate, std::vector<Conditions> only_if,
                      const std::function<Stmt()>& inner) {
  const Resolved parent = resolve(access, false, level);
  const Direct place{lookup(access.tensor).name, level, parent.position, coordinate, {}};
  const std::map<access::LevelKey, State> outside = states_;
  states_[level_key(access, *info(access.tensor), level)] = {Position(PositionNode{place}), parent.missing,
                                                            std::move(only_if)};
  Stmt body = inner();
  states_ = outside;
  return body;
}

Stmt Lowering::found(const loop::Stmt& s, const Read& read, int level, const Sought& sought, std::vector<Conditions> only_if) {
  const auto& access = *read.access.as<lang::Access>();
  const lang::TensorInfo& described = *info(access.tensor);
  const access::LevelKey key = level_key(access, described, level);
  const Tensor tensor = lookup(access.tensor);
  const bool last = level + 1 == static_cast<int>(tensor.levels.size());
  const format::Facts& facts = tensor.levels[static_cast<std::size_t>(level)].facts;
  const Literal literal{key, {}, read.access, {access.tensor, level, facts, {}}, last, false, tensor.fill};

  const Resolved parent = resolve(access, sought.lenient, level);
  Locate locate{fresh("p" + tensor.name + (last ? "" : std::to_string(level + 1))), tensor.name, level, parent.position,
                sought.coordinate, {}, !facts.unique, sought.check};
  locate.exists = exists(read.guarded ? in_range(access, level, sought.lenient) : std::nullopt, parent.missing);
  if (!only_if.empty()) locate.exists = both(any_of(only_if), locate.exists);
  State state{Position(PositionNode{At{locate.name, locate.several}}), {}, std::move(only_if)};
  const std::map<access::LevelKey, State> outside = states_;
  names_.insert(locate.name);
  bool covered = true;
  for_each_read(s, [&](const Read& other) { covered &= !is_missed(other, access, level, state); });
  const bool pointless = covered && (!is_leaf(s) || !written_in(s).count(access.tensor)) && is_nothing(without(s, literal, around()));
  if (!pointless) state.missing = locate.name;
  states_[key] = std::move(state);
  locate.body = stmt(s);
  if (pointless) {
    const Expr present = is_found(locate.name);
    locate.body = Stmt(StmtNode{If{present, locate.body, {}}, s->span}, origin(s));
  }
  states_ = outside;
  names_.erase(locate.name);
  return Stmt(StmtNode{std::move(locate), read.access->span.known() ? read.access->span : s->span}, origin(s));
}

// An index is asked for whether or not the access has an entry above it: that of `C(i,p(i))` in every row.
bool Lowering::is_checked_apart(const lang::Access& access, int level) {
  return check(access, level_index(access, *info(access.tensor), level)) && !resolve(access, false, level).missing.empty();
}

Stmt Lowering::checked_apart(const loop::Stmt& s, const lang::Access& access, int level,
                             const std::optional<Expr>& asked, const std::function<Stmt(const Expr&)>& inner) {
  const lang::Expr& index = level_index(access, *info(access.tensor), level);
  const std::string tensor = lookup(access.tensor).name;
  const std::string at = fresh("p" + tensor + "_at");
  Expr value(ExprNode{Checked{tensor, level, expr(index), *check(access, index)}, format::ScalarType::i64, index->span});
  if (asked) value = Expr(ExprNode{Select{*asked, value, integer(0)}, format::ScalarType::i64, index->span});
  names_.insert(at);
  const Stmt body = inner(name(at));
  names_.erase(at);
  return make(Let{at, value, body}, s);
}

}  // namespace trellis::coiterate
