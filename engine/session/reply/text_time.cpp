// What `time` prints: back ends under each other, each against the machine and never against each other.
#include <algorithm>
#include <cstdarg>
#include <cstdio>

#include "engine/session/figures.hpp"
#include "engine/session/reply/text.hpp"
#include "engine/tensor/allocate.hpp"

namespace trellis::session {
namespace {

[[gnu::format(printf, 1, 2)]] std::string formatted(const char* pattern, ...) {
  char buffer[160];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(buffer, sizeof buffer, pattern, arguments);
  va_end(arguments);
  return buffer;
}

std::string operations(double flops) {
  if (flops < 1e3) return formatted("%.0f flop", flops);
  if (flops < 1e6) return formatted("%.3g kflop", flops / 1e3);
  if (flops < 1e9) return formatted("%.3g Mflop", flops / 1e6);
  return formatted("%.3g Gflop", flops / 1e9);
}

// At most 24 columns, each the mean of its share of the runs, from the least to the largest.
std::string sparkline(const std::vector<double>& ms) {
  static const char* const bars[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  const std::size_t columns = std::min<std::size_t>(ms.size(), 24);
  std::vector<double> means;
  for (std::size_t c = 0; c < columns; ++c) {
    const std::size_t begin = c * ms.size() / columns, end = (c + 1) * ms.size() / columns;
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += ms[k];
    means.push_back(sum / static_cast<double>(end - begin));
  }
  if (means.empty()) return "";
  const auto [least, largest] = std::ranges::minmax(means);
  std::string out;
  for (const double mean : means)
    out += bars[largest > least ? static_cast<int>(7.999 * (mean - least) / (largest - least)) : 0];
  return out;
}

std::string percent(double part, double whole) {
  return formatted(part < whole / 10 ? "%.2g%%" : "%.0f%%", 100 * part / whole);
}

std::string line_of(const Timed::Kernel& kernel, const Timed::Backend& b) {
  const run::Timing& t = b.timing;
  std::string out = formatted("  %-6s  min %-9s median %-9s ± %-9s %zu runs  %.3g GB/s", run::name_of(b.backend),
                              duration(t.min).c_str(), duration(t.median).c_str(), duration(t.mad).c_str(), t.ms.size(),
                              gb_per_s(kernel, t));
  if (const auto rate = gflop_per_s(kernel, t)) out += formatted("  %.3g GFLOP/s", *rate);
  return out + "  " + sparkline(t.ms) + "\n";
}

std::string roof_of(const Timed::Kernel& kernel) {
  if (!kernel.roof) return "";
  std::string out =
      formatted("  roof    %.3g GB/s (triad, as many bytes)  %.3g GFLOP/s (multiply-add), native, %d thread%s\n",
                kernel.roof->gb_per_s, kernel.roof->gflop_per_s, kernel.threads, kernel.threads == 1 ? "" : "s");
  for (const Timed::Backend& b : kernel.backends) {
    if (b.backend != run::Backend::native || b.timing.median <= 0) continue;
    out += "  native reaches " + percent(gb_per_s(kernel, b.timing), kernel.roof->gb_per_s) + " of the bytes";
    if (const auto rate = gflop_per_s(kernel, b.timing))
      out += " and " + percent(*rate, kernel.roof->gflop_per_s) + " of the arithmetic";
    out += "\n";
  }
  return out;
}

}  // namespace

double gb_per_s(const Timed::Kernel& kernel, const run::Timing& timing) {
  return timing.median > 0 ? static_cast<double>(kernel.bytes) / timing.median / 1e6 : 0;
}

std::optional<double> gflop_per_s(const Timed::Kernel& kernel, const run::Timing& timing) {
  if (!kernel.flops || *kernel.flops <= 0 || timing.median <= 0) return std::nullopt;
  return *kernel.flops / timing.median / 1e6;
}

std::string text_of(const Timed& timed) {
  std::string out;
  for (const Timed::Kernel& kernel : timed.kernels) {
    out += kernel.kernel + (kernel.order.empty() ? "" : ", order " + lang::to_string(kernel.order)) + ": " +
           tensor::human_bytes(kernel.bytes);
    if (kernel.flops) out += ", " + operations(*kernel.flops);
    out += "\n";
    for (const Timed::Backend& b : kernel.backends) out += line_of(kernel, b);
    out += roof_of(kernel);
  }
  return out;
}

}  // namespace trellis::session
