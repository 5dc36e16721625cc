// What `count` prints: a row for each size, the powers that the columns grow with, and their curves.
#include <algorithm>

#include "engine/session/figures.hpp"
#include "engine/session/reply/text.hpp"
#include "engine/view/growth.hpp"

namespace trellis::session {
namespace {

using Cells = std::vector<std::vector<std::string>>;

/// Columns to the right, two blanks apart.
std::string columns_of(const Cells& rows) {
  std::vector<std::size_t> widths(rows.front().size(), 0);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], row[c].size());
  std::string out;
  for (const auto& row : rows) {
    for (std::size_t c = 0; c < row.size(); ++c) out += std::string(widths[c] - row[c].size() + 2, ' ') + row[c];
    out += "\n";
  }
  return out;
}

std::string whole(double number) { return std::to_string(static_cast<long long>(number)); }

}  // namespace

view::Growth growth_of(const Counted& counted) {
  view::Growth growth{counted.size, {}, {{"steps", {}}, {"operations", {}}, {"entries", {}}, {"all elements", {}}}};
  for (const Counted::Row& row : counted.rows) {
    growth.sizes.push_back(static_cast<double>(row.value));
    const double values[] = {static_cast<double>(row.steps), static_cast<double>(row.operations),
                             static_cast<double>(row.entries), row.elements};
    for (std::size_t c = 0; c < growth.curves.size(); ++c) growth.curves[c].values.push_back(values[c]);
  }
  return growth;
}

std::string text_of(const Counted& counted) {
  if (counted.size.empty()) {
    const Counted::Row& row = counted.rows.front();
    return counted.kernel + ": " + session::counted(row.steps, "step", "steps") + ", " +
           session::counted(row.operations, "operation", "operations") + ", " +
           session::counted(row.entries, "entry", "entries") + " of " + whole(row.elements) + " elements\n";
  }
  const view::Growth growth = growth_of(counted);
  Cells cells{{counted.size}};
  for (const view::Growth::Curve& curve : growth.curves) cells[0].push_back(curve.name);
  for (std::size_t k = 0; k < counted.rows.size(); ++k) {
    cells.push_back({std::to_string(counted.rows[k].value)});
    for (const view::Growth::Curve& curve : growth.curves) cells.back().push_back(whole(curve.values[k]));
  }
  if (counted.rows.size() > 1) {
    cells.push_back({"as"});
    for (const view::Growth::Curve& curve : growth.curves) cells.back().push_back(view::power_of(growth, curve));
  }
  const bool drawn = counted.rows.size() > 1 && counted.path.empty();
  return "kernel " + counted.kernel + "\n" + columns_of(cells) + (drawn ? view::growth_sketch(growth) : "");
}

}  // namespace trellis::session
