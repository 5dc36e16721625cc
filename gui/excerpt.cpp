#include "gui/excerpt.hpp"

#include <algorithm>
#include <cmath>

#include "gui/text_view.hpp"

namespace trellis::gui {
namespace {

constexpr float excerpt_row = 18, number_room = 38;
constexpr Font excerpt_font = Font::list_mono;

void add_label(std::vector<Excerpt>& all, const text::Sources& sources, text::Span span, Token token,
               const std::string& words) {
  if (!span.known() || span.source >= sources.size()) return;
  const text::Place begin = sources.begin(span), end = sources.end(span);
  if (begin.line <= 0) return;
  auto found = std::ranges::find(all, begin.line, &Excerpt::line);
  if (found == all.end()) {
    all.push_back({begin.line, std::string(sources.line(span.source, begin.line)), {}});
    found = all.end() - 1;
  }
  const int last = end.line == begin.line ? end.column - 1 : columns(found->text);
  found->labels.push_back({begin.column - 1, std::max(last, begin.column), token, words});
}

/// Blanks at the left, which all of it could do without.
int indentation(const std::string& text) {
  return static_cast<int>(std::min(text.find_first_not_of(' '), text.size()));
}

/// Where a line is cut off: it goes on there.
void draw_cut(Paint& paint, const Theme& theme, Point at, float text_y) {
  paint.fill({at.x, at.y, advance_of(excerpt_font) + 3, excerpt_row}, theme(Token::window));
  paint.text({at.x + 1, text_y}, "…", excerpt_font, theme(Token::soft));
}

}  // namespace

std::vector<Excerpt> excerpts_of(const text::Diagnostic& diagnostic, const text::Sources& sources) {
  const Token token = diagnostic.severity == text::Severity::error     ? Token::bad
                      : diagnostic.severity == text::Severity::warning ? Token::warn
                                                                       : Token::accent;
  std::vector<Excerpt> all;
  add_label(all, sources, diagnostic.span, token, diagnostic.label);
  for (const text::Note& note : diagnostic.notes)
    add_label(all, sources, note.span,
              note.message == "computed here" || diagnostic.code != "E0101" ? Token::accent : token, note.message);
  std::ranges::sort(all, {}, &Excerpt::line);
  for (Excerpt& one : all) std::ranges::sort(one.labels, {}, &Excerpt::Label::begin);
  return all;
}

void draw_excerpt(const Scene& scene, Page& page, const Excerpt& excerpt, Token edge) {
  Ui& ui = page.ui();
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const auto worded = std::ranges::count_if(excerpt.labels, [](const Excerpt::Label& l) { return !l.words.empty(); });
  const Rect box = page.take(12 + excerpt_row * static_cast<float>(1 + worded));
  page.space(5);
  paint.fill(box, t(Token::window), 4);
  paint.fill({box.x, box.y, 3, box.h}, t(edge));
  std::string read = std::to_string(excerpt.line) + " " + excerpt.text;
  for (const Excerpt::Label& label : excerpt.labels) read += label.words.empty() ? "" : " – " + label.words;
  const float top = box.y + 6, advance = advance_of(excerpt_font);
  paint.text_in({box.x + 6, top, number_room - 16, excerpt_row}, std::to_string(excerpt.line), Font::small_mono,
                t(Token::faint), Align::right);
  const Rect room{box.x + number_room, box.y, box.w - number_room - 6, box.h};
  // Moved to the left as far as it takes to see the last place.
  const int left = indentation(excerpt.text);
  const int last = excerpt.labels.empty() ? 0 : excerpt.labels.back().end - left;
  const float moved = std::max(0.F, static_cast<float>(last + 2) * advance - room.w);
  const bool goes_on = static_cast<float>(columns(excerpt.text) - left) * advance - moved > room.w;
  ui.label("excerpt:" + std::to_string(excerpt.line), read, box, moved > 0 || goes_on ? "cut" : "");
  if ((moved > 0 || goes_on) && box.cut(paint.clipped()).contains(ui.input().mouse))
    ui.tooltip(excerpt.text.substr(static_cast<std::size_t>(left)));
  const Clip clip(paint, room);
  const auto x_of = [&](int column) { return room.x + static_cast<float>(column - left) * advance - moved; };
  for (const Excerpt::Label& label : excerpt.labels) {
    const Rect spot{x_of(label.begin) - 2, top, static_cast<float>(label.end - label.begin) * advance + 4, excerpt_row};
    paint.fill(spot, t.fill(label.token, 0.2F), 3);
    paint.fill({spot.x, spot.bottom() - 1.5F, spot.w, 1.5F}, t(label.token));
  }
  const float base = std::round(top + (excerpt_row - paint.height(excerpt_font)) / 2);
  paint_line(paint, t, {x_of(left), base}, std::string_view(excerpt.text).substr(static_cast<std::size_t>(left)),
             Colouring::program, &scene, excerpt_font);
  if (moved > 0) draw_cut(paint, t, {room.x, top}, base);
  if (goes_on) draw_cut(paint, t, {room.right() - advance - 3, top}, base);
  // The last label stands nearest, so that no elbow crosses a word.
  float y = top + excerpt_row;
  for (auto label = excerpt.labels.rbegin(); label != excerpt.labels.rend(); ++label) {
    if (label->words.empty()) continue;
    const Colour colour = t(label->token);
    const float x = std::round(x_of(label->begin) + 3), wide = paint.width(label->words, Font::text),
                middle = std::round(y + excerpt_row / 2) + 0.5F;
    const bool fits = x + 14 + wide <= room.right();
    paint.line({x, top + excerpt_row}, {x, middle}, colour);
    paint.line({x, middle}, {fits ? x + 9 : x - 6, middle}, colour);
    const float words = fits ? x + 13 : std::max(room.x, x - 10 - wide);
    if (fits || x - 10 - wide >= room.x)
      paint.text_in({words, y, wide + 1, excerpt_row}, label->words, Font::text, colour);
    else paint.text_in({x + 13, y, room.right() - x - 13, excerpt_row}, label->words, Font::text, colour);
    y += excerpt_row;
  }
}

}  // namespace trellis::gui
