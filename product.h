#ifndef PRODUCT_H
#define PRODUCT_H

/*
 * product: kernel main, written by Trellis.
 *
 *   A: f64 csr, n x n; read
 *   x: f64 dense, n; read
 *   y: f64 dense, n; result: elements that the kernel does not define keep what they hold, if they hold any
 *
 * The result is a trellis_status, of which `error`, unless it is null, has the details. After anything
 * but TRELLIS_OK results hold nothing of worth.
 */
#include "trellis_tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

int product(const trellis_tensor *A, const trellis_tensor *x, trellis_tensor *y, trellis_error *error);

/*
 * The same for tables, as all kernels have it (trellis_kernel).
 *   tensors: A, x, y
 *   sizes: none
 *   reals: none
 */
int product_call(trellis_tensor *const *tensors, const int64_t *sizes, const double *reals, trellis_error *error);

#ifdef __cplusplus
}
#endif

#endif
