// One bar of the pane Loops.
#include <algorithm>
#include <cmath>

#include "gui/order_words.hpp"
#include "gui/views/loops_parts.hpp"

namespace trellis::gui {
namespace {

void draw_grip(Paint& paint, const Theme& t, Point centre, bool bright) {
  for (int row = -1; row <= 1; ++row)
    for (int column = 0; column < 2; ++column)
      paint.fill(
          {centre.x - 4 + static_cast<float>(column) * 6, centre.y - 1 + static_cast<float>(row) * 5, 2.5F, 2.5F},
          t(bright ? Token::soft : Token::edge));
}

/// From the right; the result is what is left.
Rect draw_bar_tags(Ui& ui, const LoopBar& bar, Rect rest) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const auto tag = [&](const std::string& word, Token token, float opacity) {
    const float width = paint.width(word, Font::small) + 14;
    if (rest.w < width + 60) return;
    const Rect spot = rest.take_right(width);
    paint.fill({spot.x, spot.y + (spot.h - 18) / 2, spot.w, 18}, t.fill(token, opacity), 4);
    paint.text_in(spot, word, Font::small, t(token), Align::centre);
    rest.take_right(4);
  };
  if (!bar.kind.empty())
    tag(bar.kind, bar.kind == "forall" ? Token::accent : Token::soft, bar.kind == "forall" ? 0.16F : 0.12F);
  for (const std::string& mark : bar.marks) tag(mark, Token::accent, 0.16F);
  if (bar.descending) tag("down", Token::soft, 0.12F);
  return rest;
}

bool glows(const Ui& ui, const LoopBar& bar) {
  return std::ranges::any_of(bar.nodes, [&](text::NodeId node) { return ui.glow(node) > Ui::Glow::weak; });
}

std::string state_of(const Scene& scene, const LoopBar& bar, bool selected) {
  std::string state = bar.kind;
  const auto add = [&](const std::string& word) { state += (state.empty() ? "" : " ") + word; };
  if (bar.descending) add("down");
  for (const std::string& mark : bar.marks) add(mark);
  if (!scene.predict && failing_loop(scene) == bar.name) add("illegal");
  if (selected) add("selected");
  return state;
}

}  // namespace

void draw_loop_bar(const Scene& scene, Ui& ui, const LoopBar& bar, Rect area, bool faint) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const bool movable = bar.place >= 0 && scene.side != 'B' && scene.explained() && scene.explained()->order.size() > 1;
  auto& kept = ui.memory<LoopsKept>("loops");
  const bool selected = kept.chosen() && kept.chosen()->id == bar.id;
  Response response;
  if (faint) ui.label(bar.id, bar.name, area);
  else
    response = ui.item(bar.id, "bar", bar.name + (bar.range.empty() ? "" : "  " + bar.range),
                       state_of(scene, bar, selected), area);
  if (response.pressed || response.clicked) kept.selected = bar.id;
  const Point moved = ui.input().mouse - response.since;
  if (movable && response.held && !kept.let_go && std::hypot(moved.x, moved.y) > 4) kept.dragged = bar.place;
  if (!faint) ui.nodes(bar.nodes, area);

  const bool lit = !faint && glows(ui, bar);
  const Colour hue = colour_of_index(scene, t, bar.name);
  paint.fill(area, t(response.hovered ? Token::hover : Token::raised), 6);
  if (lit) paint.fill(area, t.fill(Token::kin, t.kin_fill), 6);
  paint.outline(area, lit ? t(Token::kin) : t(selected && !faint ? Token::line2 : Token::line), 1, 6);
  paint.fill({area.x, area.y, 4, area.h}, hue, 1.5F);
  Rect rest = area.inset(14, 0);
  rest.take_left(2);
  if (movable) {
    const Rect grip = rest.take_right(12);
    draw_grip(paint, t, grip.centre(), response.hovered);
    rest.take_right(8);
  } else {
    rest.take_right(2);
  }
  if (!faint && !scene.predict && failing_loop(scene) == bar.name) {
    const Rect spot = rest.take_right(16);
    paint.verdict(spot.centre(), Verdict::illegal, t, 7);
    rest.take_right(6);
  }
  rest = draw_bar_tags(ui, bar, rest);
  const float name = paint.width(bar.name, Font::large_mono);
  paint.text_in(rest.take_left(std::max(14.F, name)), bar.name, Font::large_mono, hue);
  rest.take_left(14);
  paint.text_in(rest, bar.range, Font::list_mono, t(Token::soft));
}

}  // namespace trellis::gui
