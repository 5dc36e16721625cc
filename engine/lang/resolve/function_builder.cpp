#include "engine/lang/resolve/function_builder.hpp"

#include <algorithm>
#include <set>

namespace trellis::lang::resolving {

using format::ScalarType;
using Locals = std::map<std::string, Natural>;

namespace {

const syntax::Body* body_of(const syntax::Clause& clause) { return std::get_if<syntax::Body>(&clause.result); }

template <class F>
void each_assignment(const syntax::Body& body, F&& visit) {
  for (const syntax::Step& step : body.steps) {
    if (const auto* a = step.as<syntax::StepAssign>()) visit(*a);
    if (const auto* w = step.as<syntax::StepWhile>()) each_assignment(w->body, visit);
    if (const auto* i = step.as<syntax::StepIf>()) {
      each_assignment(i->then, visit);
      if (i->otherwise) each_assignment(*i->otherwise, visit);
    }
  }
}

}  // namespace

const syntax::Expr& value_of(const syntax::Clause& clause) {
  const syntax::Body* body = body_of(clause);
  return body ? body->steps.back().as<syntax::StepValue>()->value : std::get<syntax::Expr>(clause.result);
}

Locals types_in(const Resolution& resolution, const syntax::Clause& clause, const std::vector<ScalarType>& operands) {
  Locals locals;
  std::set<std::string> parameters;
  for (std::size_t i = 0; i < clause.patterns.size(); ++i)
    if (const auto* name = std::get_if<syntax::Name>(&clause.patterns[i].is)) {
      locals[name->text] = Natural::fixed(operands[i]);
      parameters.insert(name->text);
    }
  const syntax::Body* body = body_of(clause);
  if (!body) return locals;
  for (bool changed = true; changed;) {
    changed = false;
    NaturalTypes types(resolution, &locals);
    each_assignment(*body, [&](const syntax::StepAssign& a) {
      if (parameters.count(a.name.text)) return;
      const Natural next = join(locals[a.name.text], types.of(a.value));
      changed = changed || next != locals[a.name.text];
      locals[a.name.text] = next;
    });
  }
  for (auto& [name, natural] : locals) natural = Natural::fixed(default_type(natural));
  return locals;
}

FunctionBuilder::FunctionBuilder(Resolution& resolution, const syntax::Clause& clause,
                                 const std::vector<ScalarType>& types)
    : resolution_(resolution),
      clause_(clause),
      types_(types),
      locals_(types_in(resolution, clause, types)),
      elaborator_(
          resolution, draft_, scope_, [](const auto&, const auto&, ScalarType) { return Expr(); }, &locals_) {}

std::optional<Function> FunctionBuilder::build() {
  Function function;
  for (std::size_t i = 0; i < clause_.patterns.size(); ++i) {
    const auto* name = std::get_if<syntax::Name>(&clause_.patterns[i].is);
    function.parameters.push_back({name ? name->text : "operand" + std::to_string(i), types_[i]});
  }
  for (const auto& [name, natural] : locals_) {
    const bool parameter = std::any_of(function.parameters.begin(), function.parameters.end(),
                                       [&n = name](const auto& p) { return p.name == n; });
    if (!parameter) function.locals.push_back({name, natural.type});
  }
  if (const syntax::Body* body = body_of(clause_)) function.body = steps(*body);
  const Natural own = NaturalTypes(resolution_, &locals_).of(value_of(clause_));
  function.result = expr(value_of(clause_), default_type(own));
  return sound_ ? std::optional(std::move(function)) : std::nullopt;
}

std::optional<format::Value> FunctionBuilder::literal(const syntax::Expr& e, ScalarType type) {
  const Expr typed = expr(e, type);
  const auto* c = typed.as<Constant>();
  if (typed && !c) resolution_.error("E0233", e->span, "a property's value is a literal");
  return c ? std::optional(c->value) : std::nullopt;
}

Expr FunctionBuilder::expr(const syntax::Expr& e, ScalarType type) {
  const Expr typed = elaborator_.elaborate(e, type);
  sound_ = sound_ && typed;
  return typed;
}

std::vector<FunctionStep> FunctionBuilder::steps(const syntax::Body& body) {
  std::vector<FunctionStep> result;
  for (const syntax::Step& step : body.steps) {
    auto add = [&](auto node) { result.push_back(FunctionStep(FunctionStepNode{std::move(node), step->span})); };
    step.match([](const syntax::StepValue&) {},
               [&](const syntax::StepAssign& a) {
                 add(FunctionAssign{a.name.text, expr(a.value, locals_.at(a.name.text).type)});
               },
               [&](const syntax::StepWhile& w) {
                 const Expr condition = expr(w.condition, ScalarType::boolean);
                 add(FunctionWhile{condition, steps(w.body)});
               },
               [&](const syntax::StepIf& i) {
                 FunctionIf built{expr(i.condition, ScalarType::boolean), steps(i.then), {}};
                 if (i.otherwise) built.otherwise = steps(*i.otherwise);
                 add(std::move(built));
               });
  }
  return result;
}

}  // namespace trellis::lang::resolving
