#include "engine/coiterate/lower_look_ups.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/index_checks.hpp"
#include "engine/coiterate/lower_expressions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/positions.hpp"
#include "engine/coiterate/recursion.hpp"
#include "engine/coiterate/reduce.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

const lang::Access& access_of(const Read& read) { return *read.access.as<lang::Access>(); }

bool is_leaf(const loop::Stmt& s) {
  return s.as<loop::Assign>() || s.as<loop::Reset>() || s.as<loop::If>() || s.as<loop::Let>();
}

/// Those reads that a statement makes before any statement inside it runs.
void for_each_own_read(const loop::Stmt& s, const std::function<void(const Read&)>& visit) {
  if (const auto* i = s.as<loop::If>()) return for_each_read(i->condition, visit);
  if (const auto* l = s.as<loop::Let>()) return for_each_read(l->value, visit);
  for_each_read(s, visit);
}

/// Those reads that happen whenever the statement runs, as opposed to those after a condition or in a loop that may be
/// empty.
void for_each_certain_read(const loop::Stmt& s, const std::function<void(const Read&)>& visit) {
  if (const auto* b = s.as<loop::Block>()) {
    for (const loop::Stmt& inner : b->statements) for_each_certain_read(inner, visit);
  } else if (const auto* f = s.as<loop::For>()) {
    for_each_read(f->low, visit);
    for_each_read(f->high, visit);
  } else if (is_leaf(s)) {
    for_each_own_read(s, visit);
  }
}

bool are_known(Context& in, const Conditions& conditions) {
  return std::ranges::all_of(conditions, [&](const lang::Expr& condition) { return is_known(in, condition); });
}

/// The first level that has to be looked up for the read, and can be.
std::optional<int> level_to_look_up(Context& in, const Read& read) {
  const lang::Access& access = access_of(read);
  const lang::TensorInfo& described = *info(in, access.tensor);
  const Tensor& of = tensor(in, access.tensor);
  const auto is_there = [&](int level) {
    const auto entry = in.entries.find(level_key(access, described, level));
    return entry != in.entries.end() && entry->second.covers(read);
  };
  const auto rank = static_cast<int>(access.indices.size());
  int level = rank;
  while (level > 0 && !is_there(level - 1)) --level;
  for (; level < rank && is_known(in, level_index(access, described, level)); ++level)
    if (!facts_of(of, level).dense() || is_checked_apart(in, access, level)) return level;
  return std::nullopt;
}

bool is_missed(Context& in, const Read& other, const lang::Access& access, int level, const Entry& entry) {
  const lang::TensorInfo& described = *info(in, access.tensor);
  return access_of(other).tensor == access.tensor &&
         level_key(access_of(other), described, level) == level_key(access, described, level) && !entry.covers(other);
}

// The conditions under which a look-up is for the read, and for others of the statement; none: always. A checked index
// is only looked at where the access is read: under conditions that are about to be asked.
std::vector<Conditions> asked_under(Context& in, const loop::Stmt& s, const Read& read, int level) {
  const lang::Access& access = access_of(read);
  if (!is_checked(in, access) || read.conditions.empty()) return {};
  Entry entry;
  const auto before = in.entries.find(level_key(access, *info(in, access.tensor), level));
  if (before != in.entries.end()) entry.only_if = before->second.only_if;
  entry.only_if.push_back(read.conditions);
  if (is_leaf(s))
    for_each_own_read(s, [&](const Read& other) {
      if (is_missed(in, other, access, level, entry) && are_known(in, other.conditions))
        entry.only_if.push_back(other.conditions);
    });
  return entry.only_if;
}

/// Does the statement do nothing where there is no such entry? Then it only runs where there is one.
bool needs_entry(Context& in, const loop::Stmt& s, const Literal& literal, const Entry& entry) {
  const lang::Access& access = *literal.access.as<lang::Access>();
  bool covered = true;
  for_each_read(s, [&](const Read& other) { covered &= !is_missed(in, other, access, literal.level(), entry); });
  return covered && !(is_leaf(s) && written_in(s).contains(access.tensor)) &&
         is_nothing(without(s, literal, surroundings(in)));
}

struct Sought {
  Expr coordinate;
  std::optional<Site> check;
  Checks above;  ///< left out: it may be out of range, where there is no entry
};

Stmt locate(Context& in, const loop::Stmt& s, const LookUp& what, const Sought& sought,
            std::vector<Conditions> only_if) {
  const Read& read = what.read;
  const int level = what.level;
  const lang::Access& access = access_of(read);
  const lang::TensorInfo& described = *info(in, access.tensor);
  const access::LevelKey key = level_key(access, described, level);
  const Tensor& of = tensor(in, access.tensor);
  const format::Facts& facts = facts_of(of, level);
  const bool last = level + 1 == levels_of(of);
  const Literal literal{key, {}, read.access, {access.tensor, level, facts, {}}, last, false, of.fill};

  const Descent parent = fiber_of(in, access, level, sought.above);
  Locate locate{in.scope.unused(position_name(of, level)),
                of.name,
                level,
                parent.position,
                sought.coordinate,
                {},
                !facts.unique,
                sought.check};
  locate.exists = exists(read.guarded ? in_range(in, access, level, sought.above) : std::nullopt, parent.missing);
  if (!only_if.empty()) locate.exists = both(any_of(in, only_if), locate.exists);
  Entry entry{Position(PositionNode{At{locate.name, locate.several}}), {}, std::move(only_if)};
  const Scoped scope(in.scope);
  const Scoped entries(in.entries);
  in.scope.positions.insert(locate.name);
  const bool needed = needs_entry(in, s, literal, entry);
  if (!needed) entry.missing = locate.name;
  in.entries[key] = std::move(entry);
  locate.body = lower_stmt(in, s);
  if (needed) locate.body = make(in, If{is_found(locate.name), locate.body, {}}, s);
  return Stmt(StmtNode{std::move(locate), read.access->span.known() ? read.access->span : s->span}, in.origins.of(s));
}

}  // namespace

std::optional<LookUp> next_look_up(Context& in, const loop::Stmt& s) {
  std::optional<LookUp> found;
  std::set<std::string> changed = written_in(s);
  // Those of a mask are where they are.
  std::erase_if(changed, [&](const std::string& name) { return in.tensors.masked.contains(name); });
  const auto consider = [&](const Read& read, bool own) {
    const lang::Access& access = access_of(read);
    if (found && found->read.guarded <= read.guarded) return;
    if ((changed.contains(access.tensor) && !own) || !is_sparse(in, access.tensor)) return;
    // What guards it is asked first, so it must be known, and be about to be asked anyway.
    if (read.guarded && is_checked(in, access) && (s.as<loop::Block>() || !are_known(in, read.conditions))) return;
    if (const auto level = level_to_look_up(in, read)) found = {read, *level};
  };
  for_each_certain_read(s, [&](const Read& read) { consider(read, false); });
  // What may not be read at all must not fault, nor read an index that is not there.
  for_each_read(s, [&](const Read& read) {
    if (!found && !is_checked(in, access_of(read))) consider({read.access, true}, false);
  });
  if (!found && is_leaf(s)) for_each_own_read(s, [&](const Read& read) { consider(read, true); });
  return found;
}

std::optional<access::LevelKey> deciding_entry(Context& in, const loop::Stmt& s) {
  std::optional<access::LevelKey> found;
  if (!s.as<loop::For>()) return found;
  for_each_read(s, [&](const Read& read) {
    const lang::Access& access = access_of(read);
    if (found || access.indices.empty() || !is_in_scope(in, access.tensor)) return;
    const Tensor& of = tensor(in, access.tensor);
    const int level = levels_of(of) - 1;
    const access::LevelKey key = level_key(access, *info(in, access.tensor), level);
    const auto entry = in.entries.find(key);
    if (entry == in.entries.end() || entry->second.missing.empty() || !entry->second.only_if.empty()) return;
    const Literal literal{key, {}, read.access, {access.tensor, level, facts_of(of, level), {}}, true, false, of.fill};
    if (needs_entry(in, s, literal, entry->second)) found = key;
  });
  return found;
}

Stmt where_found(Context& in, const loop::Stmt& s, const access::LevelKey& key) {
  const Scoped entries(in.entries);
  const std::string missing = std::exchange(in.entries.at(key).missing, "");
  const Stmt inside = lower_stmt(in, s);
  return make(in, If{is_found(missing), inside, {}}, s);
}

Stmt look_up(Context& in, const loop::Stmt& s, const LookUp& what) {
  const Read& read = what.read;
  const int level = what.level;
  const lang::Access& access = access_of(read);
  const std::vector<Conditions> only_if = asked_under(in, s, read, level);
  const std::optional<Expr> asked = only_if.empty() ? std::nullopt : std::optional(any_of(in, only_if));
  if (!is_checked_apart(in, access, level)) {
    // Outside of its range there is no entry; no fault, as it may not be read.
    const Checks above = read.guarded && !asked ? Checks::left_out : Checks::kept;
    const lang::Expr& index = level_index(access, *info(in, access.tensor), level);
    const std::optional<Site> check = above == Checks::kept ? index_check(in, access, index) : std::nullopt;
    return locate(in, s, what, {lower_expr(in, index), check, above}, only_if);
  }
  return checked_apart(in, s, access, level, asked, [&](const Expr& at) {
    if (facts_of(tensor(in, access.tensor), level).dense())
      return placed(in, access, level, at, only_if, [&] { return lower_stmt(in, s); });
    return locate(in, s, what, {at, std::nullopt, Checks::kept}, only_if);
  });
}

}  // namespace trellis::coiterate
