// Commands of the window, `window WHAT …`, by what they are about.
#include <algorithm>
#include <charconv>

#include "gui/app.hpp"
#include "gui/bars.hpp"
#include "gui/overlay.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui {

void App::carry_out_window(const std::string& command) {
  const auto [what, rest] = split_word(command);
  if (carry_out_file(what, rest) || carry_out_layout(what, rest) || carry_out_look(what, rest) ||
      carry_out_selection(what, rest) || carry_out_replay(what, rest))
    return;
  if (what == "find") open_find(rest);
  else if (what == "let") let_go();
  else if (what == "cancel") document().cancel();
  // What a pane wants to know is no action of the user's: it is not echoed.
  else if (what == "ask") document().enter(rest);
  else if (what == "undo" || what == "redo") carry_out(what);
  else if (what == "compare") compare();
  else if (what == "navigate") navigate(rest == "forth");
  else if (what == "bind") bind(rest);
  else if (is_overlay(what)) open_overlay(command);
  else console_.say("window " + command, "the window has no such command; `window keys` lists them", true);
}

// Where panes stand, and which has the keys. False: it is about something else.
bool App::carry_out_layout(const std::string& what, const std::string& rest) {
  if (what == "pane") {
    if (!find_view(rest)) return console_.say("window pane " + rest, "there is no such pane", true), true;
    gui::show(layout(), rest, roomiest());
    active_pane_ = rest;
  } else if (what == "close") {
    const bool last = layout().kind == Layout::Kind::stack && layout().tabs.size() == 1;
    if (!last) hide(layout(), rest.empty() ? active_pane_ : rest);
  } else if (what == "dock") {
    const auto [pane, there] = split_word(rest);
    const auto [to, where] = split_word(there);
    const auto side = side_named(where);
    if (!side || !find(layout(), to))
      return console_.say("window dock " + rest, "window dock PANE PANE tab|left|right|above|below", true), true;
    move(layout(), pane, to, *side);
    activate(pane);
  } else if (what == "preset") {
    if (!layouts_.contains(rest))
      return console_.say("window preset " + rest, "presets: learn illegal lattice compare tune", true), true;
    settings_.preset = rest;
    if (rest == "compare" && !b_) compare();
  } else if (what == "reset") {
    for (const Preset& preset : presets())
      if (settings_.preset == preset.name) layout() = preset.layout;
  } else if (what == "lead") {
    if (b_ && (rest == "A" || rest == "B")) step_side(rest[0]);
    else console_.say("window lead " + rest, "window lead A|B, while two sides are compared", true);
  } else if (what == "next" && rest == "pane" && b_ && (active_pane_ == "differs" || !twin_of(active_pane_).empty())) {
    step_side(stepped_side_ == 'A' ? 'B' : 'A');
  } else if ((what == "next" || what == "last") && rest == "pane") {
    pass_keys(what == "next" ? 1 : -1);
  } else if (what == "console") {
    gui::show(layout(), "console");
    active_pane_ = "console";
    ui_.focus_text("console/line");
  } else if (what == "pass") {
    if (std::ranges::find(visible_panes_, "stages") == visible_panes_.end()) gui::show(layout(), "stages");
    else passes_ += rest == "back" ? -1 : 1;
  } else {
    return false;
  }
  return true;
}

// How things look, and what is hidden. False: it is about something else.
bool App::carry_out_look(const std::string& what, const std::string& rest) {
  if (what == "theme") {
    const auto& all = themes();
    const auto now = std::ranges::find(all, settings_.theme, &Theme::name);
    if (rest == "next") settings_.theme = (now == all.end() || now + 1 == all.end() ? all.front() : *(now + 1)).name;
    else if (std::ranges::find(all, rest, &Theme::name) != all.end()) settings_.theme = rest;
    else console_.say("window theme " + rest, "themes: dark light contrast dark-safe light-safe", true);
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
  } else if (what == "predict") {
    predict_ = !predict_;
  } else {
    return false;
  }
  return true;
}

void App::let_go() {
  if (!overlay_.empty()) close_overlay();
  else if (!ui_.text_field().empty()) ui_.focus_text("");
  else if (document().busy() && document().progress()) document().cancel();
  else playing_ = false, pin({});
}

// To the next pane that is seen, or the one before.
void App::pass_keys(int by) {
  const auto count = static_cast<std::ptrdiff_t>(visible_panes_.size());
  if (count == 0) return;
  const std::ptrdiff_t now = std::ranges::find(visible_panes_, active_pane_) - visible_panes_.begin();
  activate(visible_panes_[static_cast<std::size_t>((now + by + count) % count)]);
  ui_.focus("");
}

std::string App::twin_of(const std::string& pane) const {
  const std::string twin = pane.ends_with(":B") ? pane.substr(0, pane.size() - 2) : pane + ":B";
  return std::ranges::find(visible_panes_, twin) == visible_panes_.end() ? "" : twin;
}

// The keys go to the same pane of that side, which the other follows from now on.
void App::step_side(char side) {
  const std::string twin = stepped_side_ == side ? "" : twin_of(active_pane_);
  stepped_side_ = side;
  if (!twin.empty()) activate(twin), ui_.focus("");
  note(std::string("side ") + side + " leads");
}

/// The pane with most room besides the program: what has no place yet joins it.
std::string App::roomiest() const {
  std::string best;
  float most = 0;
  for (const auto& [pane, area] : areas_)
    if (pane != "program" && area.w * area.h > most) best = pane, most = area.w * area.h;
  return best;
}

void App::compare() {
  if (b_) {
    b_.reset();
    counterparts_.reset(), counterparts_b_.reset();
    return console_.say("window compare", "side B is gone");
  }
  b_ = std::make_unique<Document>(start_.options, start_.wake);
  b_->open(a_->path(), a_->editor().text());
  steps_b_ = steps_;
  console_.say("window compare", "side B is this schedule; change side A");
}

}  // namespace trellis::gui
