// Where panes stand, which has the keys, which side of a comparison leads, and the way back to what was looked at.
#include "gui/app.hpp"
#include "gui/bars.hpp"
#include "gui/carry_out.hpp"
#include "gui/views/views.hpp"
#include "gui/words.hpp"

namespace trellis::gui::doing {
namespace {

/// The keys go to the same pane of that side, which the other follows from now on.
void step_side(App& app, char side) {
  const std::string twin = app.sides.leading() == side ? "" : app.panes.twin_of(app.panes.active());
  app.sides.lead(side);
  if (!twin.empty()) app.panes.activate(twin), app.ui.focus("");
  app.notes.say(std::string("side ") + side + " leads");
}

void navigate(App& app, bool forth) {
  const Place to = app.visited.go(forth);
  app.replays.playing = false;
  app.selected.set(to.kernel, to.pins);
  if (!to.pane.empty()) {
    show(app.panes.layout(), to.pane);
    app.panes.activate(to.pane);
  }
  app.replays.go_to("execution", to.steps.execution, 'A');
  app.replays.go_to("placement", to.steps.placement), app.replays.go_to("lattice", to.steps.lattice);
  app.visited.arrived(app.place());
}

void show_stages(App& app, int by) {
  if (app.panes.sees("stages")) app.selected.passes += by;
  else show(app.panes.layout(), "stages");
}

}  // namespace

void pane(App& app, const Said& said) {
  if (find_view(said.rest)) app.panes.bring(said.rest, app.panes.roomiest());
  else app.console.say(said.whole, "there is no such pane", true);
}

void close(App& app, const Said& said) { hide(app.panes.layout(), said.rest.empty() ? app.panes.active() : said.rest); }

// The last pane stays.
const char* not_closed(App& app) {
  const Layout& layout = app.panes.layout();
  return layout.kind == Layout::Kind::stack && layout.tabs.size() == 1 ? "" : nullptr;
}

void dock(App& app, const Said& said) {
  const auto [pane, there] = split_word(said.rest);
  const auto [to, where] = split_word(there);
  const auto side = side_named(where);
  if (!side || !gui::find(app.panes.layout(), to))
    return app.console.say(said.whole, "window dock PANE PANE tab|left|right|above|below", true);
  move(app.panes.layout(), pane, to, *side);
  app.panes.activate(pane);
}

void preset(App& app, const Said& said) {
  if (!app.panes.choose(said.rest))
    return app.console.say(said.whole, "presets: learn illegal lattice compare tune", true);
  if (said.rest == "compare" && !app.sides.on()) compare(app, said);
}

void reset_layout(App& app, const Said&) { app.panes.reset(); }

void compare(App& app, const Said&) {
  const bool was = app.sides.on();
  if (was) app.sides.end();
  else app.sides.begin(), app.replays.begin_b(), app.panes.choose("compare");
  app.console.say("window compare", was ? "side B is gone" : "side B is this schedule; change side A");
}

void lead(App& app, const Said& said) {
  if (app.sides.on() && (said.rest == "A" || said.rest == "B")) step_side(app, said.rest[0]);
  else app.console.say(said.whole, "window lead A|B, while two sides are compared", true);
}

void next_pane(App& app, const Said&) {
  const bool compared = app.panes.active() == "differs" || !app.panes.twin_of(app.panes.active()).empty();
  if (app.sides.on() && compared) step_side(app, app.sides.leading() == 'A' ? 'B' : 'A');
  else app.panes.pass_keys(1);
}

void last_pane(App& app, const Said&) { app.panes.pass_keys(-1); }

void to_console(App& app, const Said&) {
  app.panes.bring("console");
  app.ui.focus_text("console/line");
}

void next_pass(App& app, const Said&) { show_stages(app, 1); }
void last_pass(App& app, const Said&) { show_stages(app, -1); }

void let_go(App& app, const Said&) {
  if (app.modal.is_open()) app.modal.close();
  else if (!app.ui.text_field().empty()) app.ui.focus_text("");
  else app.replays.playing = false, app.selected.pin({});
}

void navigate_back(App& app, const Said&) { navigate(app, false); }
void navigate_forth(App& app, const Said&) { navigate(app, true); }
const char* nothing_before(App& app) {
  return app.visited.can_go(false) ? nullptr : "nothing was looked at before this";
}
const char* nothing_after(App& app) { return app.visited.can_go(true) ? nullptr : "nothing was looked at after this"; }

}  // namespace trellis::gui::doing
