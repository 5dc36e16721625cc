// What the window draws: bars, panes, what lies above them.
#include <algorithm>

#include "gui/app.hpp"
#include "gui/bars.hpp"
#include "gui/find.hpp"
#include "gui/overlay.hpp"
#include "gui/shortcuts.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float between = 6, header = 32;

/// "graph:B" is shown by view "graph" of side B.
char side_of(std::string_view pane) { return pane.ends_with(":B") ? 'B' : 'A'; }

/// The text is refused: what the pane shows is the last program that was right.
bool is_of_before(const Scene& scene, const View& view) {
  const std::string_view group = view.group;
  return !scene.snapshot->accepted && scene.kernel && group != "program" && group != "learn";
}

void draw_stack(App& app, const Placed& placed) {
  Ui& ui = app.ui;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const bool covered = app.modal.is_open();
  const std::string& pane = placed.tabs[placed.active];
  const bool active = pane == app.panes.active();
  const View* view = find_view(pane);
  if (!view) return;
  paint.fill(placed.area, t(Token::pane), 8);
  ui.enter_pane(pane, active && !covered, covered);
  if (ui.input().pressed && placed.area.contains(ui.input().mouse) && !covered) app.panes.focus(pane);
  Rect body = placed.area;
  const Rect head = body.take_top(header);
  const Scene shown = app.scene(side_of(pane));
  draw_pane_header(app, ui, placed, head, shown);
  {
    body = body.inset(1.5F, 0);
    body.take_bottom(2);
    const Clip clip(paint, body);
    view->draw(shown, ui, body);
  }
  if (shown.stale || is_of_before(shown, *view)) paint.fill(body, faded(t(Token::pane), 0.35F));
  paint.outline(placed.area, t(active ? Token::accent : Token::line), active ? t.active_border : t.border, 8);
}

void draw_splitters(App& app, const Arrangement& arrangement) {
  Ui& ui = app.ui;
  ui.enter_pane("layout", false, app.modal.is_open());
  for (std::size_t i = 0; i < arrangement.splitters.size(); ++i) {
    const Splitter& splitter = arrangement.splitters[i];
    const Response response = ui.item("splitter:" + std::to_string(i), "splitter", "", "", splitter.area.inset(-1));
    if (response.hovered || response.held) ui.paint().fill(splitter.area.inset(2), ui.theme()(Token::accent), 1);
    if (!response.held) continue;
    // What was folded for want of room stays in the user's layout; shares are changed where both have the split.
    Layout& drawn = app.panes.layout();
    if (arrangement.drawn != drawn && !same_shape(arrangement.drawn, drawn)) drawn = arrangement.drawn;
    move_splitter(drawn, splitter, ui.input().mouse);
  }
}

void draw_panes(App& app, Rect area) {
  Panes& panes = app.panes;
  const Arrangement arrangement = arrange(panes.layout(), area, panes.preferred());
  const bool saw_orders = panes.sees("orders");
  panes.arranged(arrangement);
  // A pane that is gone takes back nothing by itself.
  if (saw_orders && !panes.sees("orders")) app.document().preview("");
  for (const Placed& stack : arrangement.stacks)
    if (!stack.tabs.empty()) draw_stack(app, stack);
  draw_splitters(app, arrangement);
  draw_docking(app, arrangement);
  // Who steps in a pane of one side wants the other to follow.
  if (app.sides.on() && !panes.twin_of(panes.active()).empty()) app.sides.lead(side_of(panes.active()));
}

/// What belongs together with what is hovered, or pinned.
void light_kin(App& app) {
  Ui& ui = app.ui;
  text::Kin::Lit lit;
  std::set<text::NodeId> pinned;
  if (const session::KernelView* kernel = app.selected.kernel(); kernel && kernel->drawn) {
    lit = kernel->drawn->kin.lit(ui.hovered_nodes());
    for (const text::NodeId& pin : app.selected.pins())
      for (const text::NodeId& kin : kernel->drawn->kin.of(pin)) pinned.insert(kin);
    app.kin_count.clear();
    for (const text::NodeId& node : lit.strong.empty() ? pinned : lit.strong) ++app.kin_count[node.stage];
  }
  const bool clicked = ui.input().pressed && !ui.hovered_nodes().empty() && !app.modal.is_open();
  ui.light(std::move(lit), std::move(pinned));
  if (clicked && !ui.input().ctrl) ui.act("window pin " + name_of(ui.hovered_nodes().front()));
}

/// Whatever has the keys, but for what lies above the panes: Esc ends what is under way.
void take_cancel(App& app) {
  if (app.document().running_since() && !app.modal.is_open() && app.ui.key("Escape", true))
    app.carry_out("window cancel");
}

}  // namespace

void App::frame(const Input& input, Paint& paint, Rect window) {
  ui.reduced_motion = settings.reduced_motion;
  ui.begin(input, paint, theme());
  update();
  light_kin(*this);
  take_cancel(*this);

  paint.fill(window, theme()(Token::window));
  Rect rest = window;
  const Rect top = rest.take_top(48), status = rest.take_bottom(26);
  const bool covered = modal.is_open();
  ui.enter_pane("bar", false, covered);
  draw_top_bar(*this, ui, top);
  rest.take_left(between + 2), rest.take_right(between + 2);
  draw_panes(*this, rest);
  ui.draw_above();
  draw_find(*this);
  ui.enter_pane("status", false, covered);
  draw_status_bar(*this, ui, status);
  ui.enter_pane("overlay", true, false);
  draw_overlay(*this, ui, window);
  modal.drawn();
  // What panes and overlays take themselves came first.
  if (!input.keys.empty()) take_keys(*this);
  draw_tooltip(ui, window);
  ui.end();
  for (const std::string& command : ui.take_commands()) carry_out(command);
  visited.visit(place(), replays.playing);
}

}  // namespace trellis::gui
