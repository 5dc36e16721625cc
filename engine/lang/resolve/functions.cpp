// Functions with clauses become instances: one for each list of operand types that they are applied to.

#include "engine/lang/function_trial.hpp"
#include "engine/lang/resolve/function_builder.hpp"
#include "engine/lang/resolve/function_space.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::lang::resolving {

using format::ScalarType;
using Kind = Natural::Kind;

namespace {

std::string instance_name(const std::string& definition, const std::vector<ScalarType>& types) {
  std::string name = definition + "_";
  const bool uniform = std::all_of(types.begin(), types.end(), [&](ScalarType t) { return t == types[0]; });
  for (std::size_t i = 0; i < (uniform ? std::min<std::size_t>(types.size(), 1) : types.size()); ++i)
    name += format::name_of(types[i]);
  return name;
}

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
  const std::map<std::string, Natural> locals = types_in(resolution, *info.general, types);
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
