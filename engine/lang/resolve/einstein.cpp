// Einstein's convention (docs/design/language.md#einsteins-convention): a variable that stands only on the right and
// under no reduction is summed over its top-level additive term, when that is a product.
//
//   y(i) = A(i,j)*x(j) + b(i)   becomes   y(i) = sum(j)(A(i,j)*x(j)) + b(i)

#include <algorithm>
#include <map>
#include <set>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using Names = std::vector<std::string>;

namespace {

syntax::Expr replace(const syntax::Expr& e, const syntax::Expr& from, const syntax::Expr& to) {
  if (e.same(from)) return to;
  return map_children(e, [&](const syntax::Expr& child) { return replace(child, from, to); });
}

syntax::Expr sum_over(const Names& names, const syntax::Expr& body) {
  syntax::Reference sum{{"sum", body->span}, {}, std::vector<syntax::Argument>{}, body};
  for (const std::string& name : names) {
    syntax::Argument argument;
    argument.value = name_expr(name, body->span);
    sum.arguments->push_back(std::move(argument));
  }
  return syntax::Expr(syntax::ExprNode{std::move(sum), body->span});
}

class Convention {
 public:
  Convention(Resolution& resolution, Draft& draft) : resolution_(resolution), draft_(draft) {}

  void apply() {
    operator_bound_ = bound_by_operators(resolution_, draft_.right);
    Names bound;
    find(draft_.right, bound, Place::value);
    check_bound_names();
    if (free_.empty() || !draft_.sound) return;
    syntax::Expr rewritten_right = term(draft_.right);
    if (!draft_.sound) return;
    draft_.right = rewritten_right;
    announce();
  }

 private:
  enum class Place { value, index };

  bool taken(const std::string& name, const Names& bound) const {
    return contains(bound, name) || contains(draft_.variables, name) || resolution_.is_parameter(name) ||
           contains(operator_bound_, name);
  }

  /// Collects free names that index something, and everything that reductions bind.
  void find(const syntax::Expr& e, Names& bound, Place place) {
    if (const std::string* name = bare_name(e)) {
      const bool known = taken(*name, bound) || resolution_.tensor(*name) || resolution_.poisoned.count(*name);
      if (place == Place::index && !known) add_once(free_, *name);
      return;
    }
    const auto* r = e.as<syntax::Reference>();
    if (!r) return for_each_child(e, [&](const syntax::Expr& child) { find(child, bound, place); });
    const ReferenceKind kind = kind_of(resolution_, *r);
    if (kind == ReferenceKind::reduction) return find_in_reduction(*r, bound, place);
    if (const auto form = operator_at(resolution_, e))
      for (const syntax::Name& made : form->to)
        if (!taken(made.text, bound) && !resolution_.tensor(made.text)) add_once(free_, made.text);
    const Place inside = kind == ReferenceKind::access ? Place::index : place;
    for_each_child(e, [&](const syntax::Expr& child) { find(child, bound, inside); });
  }

  void find_in_reduction(const syntax::Reference& r, Names& bound, Place place) {
    const Binder b = binder(r, [&](const std::string& name) { return taken(name, bound); });
    const std::size_t outer = bound.size();
    for (const syntax::Name& v : b.variables) {
      if (contains(bound, v.text)) {
        resolution_.error("E0212", v.span, v.text + " is bound twice, one reduction inside the other",
                          "choose another name");
        draft_.sound = false;
      }
      reduced_.push_back(v);
    }
    for (const syntax::Name& v : b.variables) bound.push_back(v.text);
    if (r.body) find(*r.body, bound, place);
    bound.resize(outer);
  }

  /// No name is both reduced and free, and none stands for a parameter or a tensor as well.
  void check_bound_names() {
    std::set<std::string> reported;
    for (const syntax::Name& v : reduced_) {
      const bool free = contains(draft_.variables, v.text) || contains(free_, v.text);
      const bool other = resolution_.is_parameter(v.text) || resolution_.is_scalar(v.text);
      if ((!free && !other) || !reported.insert(v.text).second) continue;
      draft_.sound = false;
      if (free) {
        resolution_.error("E0211", v.span, v.text + " is both reduced and free",
                          "choose another name for the reduction");
        continue;
      }
      const std::string what = resolution_.is_parameter(v.text) ? " is a parameter" : " is a tensor";
      auto& taken = resolution_.error("E0208", v.span, v.text + what + "; it cannot be a reduction's variable");
      offer_another_name(resolution_, draft_, v.text, taken);
    }
  }

  Names free_in(const syntax::Expr& e) const {
    Names found;
    for (const std::string& name : free_)
      if (mentions_any(e, {name})) found.push_back(name);
    return found;
  }

  syntax::Expr term(const syntax::Expr& e) {
    const auto* b = e.as<syntax::Binary>();
    if (b && (b->op == BinaryOp::add || b->op == BinaryOp::subtract))
      return map_children(e, [&](const syntax::Expr& child) { return term(child); });
    const Names summed = free_in(e);
    if (summed.empty()) return e;
    if (is_product(e)) return sum_over(summed, e);
    report_readings(e, summed);
    return e;
  }

  bool is_atom(const syntax::Expr& e) const {
    if (e.as<syntax::Number>() || e.as<syntax::Character>() || e.as<syntax::Truth>() || e.as<syntax::Infinity>())
      return true;
    const auto* r = e.as<syntax::Reference>();
    if (!r) return false;
    if (const std::string* name = bare_name(e)) return !contains(free_, *name);
    if (kind_of(resolution_, *r) == ReferenceKind::cast)
      return r->arguments->size() == 1 && is_atom(r->arguments->front().value);
    return kind_of(resolution_, *r) == ReferenceKind::access || kind_of(resolution_, *r) == ReferenceKind::shape;
  }

  bool is_product(const syntax::Expr& e) const {
    if (const auto* u = e.as<syntax::Unary>()) return u->op == format::UnaryOp::negate && is_product(u->operand);
    if (const auto* b = e.as<syntax::Binary>()) {
      if (b->op == BinaryOp::multiply) return is_product(b->left) && is_product(b->right);
      return b->op == BinaryOp::divide && is_product(b->left) && free_in(b->right).empty();
    }
    return is_atom(e);
  }

  /// The lowest node below which every use of the names lies.
  syntax::Expr lowest(const syntax::Expr& e, const Names& names) const {
    std::vector<syntax::Expr> holders;
    for_each_child(e, [&](const syntax::Expr& child) {
      if (mentions_any(child, names)) holders.push_back(child);
    });
    const auto* r = e.as<syntax::Reference>();
    const bool access = r && kind_of(resolution_, *r) == ReferenceKind::access;
    return holders.size() == 1 && !access ? lowest(holders[0], names) : e;
  }

  /// Each largest product that holds one of the names gets its own sum.
  syntax::Expr sum_products(const syntax::Expr& e, const Names& names) const {
    if (!mentions_any(e, names)) return e;
    if (is_product(e)) return sum_over(free_in(e), e);
    return map_children(e, [&](const syntax::Expr& child) { return sum_products(child, names); });
  }

  /// Whether no name would be summed over in several products: A(i,j)*(x(j)+1) is no product of two sums over j.
  bool are_summed_once(const syntax::Expr& e, const Names& names) const {
    std::map<std::string, int> sums;
    const auto count = [&](auto&& self, const syntax::Expr& part) -> void {
      if (!mentions_any(part, names)) return;
      if (!is_product(part)) return for_each_child(part, [&](const syntax::Expr& child) { self(self, child); });
      for (const std::string& name : free_in(part)) ++sums[name];
    };
    count(count, e);
    return std::ranges::all_of(sums, [](const auto& one) { return one.second < 2; });
  }

  void report_readings(const syntax::Expr& e, const Names& names) {
    draft_.sound = false;
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    auto& diagnostic = resolution_.error("E0305", e->span,
                                         list + (names.size() > 1 ? " are" : " is") +
                                             " under no reduction, and this term is no product that could be summed",
                                         "what is the sum taken over?");
    const syntax::Expr low = lowest(e, names);
    offer(draft_, rewritten(draft_, low, sum_over(names, low)), "", diagnostic);
    offer(draft_, rewritten(draft_, e, sum_over(names, e)), "", diagnostic);
    if (are_summed_once(e, names)) offer(draft_, rewritten(draft_, e, sum_products(e, names)), "", diagnostic);
  }

  void announce() {
    std::string list;
    for (const std::string& name : free_) list += (list.empty() ? "" : ", ") + name;
    text::Diagnostic note;
    note.severity = text::Severity::note;
    note.code = "N0202";
    note.span = draft_.span;
    note.message = "summed over " + list + ": " + to_text(draft_, rewritten(draft_, draft_.right, draft_.right));
    resolution_.diagnostics.add(std::move(note));
  }

  Resolution& resolution_;
  Draft& draft_;
  Names free_;
  Names operator_bound_;  ///< by shape operators: neither free nor reduced
  std::vector<syntax::Name> reduced_;
};

}  // namespace

syntax::Equation rewritten(const Draft& draft, const syntax::Expr& from, const syntax::Expr& to) {
  syntax::Equation equation = *draft.source;
  equation.right = replace(draft.right, from, to);
  return equation;
}

void write_out_sums(Resolution& resolution) {
  for (KernelDraft& kernel : resolution.kernels)
    for (Draft& draft : kernel.equations)
      if (draft.sound) Convention(resolution, draft).apply();
}

}  // namespace trellis::lang::resolving
