#include <doctest/doctest.h>

#include "engine/place/naming.hpp"
#include "tests/place/kernels.hpp"
#include "tests/place/sources.hpp"

using namespace trellis;
using namespace trellis::place;

namespace {

/// "E0104 n=1: B(1)".
std::string first_problem(const std::string& source) {
  const text::Diagnostics diagnostics = problems(source);
  for (const text::Diagnostic& d : diagnostics.all()) {
    if (d.severity != text::Severity::error) continue;
    if (!d.instance) return d.code + " " + d.message;
    std::string sizes, element;
    for (const auto& [name, value] : d.instance->sizes)
      sizes += (sizes.empty() ? "" : " ") + name + "=" + std::to_string(value);
    for (std::int64_t e : d.instance->element) element += (element.empty() ? "" : ",") + std::to_string(e);
    return d.code + " " + sizes + ": " + d.instance->read + "(" + element + ")";
  }
  return "none";
}

}  // namespace

TEST_CASE("sound definitions have no problem") {
  for (const std::string& source : {cholesky, lu, ldl, lower_solve, back_substitution, viterbi, needleman_wunsch,
                                    two_solves, interval, prefix_sum}) {
    CAPTURE(source);
    CHECK(first_problem(source) == "none");
  }
}

TEST_CASE("a definition that needs itself is ill-founded, whatever the order") {
  CHECK(first_problem("tensor x(n)\nx(i) = x(i) + 1") == "E0102 n=1: x(0)");
  CHECK(first_problem("tensor x(n); tensor y(n)\nx(i) = y(i)\ny(i) = x(i)").substr(0, 9) == "E0102 n=1");
  CHECK(first_problem("tensor S(n)\nS(i) = sum(k)(S(k)) : k <= i") == "E0102 n=1: S(0)");
  CHECK(first_problem("tensor x(n)\nx(i) = x(n-1-i) + 1").substr(0, 5) == "E0102");
}

TEST_CASE("of two equations one is offered without what the other defines, where a constraint says that") {
  const auto offered = [](const std::string& source) {
    std::string all;
    const text::Diagnostics found = problems(source);
    for (const text::Diagnostic& d : found.all())
      for (const text::Fix& fix : d.fixes) all += fix.command + "; ";
    return all;
  };
  const std::string x = "tensor x(n); tensor a(n)\n", D = "tensor D(n, m); tensor a(n, m)\n";
  CHECK(offered(x + "x(i) = a(i)\nx(0) = 1") == "x(i) = a(i) : 1 <= i; ");
  CHECK(offered(x + "x(n-1) = 1\nx(i) = a(i)") == "x(i) = a(i) : i < n - 1; ");
  CHECK(offered(x + "x[0](i) = 1\nx[t](i) = 2 * x[t-1](i) : t < 3") == "x[t](i) = 2*x[t-1](i) : t < 3, 1 <= t; ");
  CHECK(offered(D + "D(0,j) = 1\nD(i,j) = a(i,j)") == "D(i,j) = a(i,j) : 1 <= i; ");
  // Elsewhere in row 0, or on either side, nothing would be left that defines an element.
  CHECK(offered(D + "D(0,0) = 1\nD(i,j) = a(i,j)") == "");
  CHECK(offered(x + "x(3) = 1\nx(i) = a(i)") == "");
  CHECK(offered(x + "x(i) = a(i) : i <= 2\nx(i) = 2 : i >= 2") == "");
}

TEST_CASE("an element has one definition") {
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = a(i)\nx(0) = 1") == "E0103 n=1: x(0)");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(0) = 1\nx(i) = a(i) : 1 <= i") == "none");
  CHECK(first_problem("tensor L(n,n); tensor A(n,n)\nL(i,j) = A(i,j) : j <= i\nL(i,j) = A(j,i) : i <= j") ==
        "E0103 n=1: L(0,0)");
}

TEST_CASE("affine reads stay in range for all sizes") {
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = a(i+1)") == "E0104 n=1: a(1)");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = a(i-1)") == "E0104 n=1: a(-1)");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = a(i-1) : 1 <= i") == "none");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = i > 0 ? a(i-1) : 0") == "none");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = i < 0 ? a(i+1) : 0") == "none");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = i > 0 ? 0 : a(i+1)") == "E0104 n=1: a(1)");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = i == 0 || i == n-1 ? 0 : a(i-1) + a(i+1)") == "none");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = !(i == 0 || a(i) > 0) ? a(i-1) : 0") == "none");
  CHECK(first_problem("tensor x(n); tensor a(n)\nx(i) = i == 0 && a(i) > 0 ? 0 : a(i-1)") == "E0104 n=1: a(-1)");
}

TEST_CASE("the range of an index is the hull of what its fragments walk, without what other indices bound") {
  const auto range = [](const std::string& source, const std::string& index) -> std::string {
    const auto found = range_of_index(analysed(source).fragments, index);
    return found ? found->low + " : " + found->high : "none";
  };
  CHECK(range(cholesky, "i") == "0 : n");
  CHECK(range(cholesky, "k") == "0 : n");
  CHECK(range("tensor x(n); tensor y(n); tensor z(m)\ny(i) = x(i) : 2 <= i\nz(i) = 1 : 3 <= i", "i") ==
        "2 : max(n, m)");
  CHECK(range("param m = 3\ntensor y(n)\ny(i) = 1 : i < m", "i") == "0 : min(n, m)");
  CHECK(range(cholesky, "no such index") == "none");
}
