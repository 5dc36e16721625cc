// What the window draws: bars, panes, what lies above them.
#include <algorithm>

#include "gui/app.hpp"
#include "gui/bars.hpp"
#include "gui/overlay.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float between = 6, header = 32;

/// "graph:B" is shown by view "graph" of side B.
char side_of(std::string_view pane) { return pane.ends_with(":B") ? 'B' : 'A'; }

}  // namespace

void App::frame(const Input& input, Paint& paint, Rect window) {
  now_ = input.now;
  window_ = window;
  ui_.reduced_motion = settings_.reduced_motion;
  ui_.begin(input, paint, theme());
  update();
  light_kin();

  paint.fill(window, theme()(Token::window));
  Rect rest = window;
  const Rect top = rest.take_top(48), status = rest.take_bottom(26);
  const bool covered = !overlay_.empty();
  ui_.enter_pane("bar", false, covered);
  draw_top_bar(*this, ui_, top);
  rest.take_left(between + 2), rest.take_right(between + 2);
  draw_panes(rest);
  ui_.draw_above();
  draw_find();
  ui_.enter_pane("status", false, covered);
  draw_status_bar(*this, ui_, status);
  ui_.enter_pane("overlay", true, false);
  draw_overlay(*this, ui_, window);
  overlay_drawn_ = overlay_;
  // What panes and overlays take themselves came first.
  if (!input.keys.empty()) take_keys();
  draw_tooltip(ui_, window);
  ui_.end();
  carry_out_all();
  visit();
}

void App::draw_panes(Rect area) {
  const Arrangement arrangement = arrange(layout(), area);
  const bool covered = !overlay_.empty();
  const auto sees_orders = [&] { return std::ranges::find(visible_panes_, "orders") != visible_panes_.end(); };
  const bool saw_orders = sees_orders();
  visible_panes_.clear();
  areas_.clear();
  for (const Placed& stack : arrangement.stacks)
    if (!stack.tabs.empty()) visible_panes_.push_back(stack.tabs[stack.active]);
  if (std::ranges::find(visible_panes_, active_pane_) == visible_panes_.end() && !visible_panes_.empty())
    active_pane_ = visible_panes_.front();
  // A pane that is gone takes back nothing by itself.
  if (saw_orders && !sees_orders()) document().preview("");
  for (const Placed& stack : arrangement.stacks)
    if (!stack.tabs.empty()) draw_stack(stack, covered);
  draw_splitters(arrangement);
  draw_docking(arrangement);
  // Who steps in a pane of one side wants the other to follow.
  if (b_ && !twin_of(active_pane_).empty()) stepped_side_ = side_of(active_pane_);
}

void App::draw_stack(const Placed& placed, bool covered) {
  Paint& paint = ui_.paint();
  const Theme& t = theme();
  const std::string& pane = placed.tabs[placed.active];
  const bool active = pane == active_pane_;
  const View* view = find_view(pane);
  if (!view) return;
  areas_[pane] = placed.area;
  paint.fill(placed.area, t(Token::pane), 8);
  ui_.enter_pane(pane, active && !covered, covered);
  if (ui_.input().pressed && placed.area.contains(ui_.input().mouse) && !covered) active_pane_ = pane;
  Rect body = placed.area;
  const Rect head = body.take_top(header);
  const Scene shown = scene(side_of(pane));
  draw_pane_header(*this, ui_, placed, head, shown);
  {
    body = body.inset(1.5F, 0);
    body.take_bottom(2);
    const Clip clip(paint, body);
    view->draw(shown, ui_, body);
  }
  if (shown.stale) paint.fill(body, faded(t(Token::pane), 0.35F));
  paint.outline(placed.area, t(active ? Token::accent : Token::line), active ? t.active_border : t.border, 8);
}

void App::draw_splitters(const Arrangement& arrangement) {
  ui_.enter_pane("layout", false, !overlay_.empty());
  for (std::size_t i = 0; i < arrangement.splitters.size(); ++i) {
    const Splitter& splitter = arrangement.splitters[i];
    const Response response = ui_.item("splitter:" + std::to_string(i), "splitter", "", "", splitter.area.inset(-1));
    if (response.hovered || response.held) ui_.paint().fill(splitter.area.inset(2), theme()(Token::accent), 1);
    if (!response.held) continue;
    // What was folded for want of room stays in the user's layout; shares are changed where both have the split.
    Layout& drawn = layout();
    if (arrangement.drawn != drawn && !same_shape(arrangement.drawn, drawn)) drawn = arrangement.drawn;
    move_splitter(drawn, splitter, ui_.input().mouse);
  }
}

void App::light_kin() {
  const Scene shown = scene();
  text::Kin::Lit lit;
  std::set<text::NodeId> pinned;
  if (const session::DrawnView* drawn = shown.drawn()) {
    lit = drawn->kin.lit(ui_.hovered_nodes());
    for (const text::NodeId& pin : pins_)
      for (const text::NodeId& kin : drawn->kin.of(pin)) pinned.insert(kin);
    kin_count_.clear();
    for (const text::NodeId& node : lit.strong.empty() ? pinned : lit.strong) ++kin_count_[node.stage];
  }
  const bool clicked = ui_.input().pressed && !ui_.hovered_nodes().empty() && overlay_.empty();
  ui_.light(std::move(lit), std::move(pinned));
  if (clicked && !ui_.input().ctrl) ui_.act("window pin " + name_of(ui_.hovered_nodes().front()));
}

}  // namespace trellis::gui
