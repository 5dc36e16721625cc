// The twins of kernels, as the language writes them, and the factorisations that they are recognised as.
#include "engine/symbolic/with_patterns.hpp"

#include <doctest/doctest.h>

#include "engine/lang/parse.hpp"
#include "engine/symbolic/elimination.hpp"

namespace trellis::symbolic {
namespace {

struct Twin {
  std::string equations;  ///< of the kernel that finds the patterns; "" when there is none
  std::string codes;
  std::string shape;  ///< "symmetric L lower", with each result's triangles
};

Twin twin_of(const std::string& source) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int number = sources.add("test", source);
  auto program = lang::resolve(lang::parse(sources, number, diagnostics), diagnostics);
  Twin twin;
  if (program) program = with_patterns(std::move(*program), diagnostics);
  for (const auto& d : diagnostics.all()) twin.codes += (twin.codes.empty() ? "" : " ") + d.code;
  if (!program || program->kernels.front().pattern_of.empty()) return twin;
  const lang::Kernel& kernel = program->kernels.front();
  twin.equations = lang::print_equations(*program, kernel).characters;
  if (const auto found = find_elimination(*program, kernel)) {
    twin.shape = std::string(found->symmetric ? "symmetric" : "unsymmetric") + (found->reversed ? " reversed" : "");
    for (const auto& [name, part] : found->parts)
      twin.shape += " " + name + (part.transposed ? " transposed" : "") + (part.lower ? " lower" : "") +
                    (part.upper ? " upper" : "");
  } else {
    twin.shape = "general";
  }
  return twin;
}

const std::string matrices = "tensor A(n, n): csc\ntensor L(n, n): csc\ntensor U(n, n): csr\n";

}  // namespace

TEST_CASE("symbolic: a twin is true where its result may differ from the fill") {
  const Twin cholesky = twin_of(matrices +
                                "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
                                "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\nmask L auto\n");
  CHECK(cholesky.equations ==
        "L_mask(i,j) = A_entries(i,j) || any(k < j)(L_mask(i,k) && L_mask(j,k)) : j < i\n"
        "L_mask(i,i) = A_entries(i,i) || any(k < i)(L_mask(i,k))\n");
  CHECK(cholesky.codes == "N0205");
  CHECK(cholesky.shape == "symmetric L_mask lower");
}

TEST_CASE("symbolic: factorisations are recognised by what their terms relate") {
  CHECK(twin_of(matrices + "tensor D(n)\n"
                           "L(i,j) = (A(i,j) - sum(k)(L(i,k) * D(k) * L(j,k))) / D(j) : k < j < i\n"
                           "D(i) = A(i,i) - sum(k)(L(i,k)^2 * D(k)) : k < i\nmask L auto\n")
            .shape == "symmetric L_mask lower");
  CHECK(twin_of(matrices +
                "U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j)) : k < i <= j\n"
                "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\nmask L auto\nmask U auto\n")
            .shape == "unsymmetric L_mask lower U_mask upper");
  CHECK(twin_of(matrices + "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k > j, j > i\n"
                           "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k > i\nmask L auto\n")
            .shape == "symmetric reversed L_mask lower");
  CHECK(twin_of(matrices + "L(i,j) = A(i,j) - sum(k)(L(i,k) * L(j,k)) : k < j, j < i, k >= 1\nmask L auto\n").shape ==
        "general");
  CHECK(twin_of(matrices + "L(i,j) = A(i,j) - sum(k)(L(i,k) * A(j,k)) : k < j < i\nmask L auto\n").shape == "general");
}

TEST_CASE("symbolic: fills and annihilators decide, conditions on indices stay") {
  CHECK(twin_of("tensor A(n, n): csr\ntensor B(n, n): csr\ntensor C(n, n): csr\nC(i,j) = A(i,j) * B(i,j) + (i < j ? "
                "A(j,i) : 0)\nmask C auto\n")
            .equations == "C_mask(i,j) = A_entries(i,j) && B_entries(i,j) || i < j && A_entries(j,i)\n");
  CHECK(twin_of("tensor A(n, n): csr\ntensor d(n)\ntensor C(n, n): csr\nC(i,j) = A(i,j) * d(j)\nmask C auto\n")
            .equations == "C_mask(i,j) = A_entries(i,j)\n");
  CHECK(
      twin_of(
          "tensor A(n, n): csr fill inf\ntensor C(n, n): csr fill inf\nC(i,j) = min(k)(A(i,k) + A(k,j))\nmask C auto\n")
          .equations == "C_mask(i,j) = any(k)(A_entries(i,k) && A_entries(k,j))\n");
  CHECK(twin_of("tensor A(n, n): csr\ntensor C(n, n): csr\nC(i,j) = exp(A(i,j))\nmask C auto\n").equations ==
        "C_mask(i,j) = true\n");
}

TEST_CASE("symbolic: results that can have no pattern of their own are refused") {
  CHECK(
      twin_of(
          "tensor x(n): {compressed}\ntensor A(n, n): csr\nx[t](i) = sum(j)(A(i,j) * x[t-1](j)) : t < 3\nmask x auto\n")
          .codes == "E0326");
  CHECK(twin_of(matrices + "tensor M(n, n): csc\nL(i,j) = A(i,j)\nmask L M\nmask L auto\n").codes == "E0326");
  CHECK(twin_of(matrices + "tensor v\nv = sum(i)(A(i,i))\nmask v auto\n").codes == "E0326");
  CHECK(twin_of("tensor A(n, n): csr\ntensor C(n, n): csr\nloops { for i in 0:n { for j in 0:n { C(i,j) = A(i,j) } } "
                "}\nmask C auto\n")
            .codes == "E0326");
}

}  // namespace trellis::symbolic
