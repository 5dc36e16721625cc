// A program that follows a text as it is edited: what the text no longer makes goes, everything else stays.

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/lang/parse.hpp"
#include "engine/lang/schedule_commands.hpp"
#include "engine/session/program/files.hpp"
#include "engine/session/program/refuse.hpp"
#include "engine/session/session.hpp"

namespace trellis::session {

namespace syntax = lang::syntax;

namespace {

bool declares(const syntax::Statement& statement) {
  const auto* c = statement.as<syntax::Command>();
  return !c || lang::schedule_command(*c);
}

/// Of a command that fills one; "" when it names none.
std::string filled_tensor(const syntax::Statement& filler) {
  const auto& words = filler.as<syntax::Command>()->words;
  return words.empty() ? "" : words.front().text;
}

/// What fills tensors, wherever it stands: of each tensor the last command.
std::vector<syntax::Statement> fillers_of(const syntax::File& file) {
  std::vector<syntax::Statement> all;
  const auto add = [&](const syntax::Statement& statement) {
    if (!fills_tensors(statement)) return;
    std::erase_if(all, [&](const syntax::Statement& one) { return filled_tensor(one) == filled_tensor(statement); });
    all.push_back(statement);
  };
  for (const syntax::Statement& statement : file.statements) {
    add(statement);
    if (const auto* kernel = statement.as<syntax::Kernel>()) std::ranges::for_each(kernel->statements, add);
  }
  return all;
}

std::string replayed(const State& state, const syntax::Statement& filler) {
  return lang::to_string(replayable(state.sources, filler));
}

Fills fills_by(const State& state, const std::vector<syntax::Statement>& fillers) {
  Fills fills;
  for (const syntax::Statement& filler : fillers) fills[filled_tensor(filler)] = replayed(state, filler);
  return fills;
}

}  // namespace

Session::Revised Session::revise(const std::string& name, std::string content) {
  Revised revised;
  if (!edited_ || edited_->name() != name) edited_.emplace(name);
  try {
    const text::CancelScope scope(state_.cancel);
    const auto read =
        edited_->read(state_.sources, std::move(content), state_.declarations.file(), revised.diagnostics);
    revised.source = edited_->source();
    if (!read) return revised;
    const syntax::File whole = splice_sources(state_.sources, *read, state_.options.folder, revised.diagnostics);
    refuse_commands(whole, revised.diagnostics);
    syntax::File declared;
    std::ranges::copy_if(whole.statements, std::back_inserter(declared.statements), declares);
    if (revised.diagnostics.has_errors() || !state_.become(std::move(declared), revised.diagnostics)) return revised;
    const Fills before = std::exchange(fills_, {});
    fillers_ = fillers_of(whole);
    fills_ = fills_by(state_, fillers_);
    keep_what_stands(state_, before, fills_);
    revised.accepted = true;
  } catch (const text::Cancelled&) { revised.exit = Exit::interrupted; }
  return revised;
}

bool Session::refill(const std::function<void(const Reply&)>& on_reply) {
  bool whole = true;
  for (const syntax::Statement& filler : fillers_) {
    if (filled_by(state_, filled_tensor(filler), replayed(state_, filler))) continue;
    const Reply reply = cancellable(filler, state_.content(), [&] { return carry_out(filler); });
    if (reply.ok()) state_.acted(filler);
    else whole = false;
    on_reply(reply);
    if (reply.exit == Exit::interrupted) break;
  }
  return whole;
}

}  // namespace trellis::session
