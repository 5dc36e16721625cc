#include "engine/lang/resolve/written_constraints.hpp"

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
    for (const syntax::Constraint& c : draft_.source->constraints)
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
    return links;
  }

 private:
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
