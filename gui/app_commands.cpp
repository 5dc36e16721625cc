// What commands do: those of the language go into the text or to the session, those of the window change the window.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "engine/lang/parse.hpp"
#include "engine/lang/statement_edit.hpp"
#include "engine/session/command/commands.hpp"
#include "gui/app.hpp"
#include "gui/bars.hpp"
#include "gui/overlay.hpp"
#include "gui/views/views.hpp"
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
  for (std::size_t k = 1; k < number && entry.find_first_of(";\n", begin) != std::string::npos; ++k) begin = entry.find_first_of(";\n", begin) + 1;
  return entry.substr(begin, entry.find_first_of(";\n", begin) - begin);
}

}  // namespace

std::string name_of(const text::NodeId& node) { return std::string(text::name_of(node.stage)) + ":" + std::to_string(node.id); }

std::optional<text::NodeId> node_named(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  text::NodeId node;
  const std::string_view digits = name.substr(colon + 1);
  if (std::from_chars(digits.data(), digits.data() + digits.size(), node.id).ec != std::errc{}) return std::nullopt;
  for (int stage = 0; stage <= static_cast<int>(text::Stage::c); ++stage)
    if (name.substr(0, colon) == text::name_of(static_cast<text::Stage>(stage))) {
      node.stage = static_cast<text::Stage>(stage);
      return node;
    }
  return std::nullopt;
}

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
  if (diagnostics.has_errors() || file.statements.empty() || !std::ranges::all_of(file.statements, belongs_in_text)) return false;
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
  const auto wrong = std::ranges::find(*shown.messages, text::Severity::error, [](const session::Message& m) { return m.diagnostic.severity; });
  const std::string before = entry.output.empty() ? "" : entry.output + "\n";
  if (wrong != shown.messages->end()) {
    entry.failed = true, entry.legal = false;
    entry.output = before + wrong->diagnostic.code + " " + wrong->diagnostic.message;
  } else if (shown.legal() == true && shown.explained()->certificate) {
    const place::Certificate& proof = *shown.explained()->certificate;
    entry.legal = true;
    entry.output = before + "proven " + proof.sizes + ": " + std::to_string(proof.dependences) + " dependences, " + std::to_string(proof.instances) + " fragments";
  }
}

void App::hear(const session::Answer& answer) {
  for (const auto& reply : answer.replies) replies_[reply->command] = reply;
  hear_of_files(answer);
  const auto entry = std::ranges::find(console_.entries, answer.version, &ConsoleEntry::version);
  if (entry != console_.entries.end())
    lessons_.hear(statement_of(entry->command, answer.replies.size()), answer.exit == session::Exit::success);
}

// A file that another program writes is read again, unless something here would be lost.
void App::watch_file() {
  if (now_ - watched_at_ < 0.5 || document().path().empty()) return;
  watched_at_ = now_;
  std::error_code missing;
  const auto written = std::filesystem::last_write_time(document().path(), missing);
  if (missing) return;
  const std::int64_t time = written.time_since_epoch().count();
  if (!file_time_) file_time_ = time;
  if (*file_time_ == time) return;
  file_time_ = time;
  std::ifstream in(document().path());
  std::ostringstream text;
  text << in.rdbuf();
  if (text.str() == document().editor().text()) return;
  if (document().modified()) return console_.say("window reload", "the file has changed; `window reload` takes it, and drops what was typed here");
  carry_out_window("reload");
}

void App::compare() {
  if (b_) {
    b_.reset();
    return console_.say("window compare", "side B is gone");
  }
  b_ = std::make_unique<Document>(start_.options, start_.wake);
  b_->open(a_->path(), a_->editor().text());
  steps_b_ = steps_;
  console_.say("window compare", "side B is this schedule; change side A");
}

/// The pane with most room besides the program: what has no place yet joins it.
std::string App::roomiest() const {
  std::string best;
  float most = 0;
  for (const auto& [pane, area] : areas_)
    if (pane != "program" && area.w * area.h > most) best = pane, most = area.w * area.h;
  return best;
}

void App::carry_out_window(const std::string& command) {
  const auto [what, rest] = split_word(command);
  const std::string whole = "window " + command;
  if (carry_out_file(what, rest)) return;
  if (what == "find") return open_find(rest);
  if (what == "pane") {
    gui::show(layout(), rest, roomiest());
    active_pane_ = rest;
    if (!find_view(rest)) console_.say(whole, "there is no such pane", true);
  } else if (what == "close") {
    const bool last = layout().kind == Layout::Kind::stack && layout().tabs.size() == 1;
    if (!last) hide(layout(), rest.empty() ? active_pane_ : rest);
  } else if (what == "dock") {
    const auto [pane, there] = split_word(rest);
    const auto [to, where] = split_word(there);
    const auto side = side_named(where);
    if (!side || !find(layout(), to)) return console_.say(whole, "window dock PANE PANE tab|left|right|above|below", true);
    move(layout(), pane, to, *side);
    activate(pane);
  } else if (what == "preset") {
    if (!layouts_.contains(rest)) return console_.say(whole, "presets: learn illegal lattice compare tune", true);
    settings_.preset = rest;
    if (rest == "compare" && !b_) compare();
  } else if (what == "reset") {
    for (const Preset& preset : presets())
      if (settings_.preset == preset.name) layout() = preset.layout;
  } else if (what == "kernel") {
    kernel_ = rest;
    if (b_ && b_->snapshot().kernel(rest) == nullptr) console_.say(whole, "side B has no such kernel", true);
  } else if (what == "theme") {
    const auto& all = themes();
    const auto now = std::ranges::find(all, settings_.theme, &Theme::name);
    if (rest == "next") settings_.theme = (now == all.end() || now + 1 == all.end() ? all.front() : *(now + 1)).name;
    else if (std::ranges::find(all, rest, &Theme::name) != all.end()) settings_.theme = rest;
    else return console_.say(whole, "themes: dark light contrast dark-safe light-safe", true);
  } else if (what == "scale") {
    float wanted = settings_.scale;
    if (rest == "up") wanted *= 1.1F;
    else if (rest == "down") wanted /= 1.1F;
    else std::from_chars(rest.data(), rest.data() + rest.size(), wanted);
    settings_.scale = std::clamp(wanted, 0.5F, 4.F);
  } else if (what == "motion") {
    settings_.reduced_motion = !settings_.reduced_motion;
  } else if (what == "backend") {
    settings_.backend = rest == "native" ? "native" : "jit";
  } else if (what == "pin") {
    const auto node = node_named(rest);
    if (!node) return;
    const bool was = std::ranges::find(pins_, *node) != pins_.end();
    pins_.clear();
    if (!was) pins_.push_back(*node);
    session::Selection selection = document().snapshot().selection;
    selection.pins = pins_;
    selection.node = *node;
    document().worker().select(selection);
  } else if (what == "preview") {
    const Scene shown = scene();
    const bool named = rest.empty() || !shown.kernel || shown.kernel->name == "main" || rest.find(':') != std::string::npos;
    document().preview(named ? rest : shown.kernel->name + ": " + rest);
  } else if (what == "select") {
    select(rest);
  } else if (what == "unpin") {
    pins_.clear();
  } else if (what == "let") {
    if (!overlay_.empty()) close_overlay();
    else if (!ui_.text_field().empty()) ui_.focus_text("");
    else if (document().busy() && document().progress()) document().cancel();
    else pins_.clear(), playing_ = false;
  } else if (what == "cancel") {
    document().cancel();
  } else if (what == "ask") {
    // What a pane wants to know is no action of the user's: it is not echoed.
    document().enter(rest);
  } else if (what == "undo" || what == "redo") {
    carry_out(what);
  } else if (what == "reload") {
    std::ifstream in(document().path());
    std::ostringstream text;
    text << in.rdbuf();
    document().editor().replace_all(text.str());
    document().saved(document().path());
  } else if (what == "next" && rest == "pane") {
    const auto now = std::ranges::find(visible_panes_, active_pane_);
    if (!visible_panes_.empty()) active_pane_ = now == visible_panes_.end() || now + 1 == visible_panes_.end() ? visible_panes_.front() : *(now + 1);
    ui_.focus(""), ui_.focus_text("");
  } else if (what == "last" && rest == "pane") {
    const auto now = std::ranges::find(visible_panes_, active_pane_);
    if (!visible_panes_.empty()) active_pane_ = now == visible_panes_.begin() ? visible_panes_.back() : *(now - 1);
    ui_.focus(""), ui_.focus_text("");
  } else if (what == "console") {
    gui::show(layout(), "console");
    active_pane_ = "console";
    ui_.focus_text("console/line");
  } else if (what == "step" || what == "back") {
    const std::string replay = rest.empty() ? active_replay() : rest;
    step(replay, what == "step" ? 1 : -1);
  } else if (what == "first" || (what == "last" && rest != "event")) {
    const std::string replay = rest.empty() ? active_replay() : rest;
    go_to(replay, what == "first" ? 0 : length_of(replay));
  } else if (what == "goto") {
    const auto [replay, number] = split_word(rest);
    std::size_t at = 0;
    std::from_chars(number.data(), number.data() + number.size(), at);
    go_to(replay, at);
  } else if (what == "next" || what == "last") {
    go_to_event(active_replay(), what == "next");
  } else if (what == "instance") {
    go_to_instance();
  } else if (what == "play") {
    playing_ = !playing_;
    if (!rest.empty() && find_view(active_pane_) && std::string_view(find_view(active_pane_)->replay) != rest)
      for (const std::string& pane : visible_panes_)
        if (find_view(pane) && rest == find_view(pane)->replay) active_pane_ = pane;
    const std::string replay = active_replay();
    if (playing_ && position(replay) >= length_of(replay)) go_to(replay, 0);
  } else if (what == "pass") {
    if (std::ranges::find(visible_panes_, "stages") == visible_panes_.end()) gui::show(layout(), "stages");
    else passes_ += rest == "back" ? -1 : 1;
  } else if (what == "poisoned") {
    poisoned_ = !poisoned_;
    if (poisoned_) go_to("execution", 0);
  } else if (what == "predict") {
    predict_ = !predict_;
  } else if (what == "compare") {
    compare();
  } else if (what == "navigate") {
    navigate(rest == "forth");
  } else if (what == "bind") {
    bind(rest);
  } else if (is_overlay(what)) {
    open_overlay(command);
  } else {
    console_.say(whole, "the window has no such command; `window keys` lists them", true);
  }
}

}  // namespace trellis::gui
