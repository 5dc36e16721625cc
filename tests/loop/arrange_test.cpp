// Loops as sparse operands want them: cut where other ones are read, and nested where indices have digits.

#include "engine/loop/arrange.hpp"

#include "engine/loop/nest_digits.hpp"
#include "engine/loop/normalise.hpp"
#include "engine/loop/split_phases.hpp"
#include "tests/loop/notation.hpp"

using namespace trellis;
using namespace trellis::loop;
using namespace trellis::loop::testing;

namespace {

const lang::Program& stored() {
  static const lang::Program program = declared(
      "tensor A(n,m): csr; tensor B(n,m): csr; tensor D(n,8): csr; tensor E(n,2,4): csf; tensor x(n): {compressed}\n"
      "tensor C(2*n,m): csr; tensor c(8*n): {compressed}; tensor d(8*n); tensor y(n)\n");
  return program;
}

Stmt stored_loops(const std::string& notation) {
  text::Diagnostics diagnostics;
  const auto stmt = read(notation, stored(), diagnostics);
  for (const auto& one : diagnostics.all()) FAIL_CHECK(one.message << "  in  " << notation);
  REQUIRE_MESSAGE(stmt, notation);
  return *stmt;
}

using Arranging = Stmt (*)(const Stmt&, const lang::Program&, math::Solver&);

void check_arranged(Arranging pass, const std::string& before, const std::string& after) {
  INFO(before);
  math::Solver solver(lang::size_assumptions(stored()));
  const Stmt result = normalise(pass(stored_loops(before), stored(), solver), stored(), solver, From::source);
  CHECK(verify(result, stored()) == "");
  CHECK(to_string(result) == to_string(stored_loops(after)));
}

void check_unchanged(Arranging pass, const std::string& notation) {
  INFO(notation);
  math::Solver solver(lang::size_assumptions(stored()));
  const Stmt before = stored_loops(notation);
  CHECK(pass(before, stored(), solver).same(before));
}

}  // namespace

TEST_CASE("split_phases: a loop is cut where another operand is read, around inner loops too") {
  check_arranged(split_phases, "for l in 0:2*n { for j in 0:m { C(l,j) = l < n ? A(l,j) : B(l-n,j) } }",
                 "for l in 0:n { for j in 0:m { C(l,j) = A(l,j) } }\n"
                 "for l in n:2*n { for j in 0:m { C(l,j) = B(l-n,j) } }");
  check_arranged(split_phases, "for l down in 0:2*n { for j in 0:m { C(l,j) = l < n ? A(l,j) : B(l-n,j) } }",
                 "for l down in n:2*n { for j in 0:m { C(l,j) = B(l-n,j) } }\n"
                 "for l down in 0:n { for j in 0:m { C(l,j) = A(l,j) } }");
  // Three phases; in the second, of one iteration at most, the loop inside is cut.
  check_arranged(split_phases, "for i in 0:n { for j in 0:4 { d(4*i+j) = 4*i + j < n ? x(4*i+j) : c(4*i+j-n) } }",
                 "for i in 0:n/4 { for j in 0:4 { d(4*i+j) = x(4*i+j) } }\n"
                 "if n/4 < (n + 3)/4 {\n"
                 "for j in 0:n - 4*(n/4) { d(j+4*(n/4)) = x(j+4*(n/4)) }\n"
                 "for j in n - 4*(n/4):4 { d(j+4*(n/4)) = c(j-n+4*(n/4)) }\n"
                 "}\n"
                 "for i in (n + 3)/4:n { for j in 0:4 { d(4*i+j) = c(4*i+j-n) } }");
  // Loops inside that run in one part only are guards, too.
  check_arranged(split_phases, "for l in 0:2*n { for j in l:n { y(j) += x(j) }\nfor j in n:l { d(j) += c(j) } }",
                 "for l in 0:n { for j in l:n { y(j) += x(j) } }\nfor l in n:2*n { for j in n:l { d(j) += c(j) } }");
}

TEST_CASE("split_phases: guards that leave out no sparse operand are kept, and so are single iterations") {
  check_unchanged(split_phases, "for l in 0:n { for j in 0:m { C(l,j) = l < 5 ? A(l,j) : A(l,j) + 1 } }");
  check_unchanged(split_phases, "for l in 0:n { for j in 0:n { d(l) += l < 5 ? y(j) : d(j) } }");
  check_unchanged(split_phases, "for l in 0:n { for j in 0:m { C(l,j) = l < 1 ? 0 : A(l-1,j) } }");
}

TEST_CASE("nest_digits: a loop becomes the nest of the digits that operands are stored by") {
  check_arranged(nest_digits, "forall k in 0:8*n { c(k) = D(k/8,k%8) }",
                 "forall k1 in 0:n { forall k0 in 0:8 { c(k0+8*k1) = D(k1,k0) } }");
  check_arranged(nest_digits, "for k down in 0:8*n { d(k) = D(k/8,k%8) }",
                 "for k1 down in 0:n { for k0 down in 0:8 { d(k0+8*k1) = D(k1,k0) } }");
  check_arranged(nest_digits, "for k in 0:8*n { d(k) = E(k/8,k/4%2,k%4) }",
                 "for k2 in 0:n { for k1 in 0:2 { for k0 in 0:4 { d(k0+4*k1+8*k2) = E(k2,k1,k0) } } }");
  // Backwards, and moved.
  check_arranged(nest_digits, "for k in 0:8*n { d(k) = D((8*n-1-k)/8,(8*n-1-k)%8) }",
                 "for k1 down in 0:n { for k0 down in 0:8 { d(8*n-k0-8*k1-1) = D(k1,k0) } }");
  check_arranged(nest_digits, "for k in 3:8*n { d(k) = D((k-3)/8,(k-3)%8) }",
                 "for k1 in 0:n { for k0 in 0:min(8*n - 8*k1 - 3, 8) { d(k0+8*k1+3) = D(k1,k0) } }");
  // Digits of what an outer loop moves.
  check_arranged(nest_digits, "for i in 0:n { for j in 0:6 { d(j) += D((6*i+j)/8,(6*i+j)%8) } }",
                 "for i in 0:n { for j1 in 6*i/8:(6*i + 5)/8 + 1 { for j0 in max(6*i - 8*j1, 0):min(6*i - 8*j1 + 6, 8) "
                 "{ d(j0+8*j1-6*i) += D(j1,j0) } } }");
}

TEST_CASE("nest_digits: loops stay whole where nothing walked has digits, or these have no common cuts") {
  check_unchanged(nest_digits, "for k in 0:8*n { d(k) = x(k/8) }");
  check_unchanged(nest_digits, "for k in 0:8*n { d(k) = y(k/8) + d(k%8) }");
  check_unchanged(nest_digits, "for k in 0:8*n { d(k) = D(k/8,k%8) + D(k/6,k%6) }");
  check_unchanged(nest_digits, "for k in 0:8*n { d(k) = D(k/8,k%8) + D((k+3)/8,(k+3)%8) }");
}
