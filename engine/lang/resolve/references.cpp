// References in their context's type: variables, parameters, accesses, calls, casts.

#include <utility>

#include "engine/lang/foreign.hpp"
#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/types.hpp"
#include "engine/lang/resolve/walk.hpp"
#include "engine/lang/resolve/whole_arrays.hpp"

namespace trellis::lang::resolving {

using format::ScalarType;

namespace {

Expr spanned(ExprNode node, text::Span span) {
  node.span = span;
  return Expr(std::move(node));
}

}  // namespace

Expr Elaborator::reference(const syntax::Expr& e, const syntax::Reference& r, ScalarType type) {
  switch (kind_of(resolution_, r)) {
    case ReferenceKind::cast: return cast_call(e, r);
    case ReferenceKind::call: return call(e, r, type);
    case ReferenceKind::application: return application(e, r, type);
    case ReferenceKind::coalesce: return coalesce(e, r, type);
    case ReferenceKind::shape: return shape(e, type);
    case ReferenceKind::reduction: {
      std::vector<Expr>* outer = std::exchange(present_, nullptr);
      Expr reduce = build_reduce_(e, r, type);
      present_ = outer;
      if (!reduce || reduce->type == type) return reduce;
      const auto* node = reduce.as<Reduce>();
      if (node && format::is_arg(node->op)) return cast(type, reduce);  // an index takes the type its context needs
      return mismatch(e, reduce->type, type);
    }
    case ReferenceKind::access: break;
  }
  if (const std::string* name = bare_name(e)) return bare(e, *name, type);
  return access(e, r);
}

Expr Elaborator::unknown_name(const syntax::Expr& e, const std::string& name) {
  if (resolution_.poisoned.count(name)) return {};
  report_unknown(resolution_, e, name, scope_);
  return {};
}

namespace {

// With as many sizes as it has indices.
std::string declaration_of(const syntax::Expr& e, const std::string& name) {
  const auto* r = e.as<syntax::Reference>();
  const std::size_t rank = r && r->arguments ? r->arguments->size() : 0;
  if (rank == 0)
    return "tensor " + name + " or param " + name + " = 1; a size has its name where a tensor is declared, tensor x(" +
           name + ")";
  std::string sizes;
  for (std::size_t d = 0; d < rank; ++d)
    sizes += (d > 0 ? ", " : "") + (rank <= 3 ? std::string(1, "nmp"[d]) : "n" + std::to_string(d));
  return "tensor " + name + "(" + sizes + ")";
}

/// `x[i]` as it is written here: `x(i)`.
syntax::Expr in_parentheses(syntax::Reference r, text::Span span) {
  r.arguments.emplace(1).front().value = *std::exchange(r.step, std::nullopt);
  return syntax::Expr(syntax::ExprNode{std::move(r), span});
}

// What may stand before parentheses beside a tensor.
void add_callable_names(std::vector<std::string>& known) {
  using format::Function, format::ReduceOp;
  for (int k = 0; k <= static_cast<int>(Function::max); ++k)
    known.emplace_back(format::name_of(static_cast<Function>(k)));
  for (int k = 0; k < static_cast<int>(ReduceOp::user); ++k)
    known.emplace_back(format::name_of(static_cast<ReduceOp>(k)));
  for (int k = 0; k <= static_cast<int>(Shape::Op::pad); ++k) known.emplace_back(name_of(static_cast<Shape::Op>(k)));
}

}  // namespace

void report_unknown(Resolution& resolution, const syntax::Expr& e, const std::string& name,
                    std::vector<std::string> known) {
  if (is_foreign(name)) return report_notation(resolution, e->span, name).notes.push_back({{}, instead_of(name)});
  if (const ArrayFunction* function = array_function(resolution, e))
    return report_notation(resolution, e->span, name).notes.push_back({{}, function->instead});
  for (const TensorInfo& info : resolution.program.tensors) known.push_back(info.name);
  for (const ParameterInfo& info : resolution.program.parameters) known.push_back(info.name);
  if (const auto* r = e.as<syntax::Reference>(); r && r->arguments) add_callable_names(known);
  auto& diagnostic = resolution.error("E0201", e->span, "unknown name " + name);
  if (const std::string_view instead = written_instead(name); !instead.empty())
    return diagnostic.notes.push_back({{}, std::string(instead)});
  if (std::string close = text::did_you_mean(name, known); !close.empty())
    diagnostic.notes.push_back({{}, "did you mean " + close + "?"});
  else if (const auto* r = e.as<syntax::Reference>(); r && r->step && !r->arguments)
    diagnostic.notes.push_back({{},
                                "indices stand in parentheses, as in " + to_string(in_parentheses(*r, e->span)) +
                                    "; brackets hold a timestep"});
  else diagnostic.notes.push_back({{}, "declare it, as in " + declaration_of(e, name)});
}

namespace {

/// A lone name as an index, where no sum is implied.
void report_unbound(Resolution& resolution, const syntax::Expr& index, const std::string& name,
                    const std::vector<std::string>& known) {
  if (is_foreign(name) || !text::did_you_mean(name, known).empty())
    return report_unknown(resolution, index, name, known);
  resolution.error("E0201", index->span, "unknown name " + name)
      .notes.push_back({{}, "a reduction binds it, as in sum(" + name + ")(…), or a loop, or param " + name + " = 1"});
}

bool means_nothing(const Resolution& resolution, const std::vector<std::string>& scope, const std::string& name) {
  return !contains(scope, name) && !resolution.is_parameter(name) && !resolution.tensor(name) &&
         !resolution.poisoned.count(name);
}

/// `x[i]` for `x(i)`.
void hint_at_parentheses(text::Diagnostic& diagnostic, const syntax::Reference& r) {
  if (r.step && !r.arguments)
    diagnostic.notes.push_back(
        {{}, "indices stand in parentheses, as in " + r.name.text + "(i); brackets hold a timestep"});
}

}  // namespace

/// A name in a function's body: an operand, a local, or a parameter, whose value goes into the body.
Expr Elaborator::in_function(const syntax::Expr& e, const std::string& name, ScalarType type) {
  if (const auto local = locals_->find(name); local != locals_->end())
    return cast(type, spanned({Variable{name}, local->second.type, {}}, e->span));
  const ParameterInfo* parameter = resolution_.program.parameter(name);
  if (parameter && parameter->value && (!parameter->real || format::is_floating(type)))
    return spanned({Constant{format::cast(type, *parameter->value)}, type, {}}, e->span);
  if (!parameter && is_constant(resolution_, name) && format::is_floating(type))
    return spanned({Constant{format::Value::of(type, *constant_called(name))}, type, {}}, e->span);
  if (!parameter) return unknown_name(e, name);
  if (parameter->value)
    resolution_.error(
        "E0220", e->span,
        "the real parameter " + name + " stands where " + std::string(format::name_of(type)) + " is needed");
  else
    resolution_.error("E0236", e->span, name + " has no value yet, so a function cannot know it", "make it an operand");
  return {};
}

Expr Elaborator::bare(const syntax::Expr& e, const std::string& name, ScalarType type) {
  if (locals_) return in_function(e, name, type);
  if (contains(scope_, name)) return cast(type, spanned({Variable{name}, ScalarType::i64, {}}, e->span));
  if (const ParameterInfo* parameter = resolution_.program.parameter(name)) {
    const ScalarType own = parameter->real ? ScalarType::f64 : ScalarType::i64;
    if (parameter->real && !format::is_floating(type)) {
      resolution_.error(
          "E0220", e->span,
          "the real parameter " + name + " stands where " + std::string(format::name_of(type)) + " is needed");
      return {};
    }
    return cast(type, spanned({Parameter{name}, own, {}}, e->span));
  }
  if (!resolution_.tensor(name)) return unknown_name(e, name);
  return access(e, *e.as<syntax::Reference>());
}

Expr Elaborator::access(const syntax::Expr& e, const syntax::Reference& r) {
  const std::string& name = r.name.text;
  const TensorInfo* info = resolution_.tensor(name);
  if (!info && resolution_.is_parameter(name)) {
    resolution_.error("E0203", e->span, name + " is a parameter and has no indices");
    return {};
  }
  if (!info) return unknown_name(e, name);
  const std::size_t count = r.arguments ? r.arguments->size() : 0;
  if (count != info->shape.size()) {
    auto& diagnostic = resolution_.error(
        "E0203", e->span, name + " has " + counted(info->shape.size(), "dimension") + ", not " + std::to_string(count),
        "here it has " + (count == 1 ? std::string("1 index") : std::to_string(count) + " indices"));
    diagnostic.notes.push_back({info->span, name + " gets its shape here"});
    hint_at_parentheses(diagnostic, r);
    return {};
  }
  Access result{name, {}, {}};
  Inside inside;
  bool sound = true;
  for (std::size_t i = 0; i < count; ++i) {
    const syntax::Argument& argument = (*r.arguments)[i];
    if (!argument.arrow.empty()) resolution_.error("E0213", e->span, "-> belongs into shape operators");
    const std::string* alone = bare_name(argument.value);
    if (alone && argument.arrow.empty() && !locals_ && means_nothing(resolution_, scope_, *alone)) {
      report_unbound(resolution_, argument.value, *alone, scope_);
      sound = false;
      continue;
    }
    const bool maybe = maybe_outside(argument.value);
    Expr index = argument.arrow.empty()
                     ? elaborate_index(maybe ? argument.value.as<syntax::Unary>()->operand : argument.value)
                     : Expr();
    sound = sound && index;
    result.indices.push_back(index);
    const bool ranged = alone && contains(scope_, *alone) && draft_.source;  // a loop program's may range anywhere
    if (index && maybe) add_bounds(index, info->shape[i], inside.else_missing);
    if (index && !maybe && info->pad && !ranged) add_bounds(index, info->shape[i], inside.else_fill);
  }
  if (r.step) {
    Expr step = elaborate_index(*r.step);
    const bool is_affine = step && affine(step);
    if (step && !is_affine) resolution_.error("E0303", (*r.step)->span, "a superscript must be affine");
    sound = sound && is_affine;
    result.step = step;
  }
  return sound ? read_where(e, spanned({std::move(result), info->type, {}}, e->span), inside, *info) : Expr();
}

Expr Elaborator::call(const syntax::Expr& e, const syntax::Reference& r, ScalarType type) {
  const format::Function function = *format::function(r.name.text);
  const format::Arity arity = format::arity(function);
  const int count = static_cast<int>(r.arguments->size());
  if (count < arity.least || (arity.most >= 0 && count > arity.most)) {
    resolution_.error("E0224", e->span,
                      r.name.text + " takes " + (arity.most < 0 ? "at least " : "") +
                          counted(static_cast<std::size_t>(arity.least), "argument") + ", not " +
                          std::to_string(count));
    return {};
  }
  Call result{function, {}};
  bool sound = true;
  for (const syntax::Argument& argument : *r.arguments) {
    result.arguments.push_back(elaborate(argument.value, type));
    sound = sound && result.arguments.back();
  }
  if (!sound) return {};
  const bool needs_floating = format::floating_only(function) && !format::is_floating(type);
  if (!needs_floating && !format::is_boolean(type)) return spanned({std::move(result), type, {}}, e->span);
  auto& diagnostic =
      resolution_.error("E0223", e->span, r.name.text + " is not defined for " + std::string(format::name_of(type)));
  if (needs_floating) diagnostic.notes.push_back({{}, "convert its argument, as in " + r.name.text + "(f64(x))"});
  return {};
}

Expr Elaborator::cast_call(const syntax::Expr& e, const syntax::Reference& r) {
  if (r.arguments->size() != 1) {
    resolution_.error("E0224", e->span,
                      r.name.text + " converts one value, not " + std::to_string(r.arguments->size()));
    return {};
  }
  Expr operand = elaborate(r.arguments->front().value);
  if (!operand) return {};
  const ScalarType type = *format::scalar_type(r.name.text);
  return operand->type == type ? operand : spanned({Cast{operand}, type, {}}, e->span);
}

}  // namespace trellis::lang::resolving
