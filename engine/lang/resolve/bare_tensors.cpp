// Tensors without indices, as in other array languages: `C = A * B`. One message for the equation, which writes out
// what may have been meant.
//
//   tensor A(n, n); tensor B(n, n)
//   C = A * B          [1] C(i,j) = A(i,k)*B(k,j)      [2] C(i,j) = A(i,j)*B(i,j)

#include <algorithm>

#include "engine/lang/index_names.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace {

using Names = std::vector<std::string>;

syntax::Expr indexed(const syntax::Expr& bare, const Names& indices) {
  syntax::Reference r = *bare.as<syntax::Reference>();
  r.arguments.emplace();
  for (const std::string& name : indices) {
    syntax::Argument argument;
    argument.value = name_expr(name, bare->span);
    r.arguments->push_back(std::move(argument));
  }
  return syntax::Expr(syntax::ExprNode{std::move(r), bare->span});
}

class BareTensors {
 public:
  BareTensors(Resolution& resolution, Draft& draft) : resolution_(resolution), draft_(draft) {}

  void check() {
    find(draft_.source->right);
    if (bare_.empty()) return;
    draft_.sound = false;
    Names names;
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
    offer_product(d);
    offer_elementwise(d);
  }

 private:
  std::size_t rank(const syntax::Expr& e) const { return resolution_.tensor(*bare_name(e))->shape.size(); }

  bool is_bare(const syntax::Expr& e) const {
    const std::string* name = bare_name(e);
    const TensorInfo* info = name ? resolution_.tensor(*name) : nullptr;
    return info && !resolution_.shapeless.contains(*name) && !info->shape.empty();
  }

  /// Values only: a tensor as an index is another mistake.
  void find(const syntax::Expr& e) {
    if (is_bare(e)) return bare_.push_back(e);
    const auto* r = e.as<syntax::Reference>();
    if (r && kind_of(resolution_, *r) == ReferenceKind::access) return;
    for_each_child(e, [&](const syntax::Expr& child) { find(child); });
  }

  /// A name that means nothing yet, and is none of these.
  std::string new_index(const Names& others) const {
    const Names used = syntax::names_in(*draft_.source);
    return unused_index([&](const std::string& name) {
      return contains(others, name) || contains(used, name) || resolution_.has_meaning(name);
    });
  }

  /// The names of the left side's indices, or new ones; empty when they are something else.
  Names left_indices(std::size_t count) const {
    const auto* left = draft_.source->left.as<syntax::Reference>();
    Names names;
    if (!left || !left->arguments) {
      while (names.size() < count) names.push_back(new_index(names));
      return names;
    }
    for (const syntax::Argument& argument : *left->arguments)
      if (const std::string* name = bare_name(argument.value)) names.push_back(*name);
    return names.size() == left->arguments->size() && names.size() == count ? names : Names{};
  }

  void offer(text::Diagnostic& d, const Names& left, syntax::Expr right, const std::string& remark) {
    syntax::Equation equation = *draft_.source;
    if (!equation.left.as<syntax::Reference>()->arguments) equation.left = indexed(equation.left, left);
    equation.right = std::move(right);
    offer_instead(resolution_, draft_, equation, remark, d);
  }

  /// Of two matrices, or a matrix and a vector.
  void offer_product(text::Diagnostic& d) {
    const auto* product = draft_.source->right.as<syntax::Binary>();
    if (!product || product->op != format::BinaryOp::multiply || !is_bare(product->left) || !is_bare(product->right))
      return;
    if (rank(product->left) != 2 || rank(product->right) > 2) return;
    const Names left = left_indices(rank(product->right));
    if (left.empty()) return;
    const std::string summed = new_index(left);
    Names right{summed};
    right.insert(right.end(), left.begin() + 1, left.end());
    const syntax::Binary written{product->op, indexed(product->left, {left[0], summed}),
                                 indexed(product->right, right)};
    offer(d, left, syntax::Expr(syntax::ExprNode{written, draft_.source->right->span}),
          "the product of matrices, summed over " + summed);
  }

  void offer_elementwise(text::Diagnostic& d) {
    const std::size_t count = rank(bare_[0]);
    if (std::ranges::any_of(bare_, [&](const syntax::Expr& e) { return rank(e) != count; })) return;
    if (const Names left = left_indices(count); !left.empty())
      offer(d, left, with_indices(draft_.source->right, left), "element by element");
  }

  syntax::Expr with_indices(const syntax::Expr& e, const Names& indices) const {
    if (is_bare(e)) return indexed(e, indices);
    return map_children(e, [&](const syntax::Expr& child) { return with_indices(child, indices); });
  }

  Resolution& resolution_;
  Draft& draft_;
  std::vector<syntax::Expr> bare_;
};

}  // namespace

void check_bare_tensors(Resolution& resolution) {
  for (KernelDraft& kernel : resolution.kernels)
    for (Draft& draft : kernel.equations)
      if (draft.sound) BareTensors(resolution, draft).check();
}

}  // namespace trellis::lang::resolving
