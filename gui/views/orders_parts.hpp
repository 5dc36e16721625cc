#pragma once
// The parts of the pane Orders: a map and a table of the same rows.

#include <vector>

#include "gui/order_rows.hpp"

namespace trellis::gui {

/// Where each order has its place on the map: in the permutohedron up to four loops, else on rings by distance from the
/// order in force. The places stay when the order changes.
struct OrderPlaces {
  std::vector<Point> at;  ///< by row; from -1 to 1 both ways, but for rings in units
  bool in_units = false;
};
OrderPlaces order_places(const Scene& scene, const OrderRows& rows);

// Each says which order somebody looks at, by pointer or keys: "i k j"; none but the one in force: "".
std::string draw_order_map(const Scene& scene, Ui& ui, const OrderRows& rows, Rect area);
std::string draw_order_table(const Scene& scene, Ui& ui, const OrderRows& rows, Rect area);

/// The same loops in the same order, each upwards or downwards: `order` unfolded, beside its node, within `area`. All
/// but the one with no loop downwards; the session is asked about them. Says which somebody looks at.
std::string draw_unfolded(const Scene& scene, Ui& ui, const lang::Order& order, Point node, Rect area);
/// Verdict, estimate, median and reason of a row, to read out.
std::string words_of_row(const Scene& scene, const OrderRow& row);

}  // namespace trellis::gui
