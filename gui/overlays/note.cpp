// A short word at the lower edge, for some seconds.
#include <cmath>

#include "gui/overlays/sheet.hpp"

namespace trellis::gui {

void draw_note(App& app, Ui& ui, Rect window) {
  const Notes::Note& note = app.notes.last();
  if (app.ui.input().now >= note.until || note.words.empty()) return;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const float room = std::min(620.F, window.w - 48),
              wide = std::min(room - 46, paint.width(note.words, Font::text) + 1);
  const float height = paint.paragraph_height(wide, note.words, Font::text);
  const Rect box{std::round(window.centre().x - (wide + 46) / 2), window.bottom() - 46 - height - 18, wide + 46,
                 height + 18};
  paint.fill(box.moved({0, 2}), faded(0xFF000000U, 0.25F), 9);
  paint.fill(box, t(Token::raised), 8);
  paint.outline(box, t(Token::line2), t.border, 8);
  const Point icon{box.x + 18, box.y + 9 + paint.height(Font::text) / 2};
  if (note.failed) paint.verdict(icon, Verdict::costly, t, 6.5F);
  else draw_icon(paint, Icon::check, icon, 13, t(Token::accent));
  paint.paragraph({box.x + 34, box.y + 9, wide, height}, note.words, Font::text, t(Token::ink));
  ui.label("note", note.words, box, note.failed ? "failed" : "");
  ui.animate();
}

}  // namespace trellis::gui
