#include "engine/flow/around.hpp"

#include "engine/flow/ranges.hpp"

namespace trellis::flow {

using math::Affine;
using math::Constraint;
using math::Relation;

namespace {

std::vector<Constraint> of_sizes(const Flow& flow) {
  std::vector<Constraint> all;
  for (const Affine& size : sizes_of_operands(flow)) all.push_back({0, Relation::less_equal, size});
  return all;
}

}  // namespace

Around::Around(const Flow& flow) : solver_(of_sizes(flow)) {}

void Around::enter(const Loop& loop) { enter(loop.variable, loop.low, loop.high); }

void Around::enter(const std::string& variable, const Expr& low, const Expr& high) {
  Range range{variable, {}};
  const Affine self = Affine::name(variable);
  for (const Expr& bound : alternatives(low, format::Function::max))
    if (const auto form = quasi_affine(bound)) range.bounds.push_back({*form, Relation::less_equal, self});
  for (const Expr& bound : alternatives(high, format::Function::min))
    if (const auto form = quasi_affine(bound)) range.bounds.push_back({self, Relation::less, *form});
  loops_.push_back(std::move(range));
}

void Around::leave(std::size_t loops) { loops_.resize(loops_.size() - loops); }

Stmt Around::with_children(const Stmt& stmt, text::FunctionRef<Stmt(const Stmt&)> change) {
  const auto* loop = stmt.as<Loop>();
  if (loop) enter(*loop);
  const Stmt changed = map_children(stmt, change, [](const Expr& e) { return e; });
  if (loop) leave();
  return changed;
}

math::Domain Around::known() const {
  math::Domain domain;
  for (const Range& range : loops_) {
    domain.variables.push_back(range.variable);
    domain.constraints.insert(domain.constraints.end(), range.bounds.begin(), range.bounds.end());
  }
  return domain;
}

bool Around::non_negative(const Expr& expr) {
  const auto form = quasi_affine(expr);
  return form && implies({0, Relation::less_equal, *form});
}

bool Around::in_range(const Position& position, const Tensor& tensor) {
  if (position.as<Root>()) return true;
  const auto* d = position.as<Direct>();
  const auto coordinate = d && !d->check ? quasi_affine(d->coordinate) : std::nullopt;
  const auto size = d ? quasi_affine(tensor.levels[static_cast<std::size_t>(d->level)].size) : std::nullopt;
  return coordinate && size && implies({0, Relation::less_equal, *coordinate}) &&
         implies({*coordinate, Relation::less, *size}) && in_range(d->parent, tensor);
}

bool Around::apart(const Position& a, const Position& b) {
  const auto *one = a.as<Direct>(), *other = b.as<Direct>();
  if (!one || !other) return false;
  const auto x = quasi_affine(one->coordinate), y = quasi_affine(other->coordinate);
  if (x && y && (implies({*x, Relation::less, *y}) || implies({*x, Relation::greater, *y}))) return true;
  return apart(one->parent, other->parent);
}

std::vector<Expr> alternatives(const Expr& bound, format::Function function) {
  const auto* call = bound.as<Call>();
  if (!call || call->function != function) return {bound};
  std::vector<Expr> all;
  for (const Expr& argument : call->arguments)
    for (Expr& one : alternatives(argument, function)) all.push_back(std::move(one));
  return all;
}

}  // namespace trellis::flow
