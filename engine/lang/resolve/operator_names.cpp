// Checks the names of shape operators, and renames apart what they bind.

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

namespace {

using Names = std::vector<std::string>;
using Op = Shape::Op;

const char* usage_of(Op op) {
  switch (op) {
    case Op::collapse: return "collapse(A(i,j), (i,j)->k)";
    case Op::split: return "split(b(k), k->(i,j))";
    case Op::reshape: return "reshape(A(i,j), (i,j)->(k,l))";
    case Op::concat: return "concat(a(i), b(k), (i,k)->l)";
    case Op::stack: return "stack(a(i), b(i), s)";
    case Op::slice: return "slice(b(j), j->i, 2:5)";
    case Op::roll: return "roll(b(j), j->i, 3)";
    case Op::pad: return "pad(b(j), j->i, 1:1, 0)";
  }
  return "";
}

std::string listed(const Names& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

class OperatorWriter {
 public:
  OperatorWriter(Resolution& resolution, const std::vector<syntax::Expr>& around,
                 const std::vector<syntax::Constraint>& constraints, bool& sound)
      : resolution_(resolution), sound_(sound) {
    for (const syntax::Constraint& c : constraints)
      for (const syntax::Expr& side : c.sides)
        for (std::string& name : syntax::names_in(side)) constrained_.insert(std::move(name));
    for (const syntax::Expr& e : around)
      for (std::string& name : syntax::names_in(e)) claimed_.insert(std::move(name));
  }

  /// What is free or reduced in all of it is taken.
  syntax::Expr write(const syntax::Expr& e) {
    for (const std::string& name : free_names(resolution_, e)) claimed_.insert(name);
    claim_reduced(e);
    for (const std::string& name : claimed_) used_.insert(name);
    for (const std::string& name : syntax::names_in(e)) used_.insert(name);
    return visit(e);
  }

 private:
  void claim_reduced(const syntax::Expr& e) {
    if (const auto* r = e.as<syntax::Reference>(); r && kind_of(resolution_, *r) == ReferenceKind::reduction)
      for (std::string& name : binder_in(resolution_, *r, {}).names()) claimed_.insert(std::move(name));
    for_each_child(e, [&](const syntax::Expr& child) { claim_reduced(child); });
  }

  syntax::Expr visit(const syntax::Expr& e) {
    const auto* r = e.as<syntax::Reference>();
    if (!r || kind_of(resolution_, *r) != ReferenceKind::shape)
      return map_children(e, [&](const syntax::Expr& child) { return visit(child); });
    std::string problem;
    const auto form = operator_form(*r, &problem);
    if (!form) return malformed(e, *r, problem);
    if (!check(e, *form)) return e;
    syntax::Expr apart = e;
    for (const syntax::Name& name : form->from)
      if (!claimed_.insert(name.text).second) apart = renamed(apart, name.text, fresh(name.text));
    return map_children(apart, [&](const syntax::Expr& child) { return visit(child); });
  }

  syntax::Expr malformed(const syntax::Expr& e, const syntax::Reference& r, const std::string& problem) {
    resolution_.error("E0247", e->span, "this is no " + r.name.text + ": " + problem)
        .notes.push_back({{}, std::string("it is written ") + usage_of(*shape_op(r.name.text))});
    sound_ = false;
    return e;
  }

  bool check(const syntax::Expr&, const OperatorForm& form) {
    const std::size_t before = resolution_.diagnostics.all().size();
    for (const std::vector<syntax::Name>* names : {&form.from, &form.to})
      for (const syntax::Name& name : *names) check_name(name);
    if (resolution_.diagnostics.all().size() != before) return false;
    Names remain;
    for (std::size_t part = 0; part < form.parts.size(); ++part) {
      const Names own = free_names(resolution_, form.parts[part]);
      Names bound;
      for (const syntax::Name& name : form.bound_in(part)) {
        bound.push_back(name.text);
        if (!contains(own, name.text) && !constrained_.contains(name.text)) lacks(form, part, name, own);
      }
      for (const std::string& name : own)
        if (!contains(bound, name)) add_once(remain, name);
    }
    for (const syntax::Name& name : form.to)
      if (contains(remain, name.text)) {
        resolution_
            .error("E0242", name.span, name.text + " already indexes " + to_string(form.parts[0]),
                   "choose another name for what " + std::string(name_of(form.op)) + " makes")
            .notes.push_back(
                {form.parts[0]->span, "what it is applied to has the indices " + listed(remain) + " left"});
        sound_ = false;
      }
    return resolution_.diagnostics.all().size() == before;
  }

  void check_name(const syntax::Name& name) {
    const bool parameter = resolution_.is_parameter(name.text);
    if (!parameter && !resolution_.tensor(name.text) && !resolution_.definitions.contains(name.text)) return;
    resolution_.error("E0208", name.span,
                      name.text +
                          (parameter                       ? " is a parameter"
                           : resolution_.tensor(name.text) ? " is a tensor"
                                                           : " is a function") +
                          "; it cannot be an index that a shape operator binds or makes",
                      "choose another name");
    sound_ = false;
  }

  void lacks(const OperatorForm& form, std::size_t part, const syntax::Name& name, const Names& own) {
    auto& d = resolution_.error("E0241", name.span, name.text + " is no index of " + to_string(form.parts[part]));
    d.notes.push_back({form.parts[part]->span, own.empty()       ? "it has no indices"
                                               : own.size() == 1 ? "its index is " + own[0]
                                                                 : "its indices are " + listed(own)});
    d.notes.push_back(
        {{}, "to repeat it along " + name.text + ", say how often after ':', as in " + name.text + " < 3"});
    sound_ = false;
  }

  std::string fresh(const std::string& name) {
    std::string candidate = name + "2";
    for (int suffix = 3; used_.contains(candidate) || resolution_.has_meaning(candidate); ++suffix)
      candidate = name + std::to_string(suffix);
    used_.insert(candidate);
    claimed_.insert(candidate);
    resolution_.renamed[candidate] = written_name(resolution_, name);
    return candidate;
  }

  /// With the name that this operator binds called otherwise, where it is bound.
  syntax::Expr renamed(const syntax::Expr& e, const std::string& from, const std::string& to) {
    syntax::Reference r = *e.as<syntax::Reference>();
    const auto form = operator_form(r);
    std::size_t part = 0;
    bool done = false;  // of concat, each of several equal names has its own part
    for (syntax::Argument& argument : *r.arguments) {
      if (!argument.arrow.empty()) {
        argument.value = replace_first(argument.value, from, to, done);
      } else if (part < form->parts.size() && argument.value.same(form->parts[part])) {
        const auto bound = form->bound_in(part++);
        const bool own = std::ranges::any_of(bound, [&](const syntax::Name& n) { return n.text == from; });
        if (own && (form->op != Op::concat || first_part(*form, from) == part - 1))
          argument.value = free_renamed(argument.value, from, to);
      }
    }
    return syntax::Expr(syntax::ExprNode{std::move(r), e->span}, e.origin(), e.id());
  }

  static std::size_t first_part(const OperatorForm& form, const std::string& name) {
    return static_cast<std::size_t>(
        std::ranges::find_if(form.from, [&](const syntax::Name& n) { return n.text == name; }) - form.from.begin());
  }

  static syntax::Expr replace_first(const syntax::Expr& e, const std::string& from, const std::string& to, bool& done) {
    if (const std::string* name = bare_name(e)) {
      if (*name != from || done) return e;
      done = true;
      return syntax::Expr(syntax::ExprNode{syntax::Reference{{to, e->span}, {}, {}, {}}, e->span}, e.origin(), e.id());
    }
    return map_children(e, [&](const syntax::Expr& child) { return replace_first(child, from, to, done); });
  }

  /// Where the name is free.
  syntax::Expr free_renamed(const syntax::Expr& e, const std::string& from, const std::string& to) {
    if (!contains(free_names(resolution_, e), from)) return e;
    bool done = false;
    if (bare_name(e)) return replace_first(e, from, to, done);
    const auto form = operator_at(resolution_, e);
    if (!form) return map_children(e, [&](const syntax::Expr& child) { return free_renamed(child, from, to); });
    syntax::Reference r = *e.as<syntax::Reference>();
    for (std::size_t k = 0; k < r.arguments->size(); ++k) {
      syntax::Argument& argument = (*r.arguments)[k];
      const bool new_index = form->op == Op::stack && k + 1 == r.arguments->size();
      for (syntax::Expr& name : argument.arrow) name = replace_first(name, from, to, done = false);
      if (new_index) argument.value = replace_first(argument.value, from, to, done = false);
      else if (argument.arrow.empty() &&
               !(form->op == Op::concat && k < form->from.size() && form->from[k].text == from) &&
               !binds_in_all(*form, from))
        argument.value = free_renamed(argument.value, from, to);
    }
    return syntax::Expr(syntax::ExprNode{std::move(r), e->span}, e.origin(), e.id());
  }

  static bool binds_in_all(const OperatorForm& form, const std::string& name) {
    return form.op != Op::concat &&
           std::ranges::any_of(form.from, [&](const syntax::Name& n) { return n.text == name; });
  }

  Resolution& resolution_;
  bool& sound_;
  std::set<std::string> claimed_;      ///< that mean something already
  std::set<std::string> used_;         ///< that stand anywhere
  std::set<std::string> constrained_;  ///< in the equation's constraints
};

}  // namespace

syntax::Expr write_out_operators(Resolution& resolution, const std::vector<syntax::Expr>& around,
                                 const std::vector<syntax::Constraint>& constraints, const syntax::Expr& e,
                                 bool& sound) {
  const syntax::Expr collapsed = write_out_positions(resolution, around, e);
  return OperatorWriter(resolution, around, constraints, sound).write(collapsed);
}

}  // namespace trellis::lang::resolving
