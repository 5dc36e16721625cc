// The C that people read, for the shapes of loops that matter most.

#include <doctest/doctest.h>

#include <cstdio>

#include "engine/flow/promote_accumulators.hpp"
#include "engine/flow/share_updates.hpp"
#include "tests/emit/flows.hpp"

using namespace flows;

namespace {

/// Silent under the warnings that a careful person would turn on.
bool compiles_cleanly(const std::string& source) {
  FILE* compiler = popen("cc -std=c99 -fwrapv -fopenmp -O2 -Wall -Wextra -Werror -x c -c -o /dev/null -", "w");
  if (!compiler) return false;
  std::fwrite(source.data(), 1, source.size(), compiler);
  return pclose(compiler) == 0;
}

std::string c_of(const flow::Flow& flow) {
  REQUIRE(flow::verify(flow) == "");
  const emit::Module module = emit::emit(flow);
  CHECK(compiles_cleanly(module.source));
  return module.shown.characters;
}

flow::Flow matrix_product() {
  const Expr n = size("n"), i = var("i"), j = var("j"), k = var("k");
  return flow_of(
      "product", {"n"}, {array("A", {n, n}, operand), array("B", {n, n}, operand), array("C", {n, n}, result)},
      {loop(
          "i", num(0), n,
          {loop("k", num(0), n,
                {loop("j", num(0), n, {update(ReduceOp::sum, "C", {i, j}, get("A", {i, k}) * get("B", {k, j}))})})})});
}

}  // namespace

TEST_CASE("a matrix product is the three loops that one would write") {
  CHECK(c_of(matrix_product()) ==
        R"(static void product(int64_t n, const double *restrict A, const double *restrict B, double *restrict C) {
  for (int64_t i = 0; i < n; i++) {
    for (int64_t k = 0; k < n; k++) {
      for (int64_t j = 0; j < n; j++) {
        C[i * n + j] += A[i * n + k] * B[k * n + j];
      }
    }
  }
}
)");
}

TEST_CASE("an accumulated element lives in a local while the inner loop runs") {
  const Expr n = size("n"), i = var("i"), j = var("j"), k = var("k");
  const flow::Flow cholesky = flow_of(
      "cholesky", {"n"}, {array("L", {n, n}, result)},
      {loop(
          "j", num(0), n,
          {loop("i", j + num(1), n,
                {loop("k", num(0), j, {set("L", {i, j}, get("L", {i, j}) - get("L", {i, k}) * get("L", {j, k}))})})})});
  CHECK(c_of(flow::promote_accumulators(cholesky)) == R"(static void cholesky(int64_t n, double *restrict L) {
  for (int64_t j = 0; j < n; j++) {
    for (int64_t i = j + 1; i < n; i++) {
      double L_ij = L[i * n + j];
      for (int64_t k = 0; k < j; k++) {
        L_ij -= L[i * n + k] * L[j * n + k];
      }
      L[i * n + j] = L_ij;
    }
  }
}
)");
}

TEST_CASE("scalars that are read come by value, results by pointer, and whole temporaries are allocated once") {
  const Expr n = size("n"), i = var("i");
  const flow::Flow f = flow_of(
      "scale", {"n"},
      {array("alpha", {}, operand), array("x", {n}, operand), array("norm", {}, result), array("w", {n}, temporary)},
      {declare("w"), loop("i", num(0), n, {set("w", {i}, get("alpha", {}) * get("x", {i}))}),
       loop("i", num(0), n, {update(ReduceOp::sum, "norm", {}, get("w", {i}) * get("w", {i}))})});
  CHECK(c_of(f) == R"(static int scale(int64_t n, double alpha, const double *restrict x, double *restrict norm) {
  double *restrict w = allocate(n, sizeof(double));
  if (!w) {
    return 1;
  }
  for (int64_t i = 0; i < n; i++) {
    w[i] = alpha * x[i];
  }
  for (int64_t i = 0; i < n; i++) {
    *norm += w[i] * w[i];
  }
  free(w);
  return 0;
}
)");
}

TEST_CASE("a parallel reduction names its scalar") {
  const Expr n = size("n"), i = var("i");
  flow::Loop l{{num(0), n},
               {flow::Loop::Execution::parallel, {"s"}},
               {},
               "i",
               seq({update(ReduceOp::sum, "s", {}, get("x", {i}))})};
  const flow::Flow f = flow_of("total", {"n"}, {array("x", {n}, operand), array("s", {}, result)}, {Stmt({l, {}})});
  CHECK(c_of(flow::share_updates(flow::promote_accumulators(f))) ==
        R"(static void total_over_i(int64_t n, const double *restrict x, double *s_sum_part) {
  double s_sum = *s_sum_part;
  #pragma omp for nowait
  for (int64_t i = 0; i < n; i++) {
    s_sum += x[i];
  }
  *s_sum_part = s_sum;
}

static void total(int64_t n, const double *restrict x, double *restrict s) {
  double s_sum = *s;
  __attribute__((__unused__)) const int i_pays = 1.0 * n > 20000;
  #pragma omp parallel if(i_pays) reduction(+:s_sum)
  total_over_i(n, x, &s_sum);
  *s = s_sum;
}
)");
}

TEST_CASE("checked division and index helpers are clean C for every integer type") {
  for (ScalarType type :
       {ScalarType::i64, ScalarType::i32, ScalarType::i16, ScalarType::u64, ScalarType::u32, ScalarType::u8}) {
    const Expr i = var("i"), x = get("x", {i}, type), y = get("y", {i}, type);
    const Stmt divide = set("z", {i}, x / y);
    const Stmt modulo = set("z", {i}, op(BinaryOp::modulo, x, y));
    const Stmt power = set("z", {i}, op(BinaryOp::power, x, y));
    c_of(flow_of("all", {"n"},
                 {array("x", {size("n")}, operand, type), array("y", {size("n")}, operand, type),
                  array("z", {size("n")}, result, type)},
                 {loop("i", num(0), size("n"), {divide, modulo, power})}));
  }
}

TEST_CASE("names that C or its library has taken get an underscore") {
  const Expr i = var("int");
  const flow::Flow f =
      flow_of("main", {"n"}, {array("exp", {size("n")}, result)},
              {loop("int", num(0), size("n"), {set("exp", {i}, flow::constant(Value::of(ScalarType::f64, 1)))})});
  CHECK(c_of(f) == R"(static void main_(int64_t n, double *restrict exp_) {
  for (int64_t int_ = 0; int_ < n; int_++) {
    exp_[int_] = 1.0;
  }
}
)");
}
