#include "engine/coiterate/lowering.hpp"

#include <algorithm>
#include <cassert>

namespace trellis::coiterate {

Expr Lowering::expr(const lang::Expr& e) {
  return e.match([&](const lang::Constant& c) { return make(Constant{c.value}, e); },
                 [&](const lang::Parameter& p) {
                   parameters_.insert(p.name);
                   const lang::ParameterInfo* info = program_.parameter(p.name);
                   const bool real = info && info->real;
                   return make(Name{real ? Name::Kind::real : Name::Kind::size, p.name}, e);
                 },
                 [&](const lang::Variable& v) {
                   return inside_function_ ? make(Value{v.name, root()}, e) : make(Name{Name::Kind::variable, v.name}, e);
                 },
                 [&](const lang::Access& a) { return value(e, a); },
                 [&](const lang::Unary& u) { return make(Unary{u.op, expr(u.operand)}, e); },
                 [&](const lang::Binary& b) {
                   Expr left = expr(b.left);
                   Expr right = expr(b.right);
                   return where_present(e, make(Binary{b.op, left, right}, e));
                 },
                 [&](const lang::Select& s) {
                   Expr condition = expr(s.condition);
                   Expr then = expr(s.then);
                   Expr otherwise = expr(s.otherwise);
                   return make(Select{condition, then, otherwise}, e);
                 },
                 [&](const lang::Cast& c) { return make(Cast{expr(c.operand)}, e); },
                 [&](const lang::Call& c) {
                   Call call{c.function, {}};
                   for (const lang::Expr& argument : c.arguments) call.arguments.push_back(expr(argument));
                   return where_present(e, make(std::move(call), e));
                 },
                 [&](const lang::Apply& a) {
                   applied_.insert(a.function);
                   Apply apply{a.function, {}};
                   for (const lang::Expr& argument : a.arguments) apply.arguments.push_back(expr(argument));
                   return where_present(e, make(std::move(apply), e));
                 },
                 [&](const lang::Reduce&) {
                   assert(false && "loops hold no reductions");
                   return integer(0);
                 });
}

// Positions.

std::optional<Site> Lowering::check(const lang::Access& access, const lang::Expr& index) const {
  if (lang::affine(index)) return std::nullopt;
  const auto* implied = index.as<lang::Cast>();  // to i64, by the resolver
  return Site{index->span, "index " + lang::to_string(implied ? implied->operand : index) + " of " + access.tensor};
}

Expr Lowering::affine(const math::Affine& form) {
  return expr(lang::to_expr(form, {bound_.begin(), bound_.end()}));
}

Lowering::Resolved Lowering::resolve(const lang::Access& access, bool guarded, int most_levels) {
  assert(!access.step && "placement has turned timesteps into buffers");
  const Tensor& tensor = lookup(access.tensor);
  const std::string name = tensor.name;
  const lang::TensorInfo& described = *info(access.tensor);
  const auto levels = std::min(static_cast<int>(tensor.levels.size()), most_levels);
  const std::vector<Level> facts = tensor.levels;
  Resolved result{root(), 0, {}};
  for (int l = 0; l < levels; ++l, ++result.levels) {
    const auto found = states_.find(level_key(access, described, l));
    if (found == states_.end() && facts[static_cast<std::size_t>(l)].facts.dense()) {
      const lang::Expr& index = level_index(access, described, l);
      const std::optional<Site> checked = guarded ? std::nullopt : check(access, index);
      result.position = Position(PositionNode{Direct{name, l, result.position, expr(index), checked}});
      continue;
    }
    if (found == states_.end()) break;
    result.position = position_of(found->second, access, l);
    result.missing = found->second.missing;
  }
  return result;
}

// In a block each coordinate has a place of its own.
Position Lowering::position_of(const State& state, const lang::Access& access, int level) {
  const Tensor& tensor = lookup(access.tensor);
  const format::Facts& facts = tensor.levels[static_cast<std::size_t>(level)].facts;
  if (facts.region != format::Region::block || facts.dense()) return state.position;
  const lang::Expr& index = level_index(access, *info(access.tensor), level);
  const std::string tensor_name = tensor.name, entry = state.position.as<At>()->name;
  return Position(PositionNode{flow::Within{tensor_name, level, entry, expr(index)}});
}

bool Lowering::is_checked(const lang::Access& access) const {
  return std::any_of(access.indices.begin(), access.indices.end(), [&](const lang::Expr& index) { return check(access, index).has_value(); });
}

// Placement has proven affine indices in range where the access is read. Before a loop, which may run nowhere, that says nothing:
//   y(i) = sum(k)(A(i-1,k)) : k < i      A's row is fetched if 0 <= i - 1
std::optional<Expr> Lowering::in_range(const lang::Access& access, int level, bool guarded) {
  const Tensor tensor = lookup(access.tensor);
  std::optional<Expr> all;
  for (int l = level - 1; l >= 0; --l) {
    const Level& here = tensor.levels[static_cast<std::size_t>(l)];
    const lang::Expr& at = level_index(access, *info(access.tensor), l);
    if (!here.facts.dense() || (!guarded && check(access, at))) continue;
    const Expr index = expr(at);
    const auto form = flow::affine(index), size = flow::affine(here.size);
    const auto demand = [&](format::BinaryOp op, const Expr& a, const Expr& b) { all = both(Expr(ExprNode{Binary{op, a, b}, format::ScalarType::boolean, {}}), all); };
    if (!form || !size || !ranges_.non_negative(*size - *form - math::Affine(1))) demand(format::BinaryOp::less, index, here.size);
    if (!form || !ranges_.non_negative(*form)) demand(format::BinaryOp::less_equal, integer(0), index);
  }
  return all;
}

std::optional<Expr> Lowering::exists(std::optional<Expr> in_range, const std::string& missing) {
  if (missing.empty()) return in_range;
  return both(is_found(missing), in_range);
}

Expr Lowering::both(const Expr& a, const std::optional<Expr>& b) {
  return b ? Expr(ExprNode{Binary{format::BinaryOp::logical_and, a, *b}, format::ScalarType::boolean, {}}) : a;
}

bool Lowering::known(const lang::Expr& e) {
  if (const auto* v = e.as<lang::Variable>()) return bound_.count(v->name) > 0;
  if (const auto* access = e.as<lang::Access>()) return known(*access);
  bool all = true;
  lang::map_children(e, [&](const lang::Expr& child) {
    all = all && known(child);
    return child;
  });
  return all;
}

// By regions a variable may have no value of its own, where what it indexes has been found all the same.
bool Lowering::known(const lang::Access& access) {
  const lang::TensorInfo& described = *info(access.tensor);
  const std::vector<Level> levels = lookup(access.tensor).levels;
  for (int l = 0; l < static_cast<int>(levels.size()); ++l) {
    const format::Facts& facts = levels[static_cast<std::size_t>(l)].facts;
    const bool found = states_.contains(level_key(access, described, l));
    if (!found && !facts.dense()) return false;
    const bool by_index = !found || facts.region == format::Region::block;
    if (by_index && !known(level_index(access, described, l))) return false;
  }
  return true;
}

Expr Lowering::value(const lang::Expr& e, const lang::Access& access) {
  const Resolved at = resolve(access);
  assert(at.levels == static_cast<int>(access.indices.size()) && "every sparse level was walked or looked up");
  const Tensor& tensor = lookup(access.tensor);
  const Expr present = is_found(at.missing);
  if (tensor.pattern) return at.missing.empty() ? make(Constant{format::Value::truth(true)}, e) : Expr(*present, origin());
  const Expr stored = make(Value{tensor.name, at.position}, e);
  if (at.missing.empty()) return stored;
  return make(Select{present, stored, constant(tensor.fill)}, e);
}

}  // namespace trellis::coiterate
