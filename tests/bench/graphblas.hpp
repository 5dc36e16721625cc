#pragma once
// What both sources that call SuiteSparse GraphBLAS share: C with macros that ours are not to see.
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

#include "tests/bench/peers.hpp"

namespace trellis::bench {

/// On one thread, in this process, once.
void start_graphblas();

/// Objects that a peer works on, as long as it does.
struct GraphBlas {
  GrB_Matrix a = nullptr, b = nullptr, c = nullptr;
  GrB_Vector u = nullptr, mask = nullptr, w = nullptr;
  GraphBlas() { start_graphblas(); }
  GraphBlas(const GraphBlas&) = delete;
  GraphBlas& operator=(const GraphBlas&) = delete;
  ~GraphBlas() {
    for (GrB_Matrix* m : {&a, &b, &c}) GrB_Matrix_free(m);
    for (GrB_Vector* v : {&u, &mask, &w}) GrB_Vector_free(v);
  }
};

/// The matrix's values, or where it stores one.
GrB_Matrix graphblas_matrix(const Compressed& a, bool pattern);

Stored stored_in(GrB_Vector vector);
Stored stored_in(GrB_Matrix matrix);

}  // namespace trellis::bench
#endif
