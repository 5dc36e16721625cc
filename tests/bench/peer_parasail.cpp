// Parasail beside us, where it is installed.
#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_PARASAIL
#include <parasail.h>

#include <memory>

namespace trellis::bench {
namespace {

using Align = parasail_result_t* (*)(const char*, int, const char*, int, int, int, const parasail_matrix_t*);

std::function<int(const std::string&, const std::string&)> aligner(Align align, int open = 2, int more = 2) {
  const std::shared_ptr<parasail_matrix_t> matrix(parasail_matrix_create("ACGT", 3, -1), parasail_matrix_free);
  return [matrix, align, open, more](const std::string& a, const std::string& b) {
    const std::unique_ptr<parasail_result_t, void (*)(parasail_result_t*)> result(
        align(a.data(), static_cast<int>(a.size()), b.data(), static_cast<int>(b.size()), open, more, matrix.get()),
        parasail_result_free);
    return parasail_result_get_score(result.get());
  };
}

}  // namespace

std::optional<std::function<int(const std::string&, const std::string&)>> parasail_score() {
  return aligner(parasail_nw);
}
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_table() {
  return aligner(parasail_nw_table);
}
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_striped(bool local, int open,
                                                                                           int more, Width width) {
  if (width == Width::bits32) return aligner(local ? parasail_sw_striped_32 : parasail_nw_striped_32, open, more);
  return aligner(local ? parasail_sw_striped_16 : parasail_nw_striped_16, open, more);
}

}  // namespace trellis::bench
#else
namespace trellis::bench {
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_score() { return std::nullopt; }
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_table() { return std::nullopt; }
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_striped(bool, int, int, Width) {
  return std::nullopt;
}
}  // namespace trellis::bench
#endif
