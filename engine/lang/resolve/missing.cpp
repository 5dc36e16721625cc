// Reads outside: `missing`, `~` in an index, `coalesce` and tensors with `pad`, all written out as conditions that
// guard reads.
//
//   coalesce(img(~(i-1)), 0)   becomes   0 <= i-1 && i-1 < n ? img(i-1) : 0

#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using format::ScalarType;

namespace {

template <class Node>
Expr made(Node node, ScalarType type, text::Span span) {
  return Expr(ExprNode{std::move(node), type, span});
}

Expr joined(BinaryOp op, const Expr& left, const Expr& right) {
  return made(Binary{op, left, right}, ScalarType::boolean, left->span);
}

Expr truth(bool value) { return constant(format::Value::truth(value)); }

Expr conjunction(const std::vector<Expr>& conditions) {
  if (conditions.empty()) return truth(true);
  Expr all = conditions[0];
  for (std::size_t i = 1; i < conditions.size(); ++i) all = joined(BinaryOp::logical_and, all, conditions[i]);
  return all;
}

bool is(const Expr& condition, bool wanted) {
  const auto* c = condition.as<Constant>();
  return c && c->value.is_true() == wanted;
}

/// `c ? a : b` of truth values.
Expr either(const Expr& c, const Expr& a, const Expr& b) {
  const Expr otherwise = made(Unary{format::UnaryOp::logical_not, c}, ScalarType::boolean, c->span);
  if (is(a, true)) return is(b, false) ? c : joined(BinaryOp::logical_or, c, b);
  if (is(b, true)) return is(a, false) ? otherwise : joined(BinaryOp::logical_or, otherwise, a);
  if (is(b, false)) return joined(BinaryOp::logical_and, c, a);
  if (is(a, false)) return joined(BinaryOp::logical_and, otherwise, b);
  return made(Select{c, a, b}, ScalarType::boolean, c->span);
}

Expr nothing(ScalarType type) { return constant(format::Value::of(type, 0)); }

/// Adds the condition unless it always holds or is among `holds`.
void add(std::vector<Expr>& conditions, const Expr& condition, const std::vector<Expr>& holds) {
  if (contains(holds, condition)) return;
  const auto affine = affine_condition(condition);
  const auto unknown = [](const std::string&) { return std::nullopt; };
  if (affine &&
      std::all_of(affine->begin(), affine->end(), [&](const auto& c) { return c.holds(unknown).value_or(false); }))
    return;
  conditions.push_back(condition);
}

}  // namespace

std::vector<Expr> conjuncts(const Expr& condition) {
  const auto* b = condition.as<Binary>();
  if (!b || b->op != BinaryOp::logical_and) return {condition};
  std::vector<Expr> all = conjuncts(b->left);
  for (const Expr& right : conjuncts(b->right)) all.push_back(right);
  return all;
}

void Elaborator::add_bounds(const Expr& index, const math::Affine& size, std::vector<Expr>& conditions) const {
  const Expr low = made(Constant{format::Value::of(ScalarType::i64, 0)}, ScalarType::i64, index->span);
  const Expr high = to_expr(size, {});
  add(conditions, joined(BinaryOp::less_equal, low, index), holds_);
  add(conditions, joined(BinaryOp::less, index, made(high->is, high->type, index->span)), holds_);
}

Expr Elaborator::read_where(const syntax::Expr& e, const Expr& read, const Inside& inside, const TensorInfo& info) {
  if (!inside.else_missing.empty()) {
    if (!present_) return escaped(e, info.type);
    present_->insert(present_->end(), inside.else_missing.begin(), inside.else_missing.end());
  }
  if (inside.else_fill.empty()) return read;
  return made(Select{conjunction(inside.else_fill), read, constant(info.fill)}, info.type, e->span);
}

Expr Elaborator::escaped(const syntax::Expr& e, ScalarType type) {
  auto& diagnostic =
      resolution_.error("E0350", e->span, "this may be missing, and nothing says what stands for it then");
  syntax::Reference coalesce{{"coalesce", e->span}, {}, std::vector<syntax::Argument>(2), {}};
  syntax::Expr instead(syntax::ExprNode{syntax::Number{"0"}, e->span});
  if (format::is_boolean(type)) instead = syntax::Expr(syntax::ExprNode{syntax::Truth{false}, e->span});
  coalesce.arguments->at(0).value = e;
  coalesce.arguments->at(1).value = instead;
  if (const auto* r = e.as<syntax::Reference>(); r && kind_of(resolution_, *r) == ReferenceKind::coalesce) {
    coalesce.arguments = *r->arguments;
    coalesce.arguments->emplace_back().value = instead;
  }
  if (draft_.source && !e.as<syntax::Missing>())
    offer(draft_, rewritten(draft_, e, syntax::Expr(syntax::ExprNode{std::move(coalesce), e->span})), "", diagnostic);
  diagnostic.notes.push_back({{}, "coalesce(a, b) is b where a is missing; of a reduction, it stands inside"});
  return {};
}

Expr Elaborator::missing(const syntax::Expr& e, ScalarType type) {
  if (!present_) return escaped(e, type);
  present_->push_back(truth(false));
  return nothing(type);
}

Expr Elaborator::arm(const syntax::Expr& e, ScalarType type, const std::vector<Expr>& under,
                     std::vector<Expr>& present) {
  std::vector<Expr>* outer = std::exchange(present_, present_ ? &present : nullptr);
  const std::size_t known = holds_.size();
  holds_.insert(holds_.end(), under.begin(), under.end());
  const Expr value = elaborate(e, type);
  holds_.resize(known);
  present_ = outer;
  if (e.as<syntax::Missing>()) return value;
  return value && !present.empty() ? made(Select{conjunction(present), value, nothing(type)}, type, e->span) : value;
}

Expr Elaborator::coalesce(const syntax::Expr& e, const syntax::Reference& r, ScalarType type) {
  struct Candidate {
    Expr value;
    std::vector<Expr> present;
  };
  std::vector<Candidate> candidates;
  bool sound = true;
  for (const syntax::Argument& argument : *r.arguments) {
    Candidate candidate;
    std::vector<Expr>* outer = std::exchange(present_, &candidate.present);
    candidate.value = elaborate(argument.value, type);
    present_ = outer;
    sound = sound && candidate.value;
    if (argument.value.as<syntax::Missing>()) continue;
    candidates.push_back(std::move(candidate));
  }
  if (!sound) return {};
  const bool always =
      std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.present.empty(); });
  if (!always && !present_) return escaped(e, type);
  Expr value = nothing(type);
  Expr somewhere = truth(false);
  for (auto c = candidates.rbegin(); c != candidates.rend(); ++c) {
    value = c->present.empty() ? c->value : made(Select{conjunction(c->present), c->value, value}, type, e->span);
    if (!always)
      somewhere = c == candidates.rbegin() ? conjunction(c->present)
                                           : joined(BinaryOp::logical_or, conjunction(c->present), somewhere);
  }
  if (!always) present_->push_back(somewhere);
  return value;
}

Expr Elaborator::select(const syntax::Expr& e, const syntax::Select& s, ScalarType type) {
  const Expr condition = elaborate(s.condition, ScalarType::boolean);
  std::vector<Expr> first, second;
  const Expr then = arm(s.then, type, condition ? conjuncts(condition) : std::vector<Expr>{}, first);
  const Expr otherwise = arm(s.otherwise, type, {}, second);
  if (!condition || !then || !otherwise) return {};
  if (!first.empty() || !second.empty())
    present_->push_back(either(condition, conjunction(first), conjunction(second)));
  return made(Select{condition, then, otherwise}, type, e->span);
}

Expr Elaborator::logical(const syntax::Expr& e, const syntax::Binary& b) {
  const Expr left = elaborate(b.left, ScalarType::boolean);
  const bool both = b.op == BinaryOp::logical_and;
  std::vector<Expr> present;
  const Expr right = arm(b.right, ScalarType::boolean, left && both ? conjuncts(left) : std::vector<Expr>{}, present);
  if (!left || !right) return {};
  if (!present.empty())
    present_->push_back(both ? either(left, conjunction(present), truth(true))
                             : either(left, truth(true), conjunction(present)));
  return made(Binary{b.op, left, right}, ScalarType::boolean, e->span);
}

}  // namespace trellis::lang::resolving
