#pragma once
// Walking syntax expressions with the names that reductions bind: which references are accesses, what a reduction
// binds, and the children of each node.

#include <optional>
#include <string>
#include <vector>

#include "engine/format/operation.hpp"
#include "engine/format/scalar.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/syntax_names.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

using syntax::bare_name;
using syntax::name_expr;

/// Each statement, those of kernels behind these.
template <class F>
void for_each_statement(const std::vector<syntax::Statement>& statements, F&& visit) {
  for (const syntax::Statement& statement : statements) {
    visit(statement);
    if (const auto* k = statement.as<syntax::Kernel>()) for_each_statement(k->statements, visit);
  }
}

/// `~(i-1)` as an index: the read is `missing` outside.
inline bool maybe_outside(const syntax::Expr& index) {
  const auto* u = index.as<syntax::Unary>();
  return u && u->op == format::UnaryOp::bit_not;
}

enum class ReferenceKind { reduction, cast, call, coalesce, application, shape, access };
/// `application`: of a function of the user.
inline ReferenceKind kind_of(const Resolution& resolution, const syntax::Reference& r) {
  if (r.body) return ReferenceKind::reduction;
  if (r.arguments && format::scalar_type(r.name.text)) return ReferenceKind::cast;
  if (r.arguments && format::function(r.name.text)) return ReferenceKind::call;
  if (r.arguments && r.name.text == "coalesce") return ReferenceKind::coalesce;
  if (r.arguments && format::reduce_op(r.name.text)) return ReferenceKind::reduction;
  if (r.arguments && resolution.definitions.count(r.name.text)) return ReferenceKind::application;
  if (r.arguments && !r.step && shape_op(r.name.text) && !resolution.tensor(r.name.text)) return ReferenceKind::shape;
  return ReferenceKind::access;
}

/// "2 numbers".
inline std::string counted(std::size_t count, const std::string& what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

/// `user`: a function of the user.
inline std::optional<format::ReduceOp> reduction_of(const Resolution& resolution, const syntax::Reference& r) {
  if (resolution.definitions.count(r.name.text)) return format::ReduceOp::user;
  return format::reduce_op(r.name.text);
}

template <class F>
syntax::Expr map_children(const syntax::Expr& expr, F&& change) {
  namespace s = syntax;
  bool changed = false;
  auto go = [&](const s::Expr& child) {
    s::Expr next = change(child);
    changed |= !next.same(child);
    return next;
  };
  auto rebuild = [&](auto node) { return changed ? s::Expr(s::ExprNode{std::move(node), expr->span}) : expr; };
  return expr.match([&](const s::Number&) { return expr; }, [&](const s::Character&) { return expr; },
                    [&](const s::Truth&) { return expr; }, [&](const s::Infinity&) { return expr; },
                    [&](const s::Missing&) { return expr; },
                    [&](const s::Tuple& t) {
                      s::Tuple next;
                      for (const s::Expr& item : t.items) next.items.push_back(go(item));
                      return rebuild(std::move(next));
                    },
                    [&](const s::Reference& r) {
                      s::Reference next = r;
                      if (next.step) next.step = go(*next.step);
                      if (next.arguments)
                        for (s::Argument& argument : *next.arguments) {
                          argument.value = go(argument.value);
                          if (argument.high) argument.high = go(*argument.high);
                          if (argument.step) argument.step = go(*argument.step);
                        }
                      if (next.body) next.body = go(*next.body);
                      return rebuild(std::move(next));
                    },
                    [&](const s::Unary& u) {
                      s::Unary next{u.op, go(u.operand)};
                      return rebuild(std::move(next));
                    },
                    [&](const s::Binary& b) {
                      s::Expr left = go(b.left);
                      s::Expr right = go(b.right);
                      return rebuild(s::Binary{b.op, left, right});
                    },
                    [&](const s::Select& c) {
                      s::Expr condition = go(c.condition);
                      s::Expr then = go(c.then);
                      s::Expr otherwise = go(c.otherwise);
                      return rebuild(s::Select{condition, then, otherwise});
                    });
}

template <class F>
void for_each_child(const syntax::Expr& expr, F&& visit) {
  map_children(expr, [&](const syntax::Expr& child) {
    visit(child);
    return child;
  });
}

/// What `sum(j, k < j)(…)` binds. A bare name binds itself; a comparison binds the name on its left, else the one on
/// its right, unless it speaks of a name that the same reduction binds already.
struct Binder {
  std::vector<syntax::Name> variables;
  std::vector<syntax::Expr> conditions;
  std::optional<syntax::Expr> malformed;  ///< an argument that binds nothing
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto& v : variables) result.push_back(v.text);
    return result;
  }
};

inline bool mentions_any(const syntax::Expr& expr, const std::vector<std::string>& names) {
  if (const std::string* name = bare_name(expr)) return contains(names, *name);
  bool found = false;
  if (const auto* r = expr.as<syntax::Reference>(); r && r->arguments)
    for (const syntax::Argument& argument : *r->arguments)
      for (const syntax::Expr& made : argument.arrow) found = found || mentions_any(made, names);
  for_each_child(expr, [&](const syntax::Expr& child) { found = found || mentions_any(child, names); });
  return found;
}

/// `is_taken` says that a name has a meaning outside of the reduction: a left variable, an outer reduction's, a
/// parameter.
template <class Taken>
Binder binder(const syntax::Reference& r, Taken&& is_taken) {
  Binder result;
  if (!r.arguments) return result;
  for (const syntax::Argument& argument : *r.arguments)
    if (bare_name(argument.value)) result.variables.push_back(argument.value.as<syntax::Reference>()->name);
  auto bind = [&](const syntax::Expr& side) {
    const std::string* name = bare_name(side);
    if (!name || is_taken(*name)) return false;
    result.variables.push_back(side.as<syntax::Reference>()->name);
    return true;
  };
  for (const syntax::Argument& argument : *r.arguments) {
    if (bare_name(argument.value)) continue;
    const auto* comparison = argument.value.as<syntax::Binary>();
    const bool fits = comparison && format::is_comparison(comparison->op);
    if (fits && (mentions_any(argument.value, result.names()) || bind(comparison->left) || bind(comparison->right)))
      result.conditions.push_back(argument.value);
    else result.malformed = argument.value;
  }
  return result;
}

/// What the reduction binds where the names of `scope` are bound already.
inline Binder binder_in(const Resolution& resolution, const syntax::Reference& reduction,
                        const std::vector<std::string>& scope) {
  return binder(reduction,
                [&](const std::string& name) { return contains(scope, name) || resolution.is_parameter(name); });
}

}  // namespace trellis::lang::resolving
