// An expression alone: an equation without a left side, which is made here.
//
//   A(0:3, 1) - x(1:4)     value(i) = A(i(0:3), 1) - x(i(1:4))
//   sum(i)(x(i))           value = sum(i)(x(i))

#include <algorithm>

#include "engine/lang/index_names.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

namespace {

using Names = std::vector<std::string>;

syntax::Argument plain(syntax::Expr value) {
  syntax::Argument argument;
  argument.value = std::move(value);
  return argument;
}

bool is_slice(const syntax::Argument& argument) { return argument.high.has_value(); }

/// Gives the slices of an expression indices: in each access the first slice has the value's first index, and so on.
class SliceNames {
 public:
  SliceNames(Resolution& resolution, Names used) : resolution_(resolution), used_(std::move(used)) {}

  syntax::Expr name_slices(const syntax::Expr& e) {
    const auto* r = e.as<syntax::Reference>();
    const bool access = r && r->arguments && resolution_.tensor(r->name.text);
    if (access && std::ranges::any_of(*r->arguments, is_slice)) return name_in_access(e, *r);
    return map_children(e, [&](const syntax::Expr& child) { return name_slices(child); });
  }

  const Names& indices() const { return indices_; }
  bool sound() const { return sound_; }

 private:
  syntax::Expr name_in_access(const syntax::Expr& e, const syntax::Reference& r) {
    syntax::Reference named = r;
    std::size_t dimension = 0;
    for (syntax::Argument& argument : *named.arguments) {
      if (!is_slice(argument)) {
        argument.value = name_slices(argument.value);
        continue;
      }
      const text::Span span = text::cover(argument.value->span, (*argument.high)->span);
      syntax::Reference slice{{index(dimension++), span}, {}, std::vector{argument}, {}};
      argument = plain(syntax::Expr(syntax::ExprNode{std::move(slice), span}));
    }
    agree(e->span, dimension);
    return syntax::Expr(syntax::ExprNode{std::move(named), e->span}, {}, e.id());
  }

  void agree(text::Span span, std::size_t dimensions) {
    if (!sliced_) sliced_ = {span, dimensions};
    if (sliced_->second == dimensions) return;
    const auto counted = [](std::size_t n) { return std::to_string(n) + (n == 1 ? " slice" : " slices"); };
    resolution_
        .error("E0230", span, "accesses of one expression have as many slices as each other, or none",
               counted(dimensions))
        .notes.push_back({sliced_->first, counted(sliced_->second)});
    sound_ = false;
  }

  const std::string& index(std::size_t dimension) {
    const auto taken = [&](const std::string& name) {
      return contains(indices_, name) || contains(used_, name) || resolution_.has_meaning(name);
    };
    while (indices_.size() <= dimension) indices_.push_back(unused_index(taken));
    return indices_[dimension];
  }

  Resolution& resolution_;
  Names used_;  ///< in the expression
  Names indices_;
  std::optional<std::pair<text::Span, std::size_t>> sliced_;  ///< the first access with slices, and how many it has
  bool sound_ = true;
};

/// `y(i) == 2*x(i)`: its indices have no meaning, unless it was meant as an equation.
bool is_meant_as_equation(const Resolution& resolution, const syntax::Expr& e) {
  const auto* b = e.as<syntax::Binary>();
  const auto* left = b && b->op == format::BinaryOp::equal ? b->left.as<syntax::Reference>() : nullptr;
  if (!left || !left->arguments || kind_of(resolution, *left) != ReferenceKind::access) return false;
  return std::ranges::any_of(*left->arguments, [&](const syntax::Argument& argument) {
    const std::string* name = bare_name(argument.value);
    return name && !is_slice(argument) && !resolution.has_meaning(*name);
  });
}

}  // namespace

void add_value(Resolution& resolution, const syntax::Expr& value) {
  if (is_meant_as_equation(resolution, value)) {
    resolution.error("E0013", value->span, "`==` defines nothing", "write =");
    return;
  }
  std::string name = "value";
  while (resolution.has_meaning(name)) name += "_";
  SliceNames slices(resolution, syntax::names_in(value));
  const syntax::Expr right = slices.name_slices(value);
  syntax::Reference left{{name, value->span}, {}, {}, {}};
  for (const std::string& index : slices.indices()) {
    if (!left.arguments) left.arguments.emplace();
    left.arguments->push_back(plain(name_expr(index, value->span)));
  }
  resolution.value = syntax::Equation{syntax::Expr(syntax::ExprNode{std::move(left), value->span}), right, {}};
  KernelDraft kernel{"print", value->span, {}, {}, {}};
  kernel.equations.push_back(draft_of(resolution, *resolution.value, value->span));
  Draft& draft = kernel.equations.back();
  draft.alone = true;
  draft.sound = draft.sound && slices.sound();
  read_left_side(resolution, draft);
  resolution.kernels.push_back(std::move(kernel));
}

bool Resolution::is_value(const std::string& name) const {
  return value && value->left.as<syntax::Reference>()->name.text == name;
}

}  // namespace trellis::lang::resolving
