#include "engine/cost/elements.hpp"

#include "engine/flow/ranges.hpp"

namespace trellis::cost {

void Elements::enter(const flow::Let& let) {
  paths_.enter(let);
  if (const auto form = affine(let.value)) forms_[let.name] = *form;
  else collect(let.value, moves_with_[let.name]);
}

void Elements::leave(const flow::Let& let) {
  forms_.erase(let.name);
  moves_with_.erase(let.name);
}

Access Elements::access(const flow::Tensor& tensor, const flow::Path& path, double bytes) const {
  constexpr double coordinate_bytes = 4;  // beside each value of a sparse tensor
  Access one;
  one.tensor = &tensor;
  const double own = static_cast<double>(format::size_of(tensor.type)) + (tensor.sparse() ? coordinate_bytes : 0);
  one.bytes = bytes > 0 ? bytes : own;
  for (const flow::Expr& expr : path) {
    Access::Coordinate& coordinate = one.path.emplace_back();
    coordinate.form = affine(expr);
    collect(expr, coordinate.variables);
  }
  return one;
}

std::optional<math::Affine> Elements::affine(const flow::Expr& expr) const {
  const auto form = flow::affine(expr);
  return form ? std::optional(form->substitute(forms_)) : std::nullopt;
}

void Elements::collect(const flow::Expr& expr, std::set<std::string>& into) const {
  const auto* n = expr.as<flow::Name>();
  if (n && n->kind == flow::Name::Kind::variable) {
    const auto form = forms_.find(n->name);
    const auto known = moves_with_.find(n->name);
    if (form != forms_.end()) form->second.collect_names(into);
    else if (known != moves_with_.end()) into.insert(known->second.begin(), known->second.end());
    else into.insert(n->name);
  }
  if (const auto* v = expr.as<flow::Value>())
    for (const flow::Expr& coordinate : paths_.of(v->position)) collect(coordinate, into);
  flow::for_each_child(expr, [&](const flow::Expr& child) { collect(child, into); });
}

}  // namespace trellis::cost
