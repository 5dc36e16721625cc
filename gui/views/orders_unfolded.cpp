// One node of the map of orders, unfolded: its loops upwards or downwards, in every combination.
#include <algorithm>

#include "gui/asked.hpp"
#include "gui/views/orders_parts.hpp"

namespace trellis::gui {
namespace {

constexpr float unfolded_row = 22;
constexpr std::size_t most_unfolded = 7;

struct UnfoldedKept {
  std::shared_ptr<const session::ExplainedView> explained;
  std::vector<explore::Verdict> all;  ///< of every order and direction; empty: not known yet
  std::string of;                     ///< the order that the keys are in
  std::ptrdiff_t at = -1;             ///< the row that they stand on
};

bool any_down(const lang::Order& order) {
  return std::ranges::any_of(order, [](const auto& loop) { return loop.descending; });
}

const std::vector<explore::Verdict>& all_directions(const Scene& scene, Ui& ui, UnfoldedKept& kept) {
  if (kept.explained != scene.kernel->explained) kept.explained = scene.kernel->explained, kept.all.clear();
  const session::Reply* reply = asked(scene, ui, "orders " + scene.kernel->name + " down");
  const auto* listed = reply ? std::get_if<session::OrdersListed>(&reply->result) : nullptr;
  // Another listing, such as one that measures, may have come in between.
  const bool has = listed && listed->kernel == scene.kernel->name &&
                   std::ranges::any_of(listed->table.orders, any_down, &explore::Verdict::order);
  if (has && kept.all.empty()) kept.all = listed->table.orders;
  return kept.all;
}

/// Those with the same loops, fewest downwards first.
std::vector<const explore::Verdict*> unfolded_rows(const std::vector<explore::Verdict>& all, const lang::Order& order) {
  std::vector<const explore::Verdict*> rows;
  for (const explore::Verdict& one : all)
    if (any_down(one.order) && std::ranges::equal(
                                   one.order, order, {}, [](const auto& loop) { return loop.name; },
                                   [](const auto& loop) { return loop.name; }))
      rows.push_back(&one);
  std::ranges::stable_sort(rows, {}, [](const explore::Verdict* one) {
    return std::ranges::count_if(one->order, [](const auto& loop) { return loop.descending; });
  });
  if (rows.size() > most_unfolded) rows.resize(most_unfolded);
  return rows;
}

void take_unfolded_keys(Ui& ui, const std::vector<const explore::Verdict*>& rows, UnfoldedKept& kept) {
  if (ui.key("Down")) ++kept.at;
  if (ui.key("Up")) --kept.at;
  kept.at = std::clamp<std::ptrdiff_t>(kept.at, -1, std::ssize(rows) - 1);
  if (kept.at >= 0 && ui.key("Enter")) ui.act(order_command(rows[static_cast<std::size_t>(kept.at)]->order));
}

}  // namespace

std::string draw_unfolded(const Scene& scene, Ui& ui, const lang::Order& order, Point node, Rect area) {
  auto& kept = ui.memory<UnfoldedKept>("unfolded orders");
  if (kept.of != lang::to_string(order)) kept.of = lang::to_string(order), kept.at = -1;
  const auto rows = unfolded_rows(all_directions(scene, ui, kept), order);
  take_unfolded_keys(ui, rows, kept);
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const float width = std::max(110.F, order_width(paint, order, Font::list_mono) + 3 * 8 + 40);
  const float height = static_cast<float>(std::max<std::size_t>(rows.size(), 1)) * unfolded_row + 10;
  const bool right = node.x + 20 + width <= area.right();
  Rect card{right ? node.x + 20 : node.x - 20 - width, node.y - height / 2, width, height};
  card.x = std::clamp(card.x, area.x, std::max(area.x, area.right() - width));
  card.y = std::clamp(card.y, area.y, std::max(area.y, area.bottom() - height));
  paint.fill(card, t(Token::raised), 6);
  paint.outline(card, t(Token::line2), 1, 6);
  // What lies below it does not take the pointer.
  ui.item("unfolded", "list", kept.of, rows.empty() ? "being tried" : "", card);
  if (rows.empty()) paint.text_in(card, "being tried …", Font::small, t(Token::soft), Align::centre);
  std::string looked_at;
  Rect rest = card.inset(5, 5);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string words = lang::to_string(rows[i]->order);
    const Rect row = rest.take_top(unfolded_row);
    const bool mine = rows[i]->order == scene.explained()->in_force,
               walked = static_cast<std::ptrdiff_t>(i) == kept.at && ui.pane_has_keys();
    const std::string state = scene.predict ? "" : word_of(rows[i]->legal);
    const Response response = ui.item("order:" + words, "row", words + (mine ? ", yours" : ""), state, row);
    if (response.hovered || walked) paint.fill(row, t(Token::hover), 4);
    if (walked || mine) paint.outline(row, t(mine ? Token::ink : Token::accent), 1.5F, 4);
    paint.verdict({row.x + 13, row.centre().y}, icon_of(scene, rows[i]->legal), t, 6);
    paint_order(paint, scene, t, {row.x + 28, row.y + (row.h - paint.height(Font::list_mono)) / 2}, rows[i]->order,
                Font::list_mono);
    if (response.hovered || (walked && looked_at.empty())) looked_at = mine ? "" : words;
    if (response.clicked && !mine && scene.side != 'B') ui.act(order_command(rows[i]->order));
  }
  return looked_at;
}

}  // namespace trellis::gui
