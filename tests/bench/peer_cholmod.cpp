// CHOLMOD, whose supernodal module calls the BLAS that is installed.
#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_CHOLMOD

#include <cholmod.h>

#include <memory>

namespace trellis::bench {

std::optional<Supernodal> cholmod_supernodal(const Columns& a) {
  struct Cholmod {
    cholmod_common common;
    cholmod_sparse* matrix = nullptr;
    cholmod_factor* factor = nullptr;
    Cholmod() { cholmod_start(&common); }
    ~Cholmod() {
      cholmod_free_factor(&factor, &common);
      cholmod_free_sparse(&matrix, &common);
      cholmod_finish(&common);
    }
  };
  const auto all = std::make_shared<Cholmod>();
  all->common.nmethods = 1, all->common.method[0].ordering = CHOLMOD_NATURAL;
  all->common.postorder = 0, all->common.final_ll = 1, all->common.supernodal = CHOLMOD_SUPERNODAL;
  const std::size_t n = a.positions.size() - 1;
  all->matrix = cholmod_allocate_sparse(n, n, a.coordinates.size(), 1, 1, 1, CHOLMOD_REAL, &all->common);
  if (!all->matrix) return std::nullopt;
  auto *positions = static_cast<int*>(all->matrix->p), *rows = static_cast<int*>(all->matrix->i);
  auto* values = static_cast<double*>(all->matrix->x);
  int stored = 0;  // the upper triangle alone
  for (std::size_t j = 0; j < n; ++j) {
    positions[j] = stored;
    for (auto p = static_cast<std::size_t>(a.positions[j]); p < static_cast<std::size_t>(a.positions[j + 1]); ++p)
      if (a.coordinates[p] <= static_cast<int>(j)) rows[stored] = a.coordinates[p], values[stored++] = a.values[p];
  }
  positions[n] = stored;
  const Supernodal made{[all] {
                          cholmod_free_factor(&all->factor, &all->common);
                          all->factor = cholmod_analyze(all->matrix, &all->common);
                        },
                        [all] { cholmod_factorize(all->matrix, all->factor, &all->common); }};
  made.analyse();
  if (!all->factor || !cholmod_factorize(all->matrix, all->factor, &all->common)) return std::nullopt;
  return made;
}

}  // namespace trellis::bench

#else

namespace trellis::bench {

std::optional<Supernodal> cholmod_supernodal(const Columns&) { return std::nullopt; }

}  // namespace trellis::bench

#endif
