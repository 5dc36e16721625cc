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
                   return make(Binary{b.op, left, right}, e);
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
                   return make(std::move(call), e);
                 },
                 [&](const lang::Apply& a) {
                   applied_.insert(a.function);
                   Apply apply{a.function, {}};
                   for (const lang::Expr& argument : a.arguments) apply.arguments.push_back(expr(argument));
                   return make(std::move(apply), e);
                 },
                 [&](const lang::Reduce&) {
                   assert(false && "loops hold no reductions");
                   return integer(0);
                 });
}

// Positions.

std::optional<Site> Lowering::check(const lang::Access& access, const lang::Expr& index) const {
  if (indices_ == AffineIndices::proven && !depends_on_data(index)) return std::nullopt;
  const auto* implied = index.as<lang::Cast>();  // to i64, by the resolver
  return Site{index->span, "index " + lang::to_string(implied ? implied->operand : index) + " of " + access.tensor};
}

bool Lowering::depends_on_data(const lang::Expr& index) const {
  const std::optional<math::Affine> form = lang::affine(index);
  if (!form) return true;
  return std::any_of(data_.begin(), data_.end(), [&](const std::string& name) { return form->mentions(name); });
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
    if (facts[static_cast<std::size_t>(l)].facts.full()) {
      const lang::Expr& index = level_index(access, described, l);
      const std::optional<Site> checked = guarded ? std::nullopt : check(access, index);
      result.position = Position(PositionNode{Direct{name, l, result.position, expr(index), checked}}, origin());
      continue;
    }
    const auto found = states_.find(level_key(access, described, l));
    if (found == states_.end()) break;
    result.position = found->second.position;
    result.missing = found->second.missing;
  }
  return result;
}

std::optional<Expr> Lowering::in_range(const lang::Access& access, int level) {
  const Tensor tensor = lookup(access.tensor);
  std::optional<Expr> all;
  for (int l = 0; l < level; ++l) {
    if (!tensor.levels[static_cast<std::size_t>(l)].facts.full()) continue;
    const Expr index = expr(level_index(access, *info(access.tensor), l));
    const auto compared = [&](format::BinaryOp op, Expr a, Expr b) { return Expr(ExprNode{Binary{op, a, b}, format::ScalarType::boolean, {}}); };
    const Expr low = compared(format::BinaryOp::less_equal, integer(0), index);
    const Expr high = compared(format::BinaryOp::less, index, tensor.levels[static_cast<std::size_t>(l)].size);
    const Expr here = both(low, high);
    all = all ? both(*all, here) : here;
  }
  return all;
}

std::optional<Expr> Lowering::exists(std::optional<Expr> in_range, const std::string& missing) {
  if (missing.empty()) return in_range;
  return both(Expr(ExprNode{Binary{format::BinaryOp::greater_equal, name(missing), integer(0)}, format::ScalarType::boolean, {}}), in_range);
}

Expr Lowering::both(const Expr& a, const std::optional<Expr>& b) {
  return b ? Expr(ExprNode{Binary{format::BinaryOp::logical_and, a, *b}, format::ScalarType::boolean, {}}) : a;
}

bool Lowering::known(const lang::Expr& index) {
  for (const std::string& variable : lang::free_variables(index))
    if (!bound_.count(variable)) return false;
  bool all = true;
  for_each_read(index, [&](const Read& read) {
    const auto& access = *read.access.as<lang::Access>();
    all = all && resolve(access, true).levels == static_cast<int>(access.indices.size());
  });
  return all;
}

Expr Lowering::value(const lang::Expr& e, const lang::Access& access) {
  const Resolved at = resolve(access);
  assert(at.levels == static_cast<int>(access.indices.size()) && "every sparse level was walked or looked up");
  const Tensor& tensor = lookup(access.tensor);
  const Expr present = Expr(ExprNode{Binary{format::BinaryOp::greater_equal, name(at.missing), integer(0)}, format::ScalarType::boolean, {}});
  if (tensor.pattern) return at.missing.empty() ? make(Constant{format::Value::truth(true)}, e) : Expr(*present, origin());
  const Expr stored = make(Value{tensor.name, at.position}, e);
  if (at.missing.empty()) return stored;
  return make(Select{present, stored, constant(tensor.fill)}, e);
}

}  // namespace trellis::coiterate
