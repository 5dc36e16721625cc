#include "gui/icons.hpp"

#include <array>
#include <cmath>

namespace trellis::gui {
namespace {

/// Strokes in a square from -1 to 1.
struct Pen {
  Paint& paint;
  Point centre;
  float half;
  Colour colour;
  float thick;

  Point at(float x, float y) const { return {centre.x + x * half, centre.y + y * half}; }
  void line(float x, float y, float to_x, float to_y) const { paint.line(at(x, y), at(to_x, to_y), colour, thick); }
  void triangle(float x, float tip) const {
    paint.polygon(std::array{at(x, -0.75F), at(tip, 0), at(x, 0.75F)}, colour);
  }
  void bar(float x, float width) const {
    const Point from = at(x, -0.75F);
    paint.fill({from.x, from.y, width * half, 1.5F * half}, colour, 1);
  }
  void box(float x, float y, float w, float h, float radius = 2) const {
    const Point from = at(x, y);
    paint.outline({from.x, from.y, w * half, h * half}, colour, thick, radius);
  }
};

void draw_transport(const Pen& pen, Icon icon) {
  switch (icon) {
    case Icon::play: pen.triangle(-0.6F, 0.8F); return;
    case Icon::pause: pen.bar(-0.65F, 0.45F), pen.bar(0.2F, 0.45F); return;
    case Icon::step: pen.triangle(-0.65F, 0.45F), pen.bar(0.45F, 0.25F); return;
    case Icon::back: pen.triangle(0.65F, -0.45F), pen.bar(-0.7F, 0.25F); return;
    case Icon::last:
    case Icon::event_forth: pen.triangle(-0.85F, 0.05F), pen.triangle(0.05F, 0.95F); break;
    case Icon::first:
    case Icon::event_back: pen.triangle(0.85F, -0.05F), pen.triangle(-0.05F, -0.95F); break;
    default: return;
  }
  if (icon == Icon::last) pen.bar(0.85F, 0.2F);
  if (icon == Icon::first) pen.bar(-1.05F, 0.2F);
}

void draw_thing(const Pen& pen, Icon icon) {
  Paint& paint = pen.paint;
  switch (icon) {
    case Icon::file:
      paint.polyline(std::array{pen.at(0.15F, -0.9F), pen.at(-0.65F, -0.9F), pen.at(-0.65F, 0.9F), pen.at(0.65F, 0.9F),
                                pen.at(0.65F, -0.4F), pen.at(0.15F, -0.9F), pen.at(0.15F, -0.4F), pen.at(0.65F, -0.4F)},
                     pen.colour, pen.thick);
      return;
    case Icon::folder:
      paint.polyline(std::array{pen.at(-0.9F, 0.7F), pen.at(-0.9F, -0.7F), pen.at(-0.25F, -0.7F), pen.at(0, -0.35F),
                                pen.at(0.9F, -0.35F), pen.at(0.9F, 0.7F)},
                     pen.colour, pen.thick, true);
      return;
    case Icon::clock:
      paint.ring(pen.centre, pen.half * 0.9F, pen.colour, pen.thick), pen.line(0, -0.5F, 0, 0.05F),
          pen.line(0, 0.05F, 0.4F, 0.3F);
      return;
    case Icon::book:
      pen.box(-0.75F, -0.85F, 1.5F, 1.7F), pen.line(-0.3F, -0.85F, -0.3F, 0.85F), pen.line(0, -0.3F, 0.45F, -0.3F);
      return;
    case Icon::pane: pen.box(-0.9F, -0.75F, 1.8F, 1.5F), pen.line(-0.1F, -0.75F, -0.1F, 0.75F); return;
    case Icon::tensor:
      pen.box(-0.8F, -0.8F, 1.6F, 1.6F, 1);
      pen.line(-0.27F, -0.8F, -0.27F, 0.8F), pen.line(0.27F, -0.8F, 0.27F, 0.8F), pen.line(-0.8F, 0, 0.8F, 0);
      return;
    case Icon::kernel:
      paint.polyline(std::array{pen.at(-0.9F, 0), pen.at(0, -0.8F), pen.at(0.9F, 0), pen.at(0, 0.8F)}, pen.colour,
                     pen.thick, true);
      return;
    case Icon::order:
      pen.line(-0.8F, -0.6F, 0.8F, -0.6F), pen.line(-0.4F, 0, 0.8F, 0), pen.line(0, 0.6F, 0.8F, 0.6F);
      return;
    case Icon::key: pen.box(-0.95F, -0.65F, 1.9F, 1.3F), pen.line(-0.4F, 0.3F, 0.4F, 0.3F); return;
    default: return;
  }
}

}  // namespace

void draw_icon(Paint& paint, Icon icon, Point centre, float size, Colour colour) {
  const Pen pen{paint, centre, size / 2, colour, std::max(1.3F, size / 11)};
  switch (icon) {
    case Icon::search:
      paint.ring(pen.at(-0.15F, -0.15F), pen.half * 0.68F, colour, pen.thick), pen.line(0.36F, 0.36F, 0.9F, 0.9F);
      return;
    case Icon::chevron:
      paint.polyline(std::array{pen.at(-0.55F, -0.25F), pen.at(0, 0.3F), pen.at(0.55F, -0.25F)}, colour, pen.thick);
      return;
    case Icon::close: pen.line(-0.6F, -0.6F, 0.6F, 0.6F), pen.line(-0.6F, 0.6F, 0.6F, -0.6F); return;
    case Icon::plus: pen.line(-0.75F, 0, 0.75F, 0), pen.line(0, -0.75F, 0, 0.75F); return;
    case Icon::check:
      paint.polyline(std::array{pen.at(-0.7F, 0.05F), pen.at(-0.2F, 0.55F), pen.at(0.75F, -0.5F)}, colour, pen.thick);
      return;
    case Icon::prompt:
      paint.polyline(std::array{pen.at(-0.5F, -0.6F), pen.at(0.1F, 0), pen.at(-0.5F, 0.6F)}, colour, pen.thick),
          pen.line(0.2F, 0.65F, 0.8F, 0.65F);
      return;
    case Icon::download:
      pen.line(0, -0.9F, 0, 0.35F),
          paint.polyline(std::array{pen.at(-0.45F, -0.1F), pen.at(0, 0.35F), pen.at(0.45F, -0.1F)}, colour, pen.thick);
      pen.line(-0.8F, 0.85F, 0.8F, 0.85F);
      return;
    case Icon::question:
      paint.arc(pen.at(0, -0.35F), pen.half * 0.5F, -0.25F, 0.42F, colour, pen.thick), pen.line(0, 0.1F, 0, 0.4F),
          paint.disc(pen.at(0, 0.8F), pen.thick * 0.6F, colour);
      return;
    case Icon::theme: {
      paint.ring(centre, pen.half * 0.85F, colour, pen.thick);
      std::vector<Point> half;
      for (int i = 0; i <= 12; ++i) {
        const float turn = static_cast<float>(i) / 12 * 3.14159265F - 3.14159265F / 2;
        half.push_back({centre.x + pen.half * 0.85F * std::cos(turn), centre.y + pen.half * 0.85F * std::sin(turn)});
      }
      paint.polygon(half, colour);
      return;
    }
    case Icon::gear:
      paint.ring(centre, pen.half * 0.5F, colour, pen.thick);
      for (int i = 0; i < 8; ++i) {
        const float turn = static_cast<float>(i) / 8 * 6.2831853F;
        pen.line(0.6F * std::cos(turn), 0.6F * std::sin(turn), 0.92F * std::cos(turn), 0.92F * std::sin(turn));
      }
      return;
    default: break;
  }
  draw_transport(pen, icon), draw_thing(pen, icon);
}

bool icon_button(Ui& ui, const std::string& id, const IconButton& look, Rect area) {
  const Theme& t = ui.theme();
  Paint& paint = ui.paint();
  const Response response = ui.item(id, "button", look.label, look.chosen ? "chosen" : "", area);
  const Colour back = look.strong                       ? t(Token::accent)
                      : look.chosen || response.hovered ? t(Token::hover)
                                                        : t(Token::raised);
  const bool framed = look.strong || look.chosen || !look.plain || response.hovered;
  if (framed) paint.fill(area, look.strong && response.hovered ? mixed(back, t(Token::ink), 0.15F) : back, 6);
  if (look.chosen) paint.outline(area, t(Token::accent), 1, 6);
  const Token token = look.strong ? Token::on_accent : response.hovered || look.chosen ? Token::ink : Token::soft;
  draw_icon(paint, look.icon, area.centre(), look.size, t(token));
  if (response.hovered) ui.tooltip(look.chord.empty() ? look.label : look.label + "   " + look.chord);
  return response.clicked;
}

namespace {

/// "Ctrl+Shift+P" in its parts; the key itself may be `+`.
std::vector<std::string_view> caps_of(std::string_view chord) {
  std::vector<std::string_view> caps;
  while (!chord.empty()) {
    const std::size_t plus = chord.find('+', 1);
    caps.push_back(chord.substr(0, plus));
    chord.remove_prefix(plus == std::string_view::npos ? chord.size() : plus + 1);
  }
  for (std::string_view& cap : caps)
    cap = cap == "Left"     ? "←"
          : cap == "Right"  ? "→"
          : cap == "Up"     ? "↑"
          : cap == "Down"   ? "↓"
          : cap == "Escape" ? "Esc"
                            : cap;
  return caps;
}
float cap_width(const Paint& paint, std::string_view cap) { return std::max(20.F, paint.width(cap, Font::small) + 10); }

}  // namespace

float width_of_chord(const Paint& paint, std::string_view chord) {
  float width = 0;
  for (const std::string_view cap : caps_of(chord)) width += cap_width(paint, cap) + 3;
  return std::max(0.F, width - 3);
}

float draw_chord(Paint& paint, const Theme& theme, Rect area, std::string_view chord) {
  const float width = width_of_chord(paint, chord);
  float x = area.right() - width;
  for (const std::string_view cap : caps_of(chord)) {
    const Rect spot{std::round(x), std::round(area.centre().y - 9), cap_width(paint, cap), 18};
    paint.fill(spot, theme(Token::pane), 4);
    paint.outline(spot, theme(Token::line2), 1, 4);
    paint.text_in(spot, cap, Font::small, theme(Token::soft), Align::centre);
    x += spot.w + 3;
  }
  return width;
}

}  // namespace trellis::gui
