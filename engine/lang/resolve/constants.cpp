// `pi` and `e`, where the program gives these names no meaning of its own: numbers, whose spelling is the name.
//
//   y(i) = sin(2*pi*x(i))        y(e) = 2*x(e) of an index e, `param e = 3` and `tensor e` stay what they are

#include <algorithm>
#include <numbers>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace {

/// Whether the name is an index in the expression: one that stands alone, or that a reduction or an operator binds.
bool binds(const Resolution& resolution, const syntax::Expr& e, const std::string& name) {
  const auto is = [&](const syntax::Expr& one) { return bare_name(one) && *bare_name(one) == name; };
  const auto* r = e.as<syntax::Reference>();
  const ReferenceKind kind = r ? kind_of(resolution, *r) : ReferenceKind::call;
  const bool indexed =
      kind == ReferenceKind::access || kind == ReferenceKind::reduction || kind == ReferenceKind::shape;
  if (r && r->arguments && indexed)
    for (const syntax::Argument& argument : *r->arguments)
      if (is(argument.value) || std::ranges::any_of(argument.arrow, is)) return true;
  bool below = r && r->step && is(*r->step);
  for_each_child(e, [&](const syntax::Expr& child) { below = below || binds(resolution, child, name); });
  return below;
}

syntax::Expr replaced(const syntax::Expr& e, const std::string& name) {
  if (const std::string* bare = bare_name(e); bare && *bare == name)
    return syntax::Expr(syntax::ExprNode{syntax::Number{name}, e->span}, e.origin(), e.id());
  return map_children(e, [&](const syntax::Expr& child) { return replaced(child, name); });
}

}  // namespace

std::optional<double> constant_called(std::string_view name) {
  if (name == "pi") return std::numbers::pi;
  if (name == "e") return std::numbers::e;
  return std::nullopt;
}

bool is_constant(const Resolution& resolution, const std::string& name) {
  return constant_called(name) && !resolution.has_meaning(name) && !resolution.poisoned.contains(name);
}

syntax::Expr write_out_constants(const Resolution& resolution, const std::vector<syntax::Expr>& around,
                                 const syntax::Expr& e) {
  syntax::Expr plain = e;
  for (const char* name : {"pi", "e"}) {
    const bool bound = std::ranges::any_of(around, [&](const syntax::Expr& other) {
      const bool in_scope = !other.same(e) && bare_name(other) && *bare_name(other) == name;
      return in_scope || binds(resolution, other, name);
    });
    if (!bound && is_constant(resolution, name)) plain = replaced(plain, name);
  }
  return plain;
}

}  // namespace trellis::lang::resolving
