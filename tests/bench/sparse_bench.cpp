// Kernels over csr and csc beside the same loops in C by hand, with the same compiler and flags, and beside libraries.
#include "tests/bench/sparse_bench.hpp"

namespace trellis::bench {

emit::Argument level_array(const std::string& tensor, int level, format::Array array, bool written) {
  const auto type = array == format::Array::values ? format::ScalarType::f64 : format::ScalarType::i32;
  return {emit::Argument::Kind::array, tensor, type, written, level, array};
}

Table bench_sparse(const Options&) {
  Rows rows;
  for (const std::int64_t entries : {sized(200'000, 2'000), sized(2'000'000, 3'000)}) {
    for (const Spread spread : {Spread::uniform, Spread::banded}) {
      const SparseProblem problem = sparse_problem(spread, entries);
      matrix_vector_products(rows, problem);
      sampled_products(rows, problem);
      sparse_sums(rows, problem);
      sparse_products(rows, problem);
    }
  }
  return table_of("sparse", std::move(rows));
}

}  // namespace trellis::bench
