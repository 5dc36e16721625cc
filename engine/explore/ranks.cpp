#include "engine/explore/ranks.hpp"

namespace trellis::explore {
namespace {

bool faster(double a, double b, double margin) { return a * (1 + margin) < b; }

}  // namespace

std::vector<bool> refuted_estimates(const std::vector<Verdict>& rows, double margin) {
  std::vector<bool> refuted(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Verdict& a = rows[i];
    for (std::size_t j = 0; j < rows.size() && a.cost && a.median_ms; ++j) {
      const Verdict& b = rows[j];
      if (!b.cost || !b.median_ms) continue;
      if (faster(*a.cost, *b.cost, margin) && faster(*b.median_ms, *a.median_ms, margin))
        refuted[i] = refuted[j] = true;
    }
  }
  return refuted;
}

}  // namespace trellis::explore
