#include "gui/cells.hpp"

#include <cmath>
#include <cstdio>

namespace trellis::gui {

std::string cell_text(const format::Value& value) {
  if (!format::is_floating(value.type)) return std::to_string(value.integer);
  if (!std::isfinite(value.real)) return std::isnan(value.real) ? "nan" : value.real > 0 ? "inf" : "-inf";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.2g", value.real);
  if (std::abs(value.real) >= 1) std::snprintf(buffer, sizeof buffer, "%.3g", value.real);
  std::string text = buffer;
  if (text.starts_with("0.")) text.erase(0, 1);
  if (text.starts_with("-0.")) text.erase(1, 1);
  return text;
}

}  // namespace trellis::gui
