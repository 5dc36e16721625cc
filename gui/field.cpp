#include "gui/field.hpp"

#include <cmath>

#include "gui/text_field.hpp"

namespace trellis::gui {
namespace {

/// The byte of the text that lies nearest to that distance from its beginning.
std::size_t byte_at(const Paint& paint, std::string_view text, Font font, float x) {
  std::size_t best = 0;
  float nearest = std::abs(x);
  for (std::size_t at = 1; at <= text.size(); ++at) {
    if (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) continue;
    const float away = std::abs(paint.width(text.substr(0, at), font) - x);
    if (away < nearest) nearest = away, best = at;
  }
  return best;
}

}  // namespace

void focus_field(Ui& ui, const std::string& id) { ui.focus_text(ui.pane() + "/" + id); }

bool draw_field(Ui& ui, const std::string& id, Editor& line, Rect area, const LineLook& look) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Response response = ui.item(id, "field", line.text(), "", area);
  if (response.pressed) focus_field(ui, id);
  const bool focused = ui.text_field() == ui.pane() + "/" + id;
  const std::uint64_t before = line.revision();
  if (focused) take_text_keys(ui, line, {.many_lines = false});

  if (look.framed) {
    paint.fill(area, t(Token::window), 6);
    paint.outline(area, t(focused ? Token::accent : Token::line2), focused ? t.active_border : t.border, 6);
  }
  const Rect inner = look.framed ? area.inset(10, 0) : area;
  const Clip clip(paint, inner.inset(-1, 0));
  const std::string& text = line.text();
  float& offset = ui.memory<float>(id + ".offset");
  const float caret = paint.width(std::string_view(text).substr(0, line.caret()), look.font);
  offset = std::clamp(offset, std::max(0.F, caret - inner.w + 2), std::max(0.F, caret));
  const Point at{inner.x - offset, std::round(inner.centre().y - paint.height(look.font) / 2)};
  if (response.pressed || response.held)
    line.place_caret(byte_at(paint, text, look.font, ui.input().mouse.x - at.x), !response.pressed);
  if (text.empty()) paint.text_in(inner, look.placeholder, look.font, t(Token::faint));
  if (line.caret() != line.anchor()) {
    const float from = paint.width(std::string_view(text).substr(0, line.selection_begin()), look.font);
    const float to = paint.width(std::string_view(text).substr(0, line.selection_end()), look.font);
    paint.fill({at.x + from, at.y - 1, to - from, paint.height(look.font) + 2}, t.fill(Token::accent, 0.3F), 2);
  }
  paint.text(at, text, look.font, t(Token::ink));
  if (focused) paint.fill({std::round(at.x + caret), at.y - 1, 1.5F, paint.height(look.font) + 2}, t(Token::accent));
  return line.revision() != before;
}

std::optional<std::size_t> draw_rows(Ui& ui, Rect area, const Rows& rows, Choosing& kept) {
  if (rows.count == 0) return std::nullopt;
  const Theme& t = ui.theme();
  const std::size_t before = kept.at, last = rows.count - 1;
  kept.at = std::min(kept.at, last);
  const auto page = rows.across * static_cast<std::size_t>(std::max(1.F, std::floor(area.h / rows.height) - 1));
  if (ui.key("Down")) kept.at = std::min(kept.at + rows.across, last);
  if (ui.key("Up")) kept.at = kept.at >= rows.across ? kept.at - rows.across : kept.at;
  if (rows.across > 1 && ui.key("Right")) kept.at = std::min(kept.at + 1, last);
  if (rows.across > 1 && ui.key("Left")) kept.at -= kept.at > 0 ? 1 : 0;
  if (ui.key("PageDown")) kept.at = std::min(kept.at + page, last);
  if (ui.key("PageUp")) kept.at = kept.at >= page ? kept.at - page : 0;

  const float lines = std::ceil(static_cast<float>(rows.count) / static_cast<float>(rows.across));
  const float content = lines * rows.height - rows.gap;
  if (kept.at != before) {
    const float y = static_cast<float>(kept.at / rows.across) * rows.height;
    kept.offset = std::clamp(kept.offset, std::max(0.F, y + rows.height - rows.gap - area.h), y);
  }
  std::optional<std::size_t> taken;
  const bool entered = ui.key("Enter");
  const Clip clip(ui.paint(), area);
  const float room = content > area.h ? area.w - 10 : area.w;
  const float width = (room - rows.gap * static_cast<float>(rows.across - 1)) / static_cast<float>(rows.across);
  for (std::size_t i = 0; i < rows.count; ++i) {
    const float line = static_cast<float>(i / rows.across), column = static_cast<float>(i % rows.across);
    const Rect spot{area.x + column * (width + rows.gap), area.y + line * rows.height - kept.offset, width,
                    rows.height - rows.gap};
    if (!spot.meets(area)) continue;
    const RowLook look = rows.look(i);
    const bool chosen = i == kept.at;
    const Response response =
        ui.item(look.id, rows.role, look.label,
                look.state.empty() ? (chosen ? "chosen" : "") : look.state + (chosen ? ", chosen" : ""), spot);
    if (rows.gap <= 0 && (chosen || response.hovered))
      ui.paint().fill(spot, chosen ? t.fill(Token::accent, t.light ? 0.14F : 0.2F) : t(Token::hover), 6);
    rows.draw(i, spot, chosen);
    if (response.clicked) kept.at = i, taken = i;
  }
  if (entered) taken = kept.at;
  ui.scroll("scroll", area, content, kept.offset);
  return taken;
}

}  // namespace trellis::gui
