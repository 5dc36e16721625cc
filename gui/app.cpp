#include "gui/app.hpp"

#include "gui/carry_out.hpp"
#include "gui/program_edits.hpp"

namespace trellis::gui {

App::App(Start start)
    : settings(load_settings(start.state_folder)),
      sides(std::move(start.options), std::move(start.wake)),
      files(sides.document(), settings, console, start.state_folder),
      state_folder_(std::move(start.state_folder)) {
  kept_settings_ = settings;
  if (files.left()) modal.open("recover");
}

App::~App() { keep(); }

void App::keep() {
  panes.keep();
  save_settings(settings, state_folder_);
  files.keep_unsaved();
}

void App::keep_settings(double now) {
  if (now - settings_kept_at_ < 1) return;
  settings_kept_at_ = now;
  panes.keep();
  if (settings == kept_settings_) return;
  kept_settings_ = settings;
  save_settings(settings, state_folder_);
}

bool App::open(const std::string& path) {
  if (!files.open(path)) return false;
  lessons.leave();
  begin_anew();
  return true;
}

void App::begin_anew() {
  sides.end();
  selected = Selected(sides);
  replays.begin_anew();
  visited = {};
  replies.clear();
  ui.forget();
}

std::string App::title() {
  const Document& open = document();
  return open.name() + (open.modified() ? " •" : "") + " – Trellis";
}

Scene App::scene(char side) {
  Document& of = document(side);
  Scene scene;
  scene.snapshot = of.shared_snapshot();
  scene.kernel = selected.kernel(side);
  scene.steps = replays.steps(side);
  scene.side = side;
  scene.selection = scene.snapshot->selection;
  scene.selection.pins = selected.pins();
  scene.messages = &scene.snapshot->messages;
  if (scene.kernel) scene.verdict = session::verdict_of(*scene.snapshot, *scene.kernel);
  scene.stale = of.behind_since() && ui.input().now - *of.behind_since() > 0.15;
  scene.predict = replays.predict;
  scene.poisoned = replays.poisoned;
  scene.editor = &of.editor();
  scene.console = &console;
  scene.settings = &settings;
  scene.lessons = &lessons;
  scene.preview = of.previewed();
  scene.complete = [&of](const std::string& text) {
    of.complete(text);
    return of.completion(text);
  };
  if (scene.compiled())
    scene.machine_code = [&of, compiled = scene.kernel->compiled] { return of.machine_code(compiled); };
  scene.zoomed = [&of](const tensor::Tensor& matrix) { return of.zoomed_into(matrix); };
  scene.busy = of.busy();
  scene.progress = of.progress();
  scene.running_for = of.running_since() ? std::optional(ui.input().now - *of.running_since()) : std::nullopt;
  const char other = side == 'A' ? 'B' : 'A';
  if (other == 'A' || sides.on()) scene.other = document(other).shared_snapshot();
  scene.other_at = replays.steps(other).execution;
  scene.stepped_side = sides.leading();
  scene.counterparts = sides.counterparts(side);
  scene.playing = replays.playing;
  scene.passes = selected.passes;
  scene.replies = &replies;
  scene.indices = indices_of(scene.explained());
  return scene;
}

void App::prefer_explanation(const Scene& shown) {
  const bool illegal = shown.legal() == false;
  if (illegal && !was_illegal_) panes.prefer("explain");
  was_illegal_ = illegal;
}

void App::update() {
  const double now = ui.input().now;
  sides.update(now);
  for (const session::Answer& answer : document().take_answers()) {
    replays.answered(answer.version);
    console.answered(answer);
    if (document().holds(answer))
      for (const auto& reply : answer.replies) replies[reply->command] = reply;
    exports.hear(answer);
    hear_answer(lessons, console, answer);
  }
  const Scene shown = scene();
  tell_of_edit(shown);
  prefer_explanation(shown);
  replays.follow();
  if (replays.told())
    if (const auto stepped = selected.follow()) {
      replays.follow();  // of another kernel, from its beginning
      replays.set(stepped->replay, stepped->step);
    }
  replays.play(active_replay(panes), now);
  files.watch(now);
  keep_settings(now);
}

}  // namespace trellis::gui
