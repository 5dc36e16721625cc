// Five places that one should have seen: a spot on each, and a sentence beside it.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "gui/overlays/sheet.hpp"

namespace trellis::gui {
namespace {

struct Stop {
  const char* pane;  ///< "bar": the field at the top
  const char* title;
  const char* words;
};
constexpr Stop stops[] = {{"program", "The program",
                           "It is compiled with every letter. What is wrong is underlined, and the margin says whether "
                           "the loop order is legal."},
                          {"loops", "Its loops",
                           "Drag a bar: every place to drop it says whether that order would be legal, and what it "
                           "would cost, before you let go."},
                          {"explain", "Why",
                           "Of an illegal order you see the smallest case in which it goes wrong, and fixes that were "
                           "tried: press 1 to take the first."},
                          {"timeline", "Step by step",
                           "Left and Right step through the execution, or drag. Every pane shows the same step; Shift "
                           "goes to the next violation."},
                          {"bar", "Everything else",
                           "Ctrl+P finds every command, pane, order and example by a part of its name. F1 explains the "
                           "pane that has the keys."}};
constexpr int stop_count = static_cast<int>(std::size(stops));

/// Beside the spot, where there is room; below the bar.
Rect card_beside(Rect spot, Rect window, float width, float height) {
  const float x = spot.right() + 16 + width < window.right() ? spot.right() + 16
                  : spot.x - 16 - width > window.x           ? spot.x - 16 - width
                                                             : spot.centre().x - width / 2;
  const bool beside = x >= spot.right() || x + width <= spot.x;
  const float y = beside                                          ? spot.y
                  : spot.bottom() + 16 + height < window.bottom() ? spot.bottom() + 16
                                                                  : spot.y - 16 - height;
  return {std::round(std::clamp(x, window.x + 8, window.right() - width - 8)),
          std::round(std::clamp(y, window.y + 8, window.bottom() - height - 8)), width, height};
}

void darken_around(Paint& paint, Rect window, Rect spot, bool light) {
  const Colour veil = faded(0xFF000000U, light ? 0.35F : 0.55F);
  paint.fill({window.x, window.y, window.w, spot.y - window.y}, veil);
  paint.fill({window.x, spot.bottom(), window.w, window.bottom() - spot.bottom()}, veil);
  paint.fill({window.x, spot.y, spot.x - window.x, spot.h}, veil);
  paint.fill({spot.right(), spot.y, window.right() - spot.right(), spot.h}, veil);
}

}  // namespace

void draw_tour(App& app, Ui& ui, Rect window, const std::string& words) {
  int number = 1;
  std::from_chars(words.data(), words.data() + words.size(), number);
  const int at = std::clamp(number, 1, stop_count) - 1;
  const Stop& stop = stops[at];
  app.settings.toured = true;
  Rect spot = app.panes.area_of(stop.pane);
  if (std::string_view(stop.pane) == "bar") {
    if (const Item* search = ui.find("search", "bar")) spot = search->rect.inset(-4);
  } else if (spot.empty()) {
    gui::show(app.panes.layout(), stop.pane);
  }
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  ui.item("outside", "veil", "", "", window);
  darken_around(paint, window, spot, t.light);
  paint.outline(spot.inset(-1), t(Token::accent), 2, 8);
  const float width = std::min(340.F, window.w - 32), text = paint.paragraph_height(width - 36, stop.words, Font::text);
  Rect card = card_beside(spot, window, width, text + 110);
  paint.fill(card.moved({0, 3}), faded(0xFF000000U, 0.3F), 11);
  paint.fill(card, t(Token::pane), 10);
  paint.outline(card, t(Token::line2), t.border, 10);
  card = card.inset(18, 14);
  Rect head = card.take_top(26);
  paint.text_in(head, stop.title, Font::title, t(Token::ink));
  const std::string count = std::to_string(at + 1) + " of " + std::to_string(stop_count);
  paint.text_in(head, count, Font::text, t(Token::faint), Align::right);
  ui.label("stop", stop.title, head, count);
  card.take_top(6);
  paint.paragraph(card, stop.words, Font::text, t(Token::soft));
  const bool last = at + 1 == stop_count;
  const std::string given = draw_answers(ui, {card.x, card.bottom() - 32, card.w, 32},
                                         {{"next", last ? "Done" : "Next", "Enter", true}, {"skip", "Skip", ""}});
  const bool forth = given == "next" || ui.key("Right"), back = ui.key("Left");
  if (given == "skip" || (forth && last)) app.modal.close();
  else if (forth) ui.act("window tour " + std::to_string(at + 2));
  else if (back && at > 0) ui.act("window tour " + std::to_string(at));
}

}  // namespace trellis::gui
