// Steps of what is replayed. Whoever steps with a button or a key has done what a lesson asks to be typed.
#include <algorithm>
#include <charconv>

#include "gui/app.hpp"
#include "gui/carry_out.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui {
namespace {

std::string replay_of(const std::string& pane) {
  const View* view = find_view(pane);
  return view ? view->replay : "";
}

std::string replay_meant(const App& app, const Said& said) {
  return said.rest.empty() ? active_replay(app.panes) : said.rest;
}

void hear_replay(App& app, const std::string& replay, const std::string& what) {
  if (replay != "execution") app.lessons.hear((replay == "placement" ? "place " : "lattice ") + what, true);
  else if (what != "run") app.lessons.hear(what, true);
}

void go_to_event(App& app, bool forth) {
  const std::string replay = active_replay(app.panes);
  app.replays.playing = false;
  app.replays.go_to_event(replay, forth);
  if (replay == "execution") app.lessons.hear(forth ? "next violation" : "last violation", true);
}

}  // namespace

std::string active_replay(const Panes& panes) {
  if (const std::string own = replay_of(panes.active()); !own.empty()) return own;
  for (const std::string& pane : panes.visible())
    if (const std::string one = replay_of(pane); !one.empty()) return one;
  return "execution";
}

namespace doing {

void step(App& app, const Said& said) {
  const std::string replay = replay_meant(app, said);
  app.replays.step(replay, 1);
  hear_replay(app, replay, "step");
}

void back(App& app, const Said& said) {
  const std::string replay = replay_meant(app, said);
  app.replays.step(replay, -1);
  hear_replay(app, replay, "back");
}

void first(App& app, const Said& said) { app.replays.go_to(replay_meant(app, said), 0); }

void last(App& app, const Said& said) {
  const std::string replay = replay_meant(app, said);
  app.replays.go_to_end(replay);
  hear_replay(app, replay, "run");
}

void go_to(App& app, const Said& said) {
  const auto [replay, number] = split_word(said.rest);
  std::size_t step = 0;
  std::from_chars(number.data(), number.data() + number.size(), step);
  app.replays.go_to(replay, step);
}

void next_event(App& app, const Said&) { go_to_event(app, true); }
void last_event(App& app, const Said&) { go_to_event(app, false); }

void instance(App& app, const Said&) { app.replays.go_to("execution", *app.replays.instance()); }
const char* no_instance(App& app) { return app.replays.instance() ? nullptr : ""; }

void play(App& app, const Said& said) {
  const std::string replay = replay_meant(app, said);
  // The keys go to a pane that replays what is played.
  const auto replays = [&](const std::string& pane) { return find_view(pane) && replay == replay_of(pane); };
  const auto& visible = app.panes.visible();
  if (!replays(app.panes.active()))
    if (const auto pane = std::ranges::find_if(visible, replays); pane != visible.end()) app.panes.focus(*pane);
  app.replays.playing = !app.replays.playing;
  if (app.replays.playing && app.replays.at_end(replay)) app.replays.go_to(replay, 0);
}

// It plays from the beginning, up to the first read that comes too early.
void poisoned(App& app, const Said& said) {
  app.replays.poisoned = !app.replays.poisoned;
  app.replays.playing = false;
  if (!app.replays.poisoned) return;
  app.replays.go_to("execution", 0);
  play(app, {said.whole, "execution"});
}

void predict(App& app, const Said&) { app.replays.predict = !app.replays.predict; }

}  // namespace doing
}  // namespace trellis::gui
