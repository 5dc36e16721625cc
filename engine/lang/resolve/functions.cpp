// Functions with clauses become instances: one for each list of operand types that they are applied to.

#include "engine/lang/function_apply.hpp"
#include "engine/lang/function_trial.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

using format::ScalarType;
using Kind = Natural::Kind;
using Locals = std::map<std::string, Natural>;

namespace {

const syntax::Body* body_of(const syntax::Clause& clause) { return std::get_if<syntax::Body>(&clause.result); }

const syntax::Expr& value_of(const syntax::Clause& clause) {
  const syntax::Body* body = body_of(clause);
  return body ? body->steps.back().as<syntax::StepValue>()->value : std::get<syntax::Expr>(clause.result);
}

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

/// Operands have the types given; a local has the one that decides among what it is assigned.
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

std::string instance_name(const std::string& definition, const std::vector<ScalarType>& types) {
  std::string name = definition + "_";
  const bool uniform = std::all_of(types.begin(), types.end(), [&](ScalarType t) { return t == types[0]; });
  for (std::size_t i = 0; i < (uniform ? std::min<std::size_t>(types.size(), 1) : types.size()); ++i)
    name += format::name_of(types[i]);
  return name;
}

class FunctionBuilder {
 public:
  FunctionBuilder(Resolution& resolution, const syntax::Clause& clause, const std::vector<ScalarType>& types)
      : resolution_(resolution),
        clause_(clause),
        types_(types),
        locals_(types_in(resolution, clause, types)),
        elaborator_(
            resolution, draft_, scope_, [](const auto&, const auto&, ScalarType) { return Expr(); }, &locals_) {}

  std::optional<Function> build() {
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

  /// A literal of a property, in the type of what it stands for.
  std::optional<format::Value> literal(const syntax::Expr& e, ScalarType type) {
    const Expr typed = expr(e, type);
    const auto* c = typed.as<Constant>();
    if (typed && !c) resolution_.error("E0233", e->span, "a property's value is a literal");
    return c ? std::optional(c->value) : std::nullopt;
  }

 private:
  Expr expr(const syntax::Expr& e, ScalarType type) {
    const Expr typed = elaborator_.elaborate(e, type);
    sound_ = sound_ && typed;
    return typed;
  }

  std::vector<FunctionStep> steps(const syntax::Body& body) {
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

  Resolution& resolution_;
  const syntax::Clause& clause_;
  const std::vector<ScalarType>& types_;
  Locals locals_;
  Draft draft_;
  std::vector<std::string> scope_;
  Elaborator elaborator_;
  bool sound_ = true;
};

/// What the definition declares of this instance; empty when something was reported.
std::optional<FunctionProperties> properties_of(Resolution& resolution, const syntax::Definition& definition,
                                                const Function& function, FunctionBuilder& builder) {
  FunctionProperties result;
  bool sound = true;
  for (const auto& item : std::get<1>(definition.body)) {
    const auto* p = std::get_if<syntax::Property>(&item);
    if (!p || p->name.text == "space") continue;
    const std::string& name = p->name.text;
    if (name == "commutative") result.commutative = true;
    if (name == "associative") result.associative = true;
    if (name == "idempotent") result.idempotent = true;
    const bool closed = function.parameters.size() == 2 && function.parameters[0].type == function.parameters[1].type;
    const bool of_result = name != "annihilator" && name != "constant";
    if (!closed && !p->at) {
      resolution.error("E0233", p->name.span, name + " speaks of two operands of one type",
                       p->value ? "of one operand alone, write " + name + " … at 0" : "");
      return std::nullopt;
    }
    if (!p->value) continue;
    FunctionProperties::Special special{{}, p->at ? std::optional(static_cast<int>(p->position)) : std::nullopt};
    const ScalarType at = function.parameters[static_cast<std::size_t>(p->position)].type;
    const auto value = builder.literal(*p->value, of_result && !p->at ? function.result->type : at);
    sound = sound && value;
    if (!value) continue;
    special.value = *value;
    if (name == "identity") result.identities.push_back(special);
    if (name == "annihilator") result.annihilators.push_back(special);
    if (name != "constant") continue;
    const auto gives = builder.literal(p->result->value, function.result->type);
    sound = sound && gives;
    if (gives) result.constants.push_back({special, *gives});
  }
  return sound ? std::optional(result) : std::nullopt;
}

/// The clauses that hold for literal operands, each as a function of all operands.
std::optional<std::vector<LiteralClause>> literal_clauses(Resolution& resolution, const DefinitionInfo& info,
                                                          const Function& function) {
  std::vector<LiteralClause> clauses;
  std::vector<ScalarType> types;
  for (const auto& parameter : function.parameters) types.push_back(parameter.type);
  for (const auto& item : std::get<1>(info.source->body)) {
    const auto* clause = std::get_if<syntax::Clause>(&item);
    if (!clause || clause == info.general) continue;
    FunctionBuilder builder(resolution, *clause, types);
    auto built = builder.build();
    if (!built) return std::nullopt;
    LiteralClause result{std::move(*built), {}};
    for (std::size_t i = 0; i < clause->patterns.size(); ++i) {
      const auto* literal = std::get_if<syntax::Literal>(&clause->patterns[i].is);
      auto value = literal ? builder.literal(literal->value, types[i]) : std::nullopt;
      if (literal && !value) return std::nullopt;
      result.operands.push_back(value);
    }
    if (result.function.result->type != function.result->type) {
      resolution.error("E0220", value_of(*clause)->span,
                       "this clause gives " + std::string(format::name_of(result.function.result->type)) +
                           ", the general one " + std::string(format::name_of(function.result->type)));
      return std::nullopt;
    }
    clauses.push_back(std::move(result));
  }
  return clauses;
}

/// What a clause gives as an expression of the parameters of the general one: its own, or an application of its body,
/// which becomes a function beside the instance.
Function::Clause as_expression(Resolution& resolution, LiteralClause clause, const Function& general,
                               const std::string& name) {
  Function& function = clause.function;
  std::vector<std::pair<std::string, Expr>> renamed;
  Apply apply{name, {}};
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const Function::Variable& p = general.parameters[i];
    apply.arguments.push_back(Expr(ExprNode{Variable{p.name}, p.type, {}}));
    renamed.emplace_back(function.parameters[i].name, apply.arguments.back());
  }
  if (function.body.empty() && function.locals.empty()) return {clause.operands, substitute(function.result, renamed)};
  const ScalarType type = function.result->type;
  function.name = name;
  resolution.program.functions.push_back(std::move(function));
  return {clause.operands, Expr(ExprNode{std::move(apply), type, {}})};
}

std::optional<Function> build_instance(Resolution& resolution, const DefinitionInfo& info, const std::string& name,
                                       const std::vector<ScalarType>& types) {
  FunctionBuilder builder(resolution, *info.general, types);
  auto function = builder.build();
  if (!function) return std::nullopt;
  function->name = name;
  function->definition = info.source->name.text;
  function->span = info.source->name.span;
  function->origin = info.origin;
  auto properties = properties_of(resolution, *info.source, *function, builder);
  auto clauses = properties ? literal_clauses(resolution, info, *function) : std::nullopt;
  if (!clauses) return std::nullopt;
  function->properties = std::move(*properties);
  const Trial trial = try_out(*function, *clauses, resolution.program.functions);
  if (!trial.failure.empty()) {
    resolution.error("E0238", function->span, trial.failure,
                     "does not hold for " + std::string(format::name_of(types[0])));
    return std::nullopt;
  }
  for (std::size_t k = 0; k < clauses->size(); ++k) {
    LiteralClause& clause = (*clauses)[k];
    clause.function.definition = function->definition;
    clause.function.span = function->span;
    clause.function.origin = function->origin;
    function->clauses.push_back(
        as_expression(resolution, std::move(clause), *function, name + "_" + std::to_string(k + 1)));
  }
  if (trial.unchecked.empty()) return function;
  text::Diagnostic note;
  note.severity = text::Severity::note;
  note.code = "N0203";
  note.span = function->span;
  note.message = trial.unchecked;
  resolution.diagnostics.add(std::move(note));
  return function;
}

/// Adds the note to what was reported from `first` on.
void say_where(text::Diagnostics& diagnostics, std::size_t first, const text::Note& note) {
  text::Diagnostics noted;
  for (const text::Diagnostic& d : diagnostics.all()) {
    const bool late = noted.all().size() >= first;
    text::Diagnostic& copy = noted.add(d);
    if (late) copy.notes.push_back(note);
  }
  diagnostics = std::move(noted);
}

}  // namespace

std::optional<std::size_t> instantiate(Resolution& resolution, const std::string& name,
                                       const std::vector<ScalarType>& types, text::Span applied) {
  const DefinitionInfo& info = resolution.definitions.at(name);
  const std::string instance = instance_name(name, types);
  if (!info.sound || !info.general || resolution.failed_instances.count(instance)) return std::nullopt;
  auto& functions = resolution.program.functions;
  for (std::size_t i = 0; i < functions.size(); ++i)
    if (functions[i].name == instance) return i;
  const std::size_t before = resolution.diagnostics.all().size();
  auto function = build_instance(resolution, info, instance, types);
  if (function) {
    functions.push_back(std::move(*function));
    return functions.size() - 1;
  }
  resolution.failed_instances.insert(instance);
  say_where(resolution.diagnostics, before, {applied, name + " is applied here"});
  return std::nullopt;
}

std::optional<ScalarType> result_type(const Resolution& resolution, const std::string& name,
                                      const std::vector<ScalarType>& types) {
  const DefinitionInfo& info = resolution.definitions.at(name);
  if (!info.sound || !info.general || types.size() != info.source->parameters.size()) return std::nullopt;
  const std::string instance = instance_name(name, types);
  if (const auto known = resolution.result_types.find(instance); known != resolution.result_types.end())
    return known->second;
  const Locals locals = types_in(resolution, *info.general, types);
  const ScalarType type = default_type(NaturalTypes(resolution, &locals).of(value_of(*info.general)));
  resolution.result_types.emplace(instance, type);
  return type;
}

ArgumentTypes NaturalTypes::arguments(const syntax::Reference& r) {
  ArgumentTypes result;
  Natural numeric;
  for (const syntax::Argument& argument : *r.arguments) {
    const Natural own = of(argument.value);
    result.known = result.known && own.kind != Kind::unknown;
    if (own.kind == Kind::fixed) result.flexible = false;
    if (own.kind == Kind::fixed && !format::is_boolean(own.type)) numeric = join(numeric, own);
  }
  for (const syntax::Argument& argument : *r.arguments) {
    const Natural own = of(argument.value);
    const bool real = own.kind == Kind::real && !format::is_floating(numeric.type);
    const bool follows = own.kind != Kind::fixed && numeric.kind == Kind::fixed && !real;
    result.types.push_back(follows ? numeric.type : default_type(own));
  }
  if (result.flexible)  // all of one kind, as for built-in functions
    for (ScalarType& type : result.types)
      if (contains(result.types, ScalarType::f64)) type = ScalarType::f64;
  return result;
}

Natural NaturalTypes::of_application(const syntax::Reference& r) {
  const ArgumentTypes arguments = this->arguments(r);
  const auto type = arguments.known ? result_type(resolution_, r.name.text, arguments.types) : std::nullopt;
  if (!type) return {};
  if (!arguments.flexible || format::is_boolean(*type)) return Natural::fixed(*type);
  return {format::is_floating(*type) ? Kind::real : Kind::integer};
}

namespace {

/// What the expression is where no tensor stores anything; itself where that depends on more.
Expr at_fill(const Resolution& resolution, const Expr& e) {
  const std::function<Expr(const Expr&)> absent = [&](const Expr& inner) -> Expr {
    if (const auto* a = inner.as<Access>()) return constant(resolution.tensor(a->tensor)->fill);
    return inner.as<Reduce>() ? inner : map_children(inner, absent);
  };
  const std::function<bool(const Expr&)> constant_only = [&](const Expr& inner) {
    bool all = !inner.as<Variable>() && !inner.as<Parameter>() && !inner.as<Reduce>();
    for_each_child(inner, [&](const Expr& child) { all = all && constant_only(child); });
    return all;
  };
  constexpr std::int64_t most_steps = 100'000;
  Function whole;
  whole.result = absent(e);
  if (!constant_only(whole.result)) return e;
  const Applied result = lang::apply(whole, {}, resolution.program.functions, most_steps);
  return result.end == Applied::End::finished ? constant(result.value) : e;
}

/// The space as a condition: each operand is other than at its fill. One without a fill always is.
Expr condition_of(const syntax::Expr& space,
                  const std::vector<std::pair<std::string, std::pair<Expr, Expr>>>& operands) {
  const auto truth = [&](auto node) { return Expr(ExprNode{std::move(node), ScalarType::boolean, space->span}); };
  if (const auto* u = space.as<syntax::Unary>())
    return truth(Unary{format::UnaryOp::logical_not, condition_of(u->operand, operands)});
  if (const auto* b = space.as<syntax::Binary>()) {
    const bool both = b->op == format::BinaryOp::bit_and;
    const Expr left = condition_of(b->left, operands), right = condition_of(b->right, operands);
    return truth(Binary{both ? format::BinaryOp::logical_and : format::BinaryOp::logical_or, left, right});
  }
  const std::string& name = *bare_name(space);
  const auto& [own, fill] =
      std::find_if(operands.begin(), operands.end(), [&](const auto& o) { return o.first == name; })->second;
  if (own.same(fill)) return constant(format::Value::truth(!own.as<Constant>()));
  const auto* const value = fill.as<Constant>();
  if (!format::is_boolean(own->type)) return truth(Binary{format::BinaryOp::not_equal, own, fill});
  return value->value.is_true() ? truth(Unary{format::UnaryOp::logical_not, own}) : own;
}

/// `space s`: s ? f(x, y) : f at the fills of x and y. It holds for every format, so that the reference says the same.
Expr within_space(const Resolution& resolution, const DefinitionInfo& info, const Expr& applied) {
  const auto& apply = *applied.as<Apply>();
  std::vector<std::pair<std::string, std::pair<Expr, Expr>>> operands;
  Apply outside{apply.function, {}};
  for (std::size_t i = 0; i < apply.arguments.size(); ++i) {
    outside.arguments.push_back(at_fill(resolution, apply.arguments[i]));
    operands.push_back({info.source->parameters[i].text, {apply.arguments[i], outside.arguments.back()}});
  }
  const Expr elsewhere = at_fill(resolution, Expr(ExprNode{std::move(outside), applied->type, applied->span}));
  return Expr(ExprNode{Select{condition_of(*info.space, operands), applied, elsewhere}, applied->type, applied->span});
}

}  // namespace

Expr Elaborator::application(const syntax::Expr& e, const syntax::Reference& r, ScalarType type) {
  const DefinitionInfo& info = resolution_.definitions.at(r.name.text);
  if (r.arguments->size() != info.source->parameters.size()) {
    report_arity(resolution_, r, *info.source);
    return {};
  }
  const ArgumentTypes types = types_.arguments(r);
  const auto number = instantiate(resolution_, r.name.text, types.types, e->span);
  if (!number) return {};
  Apply apply{resolution_.program.functions[*number].name, {}};
  const ScalarType own = resolution_.program.functions[*number].result->type;
  for (std::size_t i = 0; i < r.arguments->size(); ++i) {
    apply.arguments.push_back(elaborate(r.arguments->at(i).value, types.types[i]));
    if (!apply.arguments.back()) return {};
  }
  const Expr applied(ExprNode{std::move(apply), own, e->span});
  return cast(type, info.space ? within_space(resolution_, info, applied) : applied);
}

}  // namespace trellis::lang::resolving
