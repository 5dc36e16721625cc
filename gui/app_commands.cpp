// Commands of the language: they go into the text or to the session.
#include <algorithm>
#include <charconv>

#include "engine/lang/parse.hpp"
#include "engine/lang/statement_edit.hpp"
#include "engine/session/command/commands.hpp"
#include "gui/app.hpp"
#include "gui/words.hpp"

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

}  // namespace

void App::carry_out(const std::string& command) {
  const auto [first, rest] = split_word(command);
  if (first.empty()) return;
  if (first == "window") return carry_out_window(rest);
  // What the window does itself when a command asks for it.
  if (first == "fix") {
    int number = 0;
    std::from_chars(rest.data(), rest.data() + rest.size(), number);
    return apply_fix(command, number);
  }
  if (first == "tutorial" && rest != "list") return teach(command, rest);
  if (first == "undo" || first == "redo") {
    const bool done = first == "undo" ? document().editor().undo() : document().editor().redo();
    lessons_.hear(command, done);
    return console_.say(command, done ? "" : "nothing to " + first, !done);
  }
  if (first == "quit" || first == "exit") return carry_out_window("quit");
  if (first == "clear") return console_.entries.clear();
  if (first == "source" && !rest.empty()) return carry_out_window("open " + rest);
  if (edit_text(command)) return;
  // `run` alone runs on the back end that the bar shows.
  if (command == "run" && settings_.backend == "native") return carry_out("run native");
  ConsoleEntry& entry = console_.add(command);
  entry.version = document().enter(command);
}

// False: it is no statement that stands in a program.
bool App::edit_text(const std::string& command) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int source = sources.add("console", command);
  const syntax::File file = lang::parse(sources, source, diagnostics);
  if (diagnostics.has_errors() || file.statements.empty() || !std::ranges::all_of(file.statements, belongs_in_text))
    return false;
  Editor& editor = document().editor();
  const Scene shown = scene();
  const std::string kernel = shown.kernel && shown.kernel->name != "main" ? shown.kernel->name : "";
  for (const syntax::Statement& statement : file.statements) {
    const std::string words(sources.slice(statement->span));
    const lang::TextEdit edit = lang::edit_for(editor.text(), words, {.kernel = kernel});
    editor.replace(edit.begin, edit.end, edit.text);
  }
  lessons_.hear(command, true);
  console_.say(command, "");
  console_.entries.back().edits = true;
  return true;
}

void App::apply_fix(const std::string& command, int number) {
  // Numbered over all messages, as the panes show them.
  int at = 0;
  for (const session::Message& message : *scene().messages)
    for (const text::Fix& fix : message.diagnostic.fixes) {
      if (++at != number) continue;
      Editor& editor = document().editor();
      const text::Sources& sources = document().snapshot().sources;
      lang::StatementScope scope{.kernel = message.kernel == "main" ? "" : message.kernel};
      if (message.diagnostic.span.known()) scope.about = sources.in_file(message.diagnostic.span);
      const lang::TextEdit edit = lang::edit_for(editor.text(), fix.command, scope);
      editor.replace(edit.begin, edit.end, edit.text);
      console_.say(command, fix.command);
      console_.entries.back().edits = true;
      return;
    }
  console_.say(command, at == 0 ? "nothing to fix" : "there are " + std::to_string(at) + " fixes", true);
}

// What a statement that went into the text makes of the order is its answer.
void App::tell_of_edit() {
  if (console_.entries.empty() || !console_.entries.back().edits || document().busy()) return;
  ConsoleEntry& entry = console_.entries.back();
  entry.edits = false;
  const Scene shown = scene();
  const auto wrong = std::ranges::find(*shown.messages, text::Severity::error,
                                       [](const session::Message& m) { return m.diagnostic.severity; });
  const std::string before = entry.output.empty() ? "" : entry.output + "\n";
  if (wrong != shown.messages->end()) {
    entry.failed = true, entry.legal = false;
    entry.output = before + wrong->diagnostic.code + " " + wrong->diagnostic.message;
  } else if (shown.legal() == true && shown.explained()->certificate) {
    const place::Certificate& proof = *shown.explained()->certificate;
    entry.legal = true;
    entry.output = before + "proven " + proof.sizes + ": " + std::to_string(proof.dependences) + " dependences, " +
                   std::to_string(proof.instances) + " fragments";
  }
}

void App::hear(const session::Answer& answer) {
  for (const auto& reply : answer.replies) replies_[reply->command] = reply;
  hear_of_files(answer);
  const auto entry = std::ranges::find(console_.entries, answer.version, &ConsoleEntry::version);
  if (entry != console_.entries.end())
    lessons_.hear(statement_of(entry->command, answer.replies.size()), answer.exit == session::Exit::success);
}

}  // namespace trellis::gui
