#include "engine/session/session.hpp"

#include <algorithm>
#include <csignal>

#include "engine/lang/parse.hpp"
#include "engine/session/commands.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

volatile std::sig_atomic_t interrupted = 0;

Exit exit_of(const text::Diagnostics& diagnostics, Exit stated) {
  if (interrupted) return Exit::interrupted;
  return stated != Exit::success || !diagnostics.has_errors() ? stated : Exit::wrong_program;
}

syntax::Statement command(const std::string& name, std::vector<std::string> arguments, text::Span at) {
  syntax::Command c{{name, at}, {}};
  for (std::string& argument : arguments) c.words.push_back({syntax::Word::Kind::name, std::move(argument), at, false});
  return syntax::Statement(syntax::StatementNode{std::move(c), at});
}

void unknown_command(const syntax::Command& c, text::Diagnostics& diagnostics) {
  std::vector<std::string> names = {"tensor", "param", "kernel"};
  for (const CommandInfo& info : commands()) names.emplace_back(info.name);
  text::Diagnostic& d = diagnostics.error("E0611", c.name.span, "there is no command `" + c.name.text + "`", "");
  const std::string near = text::did_you_mean(c.name.text, names);
  d.notes.push_back({{}, near.empty() ? "`help` lists the commands; an equation is written `y(i) = …`" : "did you mean `" + near + "`?"});
}

// Commands of the language that are not there yet are refused by name rather than called unknown.
bool comes_later(const std::string& name) {
  static const std::vector<std::string> names = {
      "time", "suggest", "core", "place", "step", "back", "goto", "next", "lattice", "diff", "snapshot", "restore", "undo",
      "redo", "history", "plot", "export", "examples", "tutorial", "quiz", "source", "reset", "quit"};
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

void Session::interrupt() {
  interrupted = 1;
  run::interrupt();
}

Reply Session::reply_for(const syntax::Statement& statement) const {
  Reply reply;
  const auto* c = statement.as<syntax::Command>();
  // Schedule commands belong to the program: like declarations they answer only when something is wrong.
  reply.command = c && !lang::is_schedule_command(c->name.text) ? c->name.text : "statement";
  reply.line = statement->span.known() ? state_.sources.begin(statement->span).line : 0;
  return reply;
}

Reply Session::execute(const syntax::Statement& statement) {
  Reply reply = reply_for(statement);
  const auto* c = statement.as<syntax::Command>();
  if (!c) {
    state_.add(statement);
    return reply;
  }
  const CommandInfo* info = find_command(c->name.text);
  if (!info || !info->handler) {
    // Schedule commands are part of the program: the resolver reads and judges them.
    if (lang::is_schedule_command(c->name.text)) state_.add(statement);
    else if (comes_later(c->name.text))
      reply.diagnostics.error("E0990", c->name.span, "`" + c->name.text + "` is not available yet", "");
    else unknown_command(*c, reply.diagnostics);
  } else {
    Words words(*c, statement->span, reply.diagnostics);
    CommandResult result = info->handler(state_, words);
    reply.result = std::move(result.result);
    reply.exit = result.exit;
  }
  reply.exit = exit_of(reply.diagnostics, reply.exit);
  return reply;
}

// Everything wrong with the text itself, in one reply, before any of it runs.
std::optional<Reply> Session::refuse_whole(const syntax::File& file, text::Diagnostics diagnostics) {
  State whole = state_;
  for (const syntax::Statement& statement : file.statements) {
    const auto* c = statement.as<syntax::Command>();
    if (!c || lang::is_schedule_command(c->name.text)) whole.add(statement);
    else if (!find_command(c->name.text) && !comes_later(c->name.text)) unknown_command(*c, diagnostics);
  }
  text::Diagnostics resolving;
  const lang::Program* program = whole.program(resolving);
  for (const text::Diagnostic& d : resolving.all())
    if (d.severity == text::Severity::error) diagnostics.add(d);
  Reply reply;
  reply.command = "statement";
  reply.exit = Exit::wrong_program;
  if (program)
    for (const auto& [name, value] : state_.options.parameters)
      if (!program->parameter(name)) {
        diagnostics.error("E0612", {}, "-D " + name + ": the program has no parameter or size `" + name + "`", "");
        reply.exit = Exit::wrong_command_line;
      }
  if (!diagnostics.has_errors()) return std::nullopt;
  for (const text::Diagnostic& d : diagnostics.all())
    if (d.span.known()) {
      reply.line = state_.sources.begin(d.span).line;
      break;
    }
  reply.diagnostics = std::move(diagnostics);
  return reply;
}

Exit Session::run_everything(const std::function<void(const Reply&)>& on_reply, int source) {
  const auto end = static_cast<std::uint32_t>(state_.sources.content(source).size());
  const text::Span at{source, end, end};
  text::Diagnostics ignored;
  Reply reply = execute(command("run", {}, at));
  on_reply(reply);
  if (!reply.ok()) return reply.exit;
  const lang::Program* program = state_.program(ignored);
  std::vector<std::string> results;
  for (const lang::Kernel& kernel : program->kernels)
    for (const std::string& name : kernel.results())
      if (std::ranges::find(results, name) == results.end()) results.push_back(name);
  for (const std::string& name : results) {
    reply = execute(command("print", {name}, at));
    on_reply(reply);
    if (!reply.ok()) return reply.exit;
  }
  return Exit::success;
}

Session::Fed Session::feed(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply) {
  const int source = state_.sources.add(std::move(name), std::move(content));
  text::Diagnostics diagnostics;
  const syntax::File file = lang::parse(state_.sources, source, diagnostics);
  if (auto refused = refuse_whole(file, std::move(diagnostics))) {
    on_reply(*refused);
    return {refused->exit, source, false, false};
  }
  Fed fed{Exit::success, source, false, false};
  for (const syntax::Statement& statement : file.statements) {
    const auto* c = statement.as<syntax::Command>();
    fed.runs |= c && c->name.text == "run";
    fed.defines |= statement.as<syntax::Equation>() || statement.as<syntax::Kernel>() || statement.as<syntax::Loops>();
    const Reply reply = execute(statement);
    if (reply.command != "statement" || !reply.diagnostics.empty()) on_reply(reply);
    fed.exit = reply.exit;
    if (!reply.ok()) break;
  }
  return fed;
}

Exit Session::run_text(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply) {
  const Fed fed = feed(std::move(name), std::move(content), on_reply);
  return fed.exit == Exit::success && fed.defines && !fed.runs ? run_everything(on_reply, fed.source) : fed.exit;
}

}  // namespace trellis::session
