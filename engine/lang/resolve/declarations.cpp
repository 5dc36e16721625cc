// Parameters, tensors and kernels: what each name of the file stands for.

#include <cmath>

#include "engine/lang/resolve/operators.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/math/exact.hpp"

namespace trellis::lang::resolving {

using format::BinaryOp;
using format::ScalarType;
using format::Value;

namespace {

/// The value of a `param`: integers stay integers until something real joins them.
class ConstantEvaluator {
 public:
  explicit ConstantEvaluator(Resolution& resolution) : resolution_(resolution) {}

  std::optional<Value> value(const syntax::Expr& e) {
    if (const auto* n = e.as<syntax::Number>())
      return literal_value(resolution_, e, number_value(n->spelling).integral ? ScalarType::i64 : ScalarType::f64);
    if (e.as<syntax::Character>()) return literal_value(resolution_, e, ScalarType::i64);
    if (e.as<syntax::Infinity>()) return literal_value(resolution_, e, ScalarType::f64);
    if (const auto* u = e.as<syntax::Unary>(); u && u->op == format::UnaryOp::negate) {
      auto operand = value(u->operand);
      return operand ? std::optional(format::apply(u->op, *operand)) : std::nullopt;
    }
    if (const auto* b = e.as<syntax::Binary>()) return binary_value(e, *b);
    if (const auto* r = e.as<syntax::Reference>()) return reference_value(e, *r);
    return refuse(e);
  }

 private:
  std::optional<Value> refuse(const syntax::Expr& e) {
    resolution_.error("E0215", e->span, "a parameter's value must be constant", "only numbers, earlier parameters and functions of them");
    return std::nullopt;
  }

  static void join(std::vector<Value>& values) {
    bool real = std::any_of(values.begin(), values.end(), [](const Value& v) { return format::is_floating(v.type); });
    for (Value& v : values) v = format::cast(real ? ScalarType::f64 : ScalarType::i64, v);
  }

  /// Sizes that have wrapped around would be sizes of something else.
  static bool overflows(BinaryOp op, std::int64_t a, std::int64_t b) {
    if (op == BinaryOp::add) return !math::exact_sum(a, b);
    if (op == BinaryOp::subtract) return !math::exact_difference(a, b);
    if (op == BinaryOp::multiply) return !math::exact_product(a, b);
    return op == BinaryOp::power && b > 0 && std::fabs(std::pow(static_cast<double>(a), static_cast<double>(b))) >= 0x1p63;
  }

  std::optional<Value> binary_value(const syntax::Expr& e, const syntax::Binary& b) {
    auto left = value(b.left);
    auto right = value(b.right);
    if (!left || !right) return std::nullopt;
    std::vector<Value> both{*left, *right};
    join(both);
    const bool integer_only = format::is_bitwise(b.op) && format::is_floating(both[0].type);
    if (format::is_comparison(b.op) || format::is_logical(b.op) || integer_only) return refuse(e);
    if (!format::is_floating(both[0].type) && overflows(b.op, both[0].integer, both[1].integer)) {
      resolution_.error("E0222", e->span, "a parameter's value does not fit i64", "more than 64 bits hold");
      return std::nullopt;
    }
    format::Fault fault = format::Fault::none;
    Value result = format::apply(b.op, both[0], both[1], fault);
    if (fault == format::Fault::none) return result;
    resolution_.error("E0215", e->span, "a parameter's value divides by zero");
    return std::nullopt;
  }

  std::optional<Value> reference_value(const syntax::Expr& e, const syntax::Reference& r) {
    if (const std::string* name = bare_name(e)) {
      if (resolution_.poisoned.count(*name)) return std::nullopt;
      const ParameterInfo* parameter = resolution_.program.parameter(*name);
      return parameter && parameter->value ? parameter->value : refuse(e);
    }
    if (kind_of(resolution_, r) != ReferenceKind::call) return refuse(e);
    const format::Function function = *format::function(r.name.text);
    std::vector<Value> arguments;
    for (const syntax::Argument& argument : *r.arguments) {
      auto next = value(argument.value);
      if (!next) return std::nullopt;
      arguments.push_back(*next);
    }
    const format::Arity arity = format::arity(function);
    const int count = static_cast<int>(arguments.size());
    if (count < arity.least || (arity.most >= 0 && count > arity.most)) return refuse(e);
    join(arguments);
    if (format::floating_only(function))
      for (Value& v : arguments) v = format::cast(ScalarType::f64, v);
    return format::apply(function, arguments.data(), count);
  }

  Resolution& resolution_;
};

class Declarations {
 public:
  explicit Declarations(Resolution& resolution) : resolution_(resolution) {}

  void parameters(const std::vector<syntax::Statement>& statements) {
    each(statements, [&](const syntax::Statement& statement) {
      if (const auto* p = statement.as<syntax::ParamDecl>()) parameter(*p);
    });
  }
  void tensors(const std::vector<syntax::Statement>& statements) {
    each(statements, [&](const syntax::Statement& statement) {
      if (const auto* t = statement.as<syntax::TensorDecl>()) declare_tensor(resolution_, *t, claim(t->name));
    });
  }
  void definitions(const std::vector<syntax::Statement>& statements) {
    each(statements, [&](const syntax::Statement& statement) {
      const auto* d = statement.as<syntax::Definition>();
      if (!d || claim(d->name) != Freshness::fresh) return;
      DefinitionInfo& info = resolution_.definitions[d->name.text];
      info.source = d;
      info.origin = {{text::Stage::source, statement.id()}};
    });
    read_definitions(resolution_);
  }
  void kernels(const syntax::File& file) {
    for (const syntax::Statement& statement : file.statements) {
      if (const auto* k = statement.as<syntax::Kernel>()) open_kernel(*k, statement->span);
      else if (const auto* e = statement.as<syntax::Equation>()) add_equation(kernel("main", statement->span), *e, statement->span);
      else if (const auto* l = statement.as<syntax::Loops>()) kernel("main", statement->span).loops.push_back(l);
      else if (const auto* u = statement.as<syntax::Until>()) kernel("main", statement->span).untils.push_back({u, statement->span});
      else if (const auto* c = statement.as<syntax::Command>())
        schedule(resolution_.loose_schedule, *c);
    }
  }
  void layouts(const std::vector<syntax::Statement>& statements) {
    each(statements, [&](const syntax::Statement& statement) {
      const auto* l = statement.as<syntax::LayoutDecl>();
      if (l && claim(l->name) == Freshness::fresh) declare_layout(resolution_, *l);
    });
  }

 private:
  template <class F>
  static void each(const std::vector<syntax::Statement>& statements, F&& visit) {
    for (const syntax::Statement& statement : statements) {
      visit(statement);
      if (const auto* k = statement.as<syntax::Kernel>()) each(k->statements, visit);
    }
  }

  /// Reports a second declaration of a name.
  Freshness claim(const syntax::Name& name) {
    auto [first, fresh] = declared_.emplace(name.text, name.span);
    if (fresh) return Freshness::fresh;
    auto& diagnostic = resolution_.error("E0202", name.span, name.text + " is declared twice", "declared again");
    diagnostic.notes.push_back({first->second, "first declared here"});
    return Freshness::taken;
  }

  void parameter(const syntax::ParamDecl& p) {
    if (claim(p.name) == Freshness::taken) return;
    auto value = ConstantEvaluator(resolution_).value(p.value);
    if (!value) {
      resolution_.poisoned.insert(p.name.text);
      return;
    }
    ParameterInfo info{p.name.text, format::is_floating(value->type), value, p.name.span};
    if (auto override = resolution_.overrides.find(p.name.text); override != resolution_.overrides.end()) {
      if (!info.real && format::is_floating(override->second.type))
        resolution_.error("E0215", p.name.span, p.name.text + " is an integer parameter", "given " + to_string(override->second));
      else
        info.value = format::cast(info.real ? ScalarType::f64 : ScalarType::i64, override->second);
    }
    resolution_.program.parameters.push_back(std::move(info));
  }

  KernelDraft& kernel(const std::string& name, text::Span span) {
    for (KernelDraft& k : resolution_.kernels)
      if (k.name == name) return k;
    resolution_.kernels.push_back({name, span, {}, {}, {}});
    return resolution_.kernels.back();
  }

  void open_kernel(const syntax::Kernel& k, text::Span span) {
    for (const KernelDraft& other : resolution_.kernels)
      if (other.name == k.name.text) {
        auto& diagnostic = resolution_.error("E0202", k.name.span, "kernel " + k.name.text + " is declared twice");
        diagnostic.notes.push_back({other.span, "first declared here"});
        return;
      }
    KernelDraft draft{k.name.text, span, {}, {}, {}};
    for (const syntax::Statement& statement : k.statements) {
      if (const auto* e = statement.as<syntax::Equation>()) add_equation(draft, *e, statement->span);
      else if (const auto* l = statement.as<syntax::Loops>()) draft.loops.push_back(l);
      else if (const auto* u = statement.as<syntax::Until>()) draft.untils.push_back({u, statement->span});
      else if (const auto* c = statement.as<syntax::Command>()) schedule(draft.schedule, *c);
      else if (statement.as<syntax::Kernel>())
        resolution_.error("E0217", statement->span, "a kernel stands inside another");
    }
    resolution_.kernels.push_back(std::move(draft));
  }

  void add_equation(KernelDraft& kernel, const syntax::Equation& equation, text::Span span) {
    kernel.equations.push_back(draft_of(resolution_, equation, span));
  }

  void schedule(std::vector<const syntax::Command*>& into, const syntax::Command& command) {
    if (command.name.text == "format") resolution_.format_commands.push_back(&command);
    else if (is_schedule_command(command.name.text)) into.push_back(&command);
  }

  Resolution& resolution_;
  std::map<std::string, text::Span> declared_;
};

}  // namespace

Draft draft_of(Resolution& resolution, const syntax::Equation& equation, text::Span span) {
  Draft draft;
  draft.source = &equation;
  draft.span = span;
  if (const auto* left = equation.left.as<syntax::Reference>()) draft.tensor = left->name.text;
  draft.right = equation.right;
  std::vector<syntax::Expr> around{equation.left, equation.right};
  for (const syntax::Constraint& c : equation.constraints) around.insert(around.end(), c.sides.begin(), c.sides.end());
  draft.right = write_out_functions(resolution, around, equation.right, draft.sound);
  draft.right = write_out_slices(resolution, draft.right, draft.sound);
  if (draft.sound)
    draft.right = write_out_operators(resolution, {equation.left}, equation.constraints, draft.right, draft.sound);
  return draft;
}

void declare(Resolution& resolution, const syntax::File& file) {
  Declarations declarations(resolution);
  declarations.parameters(file.statements);
  declarations.layouts(file.statements);
  declarations.tensors(file.statements);
  declarations.definitions(file.statements);
  declarations.kernels(file);
}

}  // namespace trellis::lang::resolving
