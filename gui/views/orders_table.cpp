// Orders as rows: the fastest first, then what is illegal and why.
#include <algorithm>

#include "gui/views/orders_parts.hpp"

namespace trellis::gui {
namespace {

constexpr float order_row_height = 22;

struct OrderTableKept {
  float scroll = 0;
  std::string walked;  ///< the order that the keys stand on
};

/// A number with a bar behind it, as long as it is large.
void draw_order_number(Paint& paint, const Theme& t, Rect area, const std::string& words, double share, Token token) {
  const Rect bar{area.x, area.y + 3, area.w * static_cast<float>(std::clamp(share, 0.0, 1.0)), area.h - 6};
  paint.fill(bar, t.fill(token, 0.22F), 2);
  paint.text_in(area.inset(4, 0), words, Font::small_mono, t(Token::ink));
}

/// True: somebody looks at it.
bool draw_order_row(const Scene& scene, Ui& ui, const OrderRows& rows, const OrderRow& row, Rect area, bool walked) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::string words = lang::to_string(row.verdict.order);
  const Response response =
      ui.item("order:" + words, "row", words + (row.mine ? ", yours" : ""), words_of_row(scene, row), area);
  if (response.clicked && !row.mine && scene.side != 'B') ui.act(order_command(row.verdict.order));
  if (row.mine)
    paint.fill(area, t.fill(Token::accent, 0.16F), 4),
        paint.fill({area.x, area.y + 2, 3, area.h - 4}, t(Token::accent), 1.5F);
  else if (response.hovered) paint.fill(area, t(Token::hover), 4);
  if (walked) paint.outline(area, t(Token::accent), 1.5F, 4);
  Rect rest = area.inset(8, 0);
  paint.verdict(rest.take_left(14).centre(), icon_of(scene, row.verdict.legal), t, 6);
  rest.take_left(8);
  const Rect name = rest.take_left(std::max(60.F, order_width(paint, row.verdict.order, Font::list_mono) + 10));
  paint_order(paint, scene, t, {name.x, name.y + (name.h - paint.height(Font::list_mono)) / 2}, row.verdict.order,
              Font::list_mono);
  if (row.mine)
    paint.text_in(rest.take_right(34), "yours", Font::small, t(Token::soft), Align::right), rest.take_right(6);
  const bool looked_at = !row.mine && (response.hovered || walked);
  if (scene.predict) return looked_at;
  if (!row.verdict.legal) {
    paint.text_in(rest, row.verdict.reason, Font::small, t(Token::soft));
    return looked_at;
  }
  if (row.verdict.cost && rows.slowest_cost > 0) {
    const float width = std::min(84.F, rest.w / 2);
    draw_order_number(paint, t, rest.take_left(width), times_of_fastest(*row.verdict.cost),
                      *row.verdict.cost / rows.slowest_cost, Token::soft);
    rest.take_left(8);
  }
  if (row.verdict.median_ms && rows.slowest_ms > 0) {
    const float width = std::min(96.F, rest.w);
    draw_order_number(paint, t, rest.take_left(width), milliseconds(*row.verdict.median_ms),
                      *row.verdict.median_ms / rows.slowest_ms, Token::accent);
    rest.take_left(8);
    if (row.refuted || row.far_off()) paint.text_in(rest.take_left(14), "≠", Font::strong, t(Token::ink));
    if (row.far_off()) paint.text_in(rest, words_of_ratio(row.off), Font::small, t(Token::soft));
  }
  return looked_at;
}

void draw_order_columns(Paint& paint, const Theme& t, const OrderRows& rows, Rect area) {
  Rect rest = area.inset(8, 0);
  rest.take_left(22);
  const float name = std::max(60.F, order_width(paint, rows.rows.front().verdict.order, Font::list_mono) + 10);
  paint.text_in(rest.take_left(name), "order", Font::small, t(Token::faint));
  paint.text_in(rest.take_left(92), "estimate", Font::small, t(Token::faint));
  if (rows.timed) paint.text_in(rest.take_left(104), "median", Font::small, t(Token::faint));
  if (rows.timed && rest.w > 150)
    paint.text_in(rest, "≠ they disagree: about the rank, or by more than 2×", Font::small, t(Token::faint));
}

/// Arrows walk, Enter adopts.
void take_table_keys(Ui& ui, const OrderRows& rows, OrderTableKept& kept, float room) {
  const auto found = std::ranges::find_if(
      rows.rows, [&](const OrderRow& row) { return lang::to_string(row.verdict.order) == kept.walked; });
  std::ptrdiff_t at = found == rows.rows.end() ? -1 : found - rows.rows.begin();
  const std::ptrdiff_t was = at;
  if (ui.key("Down")) ++at;
  if (ui.key("Up")) --at;
  if (at != was && !rows.rows.empty()) {
    at = std::clamp<std::ptrdiff_t>(at, 0, std::ssize(rows.rows) - 1);
    kept.walked = lang::to_string(rows.rows[static_cast<std::size_t>(at)].verdict.order);
    const float top = static_cast<float>(at) * order_row_height;
    kept.scroll = std::clamp(kept.scroll, top + order_row_height - room, top);
  }
  if (at >= 0 && ui.key("Enter")) ui.act("order " + kept.walked);
}

}  // namespace

std::string draw_order_table(const Scene& scene, Ui& ui, const OrderRows& rows, Rect area) {
  auto& kept = ui.memory<OrderTableKept>("table");
  draw_order_columns(ui.paint(), ui.theme(), rows, area.take_top(18));
  take_table_keys(ui, rows, kept, area.h);
  const Clip clip(ui.paint(), area.inset(-2, 0));
  std::string looked_at;
  const auto count = static_cast<float>(rows.rows.size());
  ui.scroll("scroll", {area.x, area.y, area.w + 10, area.h}, count * order_row_height, kept.scroll);
  const auto first = static_cast<std::size_t>(std::max(0.F, kept.scroll / order_row_height));
  for (std::size_t i = first; i < rows.rows.size(); ++i) {
    const Rect spot{area.x, area.y + static_cast<float>(i) * order_row_height - kept.scroll, area.w, order_row_height};
    if (spot.y > area.bottom()) break;
    const std::string order = lang::to_string(rows.rows[i].verdict.order);
    const bool walked = order == kept.walked && ui.pane_has_keys();
    // The pointer tells more about what one looks at than the keys, which stay where they were.
    if (draw_order_row(scene, ui, rows, rows.rows[i], spot, walked) && (!walked || looked_at.empty()))
      looked_at = order;
  }
  return looked_at;
}

}  // namespace trellis::gui
