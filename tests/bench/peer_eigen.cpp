// Eigen beside us: headers only, so that finding them is enough.
#include "tests/bench/peers.hpp"

#ifdef TRELLIS_WITH_EIGEN
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wshadow"
#include <eigen3/Eigen/SparseCore>
#pragma GCC diagnostic pop

namespace trellis::bench {
namespace {

template <int major>
using Matrix = Eigen::SparseMatrix<double, major, int>;

template <int major>
Eigen::Map<const Matrix<major>> map(const Compressed& m) {
  const int outer = static_cast<int>(m.by_rows ? m.rows : m.columns);
  return {
      static_cast<int>(m.rows), static_cast<int>(m.columns), m.positions[outer], m.positions, m.coordinates, m.values};
}

template <int major>
void multiply(const Compressed& a, const double* x, double* y) {
  const Eigen::Map<const Eigen::VectorXd> in(x, a.columns);
  Eigen::Map<Eigen::VectorXd> out(y, a.rows);
  out.noalias() = map<major>(a) * in;
}

}  // namespace

std::optional<std::function<void()>> eigen_matrix_vector(const Compressed& a, const double* x, double* y) {
  return [=] { a.by_rows ? multiply<Eigen::RowMajor>(a, x, y) : multiply<Eigen::ColMajor>(a, x, y); };
}

std::optional<std::function<std::int64_t()>> eigen_sum(const Compressed& a, const Compressed& b) {
  return [=] {
    const Matrix<Eigen::RowMajor> sum = map<Eigen::RowMajor>(a) + map<Eigen::RowMajor>(b);
    return static_cast<std::int64_t>(sum.nonZeros());
  };
}

std::optional<std::function<std::int64_t()>> eigen_product(const Compressed& a, const Compressed& b) {
  return [=] {
    const Matrix<Eigen::RowMajor> product = map<Eigen::RowMajor>(a) * map<Eigen::RowMajor>(b);
    return static_cast<std::int64_t>(product.nonZeros());
  };
}

}  // namespace trellis::bench
#else
namespace trellis::bench {
std::optional<std::function<void()>> eigen_matrix_vector(const Compressed&, const double*, double*) {
  return std::nullopt;
}
std::optional<std::function<std::int64_t()>> eigen_sum(const Compressed&, const Compressed&) { return std::nullopt; }
std::optional<std::function<std::int64_t()>> eigen_product(const Compressed&, const Compressed&) {
  return std::nullopt;
}
}  // namespace trellis::bench
#endif
