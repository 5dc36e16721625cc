#include "gui/overlays/sheet.hpp"

#include <cmath>

namespace trellis::gui {

Rect draw_sheet(App& app, Ui& ui, Rect window, const Sheet& sheet) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Response outside = ui.item("outside", "veil", "", "", window);
  if (outside.pressed && sheet.closes) app.modal.close();
  paint.fill(window, faded(t.light ? 0xFF202020U : 0xFF000000U, t.light ? 0.25F : 0.5F));
  const float width = std::min(sheet.width, window.w - 32), height = std::min(sheet.height, window.h - 24);
  const float top = sheet.top < 0 ? (window.h - height) * 0.4F : std::min(sheet.top, window.h - height - 8);
  Rect area{std::round(window.x + (window.w - width) / 2), std::round(window.y + top), width, height};
  // A soft shadow: a few frames, each fainter.
  for (int i = 1; i <= 6; ++i)
    paint.outline(area.inset(-static_cast<float>(i)).moved({0, 2}),
                  faded(0xFF000000U, (t.light ? 0.05F : 0.12F) * (1 - static_cast<float>(i) / 7)), 1.5F,
                  10 + static_cast<float>(i));
  ui.item("sheet", "veil", sheet.title, "", area);
  paint.fill(area, t(Token::pane), 10);
  paint.outline(area, t(Token::line2), t.border, 10);
  if (sheet.title.empty()) return area;
  Rect head = area.take_top(48).inset(18, 0);
  if (sheet.closes &&
      icon_button(ui, "close", {.icon = Icon::close, .label = "Close", .chord = "Escape", .plain = true, .size = 11},
                  {head.right() - 24, head.y + 11, 26, 26}))
    app.modal.close();
  head.take_right(34);
  ui.label("title", sheet.title, head);
  const float wide = paint.width(sheet.title, Font::title);
  paint.text_in(head, sheet.title, Font::title, t(Token::ink));
  if (!sheet.subtitle.empty())
    paint.text_in({head.x + wide + 12, head.y + 1, head.w - wide - 12, head.h}, sheet.subtitle, Font::text,
                  t(Token::faint));
  return area.inset(18, 0);
}

std::string draw_answers(Ui& ui, Rect area, const std::vector<Answer>& answers) {
  std::string given;
  for (const Answer& answer : answers) {
    const float width = std::max(84.F, ui.paint().width(answer.label, answer.strong ? Font::strong : Font::text) + 28);
    if (ui.button(answer.id, answer.label, area.take_right(width), answer.strong)) given = answer.id;
    if (!answer.chord.empty() && ui.key(answer.chord)) given = answer.id;
    area.take_right(8);
  }
  return given;
}

void draw_heading(Ui& ui, Rect area, std::string_view words) {
  ui.paint().text_in(area, words, Font::medium, ui.theme()(Token::faint));
}

}  // namespace trellis::gui
