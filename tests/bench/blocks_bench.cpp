// Products, factors and solves of dense matrices from their equations, in tiles, registers and strips, beside OpenBLAS.
// The lines are those that `suggest` offers on a machine with registers like this one's.
#include "engine/session/running/kept_machine.hpp"
#include "tests/bench/contest.hpp"
#include "tests/bench/dense_bench.hpp"

namespace trellis::bench {
namespace {

struct Schedules {
  const char *product, *cholesky, *lu, *solve;
};

const Schedules wide = {"order k/512 i/192 j/32 i/6 k i j\nregisters i j\npack A\npack B\nfused\n",
                        "order j/96 k/96 i/24 j/8 k j i\nregisters j i\npack L\nfused\n",
                        "order i/96 k/96 j/24 i/8 k i j\nregisters i j\npack L\npack U\nfused\n",
                        "order i/96 k/96 j/32 i/6 k i j\nregisters i j\npack A\npack X\nfused\n"};
const Schedules narrow = {"order k/256 i/192 j/12 i/4 k i j\nregisters i j\npack A\npack B\nfused\n",
                          "order j/96 k/96 i/12 j/4 k j i\nregisters j i\npack L\nfused\n",
                          "order i/96 k/96 j/12 i/4 k i j\nregisters i j\npack L\npack U\nfused\n",
                          "order i/96 k/96 j/12 i/4 k i j\nregisters i j\npack A\npack X\nfused\n"};

/// Symmetric, with a dominant diagonal: no pivot is sought elsewhere.
tensor::Tensor dominant(std::int64_t n) {
  tensor::Tensor made = random_matrix(n, n, 1);
  auto* const values = static_cast<double*>(made.data());
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) values[i * n + j] = values[j * n + i];
    values[i * n + i] += static_cast<double>(n);
  }
  return made;
}

const double* values_of(const tensor::Tensor& t) { return static_cast<const double*>(t.data()); }

class Problems {
 public:
  Problems(std::int64_t n, std::vector<std::optional<Row>>& rows) : n_(n), rows_(rows) {
    data_.sizes["n"] = n;
    data_.arrays["A"] = dominant(n);
    data_.arrays["B"] = random_matrix(n, n, 2);
  }

  void row(const std::string& what, const std::string& equations, const char* result, const std::string& peers_name,
           const std::optional<Computation>& peer, double wanted) {
    if (!peer) return rows_.push_back(std::nullopt);
    std::string text;
    for (const char* tensor : {"A", "B", "C", "L", "U", "X"})
      if (equations.find(std::string(tensor) + "(") != std::string::npos)
        text += "tensor " + std::string(tensor) + "(n, n)\n";
    text += equations;
    const run::Bindings data = with_tensors(text, data_);
    const int turns = n_ < 1000 ? 15 : n_ < 2000 ? 9 : 5;
    rows_.push_back(contest(what + ", n = " + std::to_string(n_), {"", native(module_of(text), data)},
                            {peers_name, measured(peer, result, data.arrays.at(result))}, turns, wanted));
  }

  const double* a() const { return values_of(data_.arrays.at("A")); }
  const double* b() const { return values_of(data_.arrays.at("B")); }

 private:
  std::int64_t n_;
  std::vector<std::optional<Row>>& rows_;
  run::Bindings data_;
};

}  // namespace

void blocks(std::vector<std::optional<Row>>& rows) {
  struct Size {
    std::int64_t n;
    double product, cholesky, lu, solve;  ///< aims
  };
  const Size sizes[] = {{sized(100, 20), 0.5, 1, 1, 1},
                        {sized(256, 33), 1, 1.3, 1, 1},
                        {sized(512, 50), 1, 1.4, 1, 1},
                        {sized(1024, 61), 0.95, 1.4, 1, 1},
                        {sized(2048, 96), 0.9, 1.1, 0.8, 0.8}};
  const Schedules& lines = session::kept_machine().wide_registers ? wide : narrow;
  const std::string sum_of_products = "C(i,j) = sum(k)(A(i,k) * B(k,j))\n";
  const std::string cholesky =
      "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
      "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n";
  const std::string lu =
      "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\n"
      "U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j)) : k < i <= j\n";
  const std::string solve = "X(i,j) = (B(i,j) - sum(k)(A(i,k) * X(k,j))) / A(i,i) : k < i\n";
  for (const Size& s : sizes) {
    Problems p(s.n, rows);
    p.row("product in tiles", sum_of_products + lines.product, "C", "OpenBLAS dgemm", blas_product(s.n, p.a(), p.b()),
          s.product);
    for (const bool by_rows : {true, false})
      p.row("Cholesky in tiles", cholesky + lines.cholesky, "L",
            std::string("OpenBLAS dpotrf, ") + (by_rows ? "U" : "L"), blas_cholesky(s.n, p.a(), by_rows), s.cholesky);
    p.row("LU in tiles", lu + lines.lu, "L", "OpenBLAS dgetrf", blas_lu(s.n, p.a()), s.lu);
    p.row("solve in tiles", solve + lines.solve, "X", "OpenBLAS dtrsm", blas_solve(s.n, p.a(), p.b()), s.solve);
  }
}

}  // namespace trellis::bench
