// The kernels of shape operators take as many steps as their loops by hand have entries and rows: none is spent on what
// is not stored, nor on looking for it. (examples/shapes.tr; docs/design/shapes.md#the-kernels)
#include <map>

#include "tests/flow/subject.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

/// What a kernel computes, and what its steps are bounded by.
struct Counted {
  const char *name, *result, *equation;
  std::string bound;  ///< a sum of sizes, and of tensors, which stand for how many entries they have
};

const Counted all[] = {
    {"reshape csr", "r(n*m): {compressed}", "r(k) = collapse(A(i,j), (i,j)->k)", "nA"},
    {"vstack csr", "V(n+q, m): csr", "V(l,j) = concat(A(i,j), B(k,j), (i,k)->l)", "nqAB"},
    {"hstack csr", "H(n, m+m): csr", "H(i,l) = concat(A(i,j), D(i,k), (j,k)->l)", "nAD"},
    {"vstack coo", "V(n+q, m): coo", "V(l,j) = concat(E(i,j), F(k,j), (i,k)->l)", "EF"},
    {"hstack coo", "H(n, m+m): coo", "H(i,l) = concat(E(i,j), G(i,k), (j,k)->l)", "EG"},
    {"slice csr", "S(h, m): csr", "S(s,j) = slice(A(i,j), i->s, 0:2*h:2)", "hA"},
    {"split compressed to csr", "P(n, m): csr", "P(i,j) = split(c(k), k->(i,j))", "nc"},
    {"split compressed to coo", "P(n, m): coo", "P(i,j) = split(c(k), k->(i,j))", "c"},
    {"vstack csr to coo", "V(n+q, m): coo", "V(l,j) = concat(A(i,j), B(k,j), (i,k)->l)", "nqAB"},
    {"hstack csr to coo", "H(n, m+m): coo", "H(i,l) = concat(A(i,j), D(i,k), (j,k)->l)", "nAD"},
    {"slice csr to coo", "S(h, m): coo", "S(s,j) = slice(A(i,j), i->s, 0:2*h:2)", "hA"},
    {"vstack coo to csr", "V(n+q, m): csr", "V(l,j) = concat(E(i,j), F(k,j), (i,k)->l)", "nqEF"},
    {"flattened csr times vector", "f(n*m): {compressed}", "f(k) = collapse(A(i,j), (i,j)->k) * c(k)", "cA"},
    {"vstack times vector", "y(n+q)", "y(l) = sum(j)(concat(A(i,j), B(k,j), (i,k)->l) * x(j))", "nqAB"},
    {"slice times csr", "T(h, m): csr", "T(s,j) = slice(A(i,j), i->s, 0:2*h:2) * B(s,j)", "hAB"},
    {"two cuts, added", "f(n*m): {compressed}", "f(k) = collapse(A(i,j), (i,j)->k) + collapse(U(p,o), (p,o)->k)",
     "nAU"},
    {"two cuts, multiplied", "f(n*m): {compressed}", "f(k) = collapse(A(i,j), (i,j)->k) * collapse(U(p,o), (p,o)->k)",
     "nAU"},
    {"coo and csr, flattened", "f(n*m): {compressed}", "f(k) = collapse(W(p,o), (p,o)->k) + collapse(A(i,j), (i,j)->k)",
     "nAW"},
    {"new rows", "R(m, n): csr", "R(p,o) = split(collapse(A(i,j), (i,j)->k), k->(p,o))", "mA"},
};

/// Matrices of ever more columns, with about three entries in each row.
Subject sized(const Counted& kernel, int columns) {
  const std::string density = " density " + std::to_string(3.0 / columns) + "\n";
  std::string program = "param n = 60\nparam q = 30\nparam h = 30\nparam m = " + std::to_string(columns) + "\n" +
                        "tensor A(n, m): csr; tensor B(q, m): csr; tensor D(n, m): csr\n" +
                        "tensor E(n, m): coo; tensor F(q, m): coo; tensor G(n, m): coo\n" +
                        "tensor U(m, n): dcsr; tensor W(m, n): coo\n" +
                        "tensor c(n*m): {compressed}; tensor x(m)\nrandom x seed 9 density 1\n" + "tensor " +
                        kernel.result + "\n";
  int seed = 0;
  for (const char* name : {"A", "B", "D", "E", "F", "G", "U", "W", "c"})
    program += std::string("random ") + name + " seed " + std::to_string(++seed) + density;
  return subject(program + kernel.equation + "\n");
}

/// Those that the kernel does not read have none to count.
std::int64_t bound(const Counted& kernel, const Subject& s, int columns) {
  std::int64_t sum = 0;
  for (const char part : kernel.bound) {
    const auto found = s.found.tensors.find(std::string(1, part));
    const std::map<char, int> rows = {{'n', 60}, {'q', 30}, {'h', 30}, {'m', columns}};
    sum += found != s.found.tensors.end() ? found->second.entries() : rows.at(part);
  }
  return sum;
}

}  // namespace

TEST_CASE("kernels of shape operators take the steps of loops by hand, however many columns there are") {
  constexpr int most = 6;  // of the interpreter, for an entry: a cursor moves, a test, an append, and so on
  for (const Counted& kernel : all)
    for (const int columns : {20, 2000}) {
      CAPTURE(kernel.name);
      CAPTURE(columns);
      const Subject s = sized(kernel, columns);
      const std::int64_t steps = interpreted(s).steps, bounded = bound(kernel, s, columns);
      INFO(kernel.name << ": " << steps << " steps, " << bounded << " entries and rows");
      CHECK(steps <= most * bounded + 20);
    }
}
