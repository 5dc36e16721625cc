#include "gui/marks.hpp"

#include <array>
#include <cmath>
#include <cstdio>

#include "gui/sides.hpp"

namespace trellis::gui {
namespace {

using Sample = LegendEntry::Sample;

/// As printf says it, without what a reader can do without.
std::string trimmed(std::string text) {
  if (const std::size_t e = text.find("e"); e != std::string::npos) {
    std::string power = text.substr(e + 1);
    const bool small = power[0] == '-';
    power.erase(0, power.find_first_not_of("+-0"));
    return text.substr(0, e) + (small ? "e-" : "e") + power;
  }
  if (text.starts_with("0.")) return text.substr(1);
  if (text.starts_with("-0.")) return "-" + text.substr(2);
  return text;
}

std::string printed(const char* format, double number) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), format, number);
  return trimmed(text.data());
}

}  // namespace

std::string short_number(const format::Value& value) {
  if (format::is_boolean(value.type)) return value.integer != 0 ? "1" : "0";
  const double number = value.as_double(), size = std::abs(number);
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-∞" : "∞";
  constexpr std::array units = {std::pair{1e12, "T"}, std::pair{1e9, "G"}, std::pair{1e6, "M"}, std::pair{1e3, "k"}};
  if (size >= 1e15) return printed("%.0e", number);
  if (size >= 1e4)
    for (const auto& [unit, letter] : units)
      if (size >= unit) return printed("%.3g", number / unit) + letter;
  if (format::is_integer(value.type)) return std::to_string(value.as_integer());
  if (size >= 1000) return printed("%.4g", number);
  if (size == 0) return "0";
  return size < 1e-2 ? printed("%.0e", number) : printed("%.3g", number);
}

void draw_cell(Paint& paint, const Theme& theme, Rect cell, const CellMark& mark, std::string_view number, Font font) {
  const float radius = std::min(cell.w, cell.h) < 7 ? 0.F : std::min(cell.w, cell.h) < 16 ? 3.F : 4.F;
  const Rect in = cell.w > 12 ? cell.inset(1) : cell.w > 4 ? cell.inset(0.5F) : cell;
  Colour ink = theme(Token::ink);
  if (mark.writes) {
    paint.fill(in, theme(Token::ink), radius);
    ink = theme(Token::pane);
  } else if (!mark.written) {
    paint.fill(in, theme.fill(Token::cell, 0.5F), radius);
    paint.hatch(in, mark.early || mark.undefined ? theme.fill(Token::bad, 0.5F) : theme.fill(Token::edge, 0.35F));
    if (radius > 0) paint.outline(in, theme(Token::line), 1, radius);
  } else if (!mark.stored) {
    if (radius > 0) paint.outline(in, theme(Token::line), 1, radius);
    ink = theme(Token::faint);
  } else if (mark.padding && !mark.computed && !mark.needed) {
    if (radius > 0) paint.dashed(in, theme(Token::edge), 1, radius);
    else paint.fill(in, theme.fill(Token::cell, 0.5F));
    ink = theme(Token::faint);
  } else {
    paint.fill(
        in, mark.computed || mark.needed ? mixed(theme(Token::cell), theme(Token::accent), 0.14F) : theme(Token::cell),
        radius);
    if (radius > 0) paint.outline(in, theme(Token::line), 1, radius);
  }
  if (mark.reads && !mark.early && !mark.writes) paint.fill(in, theme.fill(Token::accent, 0.2F), radius);
  if (mark.tainted && !mark.writes) ink = theme(Token::bad);
  if (mark.needed && !mark.reads && !mark.early) {
    if (mark.written) paint.outline(in, theme.fill(Token::accent, 0.55F), 1, radius);
    else paint.dashed(in.inset(0.5F), theme.fill(Token::bad, 0.75F), 1.3F, radius);
  }
  if (mark.early) {
    if (mark.written) paint.fill(in, theme.fill(Token::bad, theme.verdict_fill), radius);
    paint.dashed(in.inset(0.5F), theme(Token::bad), 2.2F, radius);
  } else if (mark.reads) {
    paint.outline(in.inset(mark.writes ? 2 : 0), theme(Token::accent), 2, radius);
  }
  if (mark.wrong) paint.outline(in.inset(mark.writes ? 2 : 0), theme(Token::bad), 1.6F, radius);
  if (mark.computed && !mark.writes) paint.outline(in, theme(Token::ink), 2, radius);
  if (mark.alone != ' ') draw_side_corner(paint, theme, in, mark.alone);
  if (number.empty()) return;
  if (paint.width(number, font) > in.w - 1) font = Font::tiny_mono;
  paint.text_in(in.inset(0.5F, 0), number, font, ink, Align::centre);
}

void draw_place(Paint& paint, const Theme& theme, Point centre, float radius, Sample sample) {
  switch (sample) {
    case Sample::done: paint.disc(centre, radius, theme(Token::soft)); return;
    case Sample::now:
      paint.disc(centre, radius + 1, theme(Token::ink));
      paint.ring(centre, radius * 0.5F, theme(Token::pane), std::max(1.F, radius * 0.22F));
      return;
    case Sample::needed:
      paint.disc(centre, radius + 0.5F, mixed(theme(Token::pane), theme(Token::bad), 0.28F));
      paint.ring(centre, radius + 0.5F, theme(Token::bad), 2);
      return;
    case Sample::hidden: paint.dashed_ring(centre, radius, theme(Token::edge), 1.2F); return;
    default:
      paint.disc(centre, radius, theme(Token::pane));
      paint.ring(centre, radius - 0.5F, theme(Token::edge), 1.3F);
      return;
  }
}

void draw_legend(Ui& ui, Rect area, const std::vector<LegendEntry>& entries) {
  Paint& paint = ui.paint();
  const Theme& theme = ui.theme();
  float x = area.x;
  for (const LegendEntry& entry : entries) {
    const float width = 22 + paint.width(entry.words, Font::small);
    if (x + width > area.right()) return;
    const float y = area.y + area.h / 2;
    const Rect cell{x - 1, y - 6, 17, 13};
    CellMark mark;
    switch (entry.sample) {
      case Sample::done:
      case Sample::now:
      case Sample::to_come:
      case Sample::needed:
      case Sample::hidden: draw_place(paint, theme, {x + 6, y}, 4.5F, entry.sample); break;
      case Sample::writes: mark.writes = true; break;
      case Sample::reads: mark.reads = true; break;
      case Sample::early: mark.early = true, mark.written = false; break;
      case Sample::unwritten: mark.written = false; break;
      case Sample::absent: mark.stored = false; break;
      case Sample::padding: mark.padding = true; break;
      case Sample::wrong: mark.wrong = true; break;
      case Sample::alone_a: mark.alone = 'A'; break;
      case Sample::alone_b: mark.alone = 'B'; break;
      case Sample::undefined: mark.undefined = mark.tainted = true; break;
    }
    const bool round = entry.sample == Sample::done || entry.sample == Sample::now || entry.sample == Sample::to_come ||
                       entry.sample == Sample::needed || entry.sample == Sample::hidden;
    if (!round) draw_cell(paint, theme, cell, mark, entry.sample == Sample::undefined ? "?" : "", Font::small_mono);
    paint.text_in({x + 22, area.y, width, area.h}, entry.words, Font::small, theme(Token::soft));
    ui.label("legend:" + entry.words, entry.words, {x, area.y, width, area.h});
    x += width + 16;
  }
}

float dash_phase(Ui& ui) {
  if (ui.reduced_motion) return 0;
  ui.animate();
  return static_cast<float>(-std::fmod(ui.input().now * 14, 9.0));
}

void draw_back_arrow(Ui& ui, Point from, Point to, float bend) {
  Paint& paint = ui.paint();
  const Colour red = ui.theme()(Token::bad);
  const Point way = to - from, across{-way.y * bend, way.x * bend};
  const Point first = from + way * 0.3F + across, second = from + way * 0.75F + across;
  std::vector<Point> points = along(from, first, second, to, 24);
  const Point before = points[points.size() - 4];
  paint.dashed_line(points, red, 2.2F, dash_phase(ui));
  paint.arrow_head(to, before, red, 9);
}

}  // namespace trellis::gui
