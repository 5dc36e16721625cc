#include "gui/program_edits.hpp"

#include <algorithm>

#include "engine/lang/parse.hpp"
#include "engine/lang/statement_edit.hpp"
#include "engine/session/command/commands.hpp"

namespace trellis::gui {
namespace {

namespace syntax = lang::syntax;

/// Declarations, equations, schedules and what fills tensors are part of the program: they are written into it.
bool belongs_in_text(const syntax::Statement& statement) {
  const auto* command = statement.as<syntax::Command>();
  if (!command) return true;
  const session::CommandInfo* info = session::find_command(command->name.text);
  if (!info) return false;
  return !info->handler || info->name == "load" || info->name == "random" || info->name == "fill_with";
}

/// Each statement of an entry has an answer of its own: the text of that one, from 1.
std::string statement_of(const std::string& entry, std::size_t number) {
  std::size_t begin = 0;
  for (std::size_t k = 1; k < number && entry.find_first_of(";\n", begin) != std::string::npos; ++k)
    begin = entry.find_first_of(";\n", begin) + 1;
  return entry.substr(begin, entry.find_first_of(";\n", begin) - begin);
}

/// Writes statements there; they answer once what they make of the order is known.
void write_in(const Scene& scene, const std::string& words, const lang::StatementScope& scope) {
  const lang::TextEdit edit = lang::edit_for(scene.editor->text(), words, scope);
  scene.editor->replace(edit.begin, edit.end, edit.text);
}

}  // namespace

bool write_into_program(const Scene& scene, const std::string& command) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int source = sources.add("console", command);
  const syntax::File file = lang::parse(sources, source, diagnostics);
  if (diagnostics.has_errors() || file.statements.empty() || !std::ranges::all_of(file.statements, belongs_in_text))
    return false;
  const std::string kernel = scene.kernel && scene.kernel->name != "main" ? scene.kernel->name : "";
  for (const syntax::Statement& statement : file.statements)
    write_in(scene, std::string(sources.slice(statement->span)), {.kernel = kernel});
  scene.console->say(command, "");
  scene.console->entries.back().edits = true;
  return true;
}

void apply_fix(const Scene& scene, const std::string& command, int number) {
  int at = 0;
  for (const session::Message& message : *scene.messages)
    for (const text::Fix& fix : message.diagnostic.fixes) {
      if (++at != number) continue;
      lang::StatementScope scope{.kernel = message.kernel == "main" ? "" : message.kernel};
      if (message.diagnostic.span.known()) scope.about = scene.snapshot->sources.in_file(message.diagnostic.span);
      write_in(scene, fix.command, scope);
      scene.console->say(command, fix.command);
      scene.console->entries.back().edits = true;
      return;
    }
  scene.console->say(command, at == 0 ? "nothing to fix" : "there are " + std::to_string(at) + " fixes", true);
}

void tell_of_edit(const Scene& scene) {
  Console& console = *scene.console;
  if (console.entries.empty() || !console.entries.back().edits || scene.busy) return;
  ConsoleEntry& entry = console.entries.back();
  entry.edits = false;
  const auto wrong = std::ranges::find(*scene.messages, text::Severity::error,
                                       [](const session::Message& m) { return m.diagnostic.severity; });
  const std::string before = entry.output.empty() ? "" : entry.output + "\n";
  if (wrong != scene.messages->end()) {
    entry.failed = true, entry.legal = false;
    entry.output = before + wrong->diagnostic.code + " " + wrong->diagnostic.message;
  } else if (scene.legal() == true && scene.explained()->certificate) {
    const place::Certificate& proof = *scene.explained()->certificate;
    entry.legal = true;
    entry.output = before + "proven " + proof.sizes + ": " + std::to_string(proof.dependences) + " dependences, " +
                   std::to_string(proof.instances) + " fragments";
  }
}

void hear_answer(Lessons& lessons, const Console& console, const session::Answer& answer) {
  const auto entry = std::ranges::find(console.entries, answer.version, &ConsoleEntry::version);
  if (entry != console.entries.end())
    lessons.hear(statement_of(entry->command, answer.replies.size()), answer.exit == session::Exit::success);
}

}  // namespace trellis::gui
