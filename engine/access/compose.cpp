#include "engine/access/compose.hpp"

#include "engine/format/storage_order.hpp"

namespace trellis::access {

using format::BinaryOp;
using lang::Expr;
using math::Affine;

Composition::Composition(const format::Layout& layout, const std::vector<Expr>& indices) {
  for (std::size_t d = 0; d < indices.size(); ++d) {
    values_[layout.dimensions[d]] = indices[d];
    const auto form = lang::affine(indices[d]);
    all_affine_ = all_affine_ && form;
    if (form) forms_[layout.dimensions[d]] = *form;
    for (const std::string& name : lang::free_variables(indices[d])) variables_.push_back(name);
  }
}

Expr Composition::operator()(const Affine& form) const {
  if (all_affine_) return lang::to_expr(form.substitute(forms_), variables_);
  Expr sum;
  const auto add = [&](std::int64_t factor, const Expr& term) {
    const Expr one = factor == 1 ? term : lang::binary(BinaryOp::multiply, lang::integer(factor), term);
    sum = sum ? lang::binary(BinaryOp::add, sum, one) : one;
  };
  for (const auto& [name, factor] : form.terms) {
    const auto value = values_.find(name);
    add(factor, value != values_.end() ? value->second : lang::to_expr(Affine::name(name), {}));
  }
  for (const math::Quotient& q : form.quotients)
    add(q.coefficient, lang::binary(q.kind == math::Quotient::Kind::div ? BinaryOp::divide : BinaryOp::modulo,
                                    (*this)(*q.numerator), lang::integer(q.divisor)));
  if (!sum) return lang::integer(form.constant);
  return form.constant == 0 ? sum : lang::binary(BinaryOp::add, sum, lang::integer(form.constant));
}

Expr Composition::operator()(const math::Constraint& constraint) const {
  const Expr shape = lang::to_expr(math::Constraint{0, constraint.relation, 0}, {});
  return lang::binary(shape.as<lang::Binary>()->op, (*this)(constraint.left), (*this)(constraint.right));
}

std::vector<Expr> level_indices(const Composition& composed, const lang::TensorInfo& info,
                                const format::Layout::Branch& branch) {
  std::vector<Expr> all;
  for (const format::LevelRange& range : format::level_ranges(*info.format.layout, info.shape))
    all.push_back(composed(branch.to[all.size()] - range.low));
  return all;
}

std::vector<Expr> level_indices(const lang::Access& access, const lang::TensorInfo& info) {
  std::vector<Expr> all;
  if (!info.format.layout) {
    for (std::size_t l = 0; l < info.format.levels.size(); ++l)
      all.push_back(access.indices[format::dimension_of(info.format, l)]);
    return all;
  }
  const format::Layout& layout = *info.format.layout;
  return level_indices(Composition(layout, access.indices), info, layout.branches.front());
}

}  // namespace trellis::access
