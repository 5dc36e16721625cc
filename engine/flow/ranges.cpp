#include "engine/flow/ranges.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace trellis::flow {

namespace {

enum class Digits { taken, refused };

std::optional<math::Affine> form_of(const Expr& expr, Digits digits) {
  if (const auto* c = expr.as<Constant>()) {
    if (!format::is_integer(expr->type)) return std::nullopt;
    return math::Affine(c->value.integer);
  }
  if (const auto* n = expr.as<Name>()) return math::Affine::name(n->name);
  const auto* b = expr.as<Binary>();
  if (!b || expr->type != format::ScalarType::i64) return std::nullopt;
  const std::optional<math::Affine> left = form_of(b->left, digits), right = form_of(b->right, digits);
  if (!left || !right) return std::nullopt;
  if (digits == Digits::taken && right->is_constant() && right->constant > 0) {
    if (b->op == format::BinaryOp::divide) return math::Affine::div(*left, right->constant);
    if (b->op == format::BinaryOp::modulo) return math::Affine::mod(*left, right->constant);
  }
  if (b->op == format::BinaryOp::add) return *left + *right;
  if (b->op == format::BinaryOp::subtract) return *left - *right;
  if (b->op != format::BinaryOp::multiply) return std::nullopt;
  if (left->is_constant()) return left->constant * *right;
  if (right->is_constant()) return right->constant * *left;
  return std::nullopt;
}

}  // namespace

std::optional<math::Affine> affine(const Expr& expr) { return form_of(expr, Digits::refused); }
std::optional<math::Affine> quasi_affine(const Expr& expr) { return form_of(expr, Digits::taken); }

std::vector<math::Affine> sizes_of_operands(const Flow& flow) {
  std::vector<math::Affine> sizes;
  for (const Tensor& tensor : flow.tensors)
    for (const Level& level : tensor.levels)
      if (const auto size = affine(level.size); size && tensor.storage != Tensor::Storage::temporary)
        sizes.push_back(*size);
  return sizes;
}

// From factor*n + constant >= 0 with constant < factor follows n > -1.
Ranges::Ranges(const std::vector<math::Affine>& sizes, const std::vector<math::Constraint>& assumed) {
  for (const math::Constraint& c : assumed) {
    if (const auto name = c.left.as_name(); name && c.relation == math::Relation::equal) values_[*name] = c.right;
    const auto more = (c.right - math::Affine(c.right.constant)).as_name();
    if (c.left.is_constant() && more && c.relation == math::Relation::less_equal)
      least_[*more] = std::max(least_[*more], c.left.constant - c.right.constant);
  }
  for (const math::Affine& size : sizes) {
    if (!size.quotients.empty() || size.terms.size() != 1) continue;
    const auto& [name, factor] = size.terms.front();
    if (factor > 0 && size.constant < factor) natural_.insert(name);
  }
}

void Ranges::enter(const Loop& loop) {
  loops_.push_back({loop.variable, quasi_affine(loop.low), quasi_affine(loop.high)});
  std::optional<math::Affine>& low = loops_.back().low;
  std::optional<math::Affine>& high = loops_.back().high;
  // The variable is the first of so many coordinates, all within the bounds.
  const math::Affine more(loop.by - 1);
  if (loop.direction == Loop::Direction::down && low) *low = *low + more;
  if (loop.direction == Loop::Direction::up && high) *high = *high - more;
}

void Ranges::enter(const Coiterate& loop) {
  loops_.push_back({loop.variable, quasi_affine(loop.low), quasi_affine(loop.high)});
}

bool Ranges::non_negative(math::Affine value) const {
  // Innermost first, as bounds of inner loops name outer variables: each is replaced by its worst value, but in
  // quotients, for which another one may be worse: these are bounded by themselves.
  for (auto range = loops_.rbegin(); range != loops_.rend(); ++range) {
    const std::int64_t factor = value.coefficient(range->variable);
    if (factor == 0) continue;
    const std::optional<math::Affine>& worst = factor > 0 ? range->low : range->high;
    if (!worst) return false;
    value =
        value - math::Affine::name(range->variable, factor) + factor * (factor > 0 ? *worst : *worst - math::Affine(1));
  }
  if (!values_.empty()) value = value.substitute(values_);
  if (!without_quotients(value)) return false;
  for (const auto& [name, least] : least_)
    if (const std::int64_t factor = value.coefficient(name); factor > 0) value.constant += factor * least;
  if (value.constant < 0) return false;
  for (const auto& [name, factor] : value.terms) {
    for (const Range& range : loops_) {
      if (range.variable == name) return false;
    }
    if (factor < 0 || !natural_.contains(name)) return false;
  }
  return true;
}

// x mod d is from 0 to d - 1. c * (x div d) - c * (y div d) is at least c * k where x - y is at least k * d.
bool Ranges::without_quotients(math::Affine& value) const {
  using Kind = math::Quotient::Kind;
  const std::vector<math::Quotient> all = std::exchange(value.quotients, {});
  std::vector<bool> done(all.size(), false);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const math::Quotient& q = all[k];
    if (done[k]) continue;
    if (q.kind == Kind::mod) {
      if (q.coefficient < 0) value.constant += q.coefficient * (q.divisor - 1);
      continue;
    }
    std::size_t other = k + 1;
    while (other < all.size() && (done[other] || all[other].kind != Kind::div || all[other].divisor != q.divisor ||
                                  all[other].coefficient != -q.coefficient))
      ++other;
    if (other == all.size()) {
      if (q.coefficient < 0 || !non_negative(*q.numerator)) return false;
      continue;
    }
    done[other] = true;
    const math::Affine& more = *(q.coefficient > 0 ? all[k] : all[other]).numerator;
    const math::Affine& less = *(q.coefficient > 0 ? all[other] : all[k]).numerator;
    const std::int64_t factor = std::abs(q.coefficient);
    const std::int64_t wanted = value.constant < 0 ? (factor - 1 - value.constant) / factor : 0;
    if (!non_negative(more - less - math::Affine(wanted * q.divisor))) return false;
    value.constant += wanted * factor;
  }
  return true;
}

bool Ranges::in_range(const Position& position, const Tensor& tensor) const {
  const auto* d = position.as<Direct>();
  if (!d) return true;
  const std::optional<math::Affine> coordinate = quasi_affine(d->coordinate);
  const std::optional<math::Affine> size = quasi_affine(tensor.levels[static_cast<std::size_t>(d->level)].size);
  return coordinate && size && !d->check && non_negative(*coordinate) &&
         non_negative(*size - *coordinate - math::Affine(1)) && in_range(d->parent, tensor);
}

bool Ranges::distinct(const Position& a, const Position& b) const {
  const auto* da = a.as<Direct>();
  const auto* db = b.as<Direct>();
  if (!da || !db || da->check || db->check) return false;
  const std::optional<math::Affine> x = affine(da->coordinate), y = affine(db->coordinate);
  if (x && y && (non_negative(*x - *y - math::Affine(1)) || non_negative(*y - *x - math::Affine(1)))) return true;
  return distinct(da->parent, db->parent);
}

}  // namespace trellis::flow
