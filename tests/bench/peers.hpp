#pragma once
// Libraries that some machines have and others lack. Each function is empty where its library was missing at build
// time.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace trellis::bench {

/// Boost.Graph: shortest paths between all pairs, in place on an n × n matrix of distances, row by row.
std::optional<std::function<void(std::vector<std::vector<double>>&)>> boost_floyd_warshall();

/// Parasail's scalar Needleman–Wunsch over the letters ACGT: 3 for a match, -1 for a mismatch, gaps of 2 a letter.
/// The first gives the score alone, the second keeps the whole table.
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_score();
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_table();
/// Its striped vectors of 16 bits, or of 32 where 16 do not hold the score, which is all that is kept: of whole
/// sequences or of their best parts, where the first letter of a gap costs `open` and each other one `more`.
enum class Width { bits16, bits32 };
std::optional<std::function<int(const std::string&, const std::string&)>> parasail_striped(bool local, int open,
                                                                                           int more, Width width);

/// A matrix in csr or csc, in somebody's arrays.
struct Compressed {
  std::int64_t rows = 0, columns = 0;
  bool by_rows = true;
  const int *positions = nullptr, *coordinates = nullptr;
  const double* values = nullptr;
};

/// Eigen on matrices in csr or csc (the latter two: csr): y = A x; the number of entries of A + B; that of A B, sorted
/// as Eigen does by default. Sums and products include the allocation of the result, as they do for whoever calls
/// Eigen.
std::optional<std::function<void()>> eigen_matrix_vector(const Compressed& a, const double* x, double* y);
std::optional<std::function<std::int64_t()>> eigen_sum(const Compressed& a, const Compressed& b);
std::optional<std::function<std::int64_t()>> eigen_product(const Compressed& a, const Compressed& b);

/// What a peer's result stores: of each entry its indices, and its value.
struct Stored {
  std::vector<std::int64_t> indices;
  std::vector<double> values;
};

/// It writes objects of its own; what its last run left in them.
struct Computation {
  std::function<void()> run;
  std::function<Stored()> result;
};

/// OpenBLAS on one thread, of matrices by rows: a*b; of a symmetric one its factor L, with L*transpose(L), stored by
/// rows or by columns, and the strict triangle L of its LU; x of l*x = b, of which l's lower triangle is read.
std::optional<Computation> blas_product(std::int64_t n, const double* a, const double* b);
std::optional<Computation> blas_cholesky(std::int64_t n, const double* a, bool by_rows);
std::optional<Computation> blas_lu(std::int64_t n, const double* a);
std::optional<Computation> blas_solve(std::int64_t n, const double* l, const double* b);

/// SuiteSparse GraphBLAS on one thread, where the mask (if it is not null) is not true: of a matrix in csr, which rows
/// have an entry where u is true; and the least sum of an entry and u's.
std::optional<Computation> graphblas_reached(const Compressed& a, const unsigned char* mask, const unsigned char* u);
std::optional<Computation> graphblas_nearest(const Compressed& a, const unsigned char* mask, const double* u);
/// Of a matrix in csr and a sparse vector, which has `count` entries; of two matrices in csr.
std::optional<Computation> graphblas_product(const Compressed& a, const int* coordinates, const double* values,
                                             std::int64_t count);
std::optional<Computation> graphblas_matrix_product(const Compressed& a, const Compressed& b);
/// The triangles of a graph, of which the lower triangle of its matrix is given: what that has entries for of a product
/// with its transpose, by dot products, or with itself, row by row.
enum class By { dot_products, rows };
std::optional<Computation> graphblas_triangles(const Compressed& lower, By how);
/// Of a graph whose edges are stored both ways: how many edges each vertex is away from the source; its distance over
/// their lengths, by rounds over what got shorter, or in steps of delta.
std::optional<Computation> graphblas_breadth_first(const Compressed& a, std::int64_t source);
std::optional<Computation> graphblas_bellman_ford(const Compressed& a, std::int64_t source);
std::optional<Computation> graphblas_delta_stepping(const Compressed& a, std::int64_t source, double delta);

/// A square matrix in csc with rising coordinates, in arrays of its own.
struct Columns {
  std::vector<int> positions, coordinates;
  std::vector<double> values;
};

/// A symmetric positive definite matrix as CXSparse factors it, and its factor.
struct Factored {
  std::int64_t n = 0;
  Columns a, l;
  std::function<void()> factor;   ///< the numeric phase alone: `cs_chol`
  std::function<void()> pattern;  ///< where the factor has entries: `cs_etree`, and `cs_ereach` of each row
  std::function<void(double*)> solve_lower, solve_upper;  ///< L x = b and L' x = b, in b's place
};

/// A = L U without pivoting: L below its diagonal, which is ones, and U.
struct Triangles {
  Columns l, u;
  std::function<void()> factor;  ///< `cs_lu`, which finds the entries of each column as it goes
};

/// L x = b where b is 1 at some places and 0 elsewhere: what x has entries for, and how it is computed.
struct Reached {
  std::vector<int> places;  ///< rising
  std::vector<double> values;
  std::function<void()> solve;  ///< `cs_spsolve`, which finds the places as well
};

/// CXSparse; `a` in csc, both triangles. In the order that the matrix has, or in AMD's, postordered.
enum class Ordering { natural, amd };
std::optional<Factored> cxsparse_cholesky(const Compressed& a, Ordering ordering);
/// CHOLMOD's supernodal factorisation of `a`, both triangles, in the order that it has: where its entries are, and
/// their values.
struct Supernodal {
  std::function<void()> analyse;  ///< `cholmod_analyze`; what follows has no memory for the values yet
  std::function<void()> factor;   ///< `cholmod_factorize`
};
std::optional<Supernodal> cholmod_supernodal(const Columns& a);
std::optional<Triangles> cxsparse_lu(const Columns& a);
std::optional<Reached> cxsparse_reached(const Columns& l, const std::vector<int>& ones);

/// A grey picture in somebody's array, row by row.
struct Picture {
  std::int64_t height = 0, width = 0;
  const unsigned char* pixels = nullptr;
};

/// OpenCV on one thread: the least of each pixel and its eight neighbours, those outside left out; how many pixels that
/// a mask shows lie in each sixteenth of the brightness.
std::optional<std::function<void()>> opencv_erosion(const Picture& picture, unsigned char* result);
std::optional<std::function<void()>> opencv_histogram(const Picture& picture, const unsigned char* mask);

}  // namespace trellis::bench
