// Products by SuiteSparse GraphBLAS beside ours.
#include "tests/bench/graphblas.hpp"
#include "tests/bench/peers.hpp"

namespace trellis::bench {
#ifdef TRELLIS_WITH_GRAPHBLAS
void start_graphblas() {
  static const bool started = [] {
    return GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS &&
           GxB_Global_Option_set(static_cast<GxB_Option_Field>(GxB_NTHREADS), 1) == GrB_SUCCESS;
  }();
  static_cast<void>(started);
}

GrB_Matrix graphblas_matrix(const Compressed& a, bool pattern) {
  std::vector<GrB_Index> rows;
  for (std::int64_t i = 0; i < a.rows; ++i)
    rows.insert(rows.end(), static_cast<std::size_t>(a.positions[i + 1] - a.positions[i]), static_cast<GrB_Index>(i));
  const std::vector<GrB_Index> columns(a.coordinates, a.coordinates + rows.size());
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

Stored stored_in(GrB_Vector vector) {
  GrB_Index count = 0;
  GrB_Vector_nvals(&count, vector);
  std::vector<GrB_Index> at(count);
  Stored stored;
  stored.values.resize(count);
  GrB_Vector_extractTuples_FP64(at.data(), stored.values.data(), &count, vector);
  stored.indices.assign(at.begin(), at.end());
  return stored;
}

Stored stored_in(GrB_Matrix matrix) {
  GrB_Index count = 0;
  GrB_Matrix_nvals(&count, matrix);
  std::vector<GrB_Index> rows(count), columns(count);
  Stored stored;
  stored.values.resize(count);
  GrB_Matrix_extractTuples_FP64(rows.data(), columns.data(), stored.values.data(), &count, matrix);
  for (std::size_t e = 0; e < count; ++e)
    stored.indices.insert(stored.indices.end(),
                          {static_cast<std::int64_t>(rows[e]), static_cast<std::int64_t>(columns[e])});
  return stored;
}

namespace {

/// The places where it is true, and nothing elsewhere; null of null.
GrB_Vector truths_of(const unsigned char* values, std::int64_t n) {
  GrB_Vector vector = nullptr;
  if (!values) return vector;
  GrB_Vector_new(&vector, GrB_BOOL, static_cast<GrB_Index>(n));
  for (std::int64_t i = 0; i < n; ++i)
    if (values[i]) GrB_Vector_setElement_BOOL(vector, true, static_cast<GrB_Index>(i));
  GrB_Vector_wait(vector, GrB_MATERIALIZE);
  return vector;
}

GrB_Vector numbers_of(const double* values, std::int64_t n) {
  GrB_Vector vector = nullptr;
  GrB_Vector_new(&vector, GrB_FP64, static_cast<GrB_Index>(n));
  for (std::int64_t i = 0; i < n; ++i) GrB_Vector_setElement_FP64(vector, values[i], static_cast<GrB_Index>(i));
  GrB_Vector_wait(vector, GrB_MATERIALIZE);
  return vector;
}

Computation product(std::shared_ptr<GraphBlas> all, GrB_Semiring semiring, std::int64_t n, bool truths) {
  GrB_Vector_new(&all->w, truths ? GrB_BOOL : GrB_FP64, static_cast<GrB_Index>(n));
  auto run = [all, semiring] {
    GrB_mxv(all->w, all->mask, nullptr, semiring, all->a, all->u, all->mask ? GrB_DESC_RSC : nullptr);
    GrB_Vector_wait(all->w, GrB_MATERIALIZE);
  };
  return {run, [all] { return stored_in(all->w); }};
}

}  // namespace

std::optional<Computation> graphblas_reached(const Compressed& a, const unsigned char* mask, const unsigned char* u) {
  auto all = std::make_shared<GraphBlas>();
  all->a = graphblas_matrix(a, true);
  all->mask = truths_of(mask, a.rows);
  all->u = truths_of(u, a.columns);
  return product(std::move(all), GxB_ANY_PAIR_BOOL, a.rows, true);
}

std::optional<Computation> graphblas_nearest(const Compressed& a, const unsigned char* mask, const double* u) {
  auto all = std::make_shared<GraphBlas>();
  all->a = graphblas_matrix(a, false);
  all->mask = truths_of(mask, a.rows);
  all->u = numbers_of(u, a.columns);
  return product(std::move(all), GrB_MIN_PLUS_SEMIRING_FP64, a.rows, false);
}

std::optional<Computation> graphblas_product(const Compressed& a, const int* coordinates, const double* values,
                                             std::int64_t count) {
  auto all = std::make_shared<GraphBlas>();
  all->a = graphblas_matrix(a, false);
  GrB_Vector_new(&all->u, GrB_FP64, static_cast<GrB_Index>(a.columns));
  for (std::int64_t e = 0; e < count; ++e)
    GrB_Vector_setElement_FP64(all->u, values[e], static_cast<GrB_Index>(coordinates[e]));
  GrB_Vector_wait(all->u, GrB_MATERIALIZE);
  return product(std::move(all), GrB_PLUS_TIMES_SEMIRING_FP64, a.rows, false);
}

std::optional<Computation> graphblas_matrix_product(const Compressed& a, const Compressed& b) {
  auto all = std::make_shared<GraphBlas>();
  all->a = graphblas_matrix(a, false);
  all->b = graphblas_matrix(b, false);
  auto run = [all, rows = static_cast<GrB_Index>(a.rows), columns = static_cast<GrB_Index>(b.columns)] {
    GrB_Matrix_free(&all->c);
    GrB_Matrix_new(&all->c, GrB_FP64, rows, columns);
    GrB_mxm(all->c, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, all->a, all->b, nullptr);
    GrB_Matrix_wait(all->c, GrB_MATERIALIZE);
  };
  return Computation{run, [all] { return stored_in(all->c); }};
}

std::optional<Computation> graphblas_triangles(const Compressed& lower, By how) {
  auto all = std::make_shared<GraphBlas>();
  all->a = graphblas_matrix(lower, true);
  auto count = std::make_shared<std::int64_t>(0);
  const GrB_Descriptor described = how == By::rows ? GrB_DESC_S : GrB_DESC_ST1;
  auto run = [all, count, described, n = static_cast<GrB_Index>(lower.rows)] {
    GrB_Matrix_free(&all->c);
    GrB_Matrix_new(&all->c, GrB_INT64, n, n);
    GrB_mxm(all->c, all->a, nullptr, GxB_PLUS_PAIR_INT64, all->a, all->a, described);
    GrB_Matrix_reduce_INT64(count.get(), nullptr, GrB_PLUS_MONOID_INT64, all->c, nullptr);
  };
  return Computation{run, [count] { return Stored{{}, {static_cast<double>(*count)}}; }};
}
#else
std::optional<Computation> graphblas_reached(const Compressed&, const unsigned char*, const unsigned char*) {
  return {};
}
std::optional<Computation> graphblas_nearest(const Compressed&, const unsigned char*, const double*) { return {}; }
std::optional<Computation> graphblas_product(const Compressed&, const int*, const double*, std::int64_t) { return {}; }
std::optional<Computation> graphblas_matrix_product(const Compressed&, const Compressed&) { return {}; }
std::optional<Computation> graphblas_triangles(const Compressed&, By) { return {}; }
#endif
}  // namespace trellis::bench
