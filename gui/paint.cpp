#include "gui/paint.hpp"

#include <imgui.h>
#include <imgui_internal.h>

#include <cmath>
#include <numbers>

#include "gui/svg.hpp"

namespace trellis::gui {
namespace {

ImVec2 vec(Point p) { return {p.x, p.y}; }
ImVec2 upper_left(const Rect& r) { return {r.x, r.y}; }
ImVec2 lower_right(const Rect& r) { return {r.right(), r.bottom()}; }
std::span<const ImVec2> vecs(std::span<const Point> points) {
  static_assert(sizeof(ImVec2) == sizeof(Point));
  return {reinterpret_cast<const ImVec2*>(points.data()), points.size()};
}
constexpr float full_turn = 2 * std::numbers::pi_v<float>;
constexpr float dash = 5, gap = 4;

bool is_mono(Font font) { return advance_of(font) > 0; }

std::vector<Point> circle_points(Point centre, float radius, float from = 0, float to = 1) {
  const int parts = std::max(6, static_cast<int>(radius * 3 * std::abs(to - from)));
  std::vector<Point> points;
  for (int i = 0; i <= parts; ++i) {
    const float turn = (from + (to - from) * static_cast<float>(i) / static_cast<float>(parts) - 0.25F) * full_turn;
    points.push_back({centre.x + radius * std::cos(turn), centre.y + radius * std::sin(turn)});
  }
  return points;
}

/// The end of the character that begins there.
std::size_t after(std::string_view text, std::size_t at) {
  do ++at;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U);
  return at;
}

}  // namespace

Paint::Paint(ImDrawList& list, const Fonts& fonts, Svg* svg) : list_(list), fonts_(fonts), svg_(svg) {
  list_._FringeScale = 1 / fonts.scale;
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  clips_.push_back({0, 0, size.x, size.y});
}

void Paint::fill(Rect area, Colour colour, float radius) {
  if (area.empty() || !area.meets(clipped())) return;
  list_.AddRectFilled(upper_left(area), lower_right(area), colour, radius);
  if (svg_) svg_->rect(area, colour, 0, 0, radius);
}

void Paint::outline(Rect area, Colour colour, float thickness, float radius) {
  if (area.empty() || !area.meets(clipped())) return;
  // ImGui draws around the edge; half a line inside keeps it crisp.
  list_.AddRect(upper_left(area), lower_right(area), colour, radius, 0, thickness);
  if (svg_) svg_->rect(area, 0, colour, thickness, radius);
}

void Paint::dashed(Rect area, Colour colour, float thickness, float radius, float phase) {
  if (area.empty() || !area.meets(clipped())) return;
  const float r = std::min(radius, std::min(area.w, area.h) / 2);
  std::vector<Point> points;
  const auto corner = [&](float x, float y, float from) {
    for (int i = 0; i <= 4; ++i) {
      const float turn = (from + 0.25F * static_cast<float>(i) / 4 - 0.25F) * full_turn;
      points.push_back({x + r * std::cos(turn), y + r * std::sin(turn)});
    }
  };
  corner(area.right() - r, area.y + r, 0), corner(area.right() - r, area.bottom() - r, 0.25F);
  corner(area.x + r, area.bottom() - r, 0.5F), corner(area.x + r, area.y + r, 0.75F);
  points.push_back(points.front());
  dashed_line(points, colour, thickness, phase);
}

void Paint::hatch(Rect area, Colour colour, float spacing) {
  const Rect seen = area.cut(clipped());
  if (seen.empty()) return;
  clip(seen);
  // Lines lie on one grid for the whole window, so that those of neighbours meet.
  const float first = std::floor((seen.x - seen.bottom()) / spacing) * spacing;
  for (float c = first; c < seen.right() - seen.y; c += spacing) {
    // x - y = c
    const float top = std::max(seen.y, seen.x - c), bottom = std::min(seen.bottom(), seen.right() - c);
    if (top < bottom) line({top + c, top}, {bottom + c, bottom}, colour, 1);
  }
  unclip();
}

void Paint::line(Point from, Point to, Colour colour, float thickness) {
  list_.AddLine(vec(from), vec(to), colour, thickness);
  if (svg_) svg_->path(std::array{from, to}, 0, colour, thickness, false);
}

void Paint::dashed_line(std::span<const Point> points, Colour colour, float thickness, float phase) {
  float at = std::fmod(phase, dash + gap);
  if (at < 0) at += dash + gap;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Point step = points[i + 1] - points[i];
    const float length = std::hypot(step.x, step.y);
    if (length <= 0) continue;
    for (float done = 0; done < length;) {
      const bool on = at < dash;
      const float more = std::min(length - done, (on ? dash : dash + gap) - at);
      if (on)
        list_.AddLine(vec(points[i] + step * (done / length)), vec(points[i] + step * ((done + more) / length)), colour,
                      thickness);
      done += std::max(more, 0.01F), at = std::fmod(at + more, dash + gap);
    }
  }
  if (svg_) svg_->path(points, 0, colour, thickness, false, true);
}

void Paint::rough_line(std::span<const Point> points, Colour colour) {
  const ImDrawListFlags smooth = list_.Flags;
  list_.Flags &= ~(ImDrawListFlags_AntiAliasedLines | ImDrawListFlags_AntiAliasedLinesUseTex);
  polyline(points, colour, 1);
  list_.Flags = smooth;
}

void Paint::polyline(std::span<const Point> points, Colour colour, float thickness, bool closed) {
  const auto all = vecs(points);
  list_.AddPolyline(all.data(), static_cast<int>(all.size()), colour, closed ? ImDrawFlags_Closed : 0, thickness);
  if (svg_) svg_->path(points, 0, colour, thickness, closed);
}

void Paint::polygon(std::span<const Point> points, Colour colour) {
  const auto all = vecs(points);
  list_.AddConvexPolyFilled(all.data(), static_cast<int>(all.size()), colour);
  if (svg_) svg_->path(points, colour, 0, 0, true);
}

void Paint::disc(Point centre, float radius, Colour colour) {
  list_.AddCircleFilled(vec(centre), radius, colour);
  if (svg_) svg_->circle(centre, radius, colour, 0, 0);
}

void Paint::ring(Point centre, float radius, Colour colour, float thickness) {
  list_.AddCircle(vec(centre), radius, colour, 0, thickness);
  if (svg_) svg_->circle(centre, radius, 0, colour, thickness);
}

void Paint::dashed_ring(Point centre, float radius, Colour colour, float thickness) {
  dashed_line(circle_points(centre, radius), colour, thickness);
}

void Paint::arc(Point centre, float radius, float from, float to, Colour colour, float thickness) {
  polyline(circle_points(centre, radius, from, to), colour, thickness);
}

void Paint::arrow_head(Point tip, Point from, Colour colour, float size) {
  const Point way = tip - from;
  const float length = std::hypot(way.x, way.y);
  if (length <= 0) return;
  const Point along = way * (size / length), across = {-along.y * 0.45F, along.x * 0.45F};
  polygon(std::array{tip, tip - along + across, tip - along - across}, colour);
}

void Paint::verdict(Point centre, Verdict verdict, const Theme& theme, float radius) {
  const float r = radius, thick = std::max(1.4F, r / 4);
  const auto at = [&](float x, float y) { return Point{centre.x + x * r, centre.y + y * r}; };
  const Colour paper = theme(Token::pane);
  switch (verdict) {
    case Verdict::legal:
      disc(centre, r, theme(Token::good));
      polyline(std::array{at(-0.42F, 0.02F), at(-0.1F, 0.34F), at(0.44F, -0.32F)}, paper, thick);
      return;
    case Verdict::illegal: {
      std::vector<Point> corners;
      for (int i = 0; i < 8; ++i) {
        const float turn = (static_cast<float>(i) + 0.5F) / 8 * full_turn;
        corners.push_back(at(1.08F * std::cos(turn), 1.08F * std::sin(turn)));
      }
      polygon(corners, theme(Token::bad));
      line(at(-0.34F, -0.34F), at(0.34F, 0.34F), paper, thick),
          line(at(-0.34F, 0.34F), at(0.34F, -0.34F), paper, thick);
      return;
    }
    case Verdict::costly:
      polygon(std::array{at(0, -1), at(1.05F, 0.85F), at(-1.05F, 0.85F)}, theme(Token::warn));
      line(at(0, -0.35F), at(0, 0.25F), paper, thick), disc(at(0, 0.56F), thick / 2, paper);
      return;
    case Verdict::unknown: dashed_ring(centre, r, theme(Token::edge)); return;
    case Verdict::refused:
      ring(centre, r, theme(Token::warn), thick), line(at(-0.5F, 0), at(0.5F, 0), theme(Token::warn), thick);
      return;
    case Verdict::ready: disc(centre, r * 0.55F, theme(Token::good)); return;
    case Verdict::waits: ring(centre, r, theme(Token::edge), 1.2F); return;
  }
}

float Paint::text(Point at, std::string_view characters, Font font, Colour colour) {
  const float across = width(characters, font);
  const Rect area{at.x, at.y, across, height(font)};
  if (!area.meets(clipped())) return across;
  const ImFont& baked = *fonts_[font];
  list_.AddText(&baked, baked.FontSize / fonts_.scale, vec(at), colour, characters.data(),
                characters.data() + characters.size());
  if (svg_) {
    const float em = height(font) / (is_mono(font) ? 1.32F : 1.21F);
    svg_->text({at.x, at.y + baked.Ascent / fonts_.scale}, characters, em, is_mono(font),
               font == Font::strong || font == Font::title || font == Font::large, colour);
  }
  return across;
}

void Paint::text_in(Rect area, std::string_view characters, Font font, Colour colour, Align align) {
  const float y = std::round(area.y + (area.h - height(font)) / 2), needed = width(characters, font);
  if (needed <= area.w + 0.5F) {
    const float room = align == Align::left ? 0 : align == Align::right ? area.w - needed : (area.w - needed) / 2;
    text({area.x + room, y}, characters, font, colour);
    return;
  }
  const std::string_view dots = "…";
  const float most = area.w - width(dots, font);
  std::size_t end = 0;
  for (float so_far = 0; end < characters.size();) {
    const std::size_t next = after(characters, end);
    so_far += width(characters.substr(end, next - end), font);
    if (so_far > most) break;
    end = next;
  }
  if (most > 0) text({area.x, y}, std::string(characters.substr(0, end)) + std::string(dots), font, colour);
}

std::vector<std::string_view> Paint::lines(float most, std::string_view characters, Font font) const {
  std::vector<std::string_view> all;
  while (true) {
    const std::string_view line = characters.substr(0, characters.find('\n'));
    const char* begin = line.data();
    const char* end = begin + line.size();
    if (line.empty()) all.push_back(line);
    while (begin < end) {
      const ImFont& baked = *fonts_[font];
      const char* stop = baked.CalcWordWrapPositionA(1 / fonts_.scale, begin, end, std::max(most, 20.F));
      if (stop == begin) stop = begin + after({begin, static_cast<std::size_t>(end - begin)}, 0);
      all.emplace_back(begin, static_cast<std::size_t>(stop - begin));
      for (begin = stop; begin < end && *begin == ' ';) ++begin;
    }
    if (line.size() == characters.size()) return all;
    characters.remove_prefix(line.size() + 1);
  }
}

float Paint::paragraph(Rect area, std::string_view characters, Font font, Colour colour) {
  float y = area.y;
  const float row = std::round(height(font) * 1.25F);
  for (const std::string_view line : lines(area.w, characters, font)) text({area.x, y}, line, font, colour), y += row;
  return y - area.y;
}

float Paint::paragraph_height(float most, std::string_view characters, Font font) const {
  return static_cast<float>(lines(most, characters, font).size()) * std::round(height(font) * 1.25F);
}

float Paint::width(std::string_view characters, Font font) const {
  const ImFont& baked = *fonts_[font];
  return baked.CalcTextSizeA(baked.FontSize, 1e9F, 0, characters.data(), characters.data() + characters.size()).x /
         fonts_.scale;
}

float Paint::height(Font font) const { return fonts_[font]->FontSize / fonts_.scale; }

void Paint::clip(Rect area) {
  clips_.push_back(area.cut(clipped()));
  list_.PushClipRect(upper_left(clipped()), lower_right(clipped()));
  if (svg_) svg_->clip(clipped());
}

void Paint::unclip() {
  clips_.pop_back();
  list_.PopClipRect();
  if (svg_) svg_->unclip();
}

std::vector<Point> along(Point a, Point b, Point c, Point d, int parts) {
  std::vector<Point> points;
  for (int i = 0; i <= parts; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(parts), u = 1 - t;
    points.push_back(a * (u * u * u) + b * (3 * u * u * t) + c * (3 * u * t * t) + d * (t * t * t));
  }
  return points;
}

}  // namespace trellis::gui
