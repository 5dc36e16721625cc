#include "engine/session/session.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "engine/lang/parse.hpp"
#include "engine/lang/schedule_commands.hpp"
#include "engine/lang/syntax_names.hpp"
#include "engine/session/command/commands.hpp"
#include "engine/session/fault.hpp"
#include "engine/session/program/declare_filled.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/program/prompt.hpp"
#include "engine/session/program/refuse.hpp"
#include "engine/session/running/evaluate.hpp"
#include "engine/session/running/in_time.hpp"
#include "engine/session/running/refill.hpp"
#include "engine/session/state/history.hpp"
#include "engine/text/deadline.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

syntax::Statement run_all(text::Span at) {
  return syntax::Statement(syntax::StatementNode{syntax::Command{{"run", at}, {}}, at});
}

syntax::Statement print(const std::string& name, text::Span at) {
  return syntax::Statement(syntax::StatementNode{print_of({name, at}, syntax::name_expr(name, at)), at});
}

bool belongs_to_schedule(const syntax::Statement& s) {
  const auto* c = s.as<syntax::Command>();
  return c && lang::schedule_command(*c);
}

// Whether tensors are filled before equations that come later: the program is asked for on the way there.
bool is_asked_on_the_way(std::span<const syntax::Statement> rest) {
  const auto filled = std::ranges::find_if(rest, fills_tensors);
  return std::any_of(filled, rest.end(), computes);
}

// The statements as they are carried out: what fills tensors inside a kernel comes right behind the kernel. A schedule
// that stands before what it is about waits for it, for on the way there it may be wrong.
std::vector<syntax::Statement> in_order(const syntax::File& file) {
  std::vector<syntax::Statement> all, waiting;
  const auto wait_no_longer = [&] { std::ranges::move(std::exchange(waiting, {}), std::back_inserter(all)); };
  std::span<const syntax::Statement> rest(file.statements);
  for (const syntax::Statement& statement : file.statements) {
    rest = rest.subspan(1);
    if (belongs_to_schedule(statement) && (!waiting.empty() || is_asked_on_the_way(rest))) {
      waiting.push_back(statement);
      continue;
    }
    if (statement.as<syntax::Command>() && !fills_tensors(statement)) wait_no_longer();
    all.push_back(statement);
    if (const auto* kernel = statement.as<syntax::Kernel>())
      std::ranges::copy_if(kernel->statements, std::back_inserter(all), fills_tensors);
  }
  wait_no_longer();
  return all;
}

// Unless what was interrupted has said so.
void say_interrupted(const std::string& what, text::Span at, text::Diagnostics& diagnostics) {
  if (std::ranges::none_of(diagnostics.all(), [](const text::Diagnostic& d) { return d.code == "E0506"; }))
    diagnostics.error("E0506", at, "`" + what + "` was interrupted", "");
}

// Of commands that are no part of a schedule.
bool belongs_to(Session::Extent extent, const syntax::Statement& statement, const syntax::Command& c) {
  switch (extent) {
    case Session::Extent::everything: return true;
    case Session::Extent::data: return fills_tensors(statement) || c.name.text == "run";
    case Session::Extent::declarations: break;
  }
  return false;
}

}  // namespace

Exit Session::exit_of(const text::Diagnostics& diagnostics, Exit stated) const {
  if (state_.cancel.requested()) return Exit::interrupted;
  return stated != Exit::success || !diagnostics.has_errors() ? stated : Exit::wrong_program;
}

Reply Session::reply_for(const syntax::Statement& statement) const {
  Reply reply;
  const auto* c = statement.as<syntax::Command>();
  // Schedule commands belong to the program: like declarations they answer only when something is wrong.
  reply.command = c && !lang::schedule_command(*c) ? c->name.text : "statement";
  reply.line = statement->span.known() ? state_.sources.begin(statement->span).line : 0;
  return reply;
}

// A size that data brought along cannot be declared differently afterwards: the data would not fit any more.
void Session::keep_size(const syntax::Name& name, text::Diagnostics& diagnostics) {
  const auto bound = state_.data.sizes().find(name.text);
  if (bound == state_.data.sizes().end()) return;
  const lang::Program* program = state_.program(diagnostics);
  const lang::ParameterInfo* declared = program ? program->parameter(name.text) : nullptr;
  if (!declared || !declared->value || declared->value->as_double() == bound->second.as_double()) return;
  diagnostics
      .error("E0616", name.span,
             name.text + " is " + format::to_string(bound->second) + " already: data of that size is in memory", "")
      .notes.push_back({{}, "declare it before the data is loaded"});
  state_.declarations.withdraw();
}

Reply Session::execute(const syntax::Statement& statement) {
  const std::uint64_t version = state_.version();
  Content before = state_.content();
  Reply reply = cancellable(statement, before, [&] { return carry_out(statement); });
  const std::string written = this->written(statement);
  reply.learning = learn(state_, written, reply.ok());
  const bool travels = reply.command == "undo" || reply.command == "redo";
  const CommandInfo* command = find_command(reply.command);
  const bool looks = command && command->effect == CommandInfo::Effect::looks;
  const bool ended_early = reply.exit == Exit::interrupted || reply.exit == Exit::fault;
  const bool changed = state_.version() != version && !ended_early;  // what was put back is another version, too
  if (changed && makes_tensors(statement)) state_.acted(statement);
  if (changed && !travels && !looks) {
    state_.history->changed(written, std::move(before), state_.memory_limit() / 4);
    if (steps_) ++*steps_;
  }
  if (travels) steps_.reset();
  return reply;
}

Reply Session::carry_out(const syntax::Statement& statement) {
  Reply reply = reply_for(statement);
  const auto* c = statement.as<syntax::Command>();
  fail_if_asked(reply.command);
  if (!c) {
    const bool replaced = state_.add(statement);
    if (replaced) announce_replacement(statement, reply.diagnostics);
    if (replaced) fill_again(state_, statement->span, reply.diagnostics);
    if (const auto* p = statement.as<syntax::ParamDecl>()) keep_size(p->name, reply.diagnostics);
    reply.exit = exit_of(reply.diagnostics, Exit::success);
    return reply;
  }
  const CommandInfo* info = find_command(c->name.text);
  if (lang::schedule_command(*c)) {
    // Schedule commands are part of the program: the resolver reads and judges them.
    state_.add(statement);
  } else if (!info || !info->handler) {
    refuse_unknown(*c, reply.diagnostics);
  } else {
    const auto implied = implied_declaration(state_, statement);
    if (implied) state_.add(implied->declaration);
    Words words(implied ? implied->filling : *c, statement->span, reply.diagnostics);
    CommandResult result = info->handler(state_, words);
    if (auto* loaded = std::get_if<Loaded>(&result.result); loaded && implied)
      loaded->declared = lang::to_string(implied->declaration);
    else if (implied) state_.declarations.withdraw();
    const auto* listed = std::get_if<OrdersListed>(&result.result);
    if (state_.cancel.requested() && !(listed && listed->stopped))
      say_interrupted(c->name.text, statement->span, reply.diagnostics);
    reply.result = std::move(result.result);
    reply.exit = result.exit;
  }
  reply.exit = exit_of(reply.diagnostics, reply.exit);
  return reply;
}

Reply Session::cancellable(const syntax::Statement& statement, const Content& before,
                           const std::function<Reply()>& work) {
  const std::uint64_t version = state_.version();
  const double seconds = state_.options.limits.seconds;
  const text::Deadline limit(state_.cancel, seconds);
  std::optional<Fault> fault;
  try {
    const text::CancelScope scope(state_.cancel);
    Reply done;
    fault = contained([&] { done = work(); });
    if (!fault && !limit.passed()) return done;
    state_.restore(before);
  } catch (const text::Cancelled&) {
    if (state_.version() != version) state_.restore(before);
  }
  Reply reply = reply_for(statement);
  const auto* c = statement.as<syntax::Command>();
  const std::string what = c ? c->name.text : "the program";
  if (fault) report_fault(*fault, state_, {what, written(statement), statement->span}, reply.diagnostics);
  else if (limit.passed()) report_late(what, seconds, statement->span, reply.diagnostics);
  else say_interrupted(what, statement->span, reply.diagnostics);
  reply.exit = fault ? Exit::fault : limit.passed() ? Exit::kernel_failed : Exit::interrupted;
  if (limit.passed()) state_.cancel.clear();  // nobody else has wished for the end
  return reply;
}

std::string Session::written(const syntax::Statement& statement) const {
  return statement->span.known() ? std::string(state_.sources.slice(statement->span)) : lang::to_string(statement);
}

Reply Session::refusal(Exit exit, text::Diagnostics diagnostics) const {
  Reply reply;
  reply.command = "statement";
  reply.exit = exit;
  for (const text::Diagnostic& d : diagnostics.all())
    if (d.span.known()) {
      reply.line = state_.sources.begin(d.span).line;
      break;
    }
  reply.diagnostics = std::move(diagnostics);
  return reply;
}

Exit Session::run_everything(const std::function<void(const Reply&)>& on_reply, const Fed& fed) {
  const auto end = static_cast<std::uint32_t>(state_.sources.content(fed.source).size());
  const text::Span at{fed.source, end, end};
  text::Diagnostics ignored;
  Reply reply = execute(run_all(at));
  on_reply(reply);
  if (!reply.ok() || fed.shows) return reply.exit;
  const lang::Program* program = state_.program(ignored);
  std::vector<std::string> results;
  for (const lang::Kernel& kernel : program->kernels)
    for (const std::string& name : kernel.results())
      if (std::ranges::find(results, name) == results.end()) results.push_back(name);
  for (const std::string& name : results) {
    reply = execute(print(name, at));
    if (auto* printed = std::get_if<Printed>(&reply.result)) printed->extent = Printed::Extent::summary;
    on_reply(reply);
    if (!reply.ok()) return reply.exit;
  }
  return Exit::success;
}

Session::Fed Session::feed(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply) {
  return feed(std::move(name), std::move(content), Extent::everything, on_reply);
}

Session::Fed Session::feed(std::string name, std::string content, Extent extent,
                           const std::function<void(const Reply&)>& on_reply) {
  const int source = state_.sources.add(std::move(name), std::move(content));
  text::Diagnostics diagnostics;
  syntax::File file;
  if (const Exit exit = read(source, file, diagnostics); exit != Exit::success) {
    for (const text::Diagnostic& d : diagnostics.all())
      if (!d.fixes.empty()) state_.offer = {d.fixes, "", {}, d.span};
    on_reply(refusal(exit, first_errors(state_.replaces ? with_advice(diagnostics, file) : diagnostics)));
    return {exit, source};
  }
  Fed fed{Exit::success, source};
  for (const syntax::Statement& statement : in_order(file)) {
    const auto* c = statement.as<syntax::Command>();
    fed.runs |= c && c->name.text == "run";
    if (c && !lang::schedule_command(*c) && !belongs_to(extent, statement, *c)) {
      if (const auto implied = implied_declaration(state_, statement)) state_.add(implied->declaration);
      continue;
    }
    fed.defines |= computes(statement);
    const Reply reply = execute(statement);
    fed.shows |= shows_something(reply.result);
    if (reply.command != "statement" || !reply.diagnostics.empty() || reply.learning) on_reply(reply);
    if (extent == Extent::data && c && c->name.text == "run") continue;
    fed.exit = reply.exit;
    fed.leaves = std::holds_alternative<Left>(reply.result);
    if (!reply.ok() || fed.leaves) break;
  }
  return fed;
}

Exit Session::read(int source, syntax::File& file, text::Diagnostics& diagnostics) {
  Exit exit = Exit::success;
  const auto fault = contained([&] {
    file = read_values(state_, splice_sources(state_.sources, lang::parse(state_.sources, source, diagnostics),
                                              state_.options.folder, diagnostics));
    exit = refuse(state_, file, diagnostics);
  });
  if (!fault) return exit;
  const std::string text(state_.sources.content(source));
  diagnostics = {};
  report_fault(*fault, state_,
               {"reading", text, {source, 0, static_cast<std::uint32_t>(std::min<std::size_t>(text.size(), 1))}},
               diagnostics);
  return Exit::fault;
}

Session::Fed Session::enter(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply) {
  state_.cancel.clear();
  return answer(std::move(name), std::move(content), on_reply);
}

Session::Fed Session::answer(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply) {
  state_.replaces = true;
  content = amended(std::move(content), last_equation_);
  if (auto equation = equation_at_end(content)) last_equation_ = std::move(*equation);
  const bool was_right = state_.is_right();
  const Content before = state_.content();
  steps_ = 0;
  const Fed fed = feed(std::move(name), std::move(content), on_reply);
  if (fed.exit != Exit::success && was_right && steps_ && !state_.is_right()) take_back(before, fed.source, on_reply);
  state_.replaces = false;
  // What the compiler understood is worth saying now, not when something runs.
  Reply reply;
  reply.command = "statement";
  const auto fault = contained([&] {
    if (fed.exit == Exit::success) state_.program(reply.diagnostics);
  });
  if (fault) {
    reply.exit = Exit::fault;
    report_fault(*fault, state_, {"the program", "", {}}, reply.diagnostics);
  }
  if (!reply.diagnostics.empty()) on_reply(reply);
  return fed;
}

// The entry is right as a whole, and ended where it was not yet: whatever is entered next would be refused.
void Session::take_back(const Content& before, int source, const std::function<void(const Reply&)>& on_reply) {
  state_.restore(before);
  state_.history->forget_last(*steps_);
  Reply reply;
  reply.command = "statement";
  reply.exit = Exit::wrong_program;
  reply.diagnostics
      .error("E0659", {source, 0, 0}, "nothing of this entry is kept: it ended where its program was not right yet", "")
      .notes.push_back({{}, "what it uses has to stand before what fills tensors, sets sizes or runs"});
  on_reply(reply);
}

Exit Session::run_text(std::string name, std::string content, const std::function<void(const Reply&)>& on_reply) {
  const Fed fed = feed(std::move(name), std::move(content), on_reply);
  const bool done = fed.exit != Exit::success || !fed.defines || fed.runs || fed.leaves || state_.runs.any();
  return done ? fed.exit : run_everything(on_reply, fed);
}

}  // namespace trellis::session
