#include "gui/diff_view.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/explore/diff.hpp"
#include "engine/text/fit.hpp"

namespace trellis::gui {
namespace {

constexpr float diff_row = 18, diff_margin = 28;

struct KeptDiff {
  std::string left, right;
  std::vector<explore::DiffLine> lines;  ///< parts of the two
  int widest = 0, added = 0, removed = 0;
  float down = 0, across = 0;

  KeptDiff() = default;
  KeptDiff(const KeptDiff&) {}  // std::any asks for it; what is kept is never copied
  KeptDiff& operator=(const KeptDiff&) = delete;

  void compare(std::string_view a, std::string_view b) {
    if (!lines.empty() && left == a && right == b) return;
    left = a, right = b;
    lines = explore::line_diff(left, right);
    widest = added = removed = 0;
    for (const explore::DiffLine& line : lines) {
      widest = std::max(widest, text::width_of(line.text));
      added += line.mark == '+', removed += line.mark == '-';
    }
    // The first change, with what is before it.
    const auto change = std::ranges::find_if(lines, [](const explore::DiffLine& line) { return line.mark != ' '; });
    down = change == lines.end() ? 0 : std::max(0.F, static_cast<float>(change - lines.begin() - 4) * diff_row);
  }
};

}  // namespace

void draw_diff(const Scene& scene, Ui& ui, const std::string& id, std::string_view left, std::string_view right,
               Rect area, Colouring colouring) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  auto& kept = ui.memory<KeptDiff>(id);
  kept.compare(left, right);
  const std::string words = "+" + std::to_string(kept.added) + " −" + std::to_string(kept.removed);
  ui.item(id, "document", words, kept.added + kept.removed == 0 ? "no difference" : "differs", area);
  const Clip clip(paint, area);
  ui.scroll_across(id + " across", area,
                   static_cast<float>(kept.widest) * advance_of(Font::list_mono) + diff_margin + 20, kept.across);
  ui.scroll(id + " scroll", area, static_cast<float>(kept.lines.size()) * diff_row + 12, kept.down);
  const float text_y = std::round((diff_row - paint.height(Font::list_mono)) / 2);
  for (auto i = static_cast<std::size_t>(std::max(0.F, kept.down / diff_row)); i < kept.lines.size(); ++i) {
    const float y = std::round(area.y + 4 + static_cast<float>(i) * diff_row - kept.down);
    if (y > area.bottom()) break;
    const explore::DiffLine& line = kept.lines[i];
    const Colour hue = t(line.mark == '+' ? Token::accent : Token::index4);
    if (line.mark != ' ') {
      paint.fill({area.x, y, area.w, diff_row}, faded(hue, 0.13F));
      paint.fill({area.x, y, 3, diff_row}, hue);
      paint.text({area.x + 12, y + text_y}, line.mark == '+' ? "+" : "−", Font::list_mono, hue);
    }
    const Clip code(paint, {area.x + diff_margin - 2, area.y, area.w - diff_margin + 2, area.h});
    paint_line(paint, t, {area.x + diff_margin - kept.across, y + text_y}, line.text, colouring, &scene,
               Font::list_mono, line.mark == ' ' ? 0.6F : 1);
  }
}

}  // namespace trellis::gui
