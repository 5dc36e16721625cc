// Chords of the window, the focus that walks through a pane, and the way back to what was looked at.
#include <algorithm>

#include "gui/app.hpp"
#include "gui/words.hpp"

namespace trellis::gui {
namespace {

constexpr std::size_t most_places = 100;

bool is_modified(const std::string& chord) {
  return chord.starts_with("Ctrl+") || chord.starts_with("Alt+") || (chord[0] == 'F' && chord.size() > 1) ||
         chord == "Escape";
}

/// One step further, as in playing, is no other place.
bool is_near(const Steps& a, const Steps& b) {
  const auto near = [](std::size_t x, std::size_t y) { return (x > y ? x - y : y - x) <= 1; };
  return near(a.execution, b.execution) && near(a.placement, b.placement) && near(a.lattice, b.lattice);
}

}  // namespace

void App::take_keys() {
  const bool typing = !ui_.text_field().empty();
  if (!overlay_.empty()) {
    if (ui_.key("Escape", true)) carry_out_window("let go");
    if (!typing) ui_.walk_focus("overlay");
    return;
  }
  if (!typing) ui_.walk_focus(active_pane_);
  for (const Action& action : actions()) {
    const std::string chord = chord_of(action, settings_);
    if (chord.empty()) continue;
    if (typing && !is_modified(chord) && chord != "Tab") continue;
    if (typing && (chord == "Tab" || chord == "Ctrl+Z" || chord == "Ctrl+Y" || chord == "Ctrl+C"))
      continue;  // the field's own
    if (ui_.key(chord, true)) ui_.act(action.command);
  }
  for (std::size_t i = 0; i < std::min<std::size_t>(9, visible_panes_.size()); ++i)
    if (ui_.key("Ctrl+" + std::to_string(i + 1), true)) activate(visible_panes_[i]);
}

// At the end of each frame.
void App::visit() {
  const Place now = place();
  if (places_.empty()) {
    places_.push_back(now);
    return;
  }
  Place& last = places_[at_place_];
  if (last == now) return;
  const bool same = last.pane == now.pane && last.kernel == now.kernel && last.pins == now.pins;
  if (same && (playing_ || is_near(last.steps, now.steps))) {
    last = now;
    return;
  }
  places_.resize(at_place_ + 1);
  places_.push_back(now);
  if (places_.size() > most_places) places_.erase(places_.begin());
  at_place_ = places_.size() - 1;
}

void App::navigate(bool forth) {
  if (forth ? at_place_ + 1 >= places_.size() : at_place_ == 0)
    return note(forth ? "nothing was looked at after this" : "nothing was looked at before this");
  const Place to = places_[forth ? ++at_place_ : --at_place_];
  playing_ = false;
  kernel_ = to.kernel;
  pins_ = to.pins;
  if (!to.pane.empty()) {
    gui::show(layout(), to.pane);
    activate(to.pane);
  }
  go_to("execution", to.steps.execution, 'A');
  go_to("placement", to.steps.placement), go_to("lattice", to.steps.lattice);
  places_[at_place_] = place();
}

// `bind "next pane" Ctrl+N`, `bind "next pane"` for the usual chord, `bind` for all of them.
void App::bind(const std::string& words) {
  const std::string whole = "window bind " + words;
  const auto [name, wanted] = split_word(words);
  if (name.empty()) return settings_.keys.clear();
  const auto action = std::ranges::find(actions(), name, [](const Action& one) { return std::string(one.id); });
  if (action == actions().end()) return console_.say(whole, "there is no action " + name, true);
  const std::string chord = wanted == "none" ? "" : wanted.empty() ? action->chord : chord_from(wanted);
  if (chord.empty() && !wanted.empty() && wanted != "none") return console_.say(whole, "no such key: " + wanted, true);
  // A chord does one thing: who had it has none.
  for (const Action& other : actions())
    if (&other != &*action && !chord.empty() && chord_of(other, settings_) == chord) {
      settings_.keys[other.id] = "";
      note(chord + " was “" + other.title + "”, which has no key now");
    }
  if (chord == action->chord) settings_.keys.erase(action->id);
  else settings_.keys[action->id] = chord;
  console_.say(whole, "");
}

}  // namespace trellis::gui
