// Orders at their places in the permutohedron: an edge swaps two neighbouring loops.
#include <algorithm>
#include <cmath>

#include "gui/canvas.hpp"
#include "gui/views/orders_parts.hpp"

namespace trellis::gui {
namespace {

constexpr float order_radius = 12;

struct OrderMapKept {
  const void* of = nullptr;  ///< the rows that the rest is made of
  std::size_t count = 0;
  OrderPlaces places;
  std::vector<std::pair<std::size_t, std::size_t>> edges;
  std::vector<std::size_t> way;
  std::string walked;
  std::shared_ptr<const session::ExplainedView> explained;
};

void update_order_map(const Scene& scene, const OrderRows& rows, OrderMapKept& kept) {
  if (kept.explained == scene.kernel->explained && kept.of == rows.rows.data() && kept.count == rows.rows.size())
    return;
  kept.explained = scene.kernel->explained, kept.of = rows.rows.data(), kept.count = rows.rows.size();
  kept.places = order_places(scene, rows);
  kept.way = rows.way_to_legal();
  kept.edges.clear();
  for (std::size_t i = 0; i < rows.rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (are_neighbours(rows.rows[i].verdict.order, rows.rows[j].verdict.order)) kept.edges.emplace_back(j, i);
}

/// Where the nodes stand in the window.
std::vector<Point> places_in(Ui& ui, const OrderPlaces& places, Rect area, std::size_t loops, bool timed) {
  std::vector<Point> at;
  if (!places.in_units) {
    const float label = std::max(static_cast<float>(loops) * 14 + 16, timed ? 76.F : 0.F), high = timed ? 60 : 46;
    const Rect room = area.inset(std::min(area.w / 4, label + order_radius + 10), std::min(area.h / 4, high));
    // A hexagon that is much wider than high would be hard to tell.
    const float across = loops == 3 ? std::min(room.w, room.h * 1.25F) : room.w;
    for (const Point& place : places.at)
      at.push_back(
          {std::round(room.centre().x + place.x * across / 2), std::round(room.centre().y + place.y * room.h / 2)});
    return at;
  }
  Rect world;
  for (const Point& place : places.at) world = {std::min(world.x, place.x), std::min(world.y, place.y), 0, 0};
  world.w = -2 * world.x, world.h = -2 * world.y;
  const Canvas canvas(ui, "map", area, world.inset(-30));
  for (const Point& place : places.at) at.push_back(canvas.to_window(place));
  return at;
}

void draw_way_to_legal(Ui& ui, const std::vector<Point>& at, const std::vector<std::size_t>& way) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    const Point from = at[way[i]], to = at[way[i + 1]], along = to - from;
    const float length = std::hypot(along.x, along.y);
    if (length < 3 * order_radius) continue;
    const Point tip = to - along * ((order_radius + 4) / length), start = from + along * ((order_radius + 5) / length);
    paint.line(start, tip - along * (5 / length), t(Token::good), 3);
    paint.arrow_head(tip, start, t(Token::good), 9);
  }
}

/// "one swap", on the first step; beside it, away from the labels, where the step is so short that they would meet.
void draw_way_words(Ui& ui, const std::vector<Point>& at, const std::vector<std::size_t>& way) {
  static constexpr const char* numbers[] = {"no",   "one", "two",   "three", "four",
                                            "five", "six", "seven", "eight", "nine"};
  const std::size_t swaps = way.size() - 1;
  const std::string words =
      (swaps < 10 ? numbers[swaps] : std::to_string(swaps)) + std::string(swaps == 1 ? " swap" : " swaps");
  const Point from = at[way[0]], to = at[way[1]], middle = (from + to) * 0.5F;
  const float width = ui.paint().width(words, Font::small) + 14;
  const auto [left, right] = std::ranges::minmax(at, {}, &Point::x);
  const float inwards = middle.x < (left.x + right.x) / 2 ? 1.F : -1.F;
  const bool is_short = std::hypot(to.x - from.x, to.y - from.y) < 4 * order_radius + 18;
  const Rect tag{middle.x - width / 2 + (is_short ? inwards * (width / 2 + 8) : 0), middle.y - 9, width, 18};
  ui.paint().fill(tag, ui.theme()(Token::pane), 9);
  ui.paint().outline(tag, ui.theme()(Token::good), 1, 9);
  ui.paint().text_in(tag, words, Font::small, ui.theme()(Token::good), Align::centre);
  ui.label("way", words, tag);
}

/// What is known about its speed, by lines: the median, then the estimate.
std::vector<std::string> figures_of(const Scene& scene, const OrderRow& row) {
  const std::string mine = row.mine ? "yours" : "", apart = row.mine ? " · " : "";
  const auto& [median, cost] = std::pair(row.verdict.median_ms, row.verdict.cost);
  std::vector<std::string> lines;
  if (!scene.predict && median) lines.push_back(mine + apart + milliseconds(*median));
  if (!scene.predict && cost)
    lines.push_back((median ? "est. " : mine + apart) + times_of_fastest(*cost) +
                    (row.refuted || row.far_off() ? " ≠" : ""));
  if (lines.empty() && row.mine) lines.push_back(mine);
  return lines;
}

/// The name and what is known about its speed, outwards of the node.
void draw_order_label(const Scene& scene, Ui& ui, const OrderRow& row, Point node, Point centre, bool beside) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::vector<std::string> more = figures_of(scene, row);
  const float width = order_width(paint, row.verdict.order, Font::list_mono);
  float widest = width;
  for (const std::string& words : more) widest = std::max(widest, paint.width(words, Font::small));
  const float height = 16 + 15 * static_cast<float>(more.size());
  Rect box{node.x - widest / 2, node.y < centre.y ? node.y - order_radius - 6 - height : node.y + order_radius + 6,
           widest, height};
  if (beside)
    box = {node.x < centre.x ? node.x - order_radius - 12 - widest : node.x + order_radius + 12, node.y - height / 2,
           widest, height};
  const auto place = [&](float w) {
    return beside ? (node.x < centre.x ? box.right() - w : box.x) : box.x + (box.w - w) / 2;
  };
  paint_order(paint, scene, t, {std::round(place(width)), std::round(box.y)}, row.verdict.order, Font::list_mono);
  float y = std::round(box.y + 16);
  for (const std::string& words : more) {
    paint.text({std::round(place(paint.width(words, Font::small))), y}, words, row.mine ? Font::medium : Font::small,
               t(row.mine ? Token::ink : Token::soft));
    y += 15;
  }
}

/// True: the pointer is on it.
bool draw_order_node(const Scene& scene, Ui& ui, const OrderRow& row, Point at, bool walked) {
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const std::string words = lang::to_string(row.verdict.order);
  const Rect spot{at.x - order_radius - 3, at.y - order_radius - 3, 2 * order_radius + 6, 2 * order_radius + 6};
  const Response response =
      ui.item("order:" + words, "node", words + (row.mine ? ", yours" : ""), words_of_row(scene, row), spot);
  if (response.hovered) paint.disc(at, order_radius + 5, t(Token::hover));
  if (row.mine) paint.ring(at, order_radius + 4.5F, t(Token::ink), 2);
  else if (walked) paint.dashed_ring(at, order_radius + 4.5F, t(Token::accent), 2);
  paint.disc(at, order_radius - 1, t(Token::pane));
  paint.verdict(at, icon_of(scene, row.verdict.legal), t, order_radius - 1);
  if (response.hovered)
    ui.tooltip(words + (row.mine ? " (yours)" : "") + (scene.predict ? "" : "\n" + words_of_row(scene, row)));
  if (response.clicked && !row.mine && scene.side != 'B') ui.act(order_command(row.verdict.order));
  return response.hovered;
}

/// The row that the keys stand on, else the one in force; the number of rows: there is neither.
std::size_t row_at_hand(const OrderRows& rows, const std::string& walked) {
  const auto found = std::ranges::find_if(
      rows.rows, [&](const OrderRow& row) { return lang::to_string(row.verdict.order) == walked; });
  return static_cast<std::size_t>(
      (found == rows.rows.end() ? std::ranges::find_if(rows.rows, &OrderRow::mine) : found) - rows.rows.begin());
}

/// The neighbour that lies most in the direction of the arrow.
void take_map_keys(Ui& ui, const OrderRows& rows, const std::vector<Point>& at, OrderMapKept& kept) {
  const std::size_t now = row_at_hand(rows, kept.walked);
  if (now == rows.rows.size()) return;
  for (const auto& [key, way] :
       {std::pair<const char*, Point>{"Left", {-1, 0}}, {"Right", {1, 0}}, {"Up", {0, -1}}, {"Down", {0, 1}}}) {
    if (!ui.key(key)) continue;
    float best = 0.2F;
    std::size_t next = now;
    for (const auto& [a, b] : kept.edges) {
      if (a != now && b != now) continue;
      const std::size_t other = a == now ? b : a;
      const Point step = at[other] - at[now];
      const float length = std::hypot(step.x, step.y),
                  fit = length > 0 ? (step.x * way.x + step.y * way.y) / length : 0;
      if (fit > best) best = fit, next = other;
    }
    kept.walked = lang::to_string(rows.rows[next].verdict.order);
  }
  if (!kept.walked.empty() && ui.key("Enter")) ui.act("order " + kept.walked);
}

}  // namespace

std::string draw_order_map(const Scene& scene, Ui& ui, const OrderRows& rows, Rect area) {
  auto& kept = ui.memory<OrderMapKept>("map of orders");
  update_order_map(scene, rows, kept);
  const std::size_t loops = rows.rows.front().verdict.order.size();
  const Clip clip(ui.paint(), area.inset(-12, -4));
  const std::vector<Point> at = places_in(ui, kept.places, area, loops, rows.timed.has_value());
  if (ui.key("D")) ui.memory<bool>("unfolded") ^= true;
  const bool unfolded = ui.memory<bool>("unfolded");
  if (!unfolded) take_map_keys(ui, rows, at, kept);
  std::string looked_at;
  const Theme& t = ui.theme();
  for (const auto& [a, b] : kept.edges) ui.paint().line(at[a], at[b], t(Token::line2), 1);
  const bool way = kept.way.size() > 1 && !scene.predict;
  if (way) draw_way_to_legal(ui, at, kept.way);
  // Names stand where there is room for all of them; else at what matters.
  const bool all_named = loops <= 3 || (loops == 4 && area.w > 560 && area.h > 380);
  const Point centre = area.centre();
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const OrderRow& row = rows.rows[i];
    if (!area.inset(-order_radius * 2).contains(at[i])) continue;
    const std::string words = lang::to_string(row.verdict.order);
    const bool walked = words == kept.walked && ui.pane_has_keys();
    // The pointer tells more about what one looks at than the keys, which stay where they were.
    if (draw_order_node(scene, ui, row, at[i], walked)) looked_at = row.mine ? "" : words;
    else if (walked && !row.mine && looked_at.empty()) looked_at = words;
    const bool beside = loops == 3 ? std::abs(kept.places.at[i].x) > 0.5F : false;
    if (all_named || row.mine || walked || (way && i == kept.way.back()))
      draw_order_label(scene, ui, row, at[i], centre, beside);
  }
  if (way) draw_way_words(ui, at, kept.way);
  const std::size_t at_hand = row_at_hand(rows, kept.walked);
  if (!unfolded || at_hand == rows.rows.size()) return looked_at;
  const std::string inside = draw_unfolded(scene, ui, rows.rows[at_hand].verdict.order, at[at_hand], area);
  return inside.empty() ? looked_at : inside;
}

}  // namespace trellis::gui
