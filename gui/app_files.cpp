// What is written to disk and read from it: programs, autosaves, exports; and what is asked before something is lost.
#include <algorithm>
#include <filesystem>

#include "engine/session/program/files.hpp"
#include "gui/app.hpp"
#include "gui/export.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui {

void App::open_overlay(std::string name) {
  if (overlay_.empty()) field_before_ = ui_.text_field();
  overlay_ = std::move(name);
  overlay_drawn_.clear();
  ui_.focus_text(""), ui_.focus("");
}

void App::close_overlay() {
  if (overlay_.empty()) return;
  overlay_.clear();
  held_up_.clear();
  ui_.focus_text(std::exchange(field_before_, {}));
}

void App::note(const std::string& words, bool failed) { note_ = {words, failed, now_ + (failed ? 8 : 4)}; }

// False: it is no such command.
bool App::carry_out_file(const std::string& what, const std::string& rest) {
  const std::string whole = what + (rest.empty() ? "" : " " + rest);
  if (what == "save") {
    const std::string path = rest == "as" ? "" : rest.empty() ? document().path() : with_home(unquoted(rest));
    if (path.empty()) open_overlay("save");
    else save(path);
  } else if (what == "open" && !rest.empty()) {
    if (!asks_first(whole) && open(with_home(unquoted(rest)))) close_overlay();
  } else if (what == "new") {
    if (asks_first(whole)) return true;
    document().open("", "");
    close_overlay();
  } else if (what == "quit") {
    if (!asks_first(whole)) leaving_ = true;
  } else if (what == "drop") {
    document().saved(document().path());
    go_on();
  } else if (what == "stay") {
    close_overlay();
  } else if (what == "recover") {
    recover(rest != "drop");
  } else if (what == "reload") {
    reload();
  } else if (what == "export" && !rest.empty()) {
    export_view(rest);
  } else {
    return false;
  }
  return true;
}

// True: what is open has changes; the command waits for an answer.
bool App::asks_first(const std::string& command) {
  if (!document().modified() || document().editor().text().find_first_not_of(" \n") == std::string::npos) return false;
  open_overlay("unsaved");
  held_up_ = command;
  return true;
}

void App::go_on() {
  const std::string command = std::exchange(held_up_, {});
  close_overlay();
  if (!command.empty()) carry_out("window " + command);
}

void App::save(const std::string& path) {
  const std::string command = "window save " + in_quotes(path);
  if (const std::string problem = write_text(path, document().editor().text()); !problem.empty()) {
    note(problem, true);
    return console_.say(command, problem, true);
  }
  document().saved(path);
  remember(path);
  file_time_.reset();
  keep_unsaved();
  console_.say(command, "");
  note("saved " + path);
  go_on();
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
  std::string problem;
  if (session::read_text(document().path(), problem) == document().editor().text()) return;
  if (document().modified())
    return console_.say("window reload",
                        "the file has changed; `window reload` takes it, and drops what was typed here");
  reload();
}

// One change, which can be undone.
void App::reload() {
  std::string problem;
  const auto text = session::read_text(document().path(), problem);
  if (!text) return console_.say("window reload", "cannot read " + document().path() + ": " + problem, true);
  document().editor().replace_all(*text);
  document().saved(document().path());
}

void App::remember(const std::string& path) {
  const std::string absolute = std::filesystem::absolute(path).lexically_normal().string();
  std::erase(settings_.recent, absolute);
  settings_.recent.insert(settings_.recent.begin(), absolute);
  if (settings_.recent.size() > 12) settings_.recent.resize(12);
}

void App::keep_unsaved() {
  kept_at_ = now_;
  kept_revision_ = a_->editor().revision();
  if (a_->modified()) autosave(start_.state_folder, {a_->path(), a_->editor().text()});
  else drop_autosave(start_.state_folder);
}

void App::recover(bool take) {
  const auto left = std::exchange(left_, {});
  if (!left) return;
  std::error_code ignored;
  close_overlay();
  if (take) {
    a_->recover(left->path, left->text);
    keep_unsaved();  // before the file that it comes from goes
    console_.say("window recover", "");
  }
  std::filesystem::remove(left->file, ignored);
}

// `png "x.png" [PANE] [2]`, and the same for svg, dot, json, text, tr, report, c.
void App::export_view(const std::string& words) {
  const auto [kind, behind] = split_word(words);
  const auto [name, last] = split_word(behind);
  const ExportKind* known = find_export(kind);
  if (!known) return console_.say("window export " + words, "exports: png svg dot json text tr report c", true);
  if (name.empty()) return open_overlay("export " + kind);
  auto [pane, scale] = split_word(last);
  if (pane.size() == 1 && pane[0] >= '1' && pane[0] <= '4') scale = std::exchange(pane, {});
  if (pane.empty()) pane = active_pane_;
  const std::string path = std::filesystem::absolute(with_home(name)).lexically_normal().string();
  settings_.folder = std::filesystem::path(path).parent_path().string();
  const View* view = pane == "window" ? nullptr : find_view(pane);
  const Scene shown = scene(pane.ends_with(":B") ? 'B' : 'A');
  const std::string kernel = shown.kernel ? shown.kernel->name : "";
  console_.say("window export " + words, "");
  if (kind == "png" || kind == "svg") {
    pictures_.push_back({kind == "png" ? Picture::Kind::png : Picture::Kind::svg, path, pane == "window" ? "" : pane,
                         scale.empty() ? 1.F : static_cast<float>(scale[0] - '0')});
    return;
  }
  if (kind == "tr") {
    const std::string problem = write_text(path, document().editor().text());
    return note(problem.empty() ? "written " + path : problem, !problem.empty());
  }
  const std::string command = export_command(*known, view, kernel, path);
  if (command.empty()) return note("this pane has no " + kind, true);
  const std::uint64_t request = document().enter(command);
  if (kind == "text") texts_asked_[request] = path;
  else exports_asked_[request] = path;
}

// What the session wrote, or what a pane says in words.
void App::hear_of_files(const session::Answer& answer) {
  const bool well = answer.exit == session::Exit::success;
  if (const auto asked = texts_asked_.find(answer.version); asked != texts_asked_.end()) {
    const std::string problem =
        well ? write_text(asked->second, answer.output) : "nothing to write: " + answer.messages;
    note(problem.empty() ? "written " + asked->second : problem, !problem.empty());
    texts_asked_.erase(asked);
  }
  if (const auto asked = exports_asked_.find(answer.version); asked != exports_asked_.end()) {
    note(well ? "written " + asked->second : answer.messages, !well);
    exports_asked_.erase(asked);
  }
}

}  // namespace trellis::gui
