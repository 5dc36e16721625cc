// What masks guard and lend to results in sparse formats, and the loops with them.
#include <doctest/doctest.h>

#include "tests/results/loops_written.hpp"

namespace trellis::results {
namespace {

TEST_CASE("a mask guards what an element is computed with") {
  const std::string masked = "tensor M(n, n): bool\n" + cholesky;
  CHECK(written(masked + "i j k", {{"L", "csr"}}, {}, {}, {{"L", "M", {}}}) == R"(for i in 0:n {
  tensor tL2: f64
  tL2 = 0
  for j in 0:i {
    if M(i,j) {
      tensor tL1: f64
      tL1 = 0
      forall k in 0:j reduces tL1 {
        tL1 += L(i,k)*L(j,k)
      }
      L(i,j) = (A(i,j) - tL1)/L(j,j)
      tL2 += L(i,j)^2
    }
  }
  if M(i,i) {
    L(i,i) = sqrt(A(i,i) - tL2)
  }
}
L: each entry is appended as it is computed
)");
  CHECK(written(masked + "i k j", {{"L", "csr"}}, {}, {}, {{"L", "M", {}}}) == R"(for i in 0:n {
  tensor tL1(n): f64
  forall j in 0:i {
    if M(i,j) {
      tL1(j) = 0
    }
  }
  tensor tL2: f64
  tL2 = 0
  for k in 0:i {
    if M(i,k) {
      L(i,k) = (A(i,k) - tL1(k))/L(k,k)
      forall j in k + 1:i {
        tL1(j) += L(i,k)*L(j,k)
      }
      tL2 += L(i,k)^2
    }
  }
  if M(i,i) {
    L(i,i) = sqrt(A(i,i) - tL2)
  }
}
L: each entry is appended as it is computed
)");
}

TEST_CASE("a mask leaves out whole sums, and an automatic one nothing") {
  const std::string sampled =
      "tensor M(n, n); tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = A(i,k)*B(j,k)\norder i j k";
  CHECK(written(sampled, {{"C", "dcsr"}, {"M", "csr"}}, {}, {}, {{"C", "M", {}}}) == R"(forall i in 0:n {
  forall j in 0:n {
    if M(i,j) {
      tensor C_w: f64
      C_w = 0
      forall k in 0:n reduces C_w {
        C_w += A(i,k)*B(j,k)
      }
      C(i,j) = C_w
    }
  }
}
C: each element is collected in C_w, then appended, because C(0,0) is written again at i=0, j=0, k=1
)");
  CHECK(written(sampled, {{"C", "csr"}}, {}, {}, {{"C", {}, {}}}) == written(sampled, {{"C", "csr"}}));
}

TEST_CASE("a mask in the result's own layout lends it its entries") {
  const std::string sampled =
      "tensor M(n, n); tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = A(i,k)*B(j,k)\norder i j k";
  CHECK(written(sampled, {{"C", "csr"}, {"M", "csr"}}, {}, {}, {{"C", "M", {}}}) == R"(forall i in 0:n {
  forall j in 0:n {
    if M(i,j) {
      forall k in 0:n reduces C {
        C(i,j) += A(i,k)*B(j,k)
      }
    }
  }
}
C: its entries are those of mask M, which it shares
)");
}

TEST_CASE("a loop that would look a result up goes by the mask that it walks") {
  const std::string masked = "tensor R(n, n): bool; tensor K(n, n): bool\n" + cholesky;
  const std::vector<lang::Schedule::Mask> both = {{"L", "R", {}}, {"L", "K", {}}};
  const Formats formats = {{"L", "csc"}, {"R", "csr"}, {"K", "csc"}};
  const std::string found = written(masked + "j k i", formats, {}, {}, both);
  CHECK(found.find(R"( {
    if R(j,k) {
      forall i in j + 1:n {
        tL1(i) += L(i,k)*L(j,k))") != std::string::npos);
  CHECK(found.find("L: its entries are those of mask K, which it shares\n") != std::string::npos);
}

TEST_CASE("of two masks that is taken which the loops walk") {
  const std::string masked = "tensor R(n, n): bool; tensor K(n, n): bool\n" + cholesky;
  const std::vector<lang::Schedule::Mask> both = {{"L", "R", {}}, {"L", "K", {}}};
  const Formats formats = {{"L", "csr"}, {"R", "csr"}, {"K", "csc"}};
  CHECK(written(masked + "i j k", formats, {}, {}, both).find("if R(i,j)") != std::string::npos);
  CHECK(written(masked + "j k i", formats, {}, {}, both).find("if K(i,j)") != std::string::npos);
}

}  // namespace
}  // namespace trellis::results
