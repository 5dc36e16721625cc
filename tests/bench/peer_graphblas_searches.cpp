// Searches of a graph over SuiteSparse GraphBLAS: a vector operation or three for each round.
#include "tests/bench/graphblas.hpp"
#include "tests/bench/peers.hpp"

namespace trellis::bench {
#ifdef TRELLIS_WITH_GRAPHBLAS
namespace {

GrB_Vector new_vector(GrB_Type type, GrB_Matrix a) {
  GrB_Index n = 0;
  GrB_Matrix_nrows(&n, a);
  GrB_Vector vector = nullptr;
  GrB_Vector_new(&vector, type, n);
  return vector;
}

GrB_Index entries_in(GrB_Vector vector) {
  GrB_Index count = 0;
  GrB_Vector_nvals(&count, vector);
  return count;
}

/// A full vector of one value.
GrB_Vector full_vector(GrB_Matrix a, double value) {
  GrB_Vector vector = new_vector(GrB_FP64, a);
  GrB_Vector_assign_FP64(vector, nullptr, nullptr, value, GrB_ALL, 0, nullptr);
  return vector;
}

/// The frontier q goes on to what `depth` lacks: along its edges, or, where it holds a sixteenth of the vertices, from
/// what is left.
void breadth_first(GraphBlas& all, GrB_Index source) {
  GrB_Vector_free(&all.w);
  GrB_Vector depth = all.w = new_vector(GrB_INT32, all.a), q = new_vector(GrB_BOOL, all.a);
  GrB_Index n = 0;
  GrB_Matrix_nrows(&n, all.a);
  GrB_Vector_setElement_BOOL(q, true, source);
  GrB_Vector_setElement_INT32(depth, 0, source);
  for (std::int32_t round = 1;; ++round) {
    const bool push = entries_in(q) * 16 < n;
    GxB_Vector_Option_set(q, static_cast<GxB_Option_Field>(GxB_SPARSITY_CONTROL), push ? GxB_SPARSE : GxB_BITMAP);
    if (push) GrB_vxm(q, depth, nullptr, GxB_ANY_PAIR_BOOL, q, all.a, GrB_DESC_RSC);
    else GrB_mxv(q, depth, nullptr, GxB_ANY_PAIR_BOOL, all.a, q, GrB_DESC_RSC);
    if (entries_in(q) == 0) break;
    GrB_Vector_assign_INT32(depth, q, nullptr, round, GrB_ALL, n, GrB_DESC_S);
  }
  GrB_Vector_wait(depth, GrB_MATERIALIZE);
  GrB_Vector_free(&q);
}

/// Distances d, of which those in q got shorter in the last round.
void bellman_ford(GraphBlas& all, GrB_Index source) {
  GrB_Vector_free(&all.w);
  GrB_Vector d = all.w = full_vector(all.a, INFINITY), q = new_vector(GrB_FP64, all.a);
  GrB_Vector less = new_vector(GrB_BOOL, all.a);
  GrB_Vector_setElement_FP64(d, 0, source);
  GrB_Vector_setElement_FP64(q, 0, source);
  while (entries_in(q) > 0) {
    GrB_vxm(q, nullptr, nullptr, GrB_MIN_PLUS_SEMIRING_FP64, q, all.a, nullptr);
    GrB_Vector_eWiseMult_BinaryOp(less, nullptr, nullptr, GrB_LT_FP64, q, d, nullptr);
    GrB_Vector_assign(q, less, nullptr, q, GrB_ALL, 0, GrB_DESC_R);
    GrB_Vector_assign(d, q, nullptr, q, GrB_ALL, 0, GrB_DESC_S);
  }
  GrB_Vector_wait(d, GrB_MATERIALIZE);
  for (GrB_Vector* v : {&q, &less}) GrB_Vector_free(v);
}

/// Light edges, all.a, within a step until it changes nothing, then heavy ones, all.b, from all that it settled.
void delta_stepping(GraphBlas& all, GrB_Index source, double delta) {
  GrB_Vector_free(&all.w);
  GrB_Vector d = all.w = full_vector(all.a, INFINITY), q = new_vector(GrB_FP64, all.a);
  GrB_Vector settled = new_vector(GrB_FP64, all.a), far = new_vector(GrB_FP64, all.a),
             less = new_vector(GrB_BOOL, all.a);
  GrB_Vector_setElement_FP64(d, 0, source);
  GrB_Vector_setElement_FP64(far, 0, source);
  const auto improve = [&](GrB_Vector from, GrB_Matrix edges) {  // q: where edges from there make d shorter
    GrB_vxm(q, nullptr, nullptr, GrB_MIN_PLUS_SEMIRING_FP64, from, edges, nullptr);
    GrB_Vector_eWiseMult_BinaryOp(less, nullptr, nullptr, GrB_LT_FP64, q, d, nullptr);
    GrB_Vector_assign(q, less, nullptr, q, GrB_ALL, 0, GrB_DESC_R);
    GrB_Vector_assign(d, q, nullptr, q, GrB_ALL, 0, GrB_DESC_S);
    GrB_Vector_assign(far, q, nullptr, q, GrB_ALL, 0, GrB_DESC_S);  // what waits, of this step and of later ones
  };
  while (entries_in(far) > 0) {
    double low = 0;
    GrB_Vector_reduce_FP64(&low, nullptr, GrB_MIN_MONOID_FP64, far, nullptr);
    const double limit = (std::floor(low / delta) + 1) * delta;
    GrB_Vector_clear(settled);
    for (;;) {
      GrB_Vector_select_FP64(q, nullptr, nullptr, GrB_VALUELT_FP64, far, limit, nullptr);
      if (entries_in(q) == 0) break;
      GrB_Vector_select_FP64(far, nullptr, nullptr, GrB_VALUEGE_FP64, far, limit, nullptr);
      GrB_Vector_assign(settled, q, nullptr, q, GrB_ALL, 0, GrB_DESC_S);
      improve(q, all.a);
    }
    improve(settled, all.b);
  }
  GrB_Vector_wait(d, GrB_MATERIALIZE);
  for (GrB_Vector* v : {&q, &settled, &far, &less}) GrB_Vector_free(v);
}

}  // namespace

std::optional<Computation> graphblas_breadth_first(const Compressed& a, std::int64_t source) {
  auto all = std::make_shared<GraphBlas>();
  all->a = graphblas_matrix(a, true);
  return Computation{[all, source] { breadth_first(*all, static_cast<GrB_Index>(source)); },
                     [all] { return stored_in(all->w); }};
}

std::optional<Computation> graphblas_bellman_ford(const Compressed& a, std::int64_t source) {
  auto all = std::make_shared<GraphBlas>();
  all->a = graphblas_matrix(a, false);
  return Computation{[all, source] { bellman_ford(*all, static_cast<GrB_Index>(source)); },
                     [all] { return stored_in(all->w); }};
}

std::optional<Computation> graphblas_delta_stepping(const Compressed& a, std::int64_t source, double delta) {
  auto all = std::make_shared<GraphBlas>();
  all->c = graphblas_matrix(a, false);
  for (GrB_Matrix* part : {&all->a, &all->b})
    GrB_Matrix_new(part, GrB_FP64, static_cast<GrB_Index>(a.rows), static_cast<GrB_Index>(a.columns));
  GrB_Matrix_select_FP64(all->a, nullptr, nullptr, GrB_VALUELE_FP64, all->c, delta, nullptr);
  GrB_Matrix_select_FP64(all->b, nullptr, nullptr, GrB_VALUEGT_FP64, all->c, delta, nullptr);
  for (GrB_Matrix part : {all->a, all->b}) GrB_Matrix_wait(part, GrB_MATERIALIZE);
  return Computation{[all, source, delta] { delta_stepping(*all, static_cast<GrB_Index>(source), delta); },
                     [all] { return stored_in(all->w); }};
}
#else
std::optional<Computation> graphblas_breadth_first(const Compressed&, std::int64_t) { return {}; }
std::optional<Computation> graphblas_bellman_ford(const Compressed&, std::int64_t) { return {}; }
std::optional<Computation> graphblas_delta_stepping(const Compressed&, std::int64_t, double) { return {}; }
#endif
}  // namespace trellis::bench
