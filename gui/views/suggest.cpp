// Schedules worth trying: each was compiled, so it is legal, and is estimated to be faster.
#include <algorithm>
#include <cstdio>

#include "gui/asked.hpp"
#include "gui/order_words.hpp"
#include "gui/text_view.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

std::string suggest_subtitle(const Scene& scene) {
  return scene.compiled() && !scene.predict ? "compiled, so legal; estimated, not timed" : "";
}

std::string suggested_gain(double now, double then) {
  if (now <= 0 || then <= 0) return "";
  char text[48];
  std::snprintf(text, sizeof text, now / then < 9.95 ? "%.1f× faster" : "%.0f× faster", now / then);
  return text;
}

/// The result is the card's height; `measure_only` draws nothing.
float draw_suggestion(const Scene& scene, Ui& ui, int number, const session::Suggested& all, Rect area,
                      bool measure_only) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const explore::Suggestion& one = all.suggestions[static_cast<std::size_t>(number)];
  const float reason = paint.paragraph_height(area.w - 28, one.reason, Font::text), height = 12 + 20 + 6 + reason + 10;
  if (measure_only) return height;
  area.h = height;
  const std::string gain = suggested_gain(all.cycles, one.cycles);
  const Response response =
      ui.item("try:" + std::to_string(number + 1), "card", one.command + ": " + one.reason, gain, area);
  paint.fill(area, t(response.hovered ? Token::hover : Token::raised), 6);
  paint.outline(area, t(Token::line), 1, 6);
  Rect line{area.x + 14, area.y + 10, area.w - 24, 24};
  if (ui.button("apply:" + std::to_string(number + 1), "apply", line.take_right(58)) || response.double_clicked)
    ui.act(one.command);
  line.take_right(10);
  const Rect right = line.take_right(std::min(96.F, line.w / 2));
  paint.text_in(right, gain, Font::strong, t(Token::ink), Align::right);
  {
    const Clip clip(paint, line);
    paint_line(paint, t, {line.x, line.y + (line.h - paint.height(Font::mono)) / 2}, one.command, Colouring::program,
               &scene, Font::mono);
  }
  // As long as it would take, beside as long as it takes.
  const Rect bar{area.x + 14, area.y + 37, area.w - 28, 3};
  paint.fill(bar, t(Token::hover), 1.5F);
  if (all.cycles > 0)
    paint.fill({bar.x, bar.y, bar.w * static_cast<float>(std::clamp(one.cycles / all.cycles, 0.01, 1.0)), bar.h},
               t(Token::accent), 1.5F);
  paint.paragraph({area.x + 14, area.y + 44, area.w - 28, reason}, one.reason, Font::text, t(Token::soft));
  return height;
}

void draw_suggestions(const Scene& scene, Ui& ui, const session::Suggested& all, Rect area) {
  auto& offset = ui.memory<float>("offset");
  float content = 0;
  const int count = static_cast<int>(all.suggestions.size());
  for (int i = 0; i < count; ++i) content += draw_suggestion(scene, ui, i, all, area, true) + 8;
  const Clip clip(ui.paint(), {area.x - 4, area.y, area.w + 14, area.h});
  ui.scroll("scroll", {area.x, area.y, area.w + 10, area.h}, content, offset);
  Rect spot = area.moved({0, -offset});
  for (int i = 0; i < count; ++i) spot.y += draw_suggestion(scene, ui, i, all, spot, spot.y > area.bottom()) + 8;
}

void draw_suggest(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.kernel)
    return draw_nothing(ui, area, "no program yet", "write an equation, or open an example with Ctrl+G");
  if (scene.legal() && !*scene.legal())
    return draw_nothing(ui, area, "the order is illegal: first make it legal",
                        "Explain has fixes; Ctrl+. applies the first");
  if (!scene.compiled())
    return draw_nothing(ui, area, "nothing to improve yet", "the program is still wrong, or on its way");
  const session::Reply* reply = asked(scene, ui, "suggest " + scene.kernel->name);
  const auto* suggested = reply ? std::get_if<session::Suggested>(&reply->result) : nullptr;
  if (!reply) return draw_nothing(ui, area, "looking for faster schedules");
  if (!suggested) return draw_nothing(ui, area, "no suggestions for this kernel", "suggest in the console says why");
  if (suggested->suggestions.empty())
    return draw_nothing(ui, area,
                        suggested->planned ? "nothing is estimated to be faster than the plan that it runs as"
                                           : "nothing is estimated to be faster than this schedule");
  draw_suggestions(scene, ui, *suggested, area.inset(14, 4));
}

}  // namespace

const View suggest_view = {"suggest", "Worth trying", "schedule", suggest_subtitle, draw_suggest, "suggest"};

}  // namespace trellis::gui
