// An index that has a parameter's name does not run. An equation that was meant for every column defines, or reads,
// one:
//
//   param k = 8; tensor A(4,k)
//   C(i,k) = A(i,k) * 2      E0218: A has no column k; C(i,j) = A(i,j) * 2 is what was meant
//
// Boundaries are written so as well, as in u(n) = 1 of a tensor u(n+1), and stay unmentioned.

#include <algorithm>

#include "engine/lang/index_names.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/resolve/whole_arrays.hpp"

namespace trellis::lang::resolving {

namespace {

using Names = std::vector<std::string>;

/// An index written as the bare name of an integer parameter.
struct Use {
  std::string parameter;
  text::Span span;
  std::string tensor;
  std::size_t dimension = 0;
  std::size_t rank = 1;
  bool left = false;
  bool outside = false;  ///< whatever value the parameter has
};

class ParameterIndices {
 public:
  explicit ParameterIndices(Resolution& resolution) : resolution_(resolution) {}

  void check(Draft& draft) {
    std::vector<Use> uses;
    find(draft.source->left, {}, uses);
    for (Use& use : uses) use.left = true;
    find(draft.right, {}, uses);
    // One message for each parameter: what is certain, if anything is.
    std::stable_partition(uses.begin(), uses.end(), [](const Use& use) { return use.outside; });
    Names reported;
    for (const Use& use : uses) {
      if (contains(reported, use.parameter) || (!use.outside && !is_suspicious(use, uses))) continue;
      reported.push_back(use.parameter);
      report(draft, use);
    }
  }

 private:
  void find(const syntax::Expr& e, Names bound, std::vector<Use>& uses) const {
    const auto* r = e.as<syntax::Reference>();
    if (r && kind_of(resolution_, *r) == ReferenceKind::reduction) {
      for (const std::string& name : binder_in(resolution_, *r, {}).names()) bound.push_back(name);
    } else if (r && r->arguments && kind_of(resolution_, *r) == ReferenceKind::access) {
      for (std::size_t d = 0; d < r->arguments->size(); ++d)
        if (auto use = use_of(*r, d); use && !contains(bound, use->parameter)) uses.push_back(std::move(*use));
    }
    for_each_child(e, [&](const syntax::Expr& child) { find(child, bound, uses); });
  }

  std::optional<Use> use_of(const syntax::Reference& r, std::size_t d) const {
    const syntax::Argument& argument = (*r.arguments)[d];
    const std::string* name = argument.high || !argument.arrow.empty() ? nullptr : bare_name(argument.value);
    const ParameterInfo* parameter = name ? resolution_.program.parameter(*name) : nullptr;
    if (!parameter || parameter->real) return std::nullopt;
    const TensorInfo* info = resolution_.tensor(r.name.text);
    const bool shaped = info && !resolution_.shapeless.count(info->name) && info->shape.size() == r.arguments->size();
    Use use{*name, argument.value->span, r.name.text, d, r.arguments->size()};
    if (shaped && !info->pad) {
      const math::Affine room = info->shape[d] - math::Affine::name(*name);
      use.outside = room.is_constant() && room.constant <= 0;
    }
    return use;
  }

  /// One element of a dimension of which nothing else is defined, while operands are indexed likewise or nobody said
  /// its size.
  bool is_suspicious(const Use& use, const std::vector<Use>& uses) const {
    if (!use.left) return false;
    const bool implied = resolution_.shapeless.count(use.tensor) > 0;
    const bool read =
        std::ranges::any_of(uses, [&](const Use& other) { return !other.left && other.parameter == use.parameter; });
    return (implied || read) && std::ranges::none_of(resolution_.kernels, [&](const KernelDraft& kernel) {
             return !kernel.loops.empty() || std::ranges::any_of(kernel.equations, [&](const Draft& other) {
               return goes_elsewhere(other, use);
             });
           });
  }

  /// Whether the equation defines other elements along the dimension.
  static bool goes_elsewhere(const Draft& draft, const Use& use) {
    if (draft.tensor != use.tensor || use.dimension >= draft.left.size()) return false;
    const LeftIndex& index = draft.left[use.dimension];
    return !(index.offset == 0 && index.rest == math::Affine::name(use.parameter));
  }

  void report(Draft& draft, const Use& use) {
    const ParameterInfo& parameter = *resolution_.program.parameter(use.parameter);
    const std::string what = part(use);
    const std::string head = "the index " + use.parameter + " is a parameter and does not run: ";
    const std::string label = use.outside ? "its last is " + use.parameter + " - 1, or before" : "";
    text::Diagnostic& d =
        use.outside
            ? resolution_.error("E0218", use.span, head + use.tensor + " has no " + what + " " + use.parameter, label)
            : resolution_.diagnostics.warning("W0205", use.span,
                                              head + "this defines one " + what + " of " + use.tensor);
    d.notes.push_back({parameter.span, use.parameter + " gets its meaning here"});
    if (use.outside && !contains(syntax::names_in(draft.source->left), use.parameter)) offer_last(draft, use, d);
    else offer_another_name(resolution_, draft, use.parameter, d);
    draft.sound = draft.sound && !use.outside;
  }

  /// `b = a(n)` of n elements: a(n-1) is the last one.
  void offer_last(const Draft& draft, const Use& use, text::Diagnostic& d) const {
    const math::Affine& size = resolution_.tensor(use.tensor)->shape[use.dimension];
    const auto last = [&](auto&& self, const syntax::Expr& e) -> syntax::Expr {
      if (e->span == use.span) return written(size - math::Affine(1), e->span);
      return map_children(e, [&](const syntax::Expr& child) { return self(self, child); });
    };
    syntax::Equation equation = *draft.source;
    equation.right = last(last, equation.right);
    offer_instead(resolution_, draft, equation, "the last " + part(use), d);
  }

  static std::string part(const Use& use) {
    if (use.rank == 1) return "element";
    return use.rank > 2 ? "slice" : use.dimension == 0 ? "row" : "column";
  }

  Resolution& resolution_;
};

syntax::Expr renamed(const syntax::Expr& e, const std::string& from, const std::string& to) {
  if (const std::string* name = bare_name(e)) return *name == from ? name_expr(to, e->span) : e;
  return map_children(e, [&](const syntax::Expr& child) { return renamed(child, from, to); });
}

syntax::Equation renamed(syntax::Equation equation, const std::string& from, const std::string& to) {
  equation.left = renamed(equation.left, from, to);
  equation.right = renamed(equation.right, from, to);
  for (syntax::Constraint& c : equation.constraints)
    for (syntax::Expr& side : c.sides) side = renamed(side, from, to);
  return equation;
}

}  // namespace

void offer_another_name(const Resolution& resolution, const Draft& draft, const std::string& name,
                        text::Diagnostic& diagnostic) {
  if (!draft.source) return;
  const Names used = syntax::names_in(*draft.source);
  const std::string index =
      unused_index([&](const std::string& one) { return contains(used, one) || resolution.has_meaning(one); });
  offer_instead(resolution, draft, renamed(*draft.source, name, index), "the index " + index + " runs", diagnostic);
}

void check_parameter_indices(Resolution& resolution) {
  ParameterIndices indices(resolution);
  for (KernelDraft& kernel : resolution.kernels)
    for (Draft& draft : kernel.equations)
      if (draft.sound) indices.check(draft);
}

}  // namespace trellis::lang::resolving
