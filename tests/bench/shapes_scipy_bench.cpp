// Shape operators beside SciPy: fifteen kernels, over matrices of all sizes. SciPy converts where it has no function of
// its own. Its time includes the arrays of the result; ours goes into arrays that have room, as far as it is known how
// much.
//
// Source of the kernels, and of the means beside SciPy 1.11.2 on an Apple M1 Pro: "Compilation of Shape Operators on
// Sparse Arrays", section 8, figures 24 to 26.
#include <memory>

#include "tests/bench/shapes_bench.hpp"

namespace trellis::bench {
namespace {

struct Kernel {
  const char* name;
  const char* published;  ///< mean of the paper
  const char* result;
  const char* format;
  const char* equation;
  const char* python;
};

const Kernel kernels[] = {
    {"reshape to vector", "15.3", "R(n*m)", "{compressed}", "R(k) = collapse(A(i,j), (i,j)->k)",
     "E.reshape((1, n * m))"},
    {"vstack csr", "3.5", "R(n+n, m)", "csr", "R(l,j) = concat(A(i,j), B(k,j), (i,k)->l)",
     "sp.vstack([A, B], format='csr')"},
    {"hstack csr", "4.5", "R(n, m+m)", "csr", "R(i,l) = concat(A(i,j), B(i,k), (j,k)->l)",
     "sp.hstack([A, B], format='csr')"},
    {"vstack coo", "6.3", "R(n+n, m)", "coo", "R(l,j) = concat(E(i,j), F(k,j), (i,k)->l)", "sp.vstack([E, F])"},
    {"hstack coo", "1.7", "R(n, m+m)", "coo", "R(i,l) = concat(E(i,j), F(i,k), (j,k)->l)", "sp.hstack([E, F])"},
    {"slice csr", "4.6", "R(n/2, m)", "csr", "R(s,j) = slice(A(i,j), i->s, 0:2*(n/2):2)", "A[0:2 * (n // 2):2]"},
    {"split to coo", "7.3", "R(n, m)", "coo", "R(i,j) = split(c(k), k->(i,j))", "c.reshape((n, m))"},
    {"split to csr", "13.0", "R(n, m)", "csr", "R(i,j) = split(c(k), k->(i,j))", "c.reshape((n, m)).tocsr()"},
    {"vstack csr to coo", "12.7", "R(n+n, m)", "coo", "R(l,j) = concat(A(i,j), B(k,j), (i,k)->l)",
     "sp.vstack([A, B], format='coo')"},
    {"hstack csr to coo", "8.1", "R(n, m+m)", "coo", "R(i,l) = concat(A(i,j), B(i,k), (j,k)->l)",
     "sp.hstack([A, B], format='coo')"},
    {"vstack coo to csr", "8.3", "R(n+n, m)", "csr", "R(l,j) = concat(E(i,j), F(k,j), (i,k)->l)",
     "sp.vstack([E, F], format='csr')"},
    {"slice csr to coo", "8.2", "R(n/2, m)", "coo", "R(s,j) = slice(A(i,j), i->s, 0:2*(n/2):2)",
     "A[0:2 * (n // 2):2].tocoo()"},
    {"flattened csr times vector", "3.1", "R(n*m)", "{compressed}", "R(k) = collapse(B(i,j), (i,j)->k) * c(k)",
     "F.reshape((1, n * m)).tocsr().multiply(c)"},
    {"vstack csr times x", "3.9", "R(n+n)", "dense", "R(l) = sum(j)(concat(A(i,j), B(k,j), (i,k)->l) * x(j))",
     "sp.vstack([A, B], format='csr') @ x"},
    {"slice csr times csr", "3.2", "R(n/2, m)", "csr",
     "R(s,j) = slice(A(i,j), i->s, 0:2*(n/2):2) * slice(B(i,j), i->s, 0:n/2:1)",
     "A[0:2 * (n // 2):2].multiply(B[0:n // 2])"},
};

bool tell(Scipy& scipy, const ShapesProblem& p) {
  const auto& x = p.data.arrays.at("x");
  return scipy.load("A", compressed(p.data.arrays.at("A"))) && scipy.load("B", compressed(p.data.arrays.at("B"))) &&
         scipy.load("x", static_cast<const double*>(x.data()), p.columns()) && scipy.keep("n, m", "A.shape") &&
         scipy.keep("E, F", "A.tocoo(), B.tocoo()") &&
         (!p.flattens || scipy.keep("c", "E.reshape((1, n * m)).tocsr()"));
}

std::optional<Measured> in_python(const std::shared_ptr<Scipy>& scipy, const std::string& expression) {
  if (!scipy || scipy->time(expression) < 0) return std::nullopt;
  return [scipy, expression] { return scipy->time(expression); };
}

bool flattens(const Kernel& kernel) {
  const std::string equation = kernel.equation;
  return equation.find("collapse") != std::string::npos || equation.find("split") != std::string::npos;
}

std::string group_of(const Kernel& kernel) {
  return std::string(kernel.name) + " beside SciPy (published: " + kernel.published + ")";
}

}  // namespace

void shapes_beside_scipy(Rows& rows, const std::vector<ShapesProblem>& problems) {
  for (const ShapesProblem& p : problems) {
    const std::shared_ptr<Scipy> scipy = Scipy::start();
    const bool told = scipy && tell(*scipy, p);
    for (const Kernel& kernel : kernels) {
      if (flattens(kernel) && !p.flattens) continue;
      run::Bindings data = p.data;
      add_result(data, "R", shape_of(p, kernel.result), kernel.format);
      const auto ours =
          module_of(p.declarations + "tensor " + kernel.result + ": " + kernel.format + "\n" + kernel.equation + "\n");
      auto row = contest(std::string(kernel.name) + ", " + p.name, {"", native(ours, data)},
                         {"SciPy", told ? in_python(scipy, kernel.python) : std::nullopt}, 9, 1);
      if (row) row->group = group_of(kernel);
      rows.push_back(std::move(row));
    }
  }
}

}  // namespace trellis::bench
