// print, and expressions alone.
#include "engine/lang/parse.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/evaluate.hpp"

namespace trellis::session {
namespace {

namespace syntax = lang::syntax;

const syntax::Name* bare_name(const syntax::Expr& e) {
  const auto* r = e.as<syntax::Reference>();
  return r && !r->step && !r->arguments ? &r->name : nullptr;
}

/// As it stands before ` = ` and the value.
std::string written(const syntax::Expr& e) {
  const auto* b = e.as<syntax::Binary>();
  const bool loose =
      e.as<syntax::Select>() || (b && format::precedence(b->op) < format::precedence(format::BinaryOp::add));
  return loose ? "(" + lang::to_string(e) + ")" : lang::to_string(e);
}

CommandResult print_tensor(State& state, const lang::TensorInfo& info, Words& words) {
  warn_if_not_computed(state, info, words);
  const tensor::Tensor* value = state.tensor(info, words.whole(), words.diagnostics());
  return value ? CommandResult{Printed{info.name, *value}} : CommandResult{};
}

void warn_of_operands(State& state, const lang::Program& program, const syntax::Expr& e, Words& words) {
  if (const auto* r = e.as<syntax::Reference>())
    if (const lang::TensorInfo* info = program.tensor(r->name.text)) warn_if_not_computed(state, *info, words);
  syntax::for_each_child(*e, [&](const syntax::Expr& child) { warn_of_operands(state, program, child, words); });
}

}  // namespace

CommandResult print(State& state, Words& words) {
  const syntax::Expr* value = words.expression("a tensor or an expression");
  const lang::Program* program = value ? state.program(words.diagnostics()) : nullptr;
  if (!program) return {};
  if (const syntax::Name* name = bare_name(*value); name && !program->parameter(name->text)) {
    const lang::TensorInfo* info = find_tensor(state, *name, words);
    return info ? print_tensor(state, *info, words) : CommandResult{};
  }
  warn_of_operands(state, *program, *value, words);
  CommandResult result;
  if (auto found = evaluate(state, *value, words.whole(), words.diagnostics(), result.exit))
    result.result = Printed{"", std::move(*found), written(*value)};
  return result;
}

}  // namespace trellis::session
