// A sparse scalar remembers whether anything was written to it since it was at its fill: a Boolean of its own, its mark.
// What reads it is specialised for the fill (Finch, section 3.3.3, "SparseScalar").
//
//   t = 0; for k { t += A(i,k)*B(k,j) }; C(i,j) = t     →     … if t_set { append C(i,j) = t }
//   for k { y(k) += t*x(k) }                            →     if t_set { for k { y(k) += t*x(k) } }
//   y(i) = t*x(i) + z(i)                                →     if t_set { y(i) = t*x(i) + z(i) } else { y(i) = z(i) }
//
// The user asks for it (`tensor t: sparse`). Of temporaries it is chosen where an entry of a sparse result depends on it
// that nobody needs without it, and updates may find nothing to do: the result then stores what met, whatever that sums up
// to, as it does in orders that collect it in a workspace; and to count entries nobody needs their values.

#include <algorithm>

#include "engine/coiterate/lowering.hpp"
#include "engine/coiterate/reduce.hpp"
#include "engine/format/sparse_scalar.hpp"
#include "engine/loop/context.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

std::set<std::string> scalars_read(const loop::Stmt& s) {
  std::set<std::string> names;
  for_each_read(s, [&](const Read& read) {
    const auto& access = *read.access.as<lang::Access>();
    if (access.indices.empty()) names.insert(access.tensor);
  });
  return names;
}

/// How often it reads something else than these.
int count_other_reads(const loop::Stmt& s, const Untouched& scalars) {
  int count = 0;
  for_each_read(s, [&](const Read& read) { count += !scalars.count(read.access.as<lang::Access>()->tensor); });
  return count;
}

/// What a temporary is set to, if that is always one constant; the rest are updates.
std::optional<format::Value> only_reset(const loop::Stmt& s, const std::string& name) {
  std::optional<format::Value> value;
  bool same = true;
  const auto note = [&](const lang::Expr& to) {
    const auto* c = to.as<lang::Constant>();
    same = same && c && (!value || *value == c->value);
    if (c) value = c->value;
  };
  loop::for_each(s, [&](const loop::Stmt& inner) {
    const auto* a = inner.as<loop::Assign>();
    const auto* r = inner.as<loop::Reset>();
    if (a && !a->op && a->target.as<lang::Access>()->tensor == name) note(a->value);
    if (r && r->tensor == name) note(r->value);
  });
  return same ? value : std::nullopt;
}

/// Is there something that must not be left out? What faults does so whatever it is multiplied with.
bool may_fail(const loop::Stmt& s) {
  bool found = false;
  loop::for_each(s, [&](const loop::Stmt& inner) {
    found = found || inner.as<loop::While>();
    loop::map_children(inner, [](const loop::Stmt& child) { return child; },
                       [&](const lang::Expr& e) {
                         found = found || loop::may_fault(e);
                         return e;
                       });
  });
  return found;
}

bool updates(const loop::Stmt& s, const std::string& name) {
  bool found = false;
  loop::for_each(s, [&](const loop::Stmt& inner) {
    const auto* a = inner.as<loop::Assign>();
    found = found || (a && a->op && a->target.as<lang::Access>()->tensor == name);
  });
  return found;
}

}  // namespace

/// Does a loop over what operands store do all the updates, and perhaps none?
bool Lowering::may_stay_untouched(const loop::Block& b, const std::string& name) {
  bool walked = true;
  for (const loop::Stmt& s : b.statements) {
    if (!updates(s, name)) continue;
    const auto* f = s.as<loop::For>();
    walked = walked && f && !f->until && !support(f->body, offers(*f), around()).is_everywhere();
  }
  return walked;
}

Untouched Lowering::sparse_scalars(const loop::Stmt& s, const loop::Block& b) {
  Untouched asked, all;
  for (const loop::Stmt& inner : b.statements) {
    const auto* d = inner.as<loop::Declare>();
    if (!d || !d->tensor.shape.empty()) continue;
    if (format::is_sparse_scalar(d->tensor.format)) {
      asked[d->tensor.name] = d->tensor.fill;
    } else if (const auto reset = only_reset(s, d->tensor.name); reset && may_stay_untouched(b, d->tensor.name)) {
      all[d->tensor.name] = *reset;
    }
  }
  const auto serves = [&](const std::string& name) {
    return std::ranges::any_of(b.statements, [&](const loop::Stmt& inner) {
      return inner.as<loop::Assign>() && scalars_read(inner).count(name) &&
             is_nothing(where_untouched(inner, all, around()));
    });
  };
  const Untouched candidates = all;
  for (const auto& [name, value] : candidates)
    if (!serves(name)) all.erase(name);
  all.insert(asked.begin(), asked.end());
  return all;
}

Expr Lowering::mark(const std::string& scalar) {
  const Tensor& tensor = lookup(scalar);
  auto known = marks_.find(tensor.name);
  if (known == marks_.end()) {
    const auto taken = [&](const std::string& name) {
      return program_.tensor(name) || program_.parameter(name) || declared_.count(name) ||
             std::ranges::any_of(temporaries_, [&](const Tensor& t) { return t.name == name; });
    };
    Mark made{tensor.name + "_set", untouched_.at(scalar), tensor.storage != Tensor::Storage::temporary};
    while (taken(made.name)) made.name += "_";
    known = marks_.emplace(tensor.name, made).first;
    const format::Value no = format::Value::truth(false);
    temporaries_.push_back({made.name, no.type, {}, {}, Tensor::Storage::temporary, no});
  }
  return Expr(ExprNode{Value{known->second.name, root()}, format::ScalarType::boolean, {}}, origin());
}

std::optional<Stmt> Lowering::where_touched(const loop::Stmt& s) {
  if (untouched_.empty() || s.as<loop::Block>()) return std::nullopt;
  const std::set<std::string> changed = written_in(s);
  Untouched read, needed;
  for (const std::string& name : scalars_read(s))
    if (untouched_.count(name) && !touched_.count(name) && !changed.count(name)) read[name] = untouched_.at(name);
  for (const auto& one : read)
    if (is_nothing(where_untouched(s, {one}, around()))) needed.insert(one);
  const bool any = needed.empty() && !read.empty() && is_nothing(where_untouched(s, read, around()));
  if (read.empty() || may_fail(s)) return std::nullopt;
  if (needed.empty() && !any) return specialised(s, read);
  std::optional<Expr> guard;
  for (const auto& [name, value] : any ? read : needed) {
    const auto op = any ? format::BinaryOp::logical_or : format::BinaryOp::logical_and;
    guard = guard ? Expr(ExprNode{Binary{op, *guard, mark(name)}, format::ScalarType::boolean, {}}) : mark(name);
  }
  return make(If{*guard, where_known(any ? read : needed, s), {}}, s);
}

/// One statement for the scalar as it may be, one for it at its fill, if that does with fewer operands.
std::optional<Stmt> Lowering::specialised(const loop::Stmt& s, const Untouched& read) {
  for (const auto& one : read) {
    const loop::Stmt less = where_untouched(s, {one}, around());
    if (count_other_reads(less, read) >= count_other_reads(s, read)) continue;
    If both{mark(one.first), where_known({one}, s), stmt(less)};
    return make(std::move(both), s);
  }
  return std::nullopt;
}

Stmt Lowering::where_known(const Untouched& scalars, const loop::Stmt& s) {
  const std::set<std::string> outside = touched_;
  for (const auto& [name, value] : scalars) touched_.insert(name);
  Stmt lowered = stmt(s);
  touched_ = outside;
  return lowered;
}

bool Lowering::reads_touched(const lang::Expr& value) const {
  bool found = false;
  for_each_read(value, [&](const Read& read) { found |= touched_.count(read.access.as<lang::Access>()->tensor) > 0; });
  return found;
}

}  // namespace trellis::coiterate
