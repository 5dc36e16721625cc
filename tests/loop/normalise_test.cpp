// From nests as placement leaves them, a guard around every fragment, to loops that a person would write.

#include "engine/loop/normalise.hpp"
#include "tests/loop/notation.hpp"

using namespace trellis;
using namespace trellis::loop;
using namespace trellis::loop::testing;

namespace {

void check(const std::string& before, const std::string& after) {
  const Stmt result = normalise(loops(before), world(), solver());
  CHECK(verify(result, world()) == "");
  CHECK(to_string(result) == to_string(loops(after)));
}

}  // namespace

TEST_CASE("Cholesky by rows, order i j k") {
  check(R"(
    for i in 0:n {
      tensor tD: f64
      tD = 0
      for j in 0:n {
        if j < i {
          tensor t: f64
          t = 0
          for k in 0:n { if k < j && j < i { t += L(i,k)*L(j,k) } }
          L(i,j) = (A(i,j) - t)/L(j,j)
        }
        if j < i { tD += L(i,j)^2 }
      }
      L(i,i) = sqrt(A(i,i) - tD)
    })",
        R"(
    for i in 0:n {
      tensor tD: f64
      tD = 0
      for j in 0:i {
        tensor t: f64
        t = 0
        for k in 0:j { t += L(i,k)*L(j,k) }
        L(i,j) = (A(i,j) - t)/L(j,j)
        tD += L(i,j)^2
      }
      L(i,i) = sqrt(A(i,i) - tD)
    })");
}

TEST_CASE("Cholesky by columns, order j k i") {
  check(R"(
    tensor t(n, n): f64
    for j in 0:n {
      for i in 0:n { if j <= i { t(i,j) = 0 } }
      for k in 0:n { for i in 0:n { if k < j && j <= i { t(i,j) += L(i,k)*L(j,k) } } }
      for i in 0:n {
        if i == j { L(i,i) = sqrt(A(i,i) - t(i,i)) }
        if j < i { L(i,j) = (A(i,j) - t(i,j))/L(j,j) }
      }
    })",
        R"(
    tensor t(n, n): f64
    for j in 0:n {
      for i in j:n { t(i,j) = 0 }
      for k in 0:j { for i in j:n { t(i,j) += L(i,k)*L(j,k) } }
      L(j,j) = sqrt(A(j,j) - t(j,j))
      for i in j+1:n { L(i,j) = (A(i,j) - t(i,j))/L(j,j) }
    })");
}

TEST_CASE("a descending sweep keeps its direction") {
  check("for i down in 0:n { for k in 0:n { if i < k { x(i) += L(k,i)*y(k) } }; y(i) = x(i) }",
        "for i down in 0:n { for k in i+1:n { x(i) += L(k,i)*y(k) }; y(i) = x(i) }");
}

TEST_CASE("a boundary in one nest with the interior") {
  check("for i in 0:n { for j in 0:n { if j == 0 { A(i,j) = i }; if 1 <= j { A(i,j) = A(i,j-1) + 1 } } }",
        "for i in 0:n { A(i,0) = i; for j in 1:n { A(i,j) = A(i,j-1) + 1 } }");
  // Not every matrix with rows has columns.
  check("for i in 0:n { for j in 0:m { if j == 0 { W(i,j) = i }; if 1 <= j { W(i,j) = W(i,j-1) + 1 } } }",
        "for i in 0:n { if 0 < m { W(i,0) = i }; for j in 1:m { W(i,j) = W(i,j-1) + 1 } }");
}

TEST_CASE("origins lead back to the statements of the input") {
  const Stmt input = loops("for i in 0:n { for j in 0:n { if j < i { A(i,j) = 1 } } }");
  int assignment = -1;
  for_each(input, [&](const Stmt& stmt) {
    if (stmt.as<Assign>()) assignment = stmt.id();
  });
  bool found = false;
  for_each(normalise(input, world(), solver()), [&](const Stmt& stmt) {
    if (!stmt.as<Assign>()) return;
    found = true;
    CHECK(stmt.origin() == text::Origin{{text::Stage::placement, assignment}});
  });
  CHECK(found);
}
