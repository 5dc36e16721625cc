// SuiteSparse GraphBLAS beside us: C with macros that ours are not to see.
#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_GRAPHBLAS
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdbool>
#include <cstdio>
#include <cstdlib>
#include <memory>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
extern "C" {  // which the header does not say; it includes what stands above
#include <GraphBLAS.h>
}
#pragma GCC diagnostic pop

namespace trellis::bench {
namespace {

void start_once() {
  static const bool started = [] {
    return GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS &&
           GxB_Global_Option_set(static_cast<GxB_Option_Field>(GxB_NTHREADS), 1) == GrB_SUCCESS;
  }();
  static_cast<void>(started);
}

struct Operands {
  GrB_Matrix a = nullptr;
  GrB_Vector u = nullptr, mask = nullptr, w = nullptr;
  ~Operands() {
    GrB_Matrix_free(&a);
    for (GrB_Vector* v : {&u, &mask, &w}) GrB_Vector_free(v);
  }
};

std::vector<GrB_Index> rows_of(const Compressed& a) {
  std::vector<GrB_Index> rows;
  for (std::int64_t i = 0; i < a.rows; ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(a.positions[i + 1] - a.positions[i]), static_cast<GrB_Index>(i));
  return rows;
}

/// The places where it is true, and nothing elsewhere.
GrB_Vector truths_of(const unsigned char* values, std::int64_t n) {
  GrB_Vector vector = nullptr;
  GrB_Vector_new(&vector, GrB_BOOL, static_cast<GrB_Index>(n));
  for (std::int64_t i = 0; i < n; ++i)
    if (values[i]) GrB_Vector_setElement_BOOL(vector, true, static_cast<GrB_Index>(i));
  GrB_Vector_wait(vector, GrB_MATERIALIZE);
  return vector;
}

GrB_Matrix matrix_of(const Compressed& a, bool pattern) {
  const std::vector<GrB_Index> rows = rows_of(a), columns(a.coordinates, a.coordinates + rows.size());
  GrB_Matrix matrix = nullptr;
  GrB_Matrix_new(&matrix, pattern ? GrB_BOOL : GrB_FP64, static_cast<GrB_Index>(a.rows),
                 static_cast<GrB_Index>(a.columns));
  if (pattern) {
    const std::unique_ptr<bool[]> values(new bool[rows.size()]);
    std::fill_n(values.get(), rows.size(), true);
    GrB_Matrix_build_BOOL(matrix, rows.data(), columns.data(), values.get(), rows.size(), GrB_LOR);
  } else {
    GrB_Matrix_build_FP64(matrix, rows.data(), columns.data(), a.values, rows.size(), GrB_MIN_FP64);
  }
  GrB_Matrix_wait(matrix, GrB_MATERIALIZE);
  return matrix;
}

std::function<void()> product(std::shared_ptr<Operands> all, GrB_Semiring semiring, std::int64_t n, bool truths) {
  GrB_Vector_new(&all->w, truths ? GrB_BOOL : GrB_FP64, static_cast<GrB_Index>(n));
  return [all = std::move(all), semiring] {
    GrB_mxv(all->w, all->mask, nullptr, semiring, all->a, all->u, GrB_DESC_RSC);
    GrB_Vector_wait(all->w, GrB_MATERIALIZE);
  };
}

}  // namespace

std::optional<std::function<void()>> graphblas_reached(const Compressed& a, const unsigned char* mask,
                                                       const unsigned char* u) {
  start_once();
  auto all = std::make_shared<Operands>();
  all->a = matrix_of(a, true);
  all->mask = truths_of(mask, a.rows);
  all->u = truths_of(u, a.columns);
  return product(std::move(all), GxB_ANY_PAIR_BOOL, a.rows, true);
}

std::optional<std::function<void()>> graphblas_nearest(const Compressed& a, const unsigned char* mask,
                                                       const double* u) {
  start_once();
  auto all = std::make_shared<Operands>();
  all->a = matrix_of(a, false);
  all->mask = truths_of(mask, a.rows);
  GrB_Vector_new(&all->u, GrB_FP64, static_cast<GrB_Index>(a.columns));
  for (std::int64_t j = 0; j < a.columns; ++j) GrB_Vector_setElement_FP64(all->u, u[j], static_cast<GrB_Index>(j));
  GrB_Vector_wait(all->u, GrB_MATERIALIZE);
  return product(std::move(all), GrB_MIN_PLUS_SEMIRING_FP64, a.rows, false);
}

std::optional<std::function<void()>> graphblas_product(const Compressed& a, const int* coordinates,
                                                       const double* values, std::int64_t count) {
  start_once();
  auto all = std::make_shared<Operands>();
  all->a = matrix_of(a, false);
  GrB_Vector_new(&all->u, GrB_FP64, static_cast<GrB_Index>(a.columns));
  for (std::int64_t e = 0; e < count; ++e)
    GrB_Vector_setElement_FP64(all->u, values[e], static_cast<GrB_Index>(coordinates[e]));
  GrB_Vector_wait(all->u, GrB_MATERIALIZE);
  GrB_Vector_new(&all->w, GrB_FP64, static_cast<GrB_Index>(a.rows));
  return [all] {
    GrB_mxv(all->w, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, all->a, all->u, nullptr);
    GrB_Vector_wait(all->w, GrB_MATERIALIZE);
  };
}

}  // namespace trellis::bench
#else
namespace trellis::bench {
using Peer = std::optional<std::function<void()>>;
Peer graphblas_reached(const Compressed&, const unsigned char*, const unsigned char*) { return std::nullopt; }
Peer graphblas_nearest(const Compressed&, const unsigned char*, const double*) { return std::nullopt; }
Peer graphblas_product(const Compressed&, const int*, const double*, std::int64_t) { return std::nullopt; }
}  // namespace trellis::bench
#endif
