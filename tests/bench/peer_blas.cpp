// OpenBLAS, by the names that Fortran gave them: arrays by columns, so that one by rows is its transpose.
#include <cstring>
#include <memory>

#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_OPENBLAS

extern "C" {
void dgemm_(const char*, const char*, const int*, const int*, const int*, const double*, const double*, const int*,
            const double*, const int*, const double*, double*, const int*);
void dpotrf_(const char*, const int*, double*, const int*, int*);
void dgetrf_(const int*, const int*, double*, const int*, int*, int*);
void dtrsm_(const char*, const char*, const char*, const char*, const int*, const int*, const double*, const double*,
            const int*, double*, const int*);
void openblas_set_num_threads(int);
}

namespace trellis::bench {
namespace {

struct Square {
  int n;
  std::vector<double> from, to = std::vector<double>(from.size());
  std::vector<int> pivots = std::vector<int>(static_cast<std::size_t>(n));

  void copy() { std::memcpy(to.data(), from.data(), from.size() * sizeof(double)); }
};

std::shared_ptr<Square> square(std::int64_t n, const double* from) {
  openblas_set_num_threads(1);
  return std::make_shared<Square>(Square{static_cast<int>(n), {from, from + n * n}});
}

/// By columns what `stored` says is there; else the fill.
template <class IsStored>
std::function<Stored()> columns_of(const std::shared_ptr<Square>& s, bool by_rows, const IsStored& is_stored) {
  return [=] {
    Stored all;
    for (int i = 0; i < s->n; ++i)
      for (int j = 0; j < s->n; ++j) {
        if (!is_stored(i, j)) continue;
        all.indices.insert(all.indices.end(), {i, j});
        all.values.push_back(s->to[static_cast<std::size_t>(by_rows ? i * s->n + j : j * s->n + i)]);
      }
    return all;
  };
}
const auto everywhere = [](int, int) { return true; };

}  // namespace

std::optional<Computation> blas_product(std::int64_t n, const double* a, const double* b) {
  const auto left = square(n, a), right = square(n, b);
  const auto run = [left, right] {
    const double one = 1, zero = 0;
    const int* const size = &left->n;
    dgemm_("N", "N", size, size, size, &one, right->from.data(), size, left->from.data(), size, &zero, left->to.data(),
           size);
  };
  return Computation{run, columns_of(left, true, everywhere)};
}

std::optional<Computation> blas_cholesky(std::int64_t n, const double* a, bool by_rows) {
  const auto s = square(n, a);
  const auto run = [s, by_rows] {
    int failed = 0;
    s->copy();
    dpotrf_(by_rows ? "U" : "L", &s->n, s->to.data(), &s->n, &failed);
  };
  return Computation{run, columns_of(s, by_rows, [](int i, int j) { return j <= i; })};
}

std::optional<Computation> blas_lu(std::int64_t n, const double* a) {
  const auto s = square(n, a);
  const auto run = [s] {
    int failed = 0;
    s->copy();
    dgetrf_(&s->n, &s->n, s->to.data(), &s->n, s->pivots.data(), &failed);
  };
  return Computation{run, columns_of(s, false, [](int i, int j) { return j < i; })};
}

std::optional<Computation> blas_solve(std::int64_t n, const double* l, const double* b) {
  const auto lower = square(n, l), right = square(n, b);
  const auto run = [lower, right] {
    const double one = 1;
    const int* const size = &lower->n;
    right->copy();
    dtrsm_("R", "U", "N", "N", size, size, &one, lower->from.data(), size, right->to.data(), size);
  };
  return Computation{run, columns_of(right, true, everywhere)};
}

}  // namespace trellis::bench

#else

namespace trellis::bench {

std::optional<Computation> blas_product(std::int64_t, const double*, const double*) { return std::nullopt; }
std::optional<Computation> blas_cholesky(std::int64_t, const double*, bool) { return std::nullopt; }
std::optional<Computation> blas_lu(std::int64_t, const double*) { return std::nullopt; }
std::optional<Computation> blas_solve(std::int64_t, const double*, const double*) { return std::nullopt; }

}  // namespace trellis::bench

#endif
