// All orders of the kernel, as a map or as a table; measured on request.
#include "gui/views/orders_parts.hpp"
#include "gui/views/views.hpp"

namespace trellis::gui {
namespace {

struct OrdersKept {
  bool table = false;
  std::string looked_at;  ///< the order that Explain was told to show
};

std::string orders_subtitle(const Scene& scene) {
  if (!scene.explained() || scene.predict || scene.explained()->orders.orders.empty()) return "";
  const auto& table = scene.explained()->orders;
  int legal = 0;
  for (const explore::Verdict& one : table.orders) legal += one.legal ? 1 : 0;
  const auto tried = static_cast<std::int64_t>(table.orders.size());
  const std::string of = std::to_string(legal) + " of " + std::to_string(tried);
  return tried < table.total ? of + " tried are legal, of " + std::to_string(table.total) + " in all"
                             : of + " are legal";
}

/// The command that measures every legal order.
std::string measuring(const Scene& scene) {
  return "orders" + (scene.kernel->name == "main" ? "" : " " + scene.kernel->name) + " time";
}

/// Two choices of which one holds.
void draw_order_switch(Ui& ui, OrdersKept& kept, Rect area) {
  const Theme& t = ui.theme();
  ui.paint().fill(area, t(Token::raised), 6);
  for (const bool table : {false, true}) {
    const Rect spot = (table ? area.take_left(area.w) : area.take_left(area.w / 2)).inset(2);
    const char* word = table ? "table" : "map";
    const bool chosen = kept.table == table;
    const Response response = ui.item(std::string("as:") + word, "choice", word, chosen ? "chosen" : "", spot);
    if (chosen || response.hovered) ui.paint().fill(spot, t(Token::hover), 5);
    if (chosen) ui.paint().outline(spot, t(Token::line2), 1, 5);
    ui.paint().text_in(spot, word, Font::text, t(chosen ? Token::ink : Token::soft), Align::centre);
    if (response.clicked) kept.table = table;
  }
}

bool orders_under_way(const Scene& scene) {
  return scene.busy && scene.progress && scene.progress->what == "timing order";
}

void draw_order_measuring(const Scene& scene, Ui& ui, const OrderRows& rows, Rect area) {
  const Theme& t = ui.theme();
  if (orders_under_way(scene)) {
    const session::Progress& progress = *scene.progress;
    const std::string words = to_string(progress);
    ui.paint().text_in(area, words + " · Esc ends it", Font::small, t(Token::soft), Align::right);
    if (progress.of > 0)
      ui.paint().fill({area.x, area.bottom() - 2,
                       area.w * static_cast<float>(progress.number) / static_cast<float>(progress.of), 2},
                      t(Token::accent), 1);
    return ui.label("measuring", words, area);
  }
  if (rows.legal() == 0) return;
  if (ui.button("measure", rows.timed ? "measure again" : "measure", area.take_right(rows.timed ? 104 : 72)))
    ui.act(measuring(scene));
  area.take_right(8);
  if (!rows.timed) return;
  const std::string words = std::string("medians: ") + (*rows.timed == run::Backend::jit ? "jit" : "native") +
                            (rows.stale ? ", of an older program" : "");
  ui.paint().text_in(area, words, Font::small, t(Token::faint), Align::right);
  ui.label("medians", words, area, rows.stale ? "stale" : "");
}

void draw_orders(const Scene& scene, Ui& ui, Rect area) {
  if (!scene.kernel)
    return draw_nothing(ui, area, "no program yet", "write an equation, or open an example with Ctrl+G");
  if (!scene.explained()) return draw_nothing(ui, area, "no orders yet", "the program is still wrong, or on its way");
  const OrderRows& rows = order_rows(scene, ui);
  if (rows.rows.empty() || rows.rows.front().verdict.order.empty())
    return draw_nothing(ui, area, "this kernel has no loops to order");
  auto& kept = ui.memory<OrdersKept>("orders");
  Rect rest = area.inset(14, 0);
  Rect head = rest.take_top(26);
  draw_order_switch(ui, kept, head.take_left(112));
  head.take_left(10);
  if (!kept.table) {
    bool& unfolded = ui.memory<bool>("unfolded");
    if (ui.button("unfold", "down", head.take_left(54), false, unfolded)) unfolded = !unfolded;
    head.take_left(10);
  }
  if (scene.side != 'B') draw_order_measuring(scene, ui, rows, head);
  rest.take_top(6);
  rest.take_bottom(4);
  const std::string looked_at =
      kept.table ? draw_order_table(scene, ui, rows, rest) : draw_order_map(scene, ui, rows, rest);
  if (scene.side == 'B' || scene.predict || looked_at == kept.looked_at) return;
  // Explain shows what would become of it, for as long.
  kept.looked_at = looked_at;
  ui.act(looked_at.empty() ? "window preview" : "window preview " + looked_at);
}

}  // namespace

std::string words_of_row(const Scene& scene, const OrderRow& row) {
  if (scene.predict) return "";
  std::string words = word_of(row.verdict.legal);
  if (!row.verdict.reason.empty()) words += ": " + row.verdict.reason;
  if (row.verdict.cost) words += ", " + times_of_fastest(*row.verdict.cost) + " by estimate";
  if (row.verdict.median_ms) words += ", " + milliseconds(*row.verdict.median_ms) + " measured";
  if (row.refuted) words += ", the estimate ranks it elsewhere";
  if (row.far_off()) words += ", " + words_of_ratio(row.off);
  return words;
}

const View orders_view = {"orders", "Orders", "schedule", orders_subtitle, draw_orders, "orders"};

}  // namespace trellis::gui
