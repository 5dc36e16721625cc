#include "tests/matrix/trials.hpp"

namespace trellis::matrix {

// Every matrix is 5 by 5 and every vector has five elements, so that blocks of two and three are cut off at the edges.
const std::vector<Program>& programs() {
  static const std::vector<Program> all = {
      {"elementwise", "R(i,j) = 2*A(i,j) + B(i,j)", {"i", "j"}, {"A", "R"}, {"R"}},
      {"triangle", "R(i,j) = A(i,j) + x(j) : j <= i", {"i", "j"}, {"A", "R"}, {"R"}},
      {"copy", "R(i,j) = A(i,j)", {"i", "j"}, {"A", "R"}, {"R"}},
      {"transposed", "R(i,j) = A(j,4-i)", {"i", "j"}, {"A", "R"}, {"R"}},
      {"reduction", "y(i) = A(i,j) * x(j)", {"i", "j"}, {"A", "x", "y"}, {"y"}},
      {"product", "R(i,j) = A(i,k) * B(k,j)", {"i", "k", "j"}, {"A", "B", "R"}, {"R"}},
      {"greatest", "y(i) = max(j)(A(i,j) + B(i,j))", {"i", "j"}, {"A", "y"}, {"y"}},
      {"recurrence", "y(i) = x(i) - sum(j < i)(A(i,j) * y(j))", {"i", "j"}, {"A", "x", "y"}, {"y"}},
      {"factor", "R(i,j) = A(i,j) - sum(k < j)(R(i,k) * R(j,k)) : j <= i", {"i", "j", "k"}, {"A", "R"}, {"R"}},
      {"steps", "R[t](i,j) = R[t-1](i,j) + A(i,j) : t < 3", {"t", "i", "j"}, {"A", "R"}, {"R"}},
      {"waves", "y[t](i) = y[t-1](i) + A(i,j) * y[t-1](j) + x(i) : t < 3", {"t", "i", "j"}, {"A", "y"}, {"y"}},
      {"condition", "R(i,j) = A(i,j) > 3 ? A(i,j) - 1 : x(j) * A(j,i)", {"i", "j"}, {"A", "x", "R"}, {"R"}},
      {"until",
       "loops { for i { tensor s; s .= 0; for j until s > 5 { s += A(i,j) }; y(i) = s } }",
       {"i", "j"},
       {"A", "y"},
       {"y"}},
      {"first", "loops { for i until A(i,i) > 4 { y(i) = A(i,i) + 1 } }", {"i"}, {"A", "y"}, {"y"}},
      {"scatter", "loops { for i, j { R(p(i),j) += A(i,j) } }", {"i", "j"}, {"A", "R"}, {"R"}},
      {"gather", "R(i,j) = A(p(i),j) + x(p(j))", {"i", "j"}, {"A", "x", "R"}, {"R"}},
      {"digits", "y(i) = sum(j)(A(i/2,j) * x(j/2))", {"i", "j"}, {"A", "x", "y"}, {"y"}},
      {"stacked", "S(l,j) = concat(A(i,j), B(k,j), (i,k)->l)", {"l", "j"}, {"A", "S"}, {"S"}},
      {"flattened", "c(k) = collapse(A(i,j), (i,j)->k)", {"k"}, {"A", "c"}, {"c"}},
      {"diagonal", "R(i,i) = A(i,i) + x(i)", {"i"}, {"A", "x", "R"}, {"R"}},
  };
  return all;
}

}  // namespace trellis::matrix
