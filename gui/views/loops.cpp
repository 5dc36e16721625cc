// Loops as bars, outermost first: drag one to another place, or do something else to it with the buttons below.
#include <algorithm>
#include <cmath>

#include "gui/order_words.hpp"
#include "gui/views/loops_parts.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

constexpr float loop_bar_height = 38, least_loop_bar = 26, loop_bar_gap = 6, loop_indent = 18;

std::string loops_subtitle(const Scene& scene) {
  if (!scene.explained() || scene.predict || scene.explained()->orders.orders.empty()) return "";
  const auto& table = scene.explained()->orders;
  const auto legal = std::ranges::count_if(table.orders, &explore::Verdict::legal);
  const auto tried = static_cast<std::int64_t>(table.orders.size());
  return std::to_string(legal) + " of " + std::to_string(tried) +
         (tried < table.total ? " orders tried are legal"
          : table.total == 1  ? " order is legal"
                              : " orders are legal");
}

void update_bars(const Scene& scene, LoopsKept& kept) {
  if (kept.compiled == scene.kernel->compiled && kept.explained == scene.kernel->explained) return;
  kept.compiled = scene.kernel->compiled, kept.explained = scene.kernel->explained;
  kept.bars = loop_bars(scene);
  kept.dragged = -1;
}

/// Ctrl and arrows aside, everything that the keys do here.
void take_loop_keys(const Scene& scene, Ui& ui, LoopsKept& kept) {
  const LoopBar* chosen = kept.chosen();
  if (!chosen || !ui.text_field().empty()) return;
  const auto at = chosen - kept.bars.data();
  const auto select = [&](std::ptrdiff_t to) {
    if (to < 0 || to >= std::ssize(kept.bars)) return;
    kept.selected = kept.bars[static_cast<std::size_t>(to)].id;
    ui.focus(ui.pane() + "/" + kept.selected);
  };
  if (ui.key("Down")) select(at + 1);
  if (ui.key("Up")) select(at - 1);
  if (scene.side == 'B' || chosen->place < 0) return;
  const lang::Order& order = scene.explained()->order;
  for (const auto& [chord, by] : {std::pair{"Alt+Up", -1}, {"Alt+Down", 1}})
    if (ui.key(chord)) {
      const int to = chosen->place + by;
      if (to >= 0 && to < std::ssize(order)) ui.act(order_command(with_moved_loop(order, chosen->place, to)));
    }
}

void draw_all_bars(const Scene& scene, Ui& ui, LoopsKept& kept, Rect area) {
  const auto count = static_cast<float>(kept.bars.size());
  const float height =
      std::clamp(std::floor((area.h - 2 + loop_bar_gap) / count) - loop_bar_gap, least_loop_bar, loop_bar_height);
  const float content = count * (height + loop_bar_gap) - loop_bar_gap + 2;
  const Clip clip(ui.paint(), {area.x - 4, area.y - 2, area.w + 12, area.h + 3});
  ui.scroll("scroll", {area.x, area.y, area.w + 8, area.h}, content, kept.scroll);
  int deepest = 0;
  for (const LoopBar& bar : kept.bars) deepest = std::max(deepest, bar.depth);
  const float step = std::min(loop_indent, std::max(4.F, (area.w - 180) / static_cast<float>(std::max(1, deepest))));
  float y = area.y + 1 - kept.scroll;
  std::vector<float> middles;  // of the last bar at each depth
  for (const LoopBar& bar : kept.bars) {
    const float x = area.x + step * static_cast<float>(bar.depth);
    const Rect spot{x, y, area.right() - x, height};
    if (bar.depth > 0 && static_cast<std::size_t>(bar.depth) <= middles.size()) {
      const float from = x - step + 7;
      const Colour line = ui.theme()(Token::line2);
      ui.paint().line({from, middles[static_cast<std::size_t>(bar.depth) - 1]}, {from, y + height / 2}, line);
      ui.paint().line({from, y + height / 2}, {x, y + height / 2}, line);
    }
    middles.resize(static_cast<std::size_t>(bar.depth) + 1);
    middles.back() = y + height;
    draw_loop_bar(scene, ui, bar, spot, false);
    y += height + loop_bar_gap;
  }
}

void draw_loops_verdict(Ui& ui, const LoopsVerdict& verdict, Rect area) {
  const Theme& t = ui.theme();
  const Token token = verdict.icon == Verdict::legal     ? Token::good
                      : verdict.icon == Verdict::illegal ? Token::bad
                      : verdict.icon == Verdict::costly  ? Token::warn
                                                         : Token::edge;
  ui.paint().fill({area.x, area.y, 3, area.h}, t(token), 1.5F);
  Rect words = area.inset(12, 1);
  ui.paint().text_in(words.take_top(17), verdict.title, Font::strong, t(token == Token::edge ? Token::soft : token));
  if (!verdict.more.empty()) ui.paint().text_in(words.take_top(17), verdict.more, Font::text, t(Token::soft));
  const char* states[] = {"legal", "illegal", "costly", "unknown"};
  ui.label("sentence", verdict.title + (verdict.more.empty() ? "" : ": " + verdict.more), area,
           states[std::min(3, static_cast<int>(verdict.icon))]);
}

void draw_loops(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.kernel)
    return draw_nothing(ui, area, "no program yet", "write an equation, or open an example with Ctrl+G");
  auto& kept = ui.memory<LoopsKept>("loops");
  update_bars(scene, kept);
  if (kept.bars.empty()) {
    if (!scene.compiled() && !scene.explained())
      return draw_nothing(ui, area, "no loops yet", "the program is still wrong, or on its way");
    return draw_nothing(ui, area, "this kernel has no loops");
  }
  Rect rest = area.inset(14, 4);
  if (kept.dragged >= 0) return draw_drop_slots(scene, ui, kept, rest);
  if (!ui.input().down) kept.let_go = false;
  take_loop_keys(scene, ui, kept);

  // From below, as far as there is room: the sentence first, then the buttons.
  rest.take_bottom(4);
  const LoopsVerdict verdict = loops_verdict(scene);
  const float least = static_cast<float>(std::min<std::size_t>(kept.bars.size(), 3)) * (least_loop_bar + loop_bar_gap);
  const float sentence = verdict.title.empty() ? 0 : verdict.more.empty() ? 20 : 36;
  const float actions = scene.side == 'B' ? 0 : draw_loop_actions(ui, kept, rest, true);
  const bool with_sentence = sentence > 0 && rest.h >= least + sentence + 8;
  const bool with_actions = actions > 0 && rest.h >= least + (with_sentence ? sentence + 8 : 0) + actions + 8;
  const float below = (with_sentence ? sentence + 8 : 0) + (with_actions ? actions + 8 : 0);
  const float wanted = static_cast<float>(kept.bars.size()) * (loop_bar_height + loop_bar_gap);
  const Rect bars = rest.take_top(std::min(rest.h - below, wanted));
  draw_all_bars(scene, ui, kept, bars);
  if (with_actions) {
    rest.take_top(4);
    draw_loop_actions(ui, kept, rest.take_top(actions), false);
    rest.take_top(4);
  }
  if (with_sentence) rest.take_top(4), draw_loops_verdict(ui, verdict, rest.take_top(sentence));
}

}  // namespace

const LoopBar* LoopsKept::chosen() const {
  const auto found = std::ranges::find(bars, selected, &LoopBar::id);
  return found != bars.end() ? &*found : bars.empty() ? nullptr : &bars.front();
}

const View loops_view = {"loops", "Loops", "schedule", loops_subtitle, draw_loops, "show loops"};

}  // namespace trellis::gui
