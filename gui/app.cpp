#include "gui/app.hpp"

#include <algorithm>

#include "engine/session/program/documents.hpp"
#include "engine/session/program/files.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui {

App::App(Start start) : start_(std::move(start)), settings_(load_settings(start_.state_folder)) {
  a_ = std::make_unique<Document>(start_.options, start_.wake);
  for (const Preset& preset : presets()) {
    const auto kept = settings_.layouts.find(preset.name);
    layouts_[preset.name] = kept == settings_.layouts.end() ? preset.layout : kept->second;
  }
  if (!layouts_.contains(settings_.preset)) settings_.preset = "illegal";
  left_ = left_behind(start_.state_folder);
  if (left_) open_overlay("recover");
}

App::~App() { keep(); }

void App::keep() {
  settings_.layouts.clear();
  for (const Preset& preset : presets())
    if (layouts_[preset.name] != preset.layout) settings_.layouts[preset.name] = layouts_[preset.name];
  save_settings(settings_, start_.state_folder);
  keep_unsaved();
}

bool App::open(const std::string& path) {
  const auto example = std::ranges::find(session::example_programs, path, &session::Example::name);
  if (example != session::example_programs.end()) {
    a_->open("", std::string(example->text), path + ".tr");
  } else {
    std::string problem;
    auto text = session::read_text(path, problem);
    if (!text) {
      console_.say("window open " + in_quotes(path), "cannot read " + path + ": " + problem, true);
      return false;
    }
    a_->open(path, std::move(*text));
    remember(path);
  }
  kernel_.clear();
  pins_.clear();
  steps_ = {}, steps_b_ = {};
  return true;
}

std::string App::title() const { return a_->name() + (a_->modified() ? " •" : "") + " – Trellis"; }

bool App::idle() const { return a_->idle() && (!b_ || b_->idle()) && replay_waiting_.empty(); }

Scene App::scene(char side) {
  Document& of = document(side);
  Scene scene;
  scene.snapshot = of.shared_snapshot();
  scene.steps = steps(side);
  scene.side = side;
  const session::Snapshot& snapshot = *scene.snapshot;
  if (!snapshot.kernels.empty()) {
    scene.kernel = snapshot.kernel(kernel_);
    if (!scene.kernel) {
      scene.kernel = snapshot.kernel("main");
      if (!scene.kernel) scene.kernel = &snapshot.kernels.front();
    }
  }
  scene.selection = snapshot.selection;
  scene.selection.pins = pins_;
  scene.messages = &snapshot.messages;
  scene.stale = of.behind_since() && now_ - *of.behind_since() > 0.15;
  scene.predict = predict_;
  scene.poisoned = poisoned_;
  scene.editor = &of.editor();
  scene.console = &console_;
  scene.settings = &settings_;
  scene.lessons = &lessons_;
  scene.preview = of.previewed();
  scene.complete = [&of](const std::string& text) {
    of.complete(text);
    return of.completion(text);
  };
  scene.busy = of.busy();
  scene.progress = of.progress();
  scene.other = side == 'A' && b_ ? b_->shared_snapshot() : side == 'B' ? a_->shared_snapshot() : nullptr;
  scene.stepped_side = stepped_side();
  scene.counterparts = side == 'A' ? counterparts_ : counterparts_b_;
  scene.other_at = steps(side == 'A' ? 'B' : 'A').execution;
  scene.playing = playing_;
  scene.passes = passes_;
  scene.replies = &replies_;
  scene.indices = indices_of(scene.explained());
  return scene;
}

void App::update() {
  a_->update(now_);
  if (b_) b_->update(now_);
  for (const session::Answer& answer : a_->take_answers()) {
    if (answer.version == replay_request_) replay_request_ = 0;
    console_.answered(answer);
    hear(answer);
  }
  tell_of_edit();
  follow_replays();
  follow_selection();
  play();
  watch_file();
  // Often enough that little is lost, however the program ends; not with every letter.
  if (now_ - kept_at_ > 2 && kept_revision_ != a_->editor().revision()) keep_unsaved();
}

void App::carry_out_all() {
  for (const std::string& command : ui_.take_commands()) carry_out(command);
}

}  // namespace trellis::gui
