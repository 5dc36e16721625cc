// Ranges: a variable ranges over the dimension that it indexes alone; constraints and left sides bound the rest.

#include <algorithm>

#include "engine/lang/resolve/operators.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

using math::Affine;
using math::Constraint;
using math::Relation;

namespace {

const Slice* slice_at(const Resolution& resolution, const syntax::Expr& index) {
  const syntax::Expr written = maybe_outside(index) ? index.as<syntax::Unary>()->operand : index;
  for (const Slice& slice : resolution.slices)
    if (slice.index.same(written)) return &slice;
  return nullptr;
}

/// `m = 30`, where a size with a name has a value.
std::string with_value(const Resolution& resolution, const Affine& size) {
  const auto value = size.is_constant() ? std::nullopt : value_now(resolution, size);
  return to_string(size) + (value ? " = " + std::to_string(*value) : "");
}

std::string described(const Resolution& resolution, const Range& range) {
  return with_value(resolution, range.size) +
         (range.tensor.empty() ? ", the length of this slice"
                               : ", dimension " + std::to_string(range.dimension) + " of " + range.tensor);
}

/// Where an operator of known size makes the index.
void collect_made(const Resolution& resolution, const syntax::Expr& e, const std::string& name,
                  std::vector<Range>& into) {
  const auto form = operator_at(resolution, e);
  if (!form) return;
  const auto measured =
      std::ranges::find_if(resolution.operators, [&](const MeasuredOperator& o) { return o.node.same(e); });
  for (std::size_t d = 0; measured != resolution.operators.end() && d < form->to.size(); ++d)
    if (form->to[d].text == name) into.push_back({measured->to_sizes[d], e->span, {}, static_cast<int>(d)});
}

}  // namespace

void collect_ranges(const Resolution& resolution, const syntax::Expr& expr, const std::string& name,
                    std::vector<Range>& into, Operators operators) {
  const auto* r = expr.as<syntax::Reference>();
  if (r && r->arguments && kind_of(resolution, *r) == ReferenceKind::access) {
    const TensorInfo* info = resolution.shapeless.count(r->name.text) ? nullptr : resolution.tensor(r->name.text);
    const std::size_t rank = info ? info->shape.size() : 0;
    for (std::size_t d = 0; d < r->arguments->size(); ++d) {
      const syntax::Expr& index = (*r->arguments)[d].value;
      const std::string* alone = bare_name(index);
      const Slice* slice = slice_at(resolution, index);
      if (alone && *alone == name && d < rank)
        into.push_back({info->shape[d], index->span, info->name, static_cast<int>(d)});
      if (slice && slice->variable == name) into.push_back({slice->length, index->span, {}, static_cast<int>(d)});
    }
  }
  if (operators == Operators::counted) collect_made(resolution, expr, name, into);
  for_each_child(expr, [&](const syntax::Expr& child) { collect_ranges(resolution, child, name, into, operators); });
}

namespace {

/// As the parameters have values now. What was proven with it holds for these alone.
bool agree_as_numbers(const Resolution& resolution, const Affine& a, const Affine& b) {
  const auto first = value_now(resolution, a), second = value_now(resolution, b);
  return first && first == second;
}

/// The first element that one of two constant sizes lacks.
void show_instance(text::Diagnostic& diagnostic, const std::string& name, const Range& a, const Range& b) {
  if (!a.size.is_constant() || !b.size.is_constant()) return;
  const Range& shorter = a.size.constant < b.size.constant ? a : b;
  const std::string value = to_string(shorter.size);
  diagnostic.instance_text =
      "at " + name + "=" + value + " there is no " +
      (shorter.tensor.empty() ? "element of the slice" : "coordinate " + value + " in " + shorter.tensor);
}

/// A result that nothing declares may have been found too small.
void note_inferred(const Resolution& resolution, const Range& a, const Range& b, text::Diagnostic& diagnostic) {
  for (const Range* range : {&a, &b}) {
    const TensorInfo* info = resolution.tensor(range->tensor);
    if (!info || info->kind != TensorInfo::Kind::implicit) continue;
    std::string sizes;
    for (const Affine& size : info->shape) sizes += (sizes.empty() ? "" : ", ") + to_string(size);
    diagnostic.notes.push_back({{},
                                "the shape of " + info->name + " follows from its equations, (" + sizes +
                                    "); where it should be larger, declare it, as in tensor " + info->name + "(" +
                                    sizes + ")"});
  }
}

/// The equation with the indices of the matrix at `span` the other way round.
syntax::Expr swapped(const syntax::Expr& e, text::Span span) {
  const auto* r = e.as<syntax::Reference>();
  const bool here = r && r->arguments && r->arguments->size() == 2 &&
                    std::ranges::any_of(*r->arguments, [&](const auto& a) { return a.value->span == span; });
  if (!here) return map_children(e, [&](const syntax::Expr& child) { return swapped(child, span); });
  syntax::Reference other = *r;
  std::swap(other.arguments->front(), other.arguments->back());
  return syntax::Expr(syntax::ExprNode{std::move(other), e->span});
}

/// `C(i,j) = A(i,k) * B(k,j)` where B(j,k) would fit.
void offer_swapped(const Resolution& resolution, const Draft& draft, const std::vector<Range>& ranges,
                   text::Diagnostic& diagnostic) {
  for (auto range = ranges.rbegin(); range != ranges.rend() && draft.source; ++range) {
    const TensorInfo* info = resolution.tensor(range->tensor);
    if (!info || info->shape.size() != 2) continue;
    syntax::Equation equation = *draft.source;
    equation.right = swapped(equation.right, range->span);
    offer_instead(resolution, draft, equation, range->tensor + "'s indices swapped", diagnostic);
  }
}

}  // namespace

std::optional<Range> common_range(Resolution& resolution, const std::string& name, const std::vector<Range>& ranges,
                                  bool& sound, TwoSizes two, const Draft* draft) {
  if (ranges.empty()) return std::nullopt;
  Range smallest = ranges[0];
  for (const Range& other : ranges) {
    const Affine excess = other.size - smallest.size;
    // n and n+1 are one size with a margin, as in prefix sums and spans of a text; 16 and 32 are a mistake.
    const bool margin = excess.is_constant() && !other.size.is_constant();
    if (excess == Affine(0)) continue;
    if (margin && excess.constant < 0) smallest = other;
    if (margin) continue;
    if (agree_as_numbers(resolution, other.size, smallest.size)) {
      assume_equal(resolution, smallest.size, other.size);
      continue;
    }
    if (two == TwoSizes::constrained && !other.tensor.empty() && !smallest.tensor.empty()) continue;
    sound = false;
    auto& diagnostic =
        resolution.error("E0301", other.span, "index " + name + " has two sizes", described(resolution, other));
    diagnostic.notes.push_back({smallest.span, described(resolution, smallest)});
    show_instance(diagnostic, name, smallest, other);
    note_inferred(resolution, smallest, other, diagnostic);
    if (draft) offer_swapped(resolution, *draft, {smallest, other}, diagnostic);
    break;
  }
  return smallest;
}

namespace {

/// Coefficient of `name` in (greater side - smaller side); positive: the constraint bounds it from below.
std::int64_t direction(const Constraint& c, const std::string& name) {
  const std::int64_t rising = c.right.coefficient(name) - c.left.coefficient(name);
  return c.relation == Relation::less || c.relation == Relation::less_equal ? rising : -rising;
}

}  // namespace

bool bounds_below(const Constraint& c, const std::string& name) {
  if (c.relation == Relation::not_equal) return false;
  return c.relation == Relation::equal ? direction(c, name) != 0 : direction(c, name) > 0;
}

bool bounds_above(const Constraint& c, const std::string& name) {
  if (c.relation == Relation::not_equal) return false;
  return c.relation == Relation::equal ? direction(c, name) != 0 : direction(c, name) < 0;
}

std::vector<Constraint> left_bounds(const Resolution& resolution, const Draft& draft,
                                    const std::map<std::string, Affine>& sizes) {
  std::vector<Constraint> bounds;
  const TensorInfo& info = *resolution.tensor(draft.tensor);
  for (std::size_t d = 0; d < draft.left.size(); ++d) {
    const LeftIndex& index = draft.left[d];
    const Affine form = index.form();
    const auto size = sizes.find(index.name);
    const bool ranged = index.kind == LeftIndex::Kind::variable && size != sizes.end();
    const bool fixed = index.kind != LeftIndex::Kind::variable;
    const bool plain = index.rest == Affine(0);
    const bool low_known = (ranged || fixed) && plain && index.offset >= 0;
    if (!low_known) bounds.push_back({Affine(0), Relation::less_equal, form});
    // The largest value that the range allows, against the dimension.
    const Affine room =
        ranged ? info.shape[d] - (size->second + index.rest + Affine(index.offset)) : info.shape[d] - form - Affine(1);
    const bool high_known = (ranged || fixed) && room.is_constant() && room.constant >= 0;
    if (!high_known) bounds.push_back({form, Relation::less, info.shape[d]});
  }
  return bounds;
}

}  // namespace trellis::lang::resolving
