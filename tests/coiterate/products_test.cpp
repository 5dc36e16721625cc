// Levels whose indices are the digits of one number are walked as one, by keys.
#include "engine/access/product.hpp"
#include "engine/lang/expr.hpp"
#include "tests/coiterate/shown.hpp"
#include "tests/folder.hpp"
#include "tests/random/wanted.hpp"

using namespace trellis;
using namespace trellis::testing;
using math::Affine;

namespace {

/// The keys of a tensor of that format, whose dimensions have these sizes and indices: `8*A.1 + A.2 = k`.
std::string keys(const std::string& format, const std::vector<Affine>& sizes, const std::vector<Affine>& indices) {
  lang::TensorInfo info;
  info.shape = sizes;
  info.format = *format::Format::named(format, static_cast<int>(sizes.size()));
  lang::Access access{"A", {}, {}};
  for (const Affine& index : indices) access.indices.push_back(lang::to_expr(index, {"i", "k"}));
  const auto found = access::product(access, info, format::facts(info.format), 0, "k",
                                     [](const Affine& a) { return a.is_constant() && a.constant >= 0; });
  if (!found) return "none";
  std::string text;
  for (const access::Digit& digit : found->above)
    text += std::to_string(digit.unit) + "*" + math::to_string(digit.map, access::level_name("A", digit.level)) + " + ";
  return text + math::to_string(found->own, access::level_name("A", found->level)) + " = " +
         math::to_string(found->number) + ", to " + math::to_string(found->last);
}

/// Kernels over flattened tensors of 24 elements, and a vector of as many.
std::string flattened(const std::string& format, const std::string& equation, const std::string& order) {
  return "tensor A(3, 8): " + format + "\ntensor B(4, 6): " + format +
         "\ntensor C(2, 3, 4): coo\ntensor c(24): {compressed}\ntensor s\nrandom A seed 1 density 0.3\n"
         "random B seed 2 density 0.4\nrandom C seed 3 density 0.3\nrandom c seed 4 density 0.3\n" +
         equation + "\norder " + order + "\n";
}

}  // namespace

TEST_CASE("indices that are the digits of one number make keys") {
  const Affine n = Affine::name("n"), k = Affine::name("k"), i = Affine::name("i");
  CHECK(keys("csr", {n, 8}, {Affine::div(k, 8), Affine::mod(k, 8)}) == "8*A.1 + A.2 = k, to 8*n - 1");
  CHECK(keys("coo", {n, 8}, {Affine::div(k + 3, 8), Affine::mod(k + 3, 8)}) == "8*A.1 + A.2 = k + 3, to 8*n - 1");
  CHECK(keys("dcsr", {n, 6}, {Affine::div(8 * i + k, 6), Affine::mod(8 * i + k, 6)}) ==
        "6*A.1 + A.2 = 8*i + k, to 6*n - 1");
  CHECK(keys("csr", {n, 8}, {i + Affine::div(k, 8), Affine::mod(k, 8)}) == "8*A.1 + A.2 = 8*i + k, to 8*n - 1");
  const Affine middle = Affine::mod(Affine::div(k, 4), 3), same = Affine::div(Affine::mod(k, 12), 4);
  for (const Affine& digit : {middle, same})
    CHECK(keys("csf", {n, 3, 4}, {Affine::div(k, 12), digit, Affine::mod(k, 4)}) ==
          "12*A.1 + 4*A.2 + A.3 = k, to 12*n - 1");
  CHECK(keys("csr", {n, 6}, {Affine::div(k, 8), Affine::mod(k, 8)}) == "8*A.1 + A.2 = k, to 8*n - 3");  // all are there
}

TEST_CASE("digits may be moved, multiplied, and end before the level") {
  const Affine n = Affine::name("n"), k = Affine::name("k"), row = Affine::div(k, 8), column = Affine::mod(k, 8);
  CHECK(keys("csr", {n, 10}, {row, column}) == "8*A.1 + A.2[:8] = k, to 8*n - 1");
  CHECK(keys("csr", {n, n}, {row, column}) == "8*A.1 + A.2[:8] = k, to 8*n - 1");
  CHECK(keys("csr", {n, 10}, {row, column + 1}) == "8*A.1 + A.2[1:9] - 1 = k, to 8*n - 1");
  CHECK(keys("csr", {n, 15}, {row, 2 * column}) == "8*A.1 + A.2/2 = k, to 8*n - 1");
  CHECK(keys("coo", {n, 10}, {row, column + 1}) == "none");  // tuples are sought by keys that rise
  CHECK(keys("csr", {n, 8}, {row, -1 * column + 7}) == "none");
}

TEST_CASE("other indices make no keys") {
  const Affine n = Affine::name("n"), k = Affine::name("k");
  CHECK(keys("csr", {n, 8}, {Affine::div(k, 16), Affine::mod(k, 8)}) == "none");                 // one is left out
  CHECK(keys("csr", {n, 8}, {Affine::div(k, 8), Affine::mod(k + 1, 8)}) == "none");              // of another number
  CHECK(keys("csr", {n, 8}, {Affine::mod(k, 8), Affine::div(k, 8)}) == "none");                  // rising
  CHECK(keys("csr", {4, 8}, {Affine::mod(Affine::div(k, 8), 4), Affine::mod(k, 8)}) == "none");  // begins again
}

TEST_CASE("tensors that are flattened at different cuts are merged as they are stored") {
  const std::string sum = flattened("csr", "tensor f(24): {compressed}\nf(k) = A(k/8,k%8) + B(k/6,k%6)", "k");
  CHECK(has(shown("flow", sum), "lead pA at A.2 below 8*A.1"));
  CHECK(has(shown("flow", sum), "lead pB at B.2 below 6*B.1"));
  const std::string c = shown("c", sum);
  CHECK_FALSE(has(c, "find"));
  CHECK_FALSE(has(c, " / "));
  check_agrees(sum);
}

TEST_CASE("keys agree with the reference, in all formats and directions") {
  int number = 0;
  for (const char* format : {"csr", "dcsr", "coo", "csc", "{compressed, hashed}", "{dense, compressed(decreasing)}"}) {
    CAPTURE(format);
    for (const char* order : {"k", "k-"}) {
      if (!trellis::randomised::is_taken(number++)) continue;
      CAPTURE(order);
      const auto check = [&](const char* equation) { check_agrees(flattened(format, equation, order)); };
      check("s = sum(k)(A(k/8,k%8) * B(k/6,k%6)) : 0 <= k, k < 24");
      check("s = max(k)(A(k/8,k%8) - B((23-k)/6,(23-k)%6)) : 0 <= k, k < 24");
      check("s = sum(k)(A((k+5)/8,(k+5)%8) * C(k/12,k/4%3,k%4)) : 0 <= k, k < 19");
      check("s = sum(k)(B((k+1)/6,(k+1)%6) * c(k)) : 3 <= k, k < 20");
      check("tensor g(20)\ng(k) = A(k/8,k%8) + B((k+4)/6,(k+4)%6) * c(k) : k < 20");
    }
    for (const char* order : {"i j", "i- j", "i j-", "j i"}) {
      if (!trellis::randomised::is_taken(number++)) continue;
      CAPTURE(order);
      const auto check = [&](const char* equation) { check_agrees(flattened(format, equation, order)); };
      check("tensor D(5, 4)\nD(i,j) = A((4*i+j)/8,(4*i+j)%8) + B((4*i+j)/6,(4*i+j)%6)");
      check("tensor D(2, 12): csr\nD(i,j) = B((12*i+j)/6,(12*i+j)%6) * A((23-12*i-j)/8,(23-12*i-j)%8)");
    }
  }
}

TEST_CASE("a loop over a digit ends where a bound with a quotient of the loop around says") {
  check_agrees(
      "tensor A(3, 2, 6): coo\ntensor X(4, 2): {compressed, dense}\nrandom A seed 5 density 0.5\n"
      "X(i,j) = A((2*i+j+4)/12,((2*i+j+4)/6)%2,(2*i+j+4)%6)\norder i j\n");
}
