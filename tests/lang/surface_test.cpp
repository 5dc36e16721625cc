// What becomes other equations before anything else sees it: slices, reads outside, functions.
#include <doctest/doctest.h>

#include "tests/lang/resolved.hpp"

using namespace trellis;
using testing::check_understood;
using testing::codes;
using testing::equations;

TEST_CASE("slices become affine indices and give their variable its range") {
  const std::string b = "tensor B(9, n); tensor x(9)";
  check_understood(b, "y(i) = x(i(0:8:2))", "y(i) = x(2*i) : i < 4");
  check_understood(b, "y(i) = x(i(2:5))", "y(i) = x(i+2) : i < 3");
  check_understood(b, "y(i) = x(i(0:5))", "y(i) = x(i+0) : i < 5");
  check_understood(b, "y(i) = x(i(8:-1:-1))", "y(i) = x(8-i) : i < 9");
  check_understood(b, "y(i) = x(i(8:1:-3))", "y(i) = x(8-3*i) : i < 3");
  check_understood(b, "y(i) = sum(j)(B(i, j(1:n)))", "y(i) = sum(j, 0 <= j, j < n - 1)(B(i,j+1))");
  check_understood(b, "y(i) = x(i(0:4)) * B(i(1:5), 0)", "y(i) = x(i+0)*B(i+1,0) : i < 4");
  check_understood(b, "y(i) = B(i, j+2) * x(j(0:3))", "y(i) = sum(j, 0 <= j, j < 3)(B(i,j+2)*x(j+0))");
}

TEST_CASE("slices that are no slices are refused where they stand") {
  const std::string b = "tensor B(9, n); tensor x(9); tensor k(3): i64\n";
  CHECK(codes(b + "y(i) = x(0:4)") == "E0230");
  CHECK(codes(b + "y(i) = x(i(0:4:0))") == "E0230");
  CHECK(codes(b + "y(i) = x(i(0:4:n))") == "E0230");
  CHECK(codes(b + "y(i) = x(k(0:3))") == "E0230");
  CHECK(codes(b + "y(i) = x(i(0:z))") == "E0201");
  CHECK(codes(b + "y(i) = x(i(0:4)) + x(i(0:8:3))") == "E0301 N0201");
  CHECK(codes(b + "tensor y(n)\ny(i) = x(i(0:4))") == "E0301");
}

TEST_CASE("what may be missing is read where it is there, and replaced elsewhere") {
  const std::string x = "tensor x(n); tensor y(n); tensor p(n): i64; tensor f(n): bool";
  check_understood(x, "y(i) = coalesce(x(~(i-1)), 0)", "y(i) = 0 <= i - 1 && i - 1 < n ? x(i-1) : 0");
  check_understood(x, "y(i) = coalesce(x(~p(i)), x(i))", "y(i) = 0 <= p(i) && p(i) < n ? x(p(i)) : x(i)");
  check_understood(x, "y(i) = coalesce(x(~(i-1)) + x(~(i+1)), 5)",
                   "y(i) = 0 <= i - 1 && i - 1 < n && 0 <= i + 1 && i + 1 < n ? x(i-1) + x(i+1) : 5");
  check_understood(x, "y(i) = coalesce(x(~(i-1)), missing, x(~(i+1)), 1)",
                   "y(i) = 0 <= i - 1 && i - 1 < n ? x(i-1) : 0 <= i + 1 && i + 1 < n ? x(i+1) : 1");
  check_understood(x, "y(i) = coalesce(x(i), 3)", "y(i) = x(i)");
  check_understood(x, "y(i) = coalesce(i > 2 ? missing : x(i), 3)", "y(i) = !(i > 2) ? i > 2 ? 0 : x(i) : 3");
  check_understood(x, "f(i) = f(i) && coalesce(f(~(i+1)), true)",
                   "f(i) = f(i) && (0 <= i + 1 && i + 1 < n ? f(i+1) : true)");
}

TEST_CASE("a missing value that nothing replaces is an error with a fix") {
  const std::string x = "tensor x(n); tensor y(n)\n";
  CHECK(codes(x + "y(i) = x(~(i-1))") == "E0350");
  CHECK(codes(x + "y(i) = missing") == "E0350");
  CHECK(codes(x + "y(i) = coalesce(x(~(i-1)), x(~(i+1)))") == "E0350");
  CHECK(codes(x + "y(i) = coalesce(sum(k)(x(~(k-1))), 0) : k < i") == "E0302 E0350");
  const std::string shown = equations(x + "y(i) = x(~(i-1))");
  CHECK(shown.find("y(i) = coalesce(x(~(i-1)), 0)") != std::string::npos);
}

TEST_CASE("reads outside a padded tensor give its fill") {
  const std::string x = "tensor x(n): pad fill 7; tensor y(n)";
  check_understood(x, "y(i) = x(i)", "y(i) = x(i)");
  check_understood(x, "y(i) = x(i-1)", "y(i) = 0 <= i - 1 && i - 1 < n ? x(i-1) : 7");
  check_understood(x, "y(i) = coalesce(x(~(i-1)), 1)", "y(i) = 0 <= i - 1 && i - 1 < n ? x(i-1) : 1");
  check_understood("tensor x(4): pad; tensor y(n)", "y(i) = x(3)", "y(i) = x(3)");
}
