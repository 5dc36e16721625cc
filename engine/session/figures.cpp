#include "engine/session/figures.hpp"

#include <cstdio>

namespace trellis::session {
namespace {

std::string formatted(const char* format, double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, format, value);
  return buffer;
}

}  // namespace

std::string milliseconds(double ms) { return formatted(ms < 10 ? "%.2f ms" : "%.0f ms", ms); }

std::string duration(double ms) {
  if (ms < 0.1) return formatted("%.2f us", ms * 1000);
  if (ms < 1000) return formatted("%.3g ms", ms);
  return formatted("%.3g s", ms / 1000);
}

std::string multiple(double times) { return formatted(times < 9.95 ? "%.1f×" : "%.0f×", times); }

}  // namespace trellis::session
