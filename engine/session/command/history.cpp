// snapshot, restore, undo, redo, history, reset, source, quit.
#include <algorithm>

#include "engine/session/command/commands.hpp"
#include "engine/session/state/history.hpp"

namespace trellis::session {
namespace {

// `undo` and `redo` take a number of steps.
template <class Take>
CommandResult go(State& state, Words& words, const char* nothing, const Take& take) {
  std::int64_t steps = 1;
  if (!words.at_end()) {
    const auto number = words.integer("a number of steps");
    if (!number || !words.finish()) return {};
    steps = *number;
  }
  Travelled travelled{words.command(), "", {}};
  for (std::int64_t k = 0; k < steps; ++k) {
    auto step = take();
    if (!step) break;
    state.restore(std::move(step->other));
    travelled.statements.push_back(std::move(step->statement));
  }
  if (travelled.statements.empty()) {
    words.diagnostics()
        .error("E0621", words.whole(), nothing, "")
        .notes.push_back({{}, "`history` lists what was done"});
    return {};
  }
  return {std::move(travelled)};
}

}  // namespace

CommandResult undo(State& state, Words& words) {
  return go(state, words, "there is nothing to undo", [&] { return state.history->undo(state.content()); });
}

CommandResult redo(State& state, Words& words) {
  return go(state, words, "there is nothing to redo", [&] { return state.history->redo(state.content()); });
}

CommandResult snapshot(State& state, Words& words) {
  const auto name = words.name("a name for the snapshot");
  if (!name || !words.finish()) return {};
  state.history->snapshots[name->text] = state.content();
  return {Travelled{"snapshot", name->text, {}}};
}

const Content* find_snapshot(const State& state, const lang::syntax::Name& name, text::Diagnostics& diagnostics) {
  const auto& all = state.history->snapshots;
  if (const auto found = all.find(name.text); found != all.end()) return &found->second;
  std::vector<std::string> names;
  for (const auto& [known, content] : all) names.push_back(known);
  text::Diagnostic& d = diagnostics.error("E0620", name.span, "there is no snapshot `" + name.text + "`", "");
  std::string list;
  for (const std::string& known : names) list += (list.empty() ? "" : ", ") + known;
  const std::string near = text::did_you_mean(name.text, names);
  d.notes.push_back({{},
                     !near.empty()  ? "did you mean `" + near + "`?"
                     : list.empty() ? "`snapshot NAME` keeps the present state"
                                    : "the snapshots are: " + list});
  return nullptr;
}

CommandResult restore(State& state, Words& words) {
  const auto name = words.name("the name of a snapshot");
  if (!name || !words.finish()) return {};
  const Content* content = find_snapshot(state, *name, words.diagnostics());
  if (!content) return {};
  state.restore(*content);
  return {Travelled{"restore", name->text, {}}};
}

CommandResult reset(State& state, Words& words) {
  if (!words.finish()) return {};
  Content empty;
  empty.orders = state.options.orders;
  state.restore(std::move(empty));
  return {Travelled{"reset", "", {}}};
}

CommandResult history(State& state, Words& words) {
  if (!words.finish()) return {};
  HistoryListed listed;
  for (const History::Step& step : state.history->done()) listed.done.push_back(step.statement);
  for (const History::Step& step : state.history->undone()) listed.undone.push_back(step.statement);
  std::ranges::reverse(listed.undone);
  for (const auto& [name, content] : state.history->snapshots) listed.snapshots.push_back(name);
  return {std::move(listed)};
}

CommandResult source(State&, Words& words) {
  const auto name = words.string("a file name in quotes");
  if (!name || !words.finish()) return {};
  return {Sourced{name->text}};
}

CommandResult quit(State&, Words& words) {
  if (!words.finish()) return {};
  return {Left{}};
}

CommandResult clear(State&, Words& words) {
  if (!words.finish()) return {};
  return {Cleared{}};
}

}  // namespace trellis::session
