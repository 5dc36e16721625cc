// Shape operators as they are written: their form and their names.

#include "engine/lang/resolve/operators.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

namespace {

using Names = std::vector<std::string>;
using Op = Shape::Op;

bool is_plain(const syntax::Argument& a) { return !a.high && !a.step && a.arrow.empty(); }

/// One name, or the names of a tuple.
std::optional<std::vector<syntax::Name>> names_at(const std::vector<syntax::Expr>& items) {
  std::vector<syntax::Name> names;
  for (const syntax::Expr& item : items) {
    if (!bare_name(item)) return std::nullopt;
    names.push_back(item.as<syntax::Reference>()->name);
  }
  return names;
}
std::optional<std::vector<syntax::Name>> names_at(const syntax::Expr& e) {
  if (const auto* tuple = e.as<syntax::Tuple>()) return names_at(tuple->items);
  return names_at(std::vector{e});
}

/// Reads the arguments from the left; the first thing that does not fit is what is wrong.
class OperatorReader {
 public:
  OperatorReader(const syntax::Reference& r, std::string& problem)
      : arguments_(*r.arguments), form_{*shape_op(r.name.text), {}, {}, {}}, problem_(problem) {}

  std::optional<OperatorForm> read() {
    read_parts();
    if (problem_.empty() && form_.op != Op::stack) read_names();
    if (problem_.empty()) read_numbers();
    if (problem_.empty() && next_ < arguments_.size()) problem_ = "there is more than it takes";
    if (problem_.empty()) check_counts();
    return problem_.empty() ? std::optional(std::move(form_)) : std::nullopt;
  }

 private:
  bool several() const { return form_.op == Op::concat || form_.op == Op::stack; }
  bool more() const { return next_ < arguments_.size(); }

  void read_parts() {
    while (more() && is_plain(arguments_[next_]) && (several() || form_.parts.empty()))
      form_.parts.push_back(arguments_[next_++].value);
    if (form_.op == Op::stack && form_.parts.size() > 1) {
      const auto name = names_at(form_.parts.back());
      form_.parts.pop_back();
      if (!name || name->size() != 1) problem_ = "what comes last is the new index";
      else form_.to = *name;
    }
    if (problem_.empty() && form_.parts.empty()) problem_ = "there is nothing that it is applied to";
  }

  void read_names() {
    if (!more() || arguments_[next_].arrow.empty()) {
      problem_ = "indices are missing: what it binds, `->`, and what it makes";
      return;
    }
    const syntax::Argument& names = arguments_[next_++];
    const auto from = names_at(names.value), to = names_at(names.arrow);
    if (!from || !to || names.high) problem_ = "names of indices stand on both sides of `->`";
    else form_.from = *from, form_.to = *to;
  }

  void read_numbers() {
    const bool range = form_.op == Op::slice || form_.op == Op::pad;
    if (!range && form_.op != Op::roll) return;
    if (!more()) {
      problem_ = form_.op == Op::roll ? "how far it rolls is missing" : "a range a:b is missing";
      return;
    }
    const syntax::Argument& a = arguments_[next_++];
    if (range != a.high.has_value() || (a.step && form_.op == Op::pad) || !a.arrow.empty()) {
      problem_ = range ? "a range is written a:b" : "how far it rolls is one number";
      return;
    }
    form_.numbers.push_back(a.value);
    if (a.high) form_.numbers.push_back(*a.high);
    if (a.step) form_.numbers.push_back(*a.step);
    if (form_.op == Op::pad && more() && is_plain(arguments_[next_])) form_.outside = arguments_[next_++].value;
  }

  void check_counts() {
    const std::size_t from = form_.from.size(), to = form_.to.size();
    const bool one_from = form_.op == Op::split || form_.op == Op::slice || form_.op == Op::roll || form_.op == Op::pad;
    const bool many_to = form_.op == Op::split || form_.op == Op::reshape;
    if (one_from && from != 1) problem_ = "it binds one index";
    else if (!many_to && to != 1) problem_ = "it makes one index";
    else if (form_.op == Op::concat && from != form_.parts.size())
      problem_ = "it binds one index for each of the " + std::to_string(form_.parts.size()) + " that it joins, not " +
                 std::to_string(from);
    for (const std::vector<syntax::Name>* names : {&form_.from, &form_.to})
      for (std::size_t k = 0; k < names->size(); ++k)
        for (std::size_t l = 0; l < k; ++l)
          if ((*names)[k] == (*names)[l] && !(form_.op == Op::concat && names == &form_.from))
            problem_ = (*names)[k].text + " stands twice on one side of `->`";
  }

  const std::vector<syntax::Argument>& arguments_;
  OperatorForm form_;
  std::string& problem_;
  std::size_t next_ = 0;
};

}  // namespace

std::optional<OperatorForm> operator_form(const syntax::Reference& r, std::string* problem) {
  std::string unseen;
  return OperatorReader(r, problem ? *problem : unseen).read();
}

std::optional<OperatorForm> operator_at(const Resolution& resolution, const syntax::Expr& e) {
  const auto* r = e.as<syntax::Reference>();
  return r && kind_of(resolution, *r) == ReferenceKind::shape ? operator_form(*r) : std::nullopt;
}

namespace {

bool has_meaning_of_its_own(const Resolution& resolution, const std::string& name) {
  return resolution.is_parameter(name) || resolution.is_scalar(name) || resolution.definitions.contains(name);
}

void collect_free_names(const Resolution& resolution, const syntax::Expr& e, const Names& bound, Names& into) {
  if (const std::string* name = bare_name(e)) {
    if (!contains(bound, *name) && !has_meaning_of_its_own(resolution, *name)) add_once(into, *name);
    return;
  }
  if (const auto form = operator_at(resolution, e)) {
    for (std::size_t part = 0; part < form->parts.size(); ++part) {
      Names inner = bound;
      for (const syntax::Name& name : form->bound_in(part)) inner.push_back(name.text);
      collect_free_names(resolution, form->parts[part], inner, into);
    }
    if (form->outside) collect_free_names(resolution, *form->outside, bound, into);
    for (const syntax::Name& name : form->to)
      if (!contains(bound, name.text)) add_once(into, name.text);
    return;
  }
  Names inner = bound;
  if (const auto* r = e.as<syntax::Reference>(); r && kind_of(resolution, *r) == ReferenceKind::reduction)
    for (const std::string& name : binder_in(resolution, *r, bound).names()) inner.push_back(name);
  for_each_child(e, [&](const syntax::Expr& child) { collect_free_names(resolution, child, inner, into); });
}

void collect_bound(const Resolution& resolution, const syntax::Expr& e, Names& into) {
  if (const auto form = operator_at(resolution, e))
    for (const syntax::Name& name : form->from) add_once(into, name.text);
  for_each_child(e, [&](const syntax::Expr& child) { collect_bound(resolution, child, into); });
}

}  // namespace

std::vector<std::string> free_names(const Resolution& resolution, const syntax::Expr& e) {
  Names names;
  collect_free_names(resolution, e, {}, names);
  return names;
}

std::vector<std::string> bound_by_operators(const Resolution& resolution, const syntax::Expr& e) {
  Names names;
  collect_bound(resolution, e, names);
  return names;
}

std::string written_name(const Resolution& resolution, const std::string& name) {
  const auto found = resolution.renamed.find(name);
  return found == resolution.renamed.end() ? name : found->second;
}

}  // namespace trellis::lang::resolving
