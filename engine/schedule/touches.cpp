#include "engine/schedule/touches.hpp"

#include <algorithm>

#include "engine/lang/known_where.hpp"
#include "engine/loop/context.hpp"

namespace trellis::schedule {

using lang::Expr;
using math::Affine;
using math::Constraint;

std::optional<Affine> Names::affine(const Expr& expr) const {
  auto form = lang::affine(expr);
  if (!form) return std::nullopt;
  if (std::ranges::any_of(opaque, [&](const std::string& name) { return form->mentions(name); })) return std::nullopt;
  return form->substitute(values);
}

std::vector<Constraint> Names::usable(std::vector<Constraint> known) const {
  std::erase_if(known, [&](const Constraint& c) {
    return std::ranges::any_of(opaque, [&](const std::string& name) { return c.mentions(name); });
  });
  for (Constraint& c : known) c = c.substitute(values);
  return known;
}

std::vector<Constraint> Names::where(const Expr& condition) const { return usable(lang::known_where(condition)); }

bool Names::is_affine(const Expr& condition) const {
  const auto in_terms = [&](const Constraint& c) {
    return std::ranges::none_of(opaque, [&](const std::string& name) { return c.mentions(name); });
  };
  return std::ranges::all_of(loop::conjuncts(condition), [&](const Expr& part) {
    const auto constraints = lang::affine_condition(part);
    return constraints && std::ranges::all_of(*constraints, in_terms);
  });
}

std::vector<Constraint> Names::where_not(const Expr& condition) const {
  return usable(lang::known_where_not(condition));
}

namespace {

std::optional<Through> through(const Expr& index, const Names& names) {
  const auto* cast = index.as<lang::Cast>();
  const auto* access = (cast ? cast->operand : index).as<lang::Access>();
  if (!access || access->step || (cast && format::is_floating(cast->operand->type))) return std::nullopt;
  Through result{access->tensor, {}};
  for (const Expr& one : access->indices) {
    const auto form = names.affine(one);
    if (!form) return std::nullopt;
    result.index.push_back(*form);
  }
  return result;
}

}  // namespace

Touch touch(Touch::Kind kind, const lang::Access& access, const Names& names) {
  Touch result{kind, access.tensor, {}, {}, {}, -1, 0};
  for (const Expr& index : access.indices) {
    result.index.push_back(names.affine(index));
    result.through.push_back(result.index.back() ? std::nullopt : through(index, names));
  }
  if (const auto scope = names.scopes.find(access.tensor); scope != names.scopes.end()) {
    result.scope = scope->second.id;
    result.shared = scope->second.shared;
  }
  return result;
}

void add_reads(const Expr& expr, const Names& names, const std::vector<Constraint>& guards, std::vector<Touch>& into) {
  const auto guarded = [&](const Expr& inner, const std::vector<Constraint>& more) {
    std::vector<Constraint> all = guards;
    all.insert(all.end(), more.begin(), more.end());
    add_reads(inner, names, all, into);
  };
  if (const auto* access = expr.as<lang::Access>()) {
    Touch read = touch(Touch::Kind::read, *access, names);
    read.guards = guards;
    if (std::ranges::find(into, read) == into.end()) into.push_back(std::move(read));
  } else if (const auto* select = expr.as<lang::Select>()) {
    add_reads(select->condition, names, guards, into);
    guarded(select->then, names.where(select->condition));
    guarded(select->otherwise, names.where_not(select->condition));
    return;
  } else if (const auto* both = expr.as<lang::Binary>(); both && both->op == format::BinaryOp::logical_and) {
    add_reads(both->left, names, guards, into);
    guarded(both->right, names.where(both->left));
    return;
  } else if (both && both->op == format::BinaryOp::logical_or) {
    add_reads(both->left, names, guards, into);
    guarded(both->right, names.where_not(both->left));
    return;
  }
  lang::for_each_child(expr, [&](const Expr& child) { add_reads(child, names, guards, into); });
}

}  // namespace trellis::schedule
