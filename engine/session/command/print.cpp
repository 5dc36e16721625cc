// print, and expressions alone.
#include "engine/lang/parse.hpp"
#include "engine/lang/syntax_names.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/command/compute.hpp"
#include "engine/session/running/evaluate.hpp"

namespace trellis::session {
namespace {

namespace syntax = lang::syntax;

/// As it stands before ` = ` and the value.
std::string written(const syntax::Expr& e) {
  const auto* b = e.as<syntax::Binary>();
  const bool loose =
      e.as<syntax::Select>() || (b && format::precedence(b->op) < format::precedence(format::BinaryOp::add));
  return loose ? "(" + lang::to_string(e) + ")" : lang::to_string(e);
}

CommandResult print_tensor(State& state, const lang::TensorInfo& info, Printed::Extent extent, Words& words) {
  CommandResult result;
  if (const tensor::Tensor* value = computed(state, info, words, result.exit))
    result.result = Printed{info.name, *value, "", extent};
  return result;
}

/// What an expression reads. False is reported.
bool compute_operands(State& state, const syntax::Expr& e, Words& words, Exit& exit) {
  for (const std::string& name : syntax::names_in(e)) {
    const lang::Program* program = state.program(words.diagnostics());
    if (!program) return false;
    if (const lang::TensorInfo* info = program->tensor(name); info && !compute(state, *info, words, exit)) return false;
  }
  return true;
}

}  // namespace

CommandResult print(State& state, Words& words) {
  const syntax::Expr* value = words.expression("a tensor or an expression");
  const lang::Program* program = value ? state.program(words.diagnostics()) : nullptr;
  if (!program) return {};
  const auto extent = words.accept("whole") ? Printed::Extent::whole : Printed::Extent::as_seen;
  if (const syntax::Name* name = syntax::name_alone(*value); name && !program->parameter(name->text)) {
    const lang::TensorInfo* info = find_tensor(state, *name, words);
    return info ? print_tensor(state, lang::TensorInfo(*info), extent, words) : CommandResult{};
  }
  CommandResult result;
  if (!compute_operands(state, *value, words, result.exit)) return result;
  if (auto found = evaluate(state, *value, words.whole(), words.diagnostics(), result.exit))
    result.result = Printed{"", std::move(*found), written(*value), extent};
  return result;
}

}  // namespace trellis::session
