// Names that other languages have for what is written in another way here. A program may give them a meaning.

#include <algorithm>
#include <array>

#include "engine/lang/resolve/resolve.hpp"

namespace trellis::lang::resolving {

namespace {

struct BorrowedWord {
  std::string_view name, instead;
};

constexpr std::string_view how_to_solve =
    "a triangular system is a recurrence, any other one is factorised first: `examples` has lower_solve, lu, "
    "cholesky_solve and conjugate_gradients";
constexpr std::string_view no_parentheses = "a command stands alone, without parentheses";

constexpr auto borrowed_words = std::to_array<BorrowedWord>({
    {"ln", "the natural logarithm is log(x)"},
    {"lg", "logarithms are log(x), log2(x) and log10(x)"},
    {"pow", "a power is written x^2"},
    {"power", "a power is written x^2"},
    {"mod", "a remainder is written a % b"},
    {"fabs", "it is called abs(x)"},
    {"arctan", "it is called atan(x)"},
    {"arcsin", "it is called asin(x)"},
    {"arccos", "it is called acos(x)"},
    {"maximum", "it is called max(x, y)"},
    {"minimum", "it is called min(x, y)"},
    {"where", "a choice of values is written c ? a : b"},
    {"ifelse", "a choice of values is written c ? a : b"},
    {"iif", "a choice of values is written c ? a : b"},
    {"solve", how_to_solve},
    {"lstsq", "`examples least_squares` solves the normal equations"},
    {"inv", how_to_solve},
    {"inverse", how_to_solve},
    {"det", "a determinant is a product along a factor's diagonal: `examples determinant`"},
    {"trace", "a trace is a sum along the diagonal, as in sum(i)(A(i,i))"},
    {"diag", "a diagonal is an index that stands twice, as in d(i) = A(i,i)"},
    {"outer", "an outer product has both indices, as in A(i,j) = x(i)*y(j)"},
    {"kron", "`examples kronecker` is a Kronecker product"},
    {"cumsum", "a running sum is a recurrence: S(0) = x(0), and S(i) = S(i-1) + x(i) : 1 <= i"},
    {"arange", "an index is a number, as in x(i) = i : i < n"},
    {"linspace", "an index is a number, as in x(i) = i / (n - 1) : i < n"},
    {"range", "an index runs over a dimension, or is bounded behind a `:`, as in x(i) = 0 : i < n"},
    {"nnz", "what differs from 0 is counted as sum(i)(x(i) != 0 ? 1 : 0)"},
    {"count", "what holds is counted as sum(i)(x(i) > 0 ? 1 : 0)"},
    {"std", "a deviation is written out, as in sqrt(sum(i)((x(i) - m)^2) / n)"},
    {"var", "a variance is written out, as in sum(i)((x(i) - m)^2) / n"},
    {"vstack", "arrays are joined by concat, as in concat(A(i,j), B(k,j), (i,k)->l)"},
    {"hstack", "arrays are joined by concat, as in concat(A(i,j), B(i,k), (j,k)->l)"},
    {"concatenate", "arrays are joined by concat, as in concat(x(i), y(j), (i,j)->k)"},
    {"flatten", "rows one after the other are collapse(A(i,j), (i,j)->k)"},
    {"ravel", "rows one after the other are collapse(A(i,j), (i,j)->k)"},
    {"einsum", "indices say it, and one that stands only on the right is summed: C(i,j) = A(i,k) * B(k,j)"},
    {"exit", no_parentheses},
    {"quit", no_parentheses},
    {"help", no_parentheses},
    {"run", no_parentheses},
    {"clear", no_parentheses},
});

}  // namespace

std::string_view written_instead(std::string_view name) {
  const auto found = std::ranges::find(borrowed_words, name, &BorrowedWord::name);
  return found == borrowed_words.end() ? std::string_view{} : found->instead;
}

}  // namespace trellis::lang::resolving
