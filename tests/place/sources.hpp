#pragma once
// Programs that several tests of placement look at.

#include <string>

namespace trellis::place {

inline const std::string cholesky = R"(
tensor A(n,n)
L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i
L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i
)";

inline const std::string lu = R"(
tensor A(n,n)
U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j)) : k < i <= j
L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i
)";

inline const std::string ldl = R"(
tensor A(n,n)
D(j) = A(j,j) - sum(k)(L(j,k) * L(j,k) * D(k)) : k < j
L(i,j) = (A(i,j) - sum(k)(L(i,k) * D(k) * L(j,k))) / D(j) : k < j < i
)";

inline const std::string lower_solve = R"(
tensor L(n,n); tensor b(n)
x(i) = (b(i) - sum(j)(L(i,j) * x(j))) / L(i,i) : j < i
)";

inline const std::string back_substitution = R"(
tensor U(n,n); tensor b(n)
x(i) = (b(i) - sum(j)(U(i,j) * x(j))) / U(i,i) : j > i
)";

inline const std::string viterbi = R"(
tensor start(s); tensor A(s,s); tensor B(s,m); tensor V(s,m)
V(i,0) = start(i) * B(i,0)
V(i,j) = max(k)(V(k,j-1) * A(k,i)) * B(i,j) : 1 <= j
)";

inline const std::string needleman_wunsch = R"(
tensor S(n,m); tensor H(n,m)
H(i,0) = -2.0 * f64(i)
H(0,j) = -2.0 * f64(j) : 1 <= j
H(i,j) = max(H(i-1,j-1) + S(i,j), H(i-1,j) - 2, H(i,j-1) - 2) : 1 <= i, 1 <= j
)";

inline const std::string two_solves = R"(
tensor L(n,n); tensor b(n); tensor c(n)
x(i) = (b(i) - sum(j)(L(i,j) * x(j))) / L(i,i) : j < i
y(i) = (c(i) - sum(j)(L(i,j) * y(j))) / L(i,i) : j < i
)";

inline const std::string interval = R"(
tensor c(n); tensor w(n,n); tensor m(n,n)
m(i,i) = c(i)
m(i,j) = min(k)(m(i,k) + m(k+1,j)) + w(i,j) : i <= k < j, i < j
)";

inline const std::string prefix_sum = R"(
tensor A(n); tensor S(n)
S(0) = A(0)
S(i) = S(i-1) + A(i) : 1 <= i
)";

inline const std::string fibonacci = R"(
tensor F(n): i64
F(0) = 1
F(1) = 1
F(i) = F(i-1) + F(i-2) : 2 <= i
)";

}  // namespace trellis::place
