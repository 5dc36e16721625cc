#pragma once
// Programs that reports are made of, and their models.

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace trellis::testing {

using Json = nlohmann::ordered_json;

inline constexpr const char* cholesky_page = R"(# A = L L'
param n = 5
tensor A(n, n)
tensor L(n, n)
random A seed 1 spd
L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i
L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i
order j k i
run
)";

inline constexpr const char* viterbi_page = R"(param n = 3
param m = 4
tensor s(n); tensor A(n, n); tensor V(n, m)
fill_with s [1, 1, 9]; random A
V(i,0) = s(i)
V(i,j) = max(k)(V(k,j-1) * A(k,i)) : 1 <= j
order i j k
run
)";

inline constexpr const char* sparse_sum = R"(param n = 9
tensor a(n): compressed; tensor b(n): compressed; tensor c(n): compressed; tensor y(n): compressed
fill_with a [1, 0, 0, 2, 0, 0, 3, 0, 0]; fill_with b [0, 1, 0, 2, 0, 0, 0, 0, 3]; fill_with c [4, 0, 0, 4, 0, 0, 0, 0, 0]
y(i) = a(i) + b(i) + c(i)
run
)";

Json model_of(const std::string& program);
/// With what was said while the program was read.
Json model_said_of(const std::string& program);
std::string page_of(const std::string& program);

}  // namespace trellis::testing
