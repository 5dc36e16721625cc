// Tabs of a stack: a click brings one to the front, dragging takes it to another stack, or beside it.
#include <algorithm>
#include <cmath>

#include "gui/bars.hpp"
#include "gui/icons.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float tab_gap = 14, least_drag = 6;

std::string title_of(const std::string& pane) {
  const View* view = find_view(pane);
  return view ? view->title + std::string(pane.ends_with(":B") ? " B" : "") : pane;
}

struct Dock {
  Side side;
  const char* name;
  Rect zone;   ///< where the pointer must be
  Rect shown;  ///< what the pane would take
};

std::vector<Dock> docks_of(Rect area) {
  const float across = area.w / 4, down = area.h / 4;
  const Rect middle = area.inset(across, down);
  return {{Side::tab, "tab", middle, area},
          {Side::left, "left", {area.x, area.y, across, area.h}, {area.x, area.y, area.w / 2, area.h}},
          {Side::right,
           "right",
           {area.right() - across, area.y, across, area.h},
           {area.x + area.w / 2, area.y, area.w / 2, area.h}},
          {Side::above, "above", {middle.x, area.y, middle.w, down}, {area.x, area.y, area.w, area.h / 2}},
          {Side::below,
           "below",
           {middle.x, area.bottom() - down, middle.w, down},
           {area.x, area.y + area.h / 2, area.w, area.h / 2}}};
}

}  // namespace

std::optional<Side> side_named(std::string_view name) {
  for (const Dock& dock : docks_of({0, 0, 8, 8}))
    if (name == dock.name) return dock.side;
  return std::nullopt;
}

void draw_tabs(App& app, Ui& ui, const Placed& placed, Rect& rest) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  float all = 0;
  for (const std::string& tab : placed.tabs) all += paint.width(title_of(tab), Font::strong) + tab_gap;
  // Without room for all, the one in front stands alone, and says that there are more.
  const bool few = all - tab_gap > rest.w;
  for (std::size_t i = 0; i < placed.tabs.size(); ++i) {
    const bool front = i == placed.active;
    if (few && !front) continue;
    // Alone it bears the mark of its side behind its title.
    const std::string title = placed.tabs.size() == 1 ? find_view(placed.tabs[i])->title : title_of(placed.tabs[i]);
    const Rect spot = rest.take_left(std::min(rest.w, std::ceil(paint.width(title, Font::strong)) + 1));
    const Response response =
        ui.item("tab:" + placed.tabs[i], "tab", title_of(placed.tabs[i]), front ? "front" : "", spot.inset(-5, 2));
    paint.text_in(spot, title, Font::strong, t(front ? Token::ink : response.hovered ? Token::soft : Token::faint));
    if (front && placed.tabs.size() > 1) paint.fill({spot.x, placed.area.y + 28, spot.w, 2}, t(Token::accent), 1);
    const Point way = ui.input().mouse - response.since;
    if (response.held && std::abs(way.x) + std::abs(way.y) > least_drag) app.panes.dragged = placed.tabs[i];
    if (response.clicked && app.panes.dragged.empty()) ui.act("window pane " + placed.tabs[i]);
    rest.take_left(tab_gap);
  }
  if (!few) return;
  const std::string more = "+" + std::to_string(placed.tabs.size() - 1);
  const Rect spot = rest.take_left(std::min(rest.w, paint.width(more, Font::text) + 18));
  if (spot.w < 18) return;
  const Response response = ui.item("more", "button", more + " panes", "", spot.inset(-2, 4));
  paint.text_in(spot, more, Font::text, t(response.hovered ? Token::ink : Token::faint));
  draw_icon(paint, Icon::chevron, {spot.right() - 5, spot.centre().y + 1}, 9,
            t(response.hovered ? Token::ink : Token::faint));
  if (response.clicked) ui.act("window palette pane");
  rest.take_left(tab_gap);
}

void draw_docking(App& app, const Arrangement& arrangement) {
  Ui& ui = app.ui;
  std::string& dragged = app.panes.dragged;
  if (dragged.empty()) return;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  ui.enter_pane("dock", false, false);
  const Point mouse = ui.input().mouse;
  for (const Placed& stack : arrangement.stacks) {
    if (stack.tabs.empty() || (stack.tabs.size() == 1 && stack.tabs[0] == dragged)) continue;
    std::string to = stack.tabs[stack.active];
    if (to == dragged) to = stack.tabs[stack.active == 0 ? 1 : 0];
    for (const Dock& dock : docks_of(stack.area)) {
      const bool here = dock.zone.contains(mouse);
      ui.item("dock:" + to + ":" + dock.name, "slot", title_of(dragged) + " " + dock.name + " " + title_of(to),
              here ? "here" : "", dock.zone);
      if (!here) continue;
      paint.fill(dock.shown.inset(3), t.fill(Token::accent, 0.18F), 8);
      paint.outline(dock.shown.inset(3), t(Token::accent), 2, 8);
      if (ui.input().released) ui.act("window dock " + dragged + " " + to + " " + dock.name);
    }
  }
  const std::string title = title_of(dragged);
  const Rect ghost{mouse.x + 10, mouse.y + 8, paint.width(title, Font::strong) + 24, 28};
  paint.fill(ghost, t(Token::raised), 6), paint.outline(ghost, t(Token::accent), 1.5F, 6);
  paint.text_in(ghost, title, Font::strong, t(Token::ink), Align::centre);
  if (!ui.input().down) dragged.clear();
}

}  // namespace trellis::gui
