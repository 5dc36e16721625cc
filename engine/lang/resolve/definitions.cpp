// `def`: what each function's text must satisfy before it is applied anywhere. Types come with each application.

#include <array>

#include "engine/lang/foreign.hpp"
#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/resolve/whole_arrays.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

namespace {

using NameList = std::vector<std::string>;

constexpr std::array property_names{"commutative", "associative", "idempotent", "identity",
                                    "annihilator", "constant",    "space"};

class DefinitionReader {
 public:
  DefinitionReader(Resolution& resolution, DefinitionInfo& info)
      : resolution_(resolution), info_(info), definition_(*info.source) {}

  void read() {
    std::set<std::string> seen;
    for (const syntax::Name& parameter : definition_.parameters)
      if (!seen.insert(parameter.text).second)
        fail("E0231", parameter.span, parameter.text + " stands for two operands", "choose another name");
    if (const auto* body = std::get_if<syntax::Expr>(&definition_.body)) {
      NameList names;
      for (const syntax::Name& parameter : definition_.parameters) names.push_back(parameter.text);
      return check(*body, names, Reads::tensors);
    }
    for (const auto& item : std::get<1>(definition_.body)) {
      if (const auto* clause = std::get_if<syntax::Clause>(&item)) read_clause(*clause);
      else read_property(std::get<syntax::Property>(item));
    }
    if (!info_.general)
      fail("E0232", definition_.name.span, definition_.name.text + " has no general clause",
           "one whose operands are all names, as in x, y => x + y");
  }

 private:
  enum class Reads { tensors, operands };

  void fail(const char* code, text::Span span, const std::string& message, const std::string& label) {
    resolution_.error(code, span, message, label);
    info_.sound = false;
  }

  void read_clause(const syntax::Clause& clause) {
    const text::Span span = span_of(clause);
    if (clause.patterns.size() != definition_.parameters.size())
      return fail("E0232", span,
                  "a clause of " + definition_.name.text + " has " + std::to_string(clause.patterns.size()) +
                      " patterns for " + std::to_string(definition_.parameters.size()) + " operands",
                  "");
    NameList names;
    bool general = true;
    for (const syntax::Pattern& pattern : clause.patterns) {
      const auto* name = std::get_if<syntax::Name>(&pattern.is);
      general = general && name;
      if (name && contains(names, name->text))
        fail("E0231", name->span, name->text + " stands for two operands", "choose another name");
      if (name) names.push_back(name->text);
    }
    if (general && info_.general)
      fail("E0232", span, definition_.name.text + " has two general clauses", "the second one");
    if (general && !info_.general) info_.general = &clause;
    if (const auto* value = std::get_if<syntax::Expr>(&clause.result)) return check(*value, names, Reads::operands);
    check_body(std::get<syntax::Body>(clause.result), names, Value::needed);
  }

  static text::Span span_of(const syntax::Clause& clause) {
    text::Span span;
    for (const syntax::Pattern& pattern : clause.patterns) {
      if (const auto* name = std::get_if<syntax::Name>(&pattern.is)) span = text::cover(span, name->span);
      else span = text::cover(span, std::get<syntax::Literal>(pattern.is).value->span);
    }
    return span;
  }

  void read_property(const syntax::Property& property) {
    const std::string& name = property.name.text;
    if (!contains(property_names, name)) {
      auto& diagnostic = resolution_.error("E0233", property.name.span, "unknown property " + name);
      const std::string close = text::did_you_mean(name, {property_names.begin(), property_names.end()});
      diagnostic.notes.push_back(
          {{},
           close.empty() ? "properties: commutative associative idempotent identity annihilator constant space"
                         : "did you mean " + close + "?"});
      info_.sound = false;
      return;
    }
    if (name == "space") return read_space(property);
    const bool valued = name == "identity" || name == "annihilator" || name == "constant";
    const bool whole = name == "constant";
    if (valued != property.value.has_value())
      return fail("E0233", property.name.span, name + (valued ? " needs a value" : " takes no value"),
                  valued ? "as in " + name + " 0" : "");
    if (property.at && property.at->text != "at")
      return fail("E0233", property.at->span, "`at` is expected here", "as in " + name + " 0 at 1");
    if (whole != property.result.has_value() || (whole && !property.at))
      return fail("E0233", property.name.span, whole ? "constant says where and what" : name + " has no result",
                  "as in constant 0 at 1 => 0");
    const auto operands = static_cast<std::int64_t>(definition_.parameters.size());
    if (property.at && (property.position < 0 || property.position >= operands))
      return fail("E0233", property.at->span, "there is no operand " + std::to_string(property.position),
                  "operands count from 0");
    if (!property.at && !valued && operands < 2)
      fail("E0233", property.name.span, name + " speaks of two operands", definition_.name.text + " has one");
  }

  /// space x | y: operands, & | and ~.
  void read_space(const syntax::Property& property) {
    if (!property.value)
      return fail("E0233", property.name.span, "space says at which operands' entries the function is applied",
                  "as in space x | y");
    if (property.at || property.result)
      return fail("E0233", property.name.span, "space has no place and no result", "as in space x | y");
    if (info_.space) return fail("E0233", property.name.span, "a function has one space", "the second one");
    info_.space = &*property.value;
    check_space(*property.value);
  }

  void check_space(const syntax::Expr& e) {
    const auto* const b = e.as<syntax::Binary>();
    const auto* const u = e.as<syntax::Unary>();
    if (b && (b->op == format::BinaryOp::bit_and || b->op == format::BinaryOp::bit_or)) {
      check_space(b->left);
      check_space(b->right);
    } else if (u && u->op == format::UnaryOp::bit_not) {
      check_space(u->operand);
    } else if (const std::string* name = bare_name(e); !name || !is_operand(*name)) {
      fail("E0233", e->span, "a space consists of operands, & | and ~", "no operand of " + definition_.name.text);
    }
  }

  bool is_operand(const std::string& name) const {
    return std::any_of(definition_.parameters.begin(), definition_.parameters.end(),
                       [&](const syntax::Name& p) { return p.text == name; });
  }

  // ---- names -------------------------------------------------------------------------------------------------

  enum class Value { needed, none };

  void check_body(const syntax::Body& body, NameList& names, Value value) {
    for (std::size_t i = 0; i < body.steps.size(); ++i) {
      const syntax::Step& step = body.steps[i];
      const bool last = i + 1 == body.steps.size();
      step.match(
          [&](const syntax::StepValue& v) {
            if (!last || value == Value::none)
              fail("E0235", step->span, "this value goes nowhere", "a body's last line is its value");
            check(v.value, names, Reads::operands);
          },
          [&](const syntax::StepAssign& a) {
            check(a.value, names, Reads::operands);
            if (resolution_.is_parameter(a.name.text) && !contains(names, a.name.text))
              fail("E0231", a.name.span, a.name.text + " is a parameter", "choose another name");
            add_once(names, a.name.text);
          },
          [&](const syntax::StepWhile& w) {
            check(w.condition, names, Reads::operands);
            NameList inside = names;
            check_body(w.body, inside, Value::none);
          },
          [&](const syntax::StepIf& s) {
            check(s.condition, names, Reads::operands);
            NameList then = names;
            NameList otherwise = names;
            check_body(s.then, then, Value::none);
            if (s.otherwise) check_body(*s.otherwise, otherwise, Value::none);
            for (const std::string& name : then)  // what both arms give has a value afterwards
              if (contains(otherwise, name)) add_once(names, name);
          });
    }
    if (value == Value::needed && (body.steps.empty() || !body.steps.back().as<syntax::StepValue>()))
      fail("E0235", body.steps.empty() ? definition_.name.span : body.steps.back()->span, "a body ends with its value",
           "as in { y = x + 1; y }");
  }

  void check(const syntax::Expr& e, const NameList& names, Reads reads) {
    if (const std::string* name = bare_name(e)) return check_name(e, *name, names, reads);
    const auto* r = e.as<syntax::Reference>();
    NameList inside = names;
    if (r) {
      const ReferenceKind kind = kind_of(resolution_, *r);
      const bool refused =
          reads == Reads::operands && (kind == ReferenceKind::access || kind == ReferenceKind::reduction ||
                                       kind == ReferenceKind::coalesce || kind == ReferenceKind::shape);
      if (refused)
        return fail("E0236", e->span, "a function with clauses computes with its operands alone", "this is none");
      if (is_foreign(r->name.text)) {
        info_.sound = false;
        report_notation(resolution_, e->span, r->name.text).notes.push_back({{}, instead_of(r->name.text)});
        return;
      }
      if (kind == ReferenceKind::access && !resolution_.tensor(r->name.text))
        return fail("E0201", r->name.span, "unknown name " + r->name.text, "");
      if (kind == ReferenceKind::application) info_.applies.push_back(r->name.text);
      if (kind == ReferenceKind::reduction)
        for (const syntax::Name& bound : binder(*r, [&](const std::string& n) {
                                           return contains(names, n) || resolution_.is_parameter(n);
                                         }).variables)
          inside.push_back(bound.text);
      if (kind == ReferenceKind::shape) {
        if (const auto form = operator_form(*r))
          for (const std::vector<syntax::Name>* side : {&form->from, &form->to})
            for (const syntax::Name& name : *side) inside.push_back(name.text);
      }
    }
    if (reads == Reads::operands && e.as<syntax::Missing>())
      return fail("E0236", e->span, "a function with clauses computes with its operands alone", "this is none");
    for_each_child(e, [&](const syntax::Expr& child) { check(child, inside, reads); });
  }

  void check_name(const syntax::Expr& e, const std::string& name, const NameList& names, Reads reads) {
    if (contains(names, name) || resolution_.is_parameter(name) || resolution_.poisoned.count(name)) return;
    if (is_constant(resolution_, name)) return;
    if (resolution_.is_scalar(name)) {
      if (reads == Reads::operands)
        fail("E0236", e->span, "a function with clauses computes with its operands alone", name + " is a tensor");
      return;
    }
    std::vector<std::string> known = names;
    auto& diagnostic = resolution_.error("E0201", e->span, "unknown name " + name,
                                         "no operand, and nothing that has a value on every way here");
    if (const std::string close = text::did_you_mean(name, known); !close.empty())
      diagnostic.notes.push_back({{}, "did you mean " + close + "?"});
    info_.sound = false;
  }

  Resolution& resolution_;
  DefinitionInfo& info_;
  const syntax::Definition& definition_;
};

/// A chain of applications from the function back to itself, as text: "f → g → f".
std::string cycle(const Resolution& resolution, const std::string& from, const std::string& at,
                  std::set<std::string>& seen) {
  for (const std::string& next : resolution.definitions.at(at).applies) {
    if (next == from) return at + " → " + from;
    if (!seen.insert(next).second) continue;
    if (const std::string rest = cycle(resolution, from, next, seen); !rest.empty()) return at + " → " + rest;
  }
  return {};
}

}  // namespace

void read_definitions(Resolution& resolution) {
  for (auto& [name, info] : resolution.definitions) DefinitionReader(resolution, info).read();
  std::set<std::string> reported;
  for (auto& [name, info] : resolution.definitions) {
    std::set<std::string> seen;
    const std::string way = cycle(resolution, name, name, seen);
    if (way.empty()) continue;
    info.sound = false;
    if (reported.count(name)) continue;
    reported.insert(seen.begin(), seen.end());
    auto& diagnostic = resolution.error("E0237", info.source->name.span, name + " applies itself", way);
    diagnostic.notes.push_back({{}, "functions do not call themselves; `while` repeats"});
  }
  if (resolution.diagnostics.has_errors()) return;
  for (auto& [name, info] : resolution.definitions) {
    if (std::holds_alternative<syntax::Expr>(info.source->body)) continue;
    auto written =
        std::make_shared<const syntax::Definition>(write_out_functions(resolution, *info.source, info.sound));
    if (!info.sound) continue;
    info = {written.get(), true, nullptr, nullptr, {}, written, info.origin};
    DefinitionReader(resolution, info).read();  // what was written out may read more than operands
  }
}

}  // namespace trellis::lang::resolving
