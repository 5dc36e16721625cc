#include "engine/coiterate/lower_assignments.hpp"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <functional>

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/lower_scalars.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/positions.hpp"
#include "engine/coiterate/recursion.hpp"
#include "engine/format/neutral_element.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

using format::ReduceOp;

/// What is done at an element's position.
using AtPosition = std::function<Stmt(const Position&)>;

/// The coordinate where variables have come to the ends of their runs.
Expr through(const Expr& coordinate, const std::map<std::string, std::string>& runs) {
  const auto* n = coordinate.as<Name>();
  if (const auto run = n ? runs.find(n->name) : runs.end(); run != runs.end()) return name(run->second);
  return flow::map_children(coordinate, [&](const Expr& child) { return through(child, runs); });
}

/// By coordinate: where its run ends; none: it has none. Empty if none of them has one.
std::vector<std::optional<Expr>> ends_of_runs(const Context& in, const std::vector<Expr>& coordinates) {
  std::vector<std::optional<Expr>> ends;
  bool any = false;
  for (const Expr& coordinate : coordinates) {
    const Expr last = through(coordinate, in.runs);
    const bool goes_on = !(last == coordinate);
    ends.push_back(goes_on ? std::optional(last) : std::nullopt);
    any = any || goes_on;
  }
  return any ? ends : std::vector<std::optional<Expr>>{};
}

/// Those on which the index depends most finely: k0 of 8*k1 + k0.
std::vector<std::string> finest_variables(const lang::Expr& index) {
  std::vector<std::string> all = lang::free_variables(index);
  const auto form = lang::affine(index);
  if (!form || !form->quotients.empty()) return all;
  const auto step = [&](const std::string& v) { return std::abs(form->coefficient(v)); };
  std::int64_t least = 0;
  for (const std::string& v : all)
    if (step(v) > 0 && (least == 0 || step(v) < least)) least = step(v);
  std::erase_if(all, [&](const std::string& v) { return step(v) > least; });
  return all;
}

// A fill that stands where every coordinate is visited says nothing about the pattern, unless it is of a sparse scalar
// that something was written to. Nor does one that a product makes: what was not stored stays unstored.
bool may_be_fill(Context& in, const loop::Assign& a) {
  if (reads_touched(in, a.value)) return false;
  if (const auto* read = a.value.as<lang::Access>(); read && in.tensors.multiplied.contains(read->tensor)) return true;
  const lang::Access& access = *a.target.as<lang::Access>();
  if (info(in, access.tensor)->copy) return false;  // what is stored decides operations, whatever its value is
  const Tensor& of = tensor(in, access.tensor);
  int innermost = 0;
  for (int level = 0; level < levels_of(of); ++level)
    if (!facts_of(of, level).dense()) innermost = level;
  return std::ranges::any_of(finest_variables(level_index(access, *info(in, access.tensor), innermost)),
                             [&](const std::string& v) { return in.scope.everywhere.contains(v); });
}

Stmt append(Context& in, const loop::Stmt& s, const loop::Assign& a) {
  assert(!a.op && "results in sparse formats are appended to");
  const lang::Access& access = *a.target.as<lang::Access>();
  const Tensor& to = tensor(in, access.tensor);
  Append entry{to.name, {}, lower_expr(in, a.value), to.pattern};
  for (int level = 0; level < levels_of(to); ++level)
    entry.coordinates.push_back(lower_expr(in, level_index(access, *info(in, access.tensor), level)));
  entry.prune = entry.prune || may_be_fill(in, a);
  entry.through = ends_of_runs(in, entry.coordinates);
  return make(in, std::move(entry), s);
}

Stmt insert(Context& in, const loop::Stmt& s, const lang::Access& access, int level, const Position& parent,
            const AtPosition& put) {
  const Tensor& into = tensor(in, access.tensor);
  if (level == levels_of(into)) return put(parent);
  if (facts_of(into, level).dense()) return insert(in, s, access, level + 1, computed(in, access, level, parent), put);
  const lang::Expr& index = level_index(access, *info(in, access.tensor), level);
  const Scoped scope(in.scope);
  Insert insertion{in.scope.introduce(position_name(into, level)),
                   into.name,
                   level,
                   parent,
                   lower_expr(in, index),
                   index_check(in, access, index),
                   {}};
  insertion.body = insert(in, s, access, level + 1, Position(PositionNode{At{insertion.name}}), put);
  return make(in, std::move(insertion), s);
}

// Where the element is stored already: where that is may be known.
Stmt overwrite(Context& in, const loop::Stmt& s, const lang::Access& access, int level, const Position& parent,
               const AtPosition& put) {
  const Tensor& into = tensor(in, access.tensor);
  if (level == levels_of(into)) return put(parent);
  if (facts_of(into, level).dense())
    return overwrite(in, s, access, level + 1, computed(in, access, level, parent), put);
  const lang::Expr& index = level_index(access, *info(in, access.tensor), level);
  if (const auto known = in.entries.find(level_key(access, *info(in, access.tensor), level));
      known != in.entries.end() && known->second.only_if.empty()) {
    const Stmt inner = overwrite(in, s, access, level + 1, known->second.position, put);
    return known->second.missing.empty() ? inner : make(in, If{is_found(known->second.missing), inner, {}}, s);
  }
  const Scoped scope(in.scope);
  Locate found{in.scope.introduce("p" + into.name + std::to_string(level + 1)),
               into.name,
               level,
               parent,
               lower_expr(in, index),
               {},
               false,
               index_check(in, access, index),
               {}};
  const Stmt inner = overwrite(in, s, access, level + 1, Position(PositionNode{At{found.name}}), put);
  found.body = make(in, If{is_found(found.name), inner, {}}, s);
  return make(in, std::move(found), s);
}

/// What an update makes of an element that holds the fill; empty: the fill, whatever the value is.
std::optional<Expr> made_of_fill(ReduceOp op, const format::Value& fill, const Expr& value) {
  using format::BinaryOp, format::Function;
  const bool boolean = format::is_boolean(fill.type);
  const format::Value none = format::Value::of(fill.type, 0);
  const auto made = [&](auto node) { return Expr(ExprNode{std::move(node), value->type, value->span}); };
  const auto both = [&](BinaryOp how) { return made(Binary{how, constant(fill), value}); };
  switch (op) {
    case ReduceOp::sum: return both(boolean ? BinaryOp::logical_or : BinaryOp::add);
    case ReduceOp::any: return both(BinaryOp::logical_or);
    case ReduceOp::prod:
      return fill == none ? std::nullopt : std::optional(both(boolean ? BinaryOp::logical_and : BinaryOp::multiply));
    case ReduceOp::all: return both(BinaryOp::logical_and);
    case ReduceOp::min: return made(Call{Function::min, {constant(fill), value}});
    case ReduceOp::max: return made(Call{Function::max, {constant(fill), value}});
    default: return value;
  }
}

/// Into a workspace.
class Storing {
 public:
  Storing(Context& in, const loop::Stmt& s, const loop::Assign& a)
      : in_(in), s_(s), a_(a), access_(*a.target.as<lang::Access>()), into_(tensor(in, access_.tensor)) {}

  Stmt run() {
    const Expr value = lower_expr(in_, a_.value);
    if (a_.op && leaves_others(*a_.op)) return update(value);
    if (a_.op || value.as<Constant>() || !may_be_fill(in_, a_)) return inserted(value);
    return unless_fill(value, [](const Expr& local) { return local; });
  }

 private:
  /// Do elements stay that are at the fill, where they are updated by what is none of the operation?
  bool leaves_others(ReduceOp op) const { return format::neutral_element(op, into_.type) != into_.fill; }

  Stmt update(const Expr& value) {
    if (const auto* c = value.as<Constant>())
      return format::combine(*a_.op, into_.fill, c->value) == into_.fill ? overwritten(value) : inserted(value);
    if (!made_of_fill(*a_.op, into_.fill, value)) return overwritten(value);
    return unless_fill(value, [&](const Expr& local) { return *made_of_fill(*a_.op, into_.fill, local); });
  }

  Stmt unless_fill(const Expr& value, const std::function<Expr(const Expr&)>& made) {
    const Scoped scope(in_.scope);
    const std::string kept = in_.scope.introduce(into_.name + "_value");
    const Expr local(ExprNode{Name{Name::Kind::variable, kept}, value->type, value->span});
    If stored{condition(format::BinaryOp::not_equal, made(local), constant(into_.fill)), inserted(local), {}};
    const bool first = in_.tensors.fresh.contains(access_.tensor) || in_.tensors.starts.contains(s_.id());
    if (!first) stored.otherwise = overwritten(local);
    return make(in_, Let{kept, value, make(in_, std::move(stored), s_)}, s_);
  }

  Stmt inserted(const Expr& value) { return insert(in_, s_, access_, 0, root(), put(value)); }
  /// Where it is stored.
  Stmt overwritten(const Expr& value) { return overwrite(in_, s_, access_, 0, root(), put(value)); }

  AtPosition put(const Expr& value) {
    return [this, value](const Position& at) { return make(in_, Assign{into_.name, at, a_.op, value}, s_); };
  }

  Context& in_;
  const loop::Stmt& s_;
  const loop::Assign& a_;
  const lang::Access& access_;
  const Tensor& into_;
};

// Where its mask has an entry.
Stmt write_masked(Context& in, const loop::Stmt& s, const loop::Assign& a) {
  const lang::Access& access = *a.target.as<lang::Access>();
  const Expr value = lower_expr(in, a.value);
  return overwrite(in, s, access, 0, root(), [&](const Position& at) {
    return make(in, Assign{tensor(in, access.tensor).name, at, a.op, value}, s);
  });
}

}  // namespace

Stmt lower_assign(Context& in, const loop::Stmt& s, const loop::Assign& a) {
  const lang::Access& access = *a.target.as<lang::Access>();
  const Tensor& to = tensor(in, access.tensor);
  if (!to.entries_of.empty()) return write_masked(in, s, a);
  if (to.sparse()) return to.storage == Tensor::Storage::temporary ? Storing(in, s, a).run() : append(in, s, a);
  const Position at = descend(in, access).position;
  return make(in, Assign{to.name, at, a.op, lower_expr(in, a.value)}, s);
}

bool takes_runs(Context& in, const lang::Access& target, const std::string& variable) {
  const lang::TensorInfo* described = info(in, target.tensor);
  if (!described || !in.tensors.written.contains(target.tensor)) return false;
  bool takes = false;
  for (int level = 0; level < std::ssize(target.indices); ++level) {
    const lang::Expr& index = level_index(target, *described, level);
    if (!contains(lang::free_variables(index), variable)) continue;
    const std::optional<math::Affine> moved = lang::affine(index);
    const format::Facts& facts = facts_of(tensor(in, target.tensor), level);
    if (takes || facts.region != format::Region::run || !moved || moved->coefficient(variable) != 1) return false;
    takes = true;
  }
  return takes;
}

}  // namespace trellis::coiterate
