// Arrays as other languages write them: `C = A * B`, `y = A' * x`, `m = mean(h)`. One message for the equation, which
// writes out what may have been meant.
//
//   tensor A(n, n); tensor B(n, n)
//   C = A * B          [1] C(i,j) = A(i,k)*B(k,j)      [2] C(i,j) = A(i,j)*B(i,j)

#include <algorithm>

#include "engine/lang/foreign.hpp"
#include "engine/lang/index_names.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/resolve/whole_arrays.hpp"

namespace trellis::lang::resolving {

namespace {

using NameList = std::vector<std::string>;

/// Something that this language has no word for, and what is written instead.
struct Borrowed {
  syntax::Expr where;
  std::string what, instead;
};

Borrowed borrowed(const syntax::Expr& e) {
  const std::string& name = foreign(e)->name.text;
  return {e, name, instead_of(name)};
}

class ArrayNotation {
 public:
  ArrayNotation(Resolution& resolution, Draft& draft) : resolution_(resolution), draft_(draft) {}

  void check() {
    find(draft_.source->right);
    if (const auto* left = draft_.source->left.as<syntax::Reference>(); left && left->arguments) find_in_access(*left);
    if (bare_.empty() && borrowed_.empty() && !draft_.whole_left) return;
    draft_.sound = false;
    text::Diagnostic& d = !borrowed_.empty() ? report_borrowed() : !bare_.empty() ? report_bare() : report_left();
    offer(Star::product, d);
    offer(Star::elementwise, d);
    if (draft_.alone) offer_slices(d);
  }

 private:
  /// Values only: a tensor as an index is another mistake.
  void find(const syntax::Expr& e) {
    if (is_whole_tensor(resolution_, e)) return bare_.push_back(e);
    if (foreign(e)) borrowed_.push_back(borrowed(e));
    const ArrayFunction* function = array_function(resolution_, e);
    if (function) borrowed_.push_back({e, function->name, function->instead});
    const auto* r = e.as<syntax::Reference>();
    const bool applied = function || foreign(e);
    if (r && r->arguments && !applied && kind_of(resolution_, *r) == ReferenceKind::access) return find_in_access(*r);
    if (const auto form = operator_at(resolution_, e)) {
      for (const syntax::Expr& part : form->parts) find(part);
      if (form->outside) find(*form->outside);
      return;
    }
    const std::size_t before = bare_.size();
    for_each_child(e, [&](const syntax::Expr& child) { find(child); });
    if (r && reduces_whole(resolution_, *r) && bare_.size() > before)
      borrowed_.push_back({e, r->name.text + "(" + *bare_name(bare_.back()) + ")",
                           "a reduction names its index, as in " + r->name.text + "(i)(x(i))"});
  }

  void find_in_access(const syntax::Reference& r) {
    for (const syntax::Argument& argument : *r.arguments) {
      if (foreign(argument.value)) borrowed_.push_back(borrowed(argument.value));
      find_end(argument.value);
      if (argument.high) find_end(*argument.high);
    }
  }

  void find_end(const syntax::Expr& index) {
    if (is_end(resolution_, index))
      borrowed_.push_back({index, "end", "the last index is the size less 1, as in x(n-1)"});
    for_each_child(index, [&](const syntax::Expr& child) { find_end(child); });
  }

  text::Diagnostic& report_bare() {
    NameList names;
    for (const syntax::Expr& e : bare_) add_once(names, *bare_name(e));
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    auto& d = resolution_.error(
        "E0203", bare_[0]->span,
        list + (names.size() == 1 ? " stands" : " stand") + " without indices; an equation says what one element is");
    for (const std::string& name : names) {
      const TensorInfo& info = *resolution_.tensor(name);
      d.notes.push_back({info.span, info.name + " has " + std::to_string(info.shape.size()) +
                                        (info.shape.size() == 1 ? " dimension" : " dimensions")});
    }
    return d;
  }

  text::Diagnostic& report_left() {
    const TensorInfo& info = *resolution_.tensor(draft_.tensor);
    auto& d = resolution_.error("E0203", draft_.left_span,
                                draft_.tensor + " has " + std::to_string(info.shape.size()) +
                                    (info.shape.size() == 1 ? " dimension" : " dimensions") + ", not 0");
    d.notes.push_back({info.span, draft_.tensor + " gets its shape here"});
    return d;
  }

  text::Diagnostic& report_borrowed() {
    const auto first = std::ranges::min_element(
        borrowed_, {}, [](const Borrowed& b) { return std::pair(b.where->span.begin, b.where->span.end); });
    auto& d = report_notation(resolution_, first->where->span, first->what);
    NameList said;
    for (const Borrowed& b : borrowed_)
      if (!contains(said, b.instead)) {
        said.push_back(b.instead);
        d.notes.push_back({{}, b.instead});
      }
    return d;
  }

  /// A name that means nothing yet, and is none of these.
  std::string new_index(const NameList& others) const {
    const NameList used = syntax::names_in(*draft_.source);
    return unused_index([&](const std::string& name) {
      return contains(others, name) || contains(used, name) || resolution_.has_meaning(name);
    });
  }

  /// The left side with indices along as many dimensions, and these: its own or new ones; empty where it has others.
  struct Left {
    syntax::Expr access;
    NameList indices;
  };
  std::optional<Left> left_of(std::size_t count) const {
    const syntax::Expr& written = draft_.source->left;
    syntax::Reference left = *written.as<syntax::Reference>();
    NameList names;
    const bool whole = left.arguments &&
                       std::ranges::any_of(*left.arguments, [](const syntax::Argument& a) { return foreign(a.value); });
    const std::size_t rank = draft_.whole_left ? resolution_.tensor(draft_.tensor)->shape.size() : count;
    if (!left.arguments && rank > 0) left.arguments.emplace(rank);
    if (!left.arguments) return Left{written, {}};
    for (syntax::Argument& argument : *left.arguments) {
      const bool open = !argument.value || foreign(argument.value);
      if (open) argument.value = name_expr(new_index(names), written->span);
      else if (whole || !bare_name(argument.value)) continue;
      names.push_back(*bare_name(argument.value));
    }
    const bool fits = count == 0 || (names.size() == count && (whole || count == left.arguments->size()));
    if (!fits) return std::nullopt;
    return Left{syntax::Expr(syntax::ExprNode{std::move(left), written->span}), std::move(names)};
  }

  void offer(Star star, text::Diagnostic& d) {
    NameList used;
    ArrayReader reader(resolution_, star, [&] {
      used.push_back(new_index(used));
      return used.back();
    });
    const auto whole = reader.read(draft_.source->right);
    const auto left = whole ? left_of(whole->sizes.size()) : std::nullopt;
    if (!left) return;
    used = left->indices;
    syntax::Equation equation = *draft_.source;
    equation.left = left->access;
    equation.right = implied(whole->element(whole->sizes.empty() ? NameList{} : left->indices), left->indices);
    if (bare_.empty()) bound(equation, *whole, left->indices);
    std::string remark;
    if (!reader.summed().empty() && !left->indices.empty())
      remark = "the product of matrices, summed over " + reader.summed();
    else if (borrowed_.empty() && !whole->sizes.empty()) remark = "element by element";
    offer_instead(resolution_, draft_, equation, remark, d);
  }

  /// A product that is all of an equation needs no `sum`.
  static syntax::Expr implied(const syntax::Expr& right, const NameList& left) {
    const auto* r = right.as<syntax::Reference>();
    const auto* product = r && r->body && r->name.text == "sum" ? r->body->as<syntax::Binary>() : nullptr;
    const bool plain = product && product->op == format::BinaryOp::multiply && product->left.as<syntax::Reference>() &&
                       product->right.as<syntax::Reference>();
    return plain && !left.empty() ? *r->body : right;
  }

  /// `z = zeros(n)`: nothing on the right says how long z is.
  void bound(syntax::Equation& equation, const WholeArray& whole, const NameList& left) const {
    if (!resolution_.shapeless.contains(draft_.tensor) || !array_function(resolution_, draft_.source->right)) return;
    for (std::size_t d = 0; d < left.size(); ++d)
      equation.constraints.push_back(
          {{name_expr(left[d], equation.right->span), whole.sizes[d]}, {math::Relation::less}, equation.right->span});
  }

  /// An expression alone has no indices of its own: `A(0,:)` is the slice `A(0, 0:n)`.
  void offer_slices(text::Diagnostic& d) {
    syntax::Equation equation = *draft_.source;
    equation.right = sliced(equation.right);
    const bool understood = std::ranges::all_of(borrowed_, [](const Borrowed& b) { return b.what == ":"; });
    if (understood && bare_.empty() && !equation.right.same(draft_.source->right))
      resolving::offer(draft_, equation, "both ends of the slice, the second exclusive", d);
  }

  syntax::Expr sliced(const syntax::Expr& e) const {
    const auto* r = e.as<syntax::Reference>();
    const TensorInfo* info = r && r->arguments ? resolution_.tensor(r->name.text) : nullptr;
    if (!info || info->shape.size() != r->arguments->size() || resolution_.shapeless.contains(info->name))
      return map_children(e, [&](const syntax::Expr& child) { return sliced(child); });
    syntax::Reference changed = *r;
    bool same = true;
    for (std::size_t d = 0; d < info->shape.size(); ++d) {
      syntax::Argument& argument = changed.arguments->at(d);
      if (!foreign(argument.value)) continue;
      argument.high = written(info->shape[d], argument.value->span);
      argument.value = syntax::Expr(syntax::ExprNode{syntax::Number{"0"}, argument.value->span});
      same = false;
    }
    return same ? e : syntax::Expr(syntax::ExprNode{std::move(changed), e->span});
  }

  Resolution& resolution_;
  Draft& draft_;
  std::vector<syntax::Expr> bare_;
  std::vector<Borrowed> borrowed_;
};

}  // namespace

void check_array_notation(Resolution& resolution) {
  for (KernelDraft& kernel : resolution.kernels)
    for (Draft& draft : kernel.equations)
      if (draft.sound || draft.whole_left) ArrayNotation(resolution, draft).check();
}

}  // namespace trellis::lang::resolving
