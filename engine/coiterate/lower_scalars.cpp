#include "engine/coiterate/lower_scalars.hpp"

#include <algorithm>

#include "engine/coiterate/conditions.hpp"
#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/offers_of.hpp"
#include "engine/coiterate/recursion.hpp"
#include "engine/format/sparse_scalar.hpp"
#include "engine/loop/context.hpp"

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
    loop::for_each_child(
        inner, [](const loop::Stmt&) {}, [&](const lang::Expr& e) { found = found || loop::may_fault(e); });
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

/// Does a loop over what operands store do all the updates, and perhaps none?
bool may_stay_untouched(Context& in, const loop::Block& b, const std::string& name) {
  bool walked = true;
  for (const loop::Stmt& s : b.statements) {
    if (!updates(s, name)) continue;
    const auto* f = s.as<loop::For>();
    walked = walked && f && !f->until && !support(f->body, offers_of(in, *f), surroundings(in)).is_everywhere();
  }
  return walked;
}

/// Has something been written to it? Asking gives it a mark.
Expr mark(Context& in, const std::string& scalar) {
  const Tensor& of = tensor(in, scalar);
  auto known = in.scalars.marks.find(of.name);
  if (known == in.scalars.marks.end()) {
    const auto taken = [&](const std::string& name) {
      return in.program.tensor(name) || in.program.parameter(name) || in.tensors.declared.count(name) ||
             std::ranges::any_of(in.tensors.temporaries, [&](const Tensor& t) { return t.name == name; });
    };
    Mark made{of.name + "_set", in.scalars.untouched.at(scalar), of.storage != Tensor::Storage::temporary};
    while (taken(made.name)) made.name += "_";
    known = in.scalars.marks.emplace(of.name, made).first;
    const format::Value no = format::Value::truth(false);
    in.tensors.temporaries.push_back({made.name, no.type, {}, {}, Tensor::Storage::temporary, no});
  }
  return Expr(ExprNode{Value{known->second.name, root()}, format::ScalarType::boolean, {}}, in.origins.here());
}

/// The statement where their marks hold.
Stmt where_known(Context& in, const Untouched& scalars, const loop::Stmt& s) {
  const Scoped touched(in.scalars.touched);
  for (const auto& [name, value] : scalars) in.scalars.touched.insert(name);
  return lower_stmt(in, s);
}

/// One statement for the scalar as it may be, one for it at its fill, if that does with fewer operands.
std::optional<Stmt> specialised(Context& in, const loop::Stmt& s, const Untouched& read) {
  for (const auto& one : read) {
    const loop::Stmt less = where_untouched(s, {one}, surroundings(in));
    if (count_other_reads(less, read) >= count_other_reads(s, read)) continue;
    If lowered{mark(in, one.first), where_known(in, {one}, s), lower_stmt(in, less)};
    return make(in, std::move(lowered), s);
  }
  return std::nullopt;
}

}  // namespace

Untouched sparse_scalars(Context& in, const loop::Stmt& s, const loop::Block& b) {
  Untouched asked, all;
  for (const loop::Stmt& inner : b.statements) {
    const auto* d = inner.as<loop::Declare>();
    if (!d || !d->tensor.shape.empty()) continue;
    if (format::is_sparse_scalar(d->tensor.format)) {
      asked[d->tensor.name] = d->tensor.fill;
    } else if (const auto reset = only_reset(s, d->tensor.name); reset && may_stay_untouched(in, b, d->tensor.name)) {
      all[d->tensor.name] = *reset;
    }
  }
  const auto serves = [&](const std::string& name) {
    return std::ranges::any_of(b.statements, [&](const loop::Stmt& inner) {
      return inner.as<loop::Assign>() && scalars_read(inner).count(name) &&
             is_nothing(where_untouched(inner, all, surroundings(in)));
    });
  };
  const Untouched candidates = all;
  for (const auto& [name, value] : candidates)
    if (!serves(name)) all.erase(name);
  all.insert(asked.begin(), asked.end());
  return all;
}

std::optional<Stmt> where_touched(Context& in, const loop::Stmt& s) {
  if (in.scalars.untouched.empty() || s.as<loop::Block>()) return std::nullopt;
  const std::set<std::string> changed = written_in(s);
  Untouched read, needed;
  for (const std::string& name : scalars_read(s))
    if (in.scalars.untouched.count(name) && !in.scalars.touched.count(name) && !changed.count(name))
      read[name] = in.scalars.untouched.at(name);
  for (const auto& one : read)
    if (is_nothing(where_untouched(s, {one}, surroundings(in)))) needed.insert(one);
  const bool any = needed.empty() && !read.empty() && is_nothing(where_untouched(s, read, surroundings(in)));
  if (read.empty() || may_fail(s)) return std::nullopt;
  if (needed.empty() && !any) return specialised(in, s, read);
  std::optional<Expr> guard;
  for (const auto& [name, value] : any ? read : needed) {
    const auto op = any ? format::BinaryOp::logical_or : format::BinaryOp::logical_and;
    guard = guard ? condition(op, *guard, mark(in, name)) : mark(in, name);
  }
  return make(in, If{*guard, where_known(in, any ? read : needed, s), {}}, s);
}

bool reads_touched(const Context& in, const lang::Expr& value) {
  bool found = false;
  for_each_read(
      value, [&](const Read& read) { found |= in.scalars.touched.count(read.access.as<lang::Access>()->tensor) > 0; });
  return found;
}

}  // namespace trellis::coiterate
