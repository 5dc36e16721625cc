#include "gui/minimap.hpp"

#include <algorithm>
#include <cctype>
#include <map>

#include "gui/find.hpp"

namespace trellis::gui {
namespace {

constexpr Point largest_map{150, 96};
/// Where so much of a drawing is seen, a map of it would hide more than it shows.
constexpr float enough_in_sight = 0.75F;

/// "V" of "V(i,j)".
std::string tensor_of(const view::Drawing::Node& node) {
  const std::string& name = name_of(node);
  const auto end = std::ranges::find_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_' && c != static_cast<unsigned char>('\''); });
  return {name.begin(), end};
}

struct Group {
  std::string tensor;
  Point middle;
  std::size_t boxes = 0;
};

std::vector<Group> groups_of(const PlacedDrawing& placed, const view::Drawing& drawing, Rect area) {
  std::map<std::string, Group> groups;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    const Rect box = placed.box(i);
    if (!box.meets(area)) continue;
    Group& group = groups[tensor_of(drawing.nodes[i])];
    group.tensor = tensor_of(drawing.nodes[i]);
    group.middle = group.middle + box.centre();
    ++group.boxes;
  }
  std::vector<Group> all;
  for (auto& [name, group] : groups) {
    group.middle = group.middle * (1 / static_cast<float>(group.boxes));
    if (!name.empty()) all.push_back(group);
  }
  std::ranges::stable_sort(all, std::greater{}, &Group::boxes);
  return all;
}

}  // namespace

void draw_minimap(Ui& ui, PlacedDrawing& placed, const view::Drawing& drawing, Rect area) {
  if (!placed.canvas().cut_off() || area.w < 2 * largest_map.x || area.h < 2 * largest_map.y) return;
  const Rect world = extent_of(drawing);
  const Point first = placed.canvas().to_world(Point{area.x, area.y}),
              last = placed.canvas().to_world(Point{area.right(), area.bottom()});
  const Rect in_sight = world.cut({first.x, first.y, last.x - first.x, last.y - first.y});
  if (in_sight.w * in_sight.h > enough_in_sight * world.w * world.h) return;
  const float shrink = std::min(largest_map.x / std::max(world.w, 1.F), largest_map.y / std::max(world.h, 1.F));
  const Rect map{area.right() - world.w * shrink - 12, area.y + 8, world.w * shrink, world.h * shrink};
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  const Response response = ui.item("minimap", "button", "all of it", "", map.inset(-4));
  paint.fill(map.inset(-4), faded(t(Token::window), 0.9F), 4);
  paint.outline(map.inset(-4), t(Token::line2), 1, 4);
  const auto on_map = [&](Rect part) {
    return Rect{map.x + (part.x - world.x) * shrink, map.y + (part.y - world.y) * shrink,
                std::max(1.F, part.w * shrink), std::max(1.F, part.h * shrink)};
  };
  const Clip clip(paint, map.inset(-4));
  for (const view::Drawing::Node& node : drawing.nodes)
    paint.fill(on_map(rect_of(node.box)), t(node.kind == view::Drawing::Kind::result ? Token::accent : Token::soft));
  const Rect seen = on_map({first.x, first.y, last.x - first.x, last.y - first.y});
  paint.fill(seen, t.fill(Token::ink, 0.1F));
  paint.outline(seen, t(Token::ink), 1);
  if (!response.held && !response.pressed) return;
  const Point at = ui.input().mouse - Point{map.x, map.y};
  placed.canvas().bring({world.x + at.x / shrink, world.y + at.y / shrink}, area.centre());
  ui.animate();
}

void draw_group_names(Ui& ui, const PlacedDrawing& placed, const view::Drawing& drawing, Rect area) {
  if (placed.canvas().legible() || drawing.nodes.size() < 12) return;
  Paint& paint = ui.paint();
  const Theme& t = ui.theme();
  std::vector<Rect> taken;
  for (const Group& group : groups_of(placed, drawing, area)) {
    const std::string words = group.tensor + (group.boxes > 1 ? " ×" + std::to_string(group.boxes) : std::string());
    const float wide = paint.width(words, Font::small_mono) + 10;
    const Rect tag{group.middle.x - wide / 2, group.middle.y - 9, wide, 18};
    if (std::ranges::any_of(taken, [&](const Rect& other) { return other.inset(-2).meets(tag); })) continue;
    taken.push_back(tag);
    paint.fill(tag, faded(t(Token::pane), 0.85F), 5);
    paint.outline(tag, t(Token::line2), 1, 5);
    paint.text_in(tag, words, Font::small_mono, t(Token::ink), Align::centre);
    ui.label("group:" + group.tensor, words, tag);
  }
}

void fly_to_found(Ui& ui, PlacedDrawing& placed, const view::Drawing& drawing) {
  Ui::Find* find = ui.finding();
  if (!find) return;
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i)
    if (std::ranges::any_of(drawing.nodes[i].lines,
                            [&](const std::string& line) { return !occurrences(line, find->query).empty(); }))
      found.push_back(i);
  find->answered = true, find->count = found.size();
  for (const std::size_t i : found) ui.paint().outline(placed.box(i).inset(-2), ui.theme()(Token::kin), 1.5F, 6);
  if (found.empty()) return;
  const std::size_t at = found[std::min(find->at, found.size() - 1)];
  ui.paint().outline(placed.box(at).inset(-4), ui.theme()(Token::kin), 3, 7);
  ui.label("found", name_of(drawing.nodes[at]), placed.box(at));
  if (!find->moved) return;
  placed.canvas().look_at(rect_of(drawing.nodes[at].box));
  ui.animate();
}

}  // namespace trellis::gui
