#pragma once
// What threads do stands in a function of its own. A compiler makes one of each parallel region, too, but its pointers
// come out of a struct, where nothing says any more that arrays do not overlap: no loop would be vectorised that writes
// one.
//
//   static void product_over_i(int64_t n, const double *restrict A, double *restrict C) {
//     #pragma omp for nowait
//     for (int64_t i = 0; i < n; i++) …
//   }
//   static void product(int64_t n, const double *restrict A, double *restrict C) {
//     #pragma omp parallel
//     product_over_i(n, A, C);
//   }
//
// It takes what the region mentions of the kernel: arrays as the kernel has them, scalars by value. A scalar of which
// each thread has a part comes by its address, and is a local variable meanwhile. Arrays whose elements several threads
// write are not `restrict`: what one of them has written is seen by others.

#include <functional>
#include <string>
#include <vector>

#include "engine/emit/c.hpp"

namespace trellis::emit::c {

/// The functions of the kernel's parallel regions, in their order, and the kernel, which calls them. `named` gives the
/// one of a region its name, by the variable of its loop, another one each time.
std::vector<Function> with_regions_apart(const Function& kernel,
                                         const std::function<std::string(const std::string& variable)>& named);

}  // namespace trellis::emit::c
