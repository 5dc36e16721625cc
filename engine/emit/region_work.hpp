#pragma once
// How much the iterations of a parallel loop do, as an expression of what is known where it begins: threads are woken
// where that is worth it, each time anew. So the updates of an elimination run on threads as long as there is much
// left, and on one in the end.
//
//   __attribute__((__unused__)) const int i_pays = 1.0 * (n - (k + 1)) * (n - (k + 1)) > 20000;    where pragmas count
//   #pragma omp parallel if(i_pays)

#include <optional>

#include "engine/emit/context.hpp"

namespace trellis::emit {

/// So many statements take as long as waking threads and waiting for them, twice.
constexpr int least_work = 20000;

/// Statements that all iterations execute, so many of them over `loop`'s variable: of the deepest loops, each as long
/// as between its shortest and its longest run; walks of entries as long as they are on average. In double. Empty:
/// nobody knows.
std::optional<c::Expr> region_work(Context& out, const c::Expr& iterations, const flow::Domain& range,
                                   const std::string& variable, const flow::Stmt& body);

}  // namespace trellis::emit
