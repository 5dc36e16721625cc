#include <doctest/doctest.h>

#include "tests/place/kernels.hpp"
#include "tests/place/sources.hpp"

using namespace trellis::place;

TEST_CASE("left-looking Cholesky by columns") {
  CHECK(nest(cholesky, "j k i") == R"(tensor tL2(n): f64
forall i in 0:n {
  tL2(i) = 0
}
for j in 0:n {
  # ready L(:,:j)
  # ready L(:j,:j)
  tensor tL1(n): f64
  forall i in j + 1:n {
    tL1(i) = 0
  }
  forall k in 0:j reduces tL1 {
    forall i in j + 1:n {
      tL1(i) += L(i,k)*L(j,k)
    }
  }
  L(j,j) = sqrt(A(j,j) - tL2(j))
  # ready L(j,j)
  forall i in j + 1:n {
    L(i,j) = (A(i,j) - tL1(i))/L(j,j)
    # ready L(i,j)
    tL2(i) += L(i,j)^2
  }
}
)");
}

TEST_CASE("Cholesky by rows keeps its sums in scalars") {
  CHECK(nest(cholesky, "i j k") == R"(for i in 0:n {
  # ready L(:i,:)
  # ready L(:i,:i)
  tensor tL2: f64
  tL2 = 0
  for j in 0:i {
    # ready L(i,:j)
    tensor tL1: f64
    tL1 = 0
    forall k in 0:j reduces tL1 {
      tL1 += L(i,k)*L(j,k)
    }
    L(i,j) = (A(i,j) - tL1)/L(j,j)
    # ready L(i,j)
    tL2 += L(i,j)^2
  }
  L(i,i) = sqrt(A(i,i) - tL2)
  # ready L(i,i)
}
)");
}

TEST_CASE("a whole sum accumulates into its result, empty sums included") {
  CHECK(nest("tensor A(n,m); tensor x(m); tensor y(n)\ny(i) = sum(j)(A(i,j) * x(j))", "i j") == R"(forall i in 0:n {
  y(i) = 0
  forall j in 0:m reduces y {
    y(i) += A(i,j)*x(j)
  }
  # ready y(i)
}
)");
  CHECK(nest("tensor A(n,m); tensor x(m); tensor y(n)\ny(i) = sum(j)(A(i,j) * x(j))", "j i") == R"(forall i in 0:n {
  y(i) = 0
}
forall j in 0:m reduces y {
  forall i in 0:n {
    y(i) += A(i,j)*x(j)
  }
}
# ready y(:)
)");
}

TEST_CASE("argmax keeps the best value beside the index") {
  CHECK(nest("tensor A(n,m); tensor p(n): i64\np(i) = argmax(k)(A(i,k))", "i k") == R"(forall i in 0:n {
  tensor best_p: f64
  p(i) = -1
  best_p = -inf
  forall k in 0:m reduces p reduces best_p {
    let v = A(i,k) {
      if v > best_p || v == best_p && (p(i) < 0 || k < p(i)) {
        best_p = v
        p(i) = k
      }
    }
  }
  # ready p(i)
}
)");
}

TEST_CASE("two solves run in one nest") {
  CHECK(nest(two_solves, "i j") == R"(for i in 0:n {
  # ready x(:i)
  # ready y(:i)
  tensor tx: f64
  tx = 0
  tensor ty: f64
  ty = 0
  forall j in 0:i reduces tx reduces ty {
    tx += L(i,j)*x(j)
    ty += L(i,j)*y(j)
  }
  x(i) = (b(i) - tx)/L(i,i)
  # ready x(i)
  y(i) = (c(i) - ty)/L(i,i)
  # ready y(i)
}
)");
}

TEST_CASE("boundaries of equal extent share a loop, others do not") {
  const std::string square =
      "tensor S(n,n); tensor H(n,n)\nH(i,0) = 1.0\nH(0,j) = 2.0 : 1 <= j\nH(i,j) = H(i-1,j-1) + S(i,j) : 1 <= i, 1 <= "
      "j";
  CHECK(nest(square, "i j").find("forall i in 0:n {\n  H(i,0) = 1\n  # ready H(i,0)\n  if 1 <= i") == 0);
  CHECK(nest(needleman_wunsch, "i j").find("forall j in 1:m {\n  if 0 < n {\n    H(0,j)") != std::string::npos);
}
