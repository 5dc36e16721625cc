// While a bar is dragged: every place where it may go is a row that says what would become of the program there. The
// bar itself follows in a column of its own, so that it never covers what a row says.
#include <algorithm>

#include "gui/order_words.hpp"
#include "gui/views/loops_parts.hpp"

namespace trellis::gui {
namespace {

struct SlotWords {
  Verdict icon = Verdict::unknown;
  std::string state, right, reason;
};

SlotWords words_of_slot(const Scene& scene, const session::DropSlot* slot, bool here) {
  if (scene.predict) return {Verdict::unknown, here ? "as it is" : "", here ? "as it is" : "", ""};
  if (!slot) return {Verdict::unknown, "unknown", "", "not judged yet"};
  SlotWords words{icon_of(scene, slot->verdict.legal), word_of(slot->verdict.legal), "", slot->verdict.reason};
  if (slot->verdict.cost) words.right = times_of_fastest(*slot->verdict.cost);
  if (!slot->discordant.empty()) {
    words.icon = Verdict::costly, words.state = "costly";
    words.reason = "searches " + slot->discordant.front().element + " against its storage";
  } else if (slot->verdict.legal) {
    words.reason = slot->verdict.cost && *slot->verdict.cost < 1.05 ? "as fast as any, by estimate"
                   : slot->verdict.cost                             ? "as long as the fastest takes, by estimate"
                                                                    : "";
  }
  if (here)
    words.state += ", as it is", words.reason = words.reason.empty() ? "as it is" : "as it is · " + words.reason;
  return words;
}

void draw_drop_slot(const Scene& scene, Ui& ui, int number, const lang::Order& order, const SlotWords& words, Rect area,
                    bool under_pointer) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  ui.item("slot:" + std::to_string(number), "slot", lang::to_string(order), words.state, area);
  const Token token = words.icon == Verdict::illegal  ? Token::bad
                      : words.icon == Verdict::costly ? Token::warn
                      : words.icon == Verdict::legal  ? Token::good
                                                      : Token::edge;
  if (under_pointer) paint.fill(area, t.fill(token, t.verdict_fill), 6), paint.outline(area, t(token), 1.5F, 6);
  else paint.dashed(area, t(Token::line2), 1, 6);
  Rect rest = area.inset(10, 3);
  const bool two_lines = area.h > 34;
  const Rect icon = rest.take_left(14);
  rest.take_left(8);
  Rect line = two_lines ? rest.take_top(17) : rest;
  paint.verdict({icon.centre().x, two_lines ? line.centre().y : area.centre().y}, words.icon, t, 7);
  if (!words.right.empty())
    paint.text_in(line.take_right(56), words.right, Font::list_mono, t(Token::ink), Align::right);
  const float width = order_width(paint, order, Font::mono);
  paint_order(paint, scene, t, {line.x, line.y + (line.h - paint.height(Font::mono)) / 2}, order, Font::mono);
  if (two_lines) {
    paint.text_in(rest, words.reason, Font::small, t(words.icon == Verdict::illegal ? Token::bad : Token::soft));
  } else {
    line.take_left(width + 14);
    paint.text_in(line, words.reason, Font::small, t(words.icon == Verdict::illegal ? Token::bad : Token::soft));
  }
}

void draw_dragged_loop(const Scene& scene, Ui& ui, const LoopBar& bar, Rect column, float y) {
  Rect spot{column.x, std::clamp(y - 17, column.y, std::max(column.y, column.bottom() - 34)), column.w, 34};
  ui.paint().fill(spot.inset(-3), ui.theme().fill(Token::window, 0.5F), 8);
  LoopBar small = bar;
  small.id = "dragged", small.kind.clear(), small.marks.clear();
  if (column.w < 140) small.range.clear();
  draw_loop_bar(scene, ui, small, spot, true);
  ui.paint().outline(spot, ui.theme()(Token::accent), 1.5F, 6);
}

}  // namespace

lang::Order with_moved_loop(lang::Order order, int from, int to) {
  const lang::LoopName moved = order[static_cast<std::size_t>(from)];
  order.erase(order.begin() + from);
  order.insert(order.begin() + to, moved);
  return order;
}

void draw_drop_slots(const Scene& scene, Ui& ui, LoopsKept& kept, Rect area) {
  const lang::Order& order = scene.explained()->order;
  const int from = kept.dragged, count = static_cast<int>(order.size());
  const auto bar_at = [&](int place) -> const LoopBar* {
    const auto found = std::ranges::find(kept.bars, place, &LoopBar::place);
    return found == kept.bars.end() ? nullptr : &*found;
  };
  const LoopBar* dragged = bar_at(from);
  const Input& input = ui.input();
  if (!dragged || std::ranges::find(input.keys, "Escape") != input.keys.end() || (!input.down && !input.released)) {
    kept.dragged = -1, kept.let_go = input.down;
    return;
  }
  const session::DrawnView* drawn = scene.drawn();
  const auto place = static_cast<std::size_t>(from);
  const auto* slots = drawn && drawn->drop_slots.size() > place ? &drawn->drop_slots[place] : nullptr;

  const Rect column = area.take_right(area.w > 300 ? 118 : 60);
  area.take_right(10);
  const auto n = static_cast<float>(count);
  const auto fits = [&](float slot, float bar) { return n * (slot + 4) + (n - 1) * (bar + 4) <= area.h + 4; };
  const float slot_height = fits(40, 18) ? 40 : 26, bar = fits(slot_height, 26) ? 26 : 18;
  const float content = n * (slot_height + 4) + (n - 1) * (bar + 4);
  ui.scroll("scroll drag", {area.x, area.y, area.w + 8, area.h}, content, kept.scroll);
  float y = area.y - kept.scroll;
  const Clip clip(ui.paint(), {area.x - 2, area.y - 2, column.right() - area.x + 6, area.h + 4});
  int under = -1;
  for (int slot = 0, other = 0; slot < count; ++slot) {
    const Rect spot{area.x, y, area.w, slot_height};
    const Rect reach{area.x - 14, y - 2, column.right() - area.x + 28, slot_height + 4};
    if (reach.contains(input.mouse)) under = slot;
    const session::DropSlot* judged =
        slots && slots->size() > static_cast<std::size_t>(slot) ? &(*slots)[static_cast<std::size_t>(slot)] : nullptr;
    draw_drop_slot(scene, ui, slot, with_moved_loop(order, from, slot), words_of_slot(scene, judged, slot == from),
                   spot, under == slot);
    y += slot_height + 4;
    if (other == from) ++other;
    if (slot + 1 == count) break;
    if (const LoopBar* still = bar_at(other++)) {
      LoopBar small = *still;
      small.marks.clear();
      draw_loop_bar(scene, ui, small, {area.x + 10, y, area.w - 10, bar}, true);
    }
    y += bar + 4;
  }
  draw_dragged_loop(scene, ui, *dragged, column, input.mouse.y);
  if (!input.released) return ui.animate();
  kept.dragged = -1;
  if (under >= 0 && under != from) ui.act(order_command(with_moved_loop(order, from, under)));
}

}  // namespace trellis::gui
