// Layouts and computations of "Polyhedral Specification and Code Generation of Sparse Tensor Contraction with
// Co-Iteration", tables 2, 3 and 6 and figure 11: whatever operands are stored in, products agree with the reference.

#include "tests/coiterate/shown.hpp"
#include "tests/folder.hpp"

using namespace trellis::testing;

namespace {

const char* const own =
    "layout lower: (i, j) -> (i, j) {dense, dense} : j <= i\n"
    "layout ubcsr(R, C): (i, j) -> (i/R, j, i%R) {dense, vbl(C), dense}\n"
    "layout nm(N, M): (i, j) -> (i, j/M, j%M) {dense, dense, compressed(N)}\n";

struct Stored {
  const char* format;
  const char* fill;  ///< as `random` takes it
};
const Stored layouts[] = {
    {"coo", "density 0.3"},        {"{compressed(nonunique, unordered), singleton(unordered)}", "density 0.3"},
    {"csr", "density 0.3"},        {"dcsr", "density 0.2"},
    {"bcsr(2, 2)", "density 0.2"}, {"ubcsr(2, 3)", "density 0.2"},
    {"lower", "density 0.5"},      {"nm(2, 4)", "density 0.2"}};

std::string matrix(const std::string& name, const Stored& stored, int seed) {
  return "tensor " + name + "(n, n): " + stored.format + "\nrandom " + name + " seed " + std::to_string(seed) + " " +
         stored.fill + "\n";
}

}  // namespace

TEST_CASE("layout pairs: matrices times dense and sparse vectors") {
  for (const Stored& a : layouts)
    for (const char* x : {"dense", "{compressed}", "{compressed(decreasing)}", "{hashed}"})
      for (const char* order : {"i j", "j i"})
        check_agrees_with_formats(own + std::string("param n = 8\n") + matrix("A", a, 1) + "tensor x(n): " + x +
                                  "\ntensor y(n)\nrandom x seed 2 density 0.5\ny(i) = A(i,j) * x(j)\norder " + order +
                                  "\n");
}

TEST_CASE("layout pairs: products of matrices in every pair of layouts") {
  for (const Stored& a : layouts)
    for (const Stored& b : layouts)
      for (const char* order : {"i k j", "i j k"})
        check_agrees_with_formats(own + std::string("param n = 8\n") + matrix("A", a, 1) + matrix("B", b, 2) +
                                  "tensor C(n, n)\nC(i,j) = A(i,k) * B(k,j)\norder " + order + "\n");
}

TEST_CASE("layout pairs: results in dense levels within bounds are written anywhere, and read again") {
  const std::string head =
      "layout lower: (i, j) -> (i, j) {dense, dense} : j <= i\nlayout rows: (i, j) -> (i, j) {compressed, dense} : j "
      "<= i\n"
      "layout half: (i, j) -> (max(i, j), min(i, j)) {dense, dense}\n"
      "layout banded(W): (i, j) -> (i, j) {dense, dense} : j - i <= W, i - j <= W\nparam n = 7\n"
      "tensor A(n, n): csr\nrandom A seed 1 density 0.4\ntensor x(n)\nrandom x seed 2\n";
  for (const std::string layout : {"lower", "rows", "half"})
    for (const std::string order : {"i j", "j i", "i j\nparallel i"})
      for (const std::string equations :
           {"L(i,j) = A(i,j) + x(j) : j <= i\ny(i) = L(i,j) * x(j)\n", "L(i,j) = A(i,j) : j <= i\n"}) {
        // Nobody reads what threads append.
        if (layout == "rows" && order.ends_with("parallel i") && equations.find("y(i)") != std::string::npos) continue;
        CAPTURE(layout + ", " + order + "\n" + equations);
        check_agrees_with_formats(head + "tensor L(n, n): " + layout + "\n" + equations + "order " + order + "\n");
      }
  check_agrees_with_formats(head +
                            "tensor B(n, n): banded(1)\nB(i,j) = x(i) * x(j) : j - i <= 1, i - j <= 1\n"
                            "C(i,j) = A(i,k) * B(k,j)\norder i k j\n");
  check_agrees_with_formats(
      head +
      "tensor B(n, n): lower\nloops { tensor t(n, n): lower; t .= 0\n for i { for j in 0:i { t(i,j) "
      "= A(i,j) } }\n B .= 0\n for j { for i in j:n { B(i,j) += t(i,j) } } }\n");
}

TEST_CASE("layout pairs: what a symmetric result computes once is read in both places") {
  const std::string head =
      "layout sym: (i, j) -> (max(i, j), min(i, j)) {dense, compressed}\nparam n = 7\ntensor A(n, n): csr\n"
      "random A seed 1 density 0.4\ntensor L(n, n): sym\n";
  check_agrees_with_formats(head + "L(i,j) = 2 * A(i,j) : j <= i\n");
  check_agrees_with_formats(head + "L(i,j) = A(i,j) : j < i\nL(i,i) = 1\nC(i,j) = L(i,k) * A(k,j)\n");
  check_agrees_with_formats(head + "loops { L .= 0\n for i { for j in 0:i { L(i,j) = A(i,j) } } }\n");
}

TEST_CASE("layout pairs: a vector that rises, one that falls and one in no order meet, each found in its own way") {
  const std::string program =
      "param n = 50\ntensor a(n): {compressed}\ntensor b(n): {compressed(decreasing)}\n"
      "tensor c(n): {compressed(unordered)}\ntensor v\nrandom a seed 1 density 0.5\nrandom b seed 2 density 0.5\n"
      "random c seed 3 density 0.5\nv = a(i) * b(i) * c(i)\norder i\n";
  for (const char* finds : {"", "find c hash\n", "find c hash\nfind b scan\n", "find c table\nfind b gallop\n"}) {
    CAPTURE(std::string(finds));
    check_agrees(program + finds);
  }
  const std::string c = shown("c", program + "find c hash\nfind b scan\n");
  CHECK((has(c, "pb--") || has(c, "pb -= 1")));
  CHECK(has(c, "c_hash"));
}

TEST_CASE("layout pairs: a tensor times a matrix shares the fibers of the tensor, on threads") {
  const std::string program =
      "param n = 8\nparam r = 3\ntensor A(n, n, n): csf\ntensor B(n, r)\ntensor Y(n, n, r): {compressed, compressed, "
      "dense}\nrandom A seed 1 density 0.1\nrandom B seed 2\nY(i,j,l) = A(i,j,k) * B(k,l)\norder i j k l\nparallel i\n";
  check_agrees(program);
  CHECK(has(shown("c", program),
            "#pragma omp for nowait schedule(dynamic, i_share)\n  for (int64_t pA1 = A1_pos[0]; pA1 < A1_pos[1]; "
            "pA1++) {"));
}
