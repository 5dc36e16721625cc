#include "engine/lang/resolve/written_constraints.hpp"

#include <algorithm>
#include <map>

#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {
namespace {

using math::Affine;
using Names = std::vector<std::string>;

void gather_reduced(const Resolution& resolution, const syntax::Expr& e, Names scope, Names& into) {
  if (const auto* r = e.as<syntax::Reference>(); r && kind_of(resolution, *r) == ReferenceKind::reduction)
    for (const std::string& name : binder_in(resolution, *r, scope).names()) {
      scope.push_back(name);
      add_once(into, name);
    }
  for_each_child(e, [&](const syntax::Expr& child) { gather_reduced(resolution, child, scope, into); });
}

format::BinaryOp comparison(math::Relation relation) {
  using format::BinaryOp, math::Relation;
  switch (relation) {
    case Relation::less: return BinaryOp::less;
    case Relation::less_equal: return BinaryOp::less_equal;
    case Relation::equal: return BinaryOp::equal;
    case Relation::not_equal: return BinaryOp::not_equal;
    case Relation::greater_equal: return BinaryOp::greater_equal;
    case Relation::greater: return BinaryOp::greater;
  }
  return BinaryOp::equal;
}

syntax::Expr as_condition(const syntax::Constraint& c) {
  const auto compared = [&](std::size_t i) {
    return syntax::Expr(
        syntax::ExprNode{syntax::Binary{comparison(c.relations[i]), c.sides[i], c.sides[i + 1]}, c.span});
  };
  syntax::Expr all = compared(0);
  for (std::size_t i = 1; i < c.relations.size(); ++i)
    all = syntax::Expr(syntax::ExprNode{syntax::Binary{format::BinaryOp::logical_and, all, compared(i)}, c.span});
  return all;
}

class ConstraintReader {
 public:
  ConstraintReader(Resolution& resolution, Draft& draft) : resolution_(resolution), draft_(draft) {
    gather_reduced(resolution, draft.right, draft.variables, reduced_);
    known_ = draft.variables;
    known_.insert(known_.end(), reduced_.begin(), reduced_.end());
    sized_ = sized_by_constraints();
  }

  std::vector<WrittenConstraint> read() {
    std::vector<WrittenConstraint> links;
    for (const syntax::Constraint& c : draft_.source->constraints) {
      if (std::ranges::any_of(c.sides, [&](const syntax::Expr& side) { return reads_values(side); })) {
        report_condition(c);
        continue;
      }
      for (std::size_t i = 0; i < c.relations.size(); ++i) {
        if (sizes_operator(c, i)) continue;
        const auto left = side(c, i), right = side(c, i + 1);
        if (!left || !right) {
          draft_.sound = false;
          continue;
        }
        WrittenConstraint link{{*left, c.relations[i], *right}, c.span, {}};
        for (const std::string& name : reduced_)
          if (link.constraint.mentions(name)) link.reduced.push_back(name);
        links.push_back(std::move(link));
      }
    }
    return links;
  }

 private:
  bool reads_values(const syntax::Expr& e) const {
    const auto* r = e.as<syntax::Reference>();
    bool reads =
        r && r->arguments && kind_of(resolution_, *r) == ReferenceKind::access && resolution_.tensor(r->name.text);
    for_each_child(e, [&](const syntax::Expr& child) { reads = reads || reads_values(child); });
    return reads;
  }

  /// `y(i) = x(i) : x(i) > 0.5`: which elements there are cannot hang on values; what they are can.
  void report_condition(const syntax::Constraint& c) {
    draft_.sound = false;
    text::Diagnostic& d = resolution_.error("E0303", c.span, "a constraint says which elements are defined, by indices",
                                            "this asks for a value");
    d.notes.push_back({{}, "what hangs on values is a choice: c ? a : b"});
    syntax::Equation chosen = *draft_.source;
    std::erase_if(chosen.constraints, [&](const syntax::Constraint& one) { return one.span == c.span; });
    const syntax::Expr nothing(syntax::ExprNode{syntax::Number{"0"}, c.span});
    chosen.right = syntax::Expr(syntax::ExprNode{syntax::Select{as_condition(c), chosen.right, nothing}, c.span});
    offer_instead(resolution_, draft_, chosen, "0 elsewhere", d);
  }

  /// What operators bind, as it was written, when it is nothing else.
  Names sized_by_constraints() const {
    Names sized;
    for (const std::string& name : bound_by_operators(resolution_, draft_.right))
      if (const std::string written = written_name(resolution_, name); !contains(known_, written))
        add_once(sized, written);
    return sized;
  }

  /// `j < 4` says how long an operator's index is, which has been read; it cannot say more.
  bool sizes_operator(const syntax::Constraint& c, std::size_t link) {
    const bool left = mentions_any(c.sides[link], sized_), right = mentions_any(c.sides[link + 1], sized_);
    if (!left && !right) return false;
    const bool alone = bare_name(c.sides[link]) || bare_name(c.sides[link + 1]);
    if (alone && !(left && right)) return true;
    resolution_.error("E0303", c.span, "what a shape operator binds has a size, and no other constraints",
                      "a size is written as in j < 4");
    draft_.sound = false;
    return true;
  }

  /// The inner sides of a chain belong to two links, but are read, and reported, once.
  std::optional<Affine> side(const syntax::Constraint& c, std::size_t i) {
    const syntax::ExprNode* key = &*c.sides[i];
    auto form = forms_.find(key);
    if (form == forms_.end())
      form = forms_.emplace(key, affine_of(resolution_, c.sides[i], known_, "a constraint")).first;
    return form->second;
  }

  Resolution& resolution_;
  Draft& draft_;
  Names reduced_, known_, sized_;
  std::map<const syntax::ExprNode*, std::optional<Affine>> forms_;  ///< of sides
};

}  // namespace

std::vector<WrittenConstraint> read_constraints(Resolution& resolution, Draft& draft) {
  return ConstraintReader(resolution, draft).read();
}

void report_unplaced(Resolution& resolution, const WrittenConstraint& constraint) {
  std::string names;
  for (const std::string& name : constraint.reduced) names += (names.empty() ? "" : " and ") + name;
  resolution.error("E0304", constraint.span,
                   "no reduction binds " + names + " together, so nothing is restricted by this");
}

}  // namespace trellis::lang::resolving
