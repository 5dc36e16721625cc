#include "engine/session/running/evaluate.hpp"

#include "engine/session/command/commands.hpp"
#include "engine/session/running/execution.hpp"
#include "engine/session/teach/quiz.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

syntax::Command print_of(const syntax::Name& name, syntax::Expr value) {
  syntax::Word word{syntax::Word::Kind::name, name.text, name.span, false};
  return {{"print", name.span}, {std::move(word)}, std::move(value)};
}

namespace {

/// Empty: it means what it says.
std::optional<syntax::Command> meant(const State& state, const syntax::Command& c) {
  if (!c.value || c.name.span != (*c.value)->span) return std::nullopt;  // of `print` the value stands behind the name
  if (c.words.empty()) return find_command(c.name.text) ? std::nullopt : std::optional(print_of(c.name, *c.value));
  const bool answers = state.replaces && state.focus.quiz->open && (*c.value).as<syntax::Number>();
  return answers ? std::optional(syntax::Command{{"quiz", c.name.span}, c.words}) : std::nullopt;
}

}  // namespace

syntax::File read_values(const State& state, syntax::File file) {
  for (syntax::Statement& statement : file.statements)
    if (const auto* c = statement.as<syntax::Command>())
      if (auto other = meant(state, *c))
        statement = syntax::Statement(syntax::StatementNode{std::move(*other), statement->span}, statement.origin(),
                                      statement.id());
  return file;
}

const syntax::Name* name_alone(const syntax::Command& command) {
  const auto* r = command.name.text == "print" && !command.words.empty() && command.value
                      ? command.value->as<syntax::Reference>()
                      : nullptr;
  const bool alone = r && !r->step && !r->arguments && r->name.span == command.name.span;
  return alone ? &r->name : nullptr;
}

namespace {

/// A guard, which an equation can have, is no remedy for an expression.
void drop_guards(text::Diagnostics& diagnostics) {
  text::Diagnostics kept;
  for (text::Diagnostic d : diagnostics.all()) {
    if (d.code == "E0104") d.fixes.clear();
    kept.add(std::move(d));
  }
  diagnostics = std::move(kept);
}

std::optional<tensor::Tensor> run_last(State& aside, text::Span at, text::Diagnostics& diagnostics, Exit& exit) {
  const lang::Program* program = aside.program(diagnostics);
  if (!program) return std::nullopt;
  const lang::Kernel kernel = program->kernels.back();
  auto prepared = prepare(aside, kernel, at, diagnostics, exit);
  drop_guards(diagnostics);
  if (!prepared) return std::nullopt;
  const std::shared_ptr<const Compilation> compilation = prepared->compilation;
  const run::Kernel* code = aside.machine_code(*compilation, run::Backend::jit, diagnostics, exit);
  if (!code) return std::nullopt;
  const run::Outcome outcome =
      run::execute(*code, prepared->bindings, aside.options.limits, run::AfterFailure::abandoned);
  exit = report_failure(outcome, *compilation, prepared->before, diagnostics);
  if (exit != Exit::success || !prepared->publish(at, diagnostics, exit)) return std::nullopt;
  const std::string& name = kernel.equations.front().access().tensor;
  const auto array = prepared->bindings.arrays.find(name);  // without elements it is no argument
  return array != prepared->bindings.arrays.end() ? array->second : prepared->before.tensors.at(name);
}

}  // namespace

std::optional<tensor::Tensor> evaluate(State& state, const syntax::Expr& value, text::Span at,
                                       text::Diagnostics& diagnostics, Exit& exit) {
  if (!state.program(diagnostics)) return std::nullopt;
  State aside = state;
  aside.options.parameters.insert(aside.data.sizes().begin(), aside.data.sizes().end());
  aside.declarations.ask_for(value);
  text::Diagnostics found;
  auto result = run_last(aside, at, found, exit);
  for (const text::Diagnostic& d : found.all())
    if (!d.fixes.empty()) state.offer = {d.fixes, ""};
  diagnostics.append(found);
  return result;
}

}  // namespace trellis::session
