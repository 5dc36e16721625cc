// list, delete, schedule auto: the program as it stands, a statement of it taken out, and all that is said of loops.
#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/schedule_commands.hpp"
#include "engine/lang/statement_edit.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/running/suggestions.hpp"
#include "engine/session/state/definitions.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {
namespace {

namespace syntax = lang::syntax;

std::string without_blanks(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// Whether the statement is what a name is, or what is said of it: its declaration, its equations, its format. An
/// equation may also be meant by its left side.
bool is_about(const syntax::Statement& statement, const std::string& meant) {
  if (const auto* e = statement.as<syntax::Equation>())
    return e->left.as<syntax::Reference>()->name.text == meant || without_blanks(lang::to_string(e->left)) == meant;
  if (const auto* c = statement.as<syntax::Command>())
    return c->name.text != "order" && !c->words.empty() && c->words.front().text == meant;
  const std::string what = subject(statement);
  return what.substr(what.find(' ') + 1) == meant;
}

const lang::ScheduleCommand* scheduled_by(const syntax::Statement& statement) {
  const auto* c = statement.as<syntax::Command>();
  return c ? lang::schedule_command(*c) : nullptr;
}

bool schedules(const syntax::Statement& statement) {
  const auto* command = scheduled_by(statement);
  return command && (command->name == "order" || command->step);
}

/// What is said of how a kernel runs: not how tensors are stored, nor where results have entries.
bool says_how_to_run(const syntax::Statement& statement) {
  static const std::vector<std::string_view> others = {"plan", "find", "march", "workspace", "supernodes"};
  const auto* command = scheduled_by(statement);
  return schedules(statement) || (command && contains(others, command->name));
}

/// A schedule says nothing where nothing is computed.
void drop_idle_schedule(std::vector<syntax::Statement>& statements) {
  if (std::ranges::none_of(statements, computes)) std::erase_if(statements, schedules);
}

/// The statements that are meant, by number or by name; none is reported.
std::vector<bool> meant(const std::vector<syntax::Statement>& statements, Words& words) {
  std::vector<bool> chosen(statements.size(), false);
  const text::Span at = words.span();
  if (words.peek() && words.peek()->kind == syntax::Word::Kind::number) {
    const auto number = words.integer("the number of a statement");
    if (!number || !words.finish()) return {};
    if (*number >= 1 && *number <= static_cast<std::int64_t>(statements.size())) {
      chosen[static_cast<std::size_t>(*number - 1)] = true;
      return chosen;
    }
    words.diagnostics()
        .error("E0628", at, "there is no statement " + std::to_string(*number), "")
        .notes.push_back({{}, "`list` numbers them, up to " + std::to_string(statements.size())});
    return {};
  }
  if (words.at_end()) return words.unexpected("a name, or the number of a statement"), std::vector<bool>{};
  const std::string name = without_blanks(words.rest());
  for (std::size_t k = 0; k < statements.size(); ++k) chosen[k] = is_about(statements[k], name);
  if (std::ranges::count(chosen, true) > 0) return chosen;
  words.diagnostics()
      .error("E0628", at, "no statement is about `" + name + "`", "")
      .notes.push_back({{}, "`list` prints the program, with numbers; `delete 1` takes out the first statement"});
  return {};
}

/// The program with these statements instead, as long as it is still right; what was taken out is answered.
CommandResult instead(State& state, syntax::File left, ProgramListed taken, text::Diagnostics& diagnostics) {
  Content before = state.content();
  text::Diagnostics ignored, wrong;
  const bool was_right = state.program(ignored) != nullptr;
  state.declarations.restore(std::move(left));
  const lang::Program* program = state.program(wrong);
  if (was_right && !program) {
    state.restore(std::move(before));
    for (const text::Diagnostic& d : wrong.all())
      if (d.severity == text::Severity::error) diagnostics.add(d);
    return {};
  }
  for (const auto& [name, value] : *before.tensors)
    if (program && !program->tensor(name)) state.data.drop(name);
  return {std::move(taken)};
}

/// Takes such statements out, and answers them as they were written.
void take_out(std::vector<syntax::Statement>& statements, ProgramListed& taken) {
  for (const syntax::Statement& one : statements)
    if (says_how_to_run(one)) taken.statements.push_back(lang::to_string(one));
  std::erase_if(statements, says_how_to_run);
}

}  // namespace

CommandResult list(State& state, Words& words) {
  if (!words.finish()) return {};
  ProgramListed listed;
  for (const syntax::Statement& statement : state.declarations.file().statements)
    listed.statements.push_back(lang::to_string(statement));
  return {std::move(listed)};
}

CommandResult delete_(State& state, Words& words) {
  syntax::File left = state.declarations.file();
  const std::vector<bool> chosen = meant(left.statements, words);
  if (chosen.empty()) return {};
  ProgramListed taken{{}, ProgramListed::What::deleted};
  for (std::size_t k = 0; k < chosen.size(); ++k)
    if (chosen[k]) taken.statements.push_back(lang::to_string(left.statements[k]));
  std::size_t k = 0;
  std::erase_if(left.statements, [&](const auto&) { return chosen[k++]; });
  drop_idle_schedule(left.statements);
  return instead(state, std::move(left), std::move(taken), words.diagnostics());
}

CommandResult schedule(State& state, Words& words) {
  if (!words.accept("auto")) return words.unexpected("`auto`", {"auto"}), CommandResult{};
  const bool fast = words.accept("fast");
  const auto name = words.optional_name();
  if (!words.finish()) return {};
  const lang::Kernel* kernel = state.kernel(name, words.whole(), words.diagnostics());
  if (!kernel) return {};
  syntax::File left = state.declarations.file();
  ProgramListed taken{{}, ProgramListed::What::deleted};
  if (const syntax::Statement* block = lang::block_of(left, {kernel->name, {}})) {
    syntax::Kernel changed = *block->as<syntax::Kernel>();
    take_out(changed.statements, taken);
    left.statements[static_cast<std::size_t>(block - left.statements.data())] =
        syntax::Statement(syntax::StatementNode{std::move(changed), (*block)->span});
  } else {
    take_out(left.statements, taken);
  }
  const std::string target = kernel->name;
  CommandResult result = instead(state, std::move(left), std::move(taken), words.diagnostics());
  const lang::Program* program = fast ? state.program(words.diagnostics()) : nullptr;
  const lang::Kernel* planned = program ? program->kernel(target) : nullptr;
  auto found = planned ? suggestions_for(state, *planned, words.diagnostics()) : std::nullopt;
  if (found) drop_parallel(*found, state.options.limits.threads);
  if (!found || found->suggestions.empty()) return result;
  const std::string& lines = found->suggestions.front().command;
  take_lines(state, target, lines, words.diagnostics());
  return {Scheduled{lines, target}};
}

}  // namespace trellis::session
