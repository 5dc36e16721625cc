#include "gui/drawing_view.hpp"

#include <algorithm>
#include <cmath>

namespace trellis::gui {
namespace {

constexpr double glide_seconds = 0.16;
/// Drawings of so few boxes and edges are read rather than looked at: their letters never get too small to be seen.
constexpr std::size_t most_read = 60;

Point point_of(const view::Layout::Point& p) { return {static_cast<float>(p.x), static_cast<float>(p.y)}; }

Rect bounds_of(const view::Layout::Curve& curve) {
  float left = static_cast<float>(curve.tip.x), right = left, top = static_cast<float>(curve.tip.y), bottom = top;
  for (const view::Layout::Point& p : curve.points) {
    const Point at = point_of(p);
    left = std::min(left, at.x), right = std::max(right, at.x);
    top = std::min(top, at.y), bottom = std::max(bottom, at.y);
  }
  return {left - 1, top - 1, right - left + 2, bottom - top + 2};
}

}  // namespace

Rect rect_of(const view::Layout::Box& box) {
  return {static_cast<float>(box.x), static_cast<float>(box.y), static_cast<float>(box.width),
          static_cast<float>(box.height)};
}

Rect extent_of(const view::Drawing& drawing) {
  return {0, 0, static_cast<float>(drawing.width), static_cast<float>(drawing.height)};
}

const std::string& name_of(const view::Drawing::Node& node) {
  static const std::string none;
  return node.lines.empty() ? none : node.lines.front();
}

PlacedDrawing::PlacedDrawing(Ui& ui, const std::string& name, Rect area, const std::shared_ptr<const void>& owner,
                             const view::Drawing& drawing, const std::string& anchor)
    : ui_(ui),
      area_(area),
      drawing_(drawing),
      kept_(ui.memory<Kept>(name + ".placed")),
      canvas_(ui, name, area, extent_of(drawing), 1.25F,
              drawing.nodes.size() <= most_read && drawing.edges.size() <= most_read ? 0.64F : 0.05F) {
  if (kept_.drawing != &drawing || kept_.owner != owner) take_up(owner, anchor);
  if (kept_.began >= 0 && !ui.reduced_motion) {
    const double done = std::clamp((ui.input().now - kept_.began) / glide_seconds, 0.0, 1.0);
    left_ = static_cast<float>(std::pow(1 - done, 3));
    if (done < 1) ui.animate();
    else kept_.began = -1;
  }
  kept_.stood.clear();
  if (drawing.nodes.size() <= 300)
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) kept_.stood[name_of(drawing.nodes[i])] = box(i).centre();
}

void PlacedDrawing::take_up(const std::shared_ptr<const void>& owner, const std::string& anchor) {
  const bool first = kept_.drawing == nullptr;
  kept_.owner = owner;
  kept_.drawing = &drawing_;
  kept_.place_of.clear(), kept_.edge_bounds.clear();
  for (std::size_t i = 0; i < drawing_.nodes.size(); ++i) kept_.place_of[drawing_.nodes[i].id] = i;
  for (const view::Drawing::Edge& edge : drawing_.edges) kept_.edge_bounds.push_back(bounds_of(edge.curve));
  kept_.from = std::exchange(kept_.stood, {});
  kept_.began = first || drawing_.nodes.size() > 300 ? -1 : ui_.input().now;
  const auto stood = kept_.from.find(anchor);
  if (anchor.empty() || stood == kept_.from.end()) return;
  for (const view::Drawing::Node& node : drawing_.nodes)
    if (name_of(node) == anchor) canvas_.bring(rect_of(node.box).centre(), stood->second);
}

Point PlacedDrawing::moved(std::size_t node) const {
  if (left_ <= 0) return {};
  const auto from = kept_.from.find(name_of(drawing_.nodes[node]));
  if (from == kept_.from.end()) return {};
  return (from->second - canvas_.to_window(rect_of(drawing_.nodes[node].box)).centre()) * left_;
}

Rect PlacedDrawing::box(std::size_t node) const {
  const Rect there = canvas_.to_window(rect_of(drawing_.nodes[node].box)).moved(moved(node));
  return {std::round(there.x), std::round(there.y), std::round(there.w), std::round(there.h)};
}

std::vector<Point> PlacedDrawing::curve(std::size_t edge) const {
  const view::Drawing::Edge& one = drawing_.edges[edge];
  const Rect seen = canvas_.to_window(kept_.edge_bounds[edge]);
  std::vector<Point> points;
  if ((left_ <= 0 && !seen.meets(area_)) || one.curve.points.empty()) return points;
  const auto at = [&](std::size_t i) { return canvas_.to_window(point_of(one.curve.points[i])); };
  const float length = std::max(seen.w, seen.h);
  const bool crowded = drawing_.edges.size() > 1000;  // nobody follows the bends of one among so many
  const int parts = length < 12   ? 1
                    : length < 60 ? (crowded ? 2 : 4)
                    : crowded     ? std::min(6, 2 + static_cast<int>(length / 100))
                                  : std::min(24, 6 + static_cast<int>(length / 24));
  points.push_back(at(0));
  for (std::size_t i = 0; i + 3 < one.curve.points.size(); i += 3)
    for (const Point& p : along(at(i), at(i + 1), at(i + 2), at(i + 3), parts))
      if (!(p == points.back())) points.push_back(p);
  points.push_back(canvas_.to_window(point_of(one.curve.tip)));
  if (left_ <= 0) return points;
  const auto from = kept_.place_of.find(one.from), to = kept_.place_of.find(one.to);
  if (from == kept_.place_of.end() || to == kept_.place_of.end()) return points;
  const Point begins = moved(from->second), ends = moved(to->second);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const float share = static_cast<float>(i) / static_cast<float>(points.size() - 1);
    points[i] = points[i] + begins * (1 - share) + ends * share;
  }
  return points;
}

Point PlacedDrawing::label(std::size_t edge) const {
  return canvas_.to_window(point_of(drawing_.edges[edge].curve.label));
}

void PlacedDrawing::draw_frames() const {
  Paint& paint = ui_.paint();
  const Theme& t = ui_.theme();
  for (const view::Drawing::Frame& frame : drawing_.frames) {
    const Rect area = canvas_.to_window(rect_of(frame.box));
    paint.fill(area, t.fill(Token::raised, 0.5F), 6);
    paint.dashed(area, t(Token::line2), 1.2F, 6);
    if (zoom() > 0.45F) paint.text({area.x + 8, area.y + 5}, frame.label, Font::small_mono, t(Token::faint));
  }
}

void PlacedDrawing::draw_edge(std::size_t edge, const EdgeLook& look) const {
  std::vector<Point> points = curve(edge);
  if (points.size() < 2) return;
  Paint& paint = ui_.paint();
  const Point tip = points.back();
  const float head = std::clamp(8 * zoom(), 0.F, 9.F) + (look.thickness > 2 ? 2 : 0);
  const Point before = points[points.size() - 2];
  // The line ends within the head, so that its end does not stick out of the tip.
  const Point way = tip - before;
  const float length = std::hypot(way.x, way.y);
  if (head >= 4 && length > 0) points.back() = tip - way * std::min(1.F, head * 0.7F / length);
  if (drawing_.edges.size() > 1000 && ui_.input().down) return paint.rough_line(points, look.colour);
  if (look.halo != 0) paint.polyline(points, look.halo, look.thickness + 7);
  if (look.dashed && zoom() > 0.2F) paint.dashed_line(points, look.colour, look.thickness, look.phase);
  else if (points.size() == 2) paint.line(points[0], points[1], look.colour, look.thickness);
  else paint.polyline(points, look.colour, look.thickness);
  if (head >= 4) paint.arrow_head(tip, before, look.colour, head);
}

}  // namespace trellis::gui
