#include <doctest/doctest.h>

#include "tests/place/kernels.hpp"
#include "tests/place/sources.hpp"

using namespace trellis::place;

TEST_CASE("factorisations are legal in every ascending order") {
  CHECK(legal_orders(cholesky) == "ijk ikj jik jki kij kji");
  CHECK(legal_orders(lu) == "ijk ikj jik jki kij kji");
  CHECK(legal_orders(ldl) == "ijk ikj jik jki kij kji");
}

TEST_CASE("solves") {
  CHECK(legal_orders(lower_solve) == "ij ji");
  CHECK(legal_orders(two_solves) == "ij ji");
  CHECK(legal_orders(back_substitution, Directions::all) == "i-j i-j- j-i j-i-");
}

TEST_CASE("dynamic programs") {
  CHECK(legal_orders(viterbi) == "jik jki");
  CHECK(legal_orders(viterbi, Directions::all) == "jik jik- ji-k ji-k- jki jki- jk-i jk-i-");
  CHECK(legal_orders(needleman_wunsch) == "ij ji");
  CHECK(legal_orders(prefix_sum, Directions::all) == "i");
  CHECK(legal_orders(fibonacci, Directions::all) == "i");
}

TEST_CASE("many equations that need each other are refused as quickly as few") {
  constexpr int equations = 20;  // each could lend its i or its j to the loop over b
  std::string source = "tensor y(n)\n";
  const auto name = [](int k) { return "a" + std::to_string(k); };
  for (int k = 0; k < equations; ++k) source += "tensor " + name(k) + "(n, n)\n";
  source += "y(b) = b\n" + name(0) + "(i,j) = " + name(equations - 1) + "(i+1,j) : i < n-1\n";
  for (int k = 1; k < equations; ++k) source += name(k) + "(i,j) = " + name(k - 1) + "(i,j)\n";
  const Analysis analysis = analysed(source);
  CHECK(!is_legal(analysis, {{"b", false}, {"i", false}, {"j", false}}));
  CHECK(is_legal(analysis, {{"b", false}, {"i", true}, {"j", false}}));
}

TEST_CASE("of many loops a legal order is found without trying them all") {
  // a runs downwards, c and d inside b, and f downwards or inside g.
  const std::string source =
      "tensor x(n); tensor V(n, n); tensor W(n, n, n)\n"
      "x(n-1) = 1\nx(a) = 2*x(a+1) : a < n-1\n"
      "V(c,0) = x(c)\nV(c,b) = max(d)(V(d,b-1)) : 1 <= b\n"
      "W(e,f,g) = f < n-1 && 0 < g ? W(e,f+1,g-1) : V(e,f)\n";
  const Analysis analysis = analysed(source);
  REQUIRE(analysis.kernel.variables().size() > few_loops);
  const auto order = choose_order(analysis);
  REQUIRE(order);
  CHECK(is_legal(analysis, *order));
}

TEST_CASE("the order that is chosen walks sparse operands and stores sparse results as they are stored") {
  const auto chosen = [](const std::string& formats) {
    const Analysis analysis = analysed("tensor A(n, n): " + formats);
    const auto order = choose_order(analysis);
    REQUIRE(order);
    return trellis::lang::to_string(*order);
  };
  CHECK(chosen("csr\ntensor x(n)\ny(i) = A(i,j)*x(j)") == "i j");
  CHECK(chosen("csc\ntensor x(n)\ny(i) = A(i,j)*x(j)") == "j i");
  CHECK(chosen("csr\ntensor B(n, n): csr\ntensor C(n, n): csr\nC(i,j) = A(i,k)*B(k,j)") == "i k j");
  CHECK(chosen("csc\ntensor B(n, n): csc\ntensor C(n, n): csc\nC(i,j) = A(i,k)*B(k,j)") == "j k i");
  CHECK(chosen("csr\ntensor B(n, n): csc\ntensor C(n, n): csr\nC(i,j) = A(i,k)*B(k,j)") == "i j k");
  CHECK(chosen("csc\ntensor C(n, n): csr\nC(i,j) = A(i,j)") == "j i");
}
