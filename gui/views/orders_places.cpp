// Places of orders on the map.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "gui/views/orders_parts.hpp"

namespace trellis::gui {
namespace {

/// An order as a point: for each name, in the order of the program, the position where it stands; the mean taken off.
std::vector<float> vertex(const std::vector<std::string>& names, const lang::Order& order) {
  std::vector<float> point;
  for (const std::string& name : names) {
    const auto at = std::ranges::find(order, name, &lang::LoopName::name) - order.begin();
    point.push_back(static_cast<float>(at) - static_cast<float>(names.size() - 1) / 2);
  }
  return point;
}

std::vector<std::string> names_in_program_order(const Scene& scene, const lang::Order& order) {
  std::vector<std::string> names;
  for (const lang::LoopName& loop : order) names.push_back(loop.name);
  std::ranges::sort(names, {}, [&](const std::string& name) { return std::pair(scene.index_number(name), name); });
  return names;
}

/// Across and down, by name. Three: a regular hexagon that stands on a corner. Four: of all directions to look at the
/// truncated octahedron from, one from which no two corners come close.
using Projection = std::array<std::array<float, 4>, 2>;
constexpr Projection onto_line = {{{-1, 1, 0, 0}, {0, 0, 0, 0}}};
constexpr Projection onto_hexagon = {{{-0.408F, -0.408F, 0.816F, 0}, {0.707F, -0.707F, 0, 0}}};
constexpr Projection of_octahedron = {{{-0.229F, 0.820F, -0.520F, -0.070F}, {-0.813F, 0.134F, 0.552F, 0.127F}}};

std::vector<Point> projected(const Scene& scene, const OrderRows& rows, const Projection& projection) {
  const std::vector<std::string> names = names_in_program_order(scene, rows.rows.front().verdict.order);
  std::vector<Point> places;
  Point most{1e-3F, 1e-3F};
  for (const OrderRow& row : rows.rows) {
    const std::vector<float> point = vertex(names, row.verdict.order);
    Point place;
    for (std::size_t i = 0; i < point.size(); ++i)
      place.x += projection[0][i] * point[i], place.y += projection[1][i] * point[i];
    most = {std::max(most.x, std::abs(place.x)), std::max(most.y, std::abs(place.y))};
    places.push_back(place);
  }
  for (Point& place : places) place = {place.x / most.x, place.y / most.y};
  return places;
}

std::vector<Point> on_rings(const OrderRows& rows) {
  std::map<int, std::vector<std::size_t>> rings;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) rings[rows.rows[i].verdict.distance].push_back(i);
  std::vector<Point> places(rows.rows.size());
  float radius = 0;
  for (auto& [distance, members] : rings) {
    // Alphabetically, so that like orders are neighbours and stay so when estimates change.
    std::ranges::sort(members, {}, [&](std::size_t i) { return lang::to_string(rows.rows[i].verdict.order); });
    const auto count = static_cast<float>(members.size());
    if (distance > 0) radius = std::max(radius + 76, count * 66 / (2 * std::numbers::pi_v<float>));
    for (std::size_t k = 0; k < members.size(); ++k) {
      const float turn = (static_cast<float>(k) / count - 0.25F) * 2 * std::numbers::pi_v<float>;
      places[members[k]] = {radius * std::cos(turn), radius * std::sin(turn)};
    }
  }
  return places;
}

}  // namespace

OrderPlaces order_places(const Scene& scene, const OrderRows& rows) {
  switch (rows.rows.front().verdict.order.size()) {
    case 1: return {{{0, 0}}};
    case 2: return {projected(scene, rows, onto_line)};
    case 3: return {projected(scene, rows, onto_hexagon)};
    case 4: return {projected(scene, rows, of_octahedron)};
    default: return {on_rings(rows), true};
  }
}

}  // namespace trellis::gui
