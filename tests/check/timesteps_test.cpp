// Recurrences in time on every back end, against results worked out by hand.
#include <doctest/doctest.h>

#include "tests/agree/agree.hpp"

using trellis::testing::run_on_every_back_end;

TEST_CASE("steps begin with the loaded values and end with the last step") {
  CHECK(run_on_every_back_end("tensor x(3)\nfill_with x [1, 2, 3]\nx[t](i) = 2*x[t-1](i) : t < 4") ==
        "x = [16 32 48]\n");
  CHECK(run_on_every_back_end("tensor x(3)\nfill_with x [1, 2, 3]\nx[t](i) = 2*x[t-1](i) : t < 1") == "x = [2 4 6]\n");
}

TEST_CASE("no step leaves the loaded values, or what an equation gives at step -1") {
  CHECK(run_on_every_back_end("param n = 0\ntensor x(2)\nfill_with x [1, 2]\nx[t](i) = 2*x[t-1](i) : t < n") ==
        "x = [1 2]\n");
  CHECK(run_on_every_back_end("param n = 0\ntensor u(3)\nfill_with u [1, 2, 4]\nu[t](i) = u[t-1](i-1) + u[t-1](i+1) : "
                              "1 <= i < 2, t < n-1") == "u = [1 2 4]\n");
  CHECK(run_on_every_back_end("param n = 0\ntensor x(2)\nx[-1](i) = i + 7\nx[t](i) = 2*x[t-1](i) : t < n") ==
        "x = [7 8]\n");
}

TEST_CASE("what no equation defines keeps its value") {
  CHECK(run_on_every_back_end(
            "tensor u(4)\nfill_with u [8, 0, 0, 8]\nu[t](i) = (u[t-1](i-1) + u[t-1](i+1))/2 : 1 <= i < 3, t < 2") ==
        "u = [8 6 6 8]\n");
  CHECK(run_on_every_back_end("tensor x(2)\nfill_with x [1, 1]\nx[t](i) = x[t-1](i) + 1 : 2 <= t < 5") ==
        "x = [4 4]\n");
  CHECK(run_on_every_back_end(
            "tensor x(2)\nfill_with x [1, 2]\nx[t](0) = x[t-1](1) : t < 3, t%2 = 0\nx[t](1) = x[t-1](0) + 1 : t < 3") ==
        "x = [3 3]\n");
}

TEST_CASE("what nothing reads before the last step is not copied from step to step") {
  const std::string data = "param n = 4\ntensor x(n)\nfill_with x [1, 2, 3, 4]\n";
  // Each step defines a part of x from the one before, or the one before that.
  CHECK(run_on_every_back_end(data + "x[t](t) = 10*t : t < n") == "x = [0 10 20 30]\n");
  CHECK(run_on_every_back_end(data + "x[t](t+1) = x[t-1](t) + 10 : t < 3") == "x = [1 11 21 31]\n");
  CHECK(run_on_every_back_end(data + "x[t](0) = t + 1 : t < 3\nx[t](t) = x[t-1](t-1) + 5 : 1 <= t < 3") ==
        "x = [3 6 11 4]\n");
  CHECK(run_on_every_back_end(data +
                              "x[d](0) = d\nx[d](d) = -d : 1 <= d < n\n"
                              "x[d](i) = x[d-1](i-1) + x[d-1](i) + x[d-2](i-1) : 1 <= i < d, d <= i + 2, d < n") ==
        "x = [3 3 -3 -3]\n");
}

TEST_CASE("until stops after the first step at which it holds") {
  CHECK(run_on_every_back_end("tensor s\ns[t] = s[t-1] + 1 : t < 100\nuntil s[t] >= 5") == "s = 5\n");
  CHECK(run_on_every_back_end("tensor s\ns[t] = s[t-1] + 1 : t < 3\nuntil s[t] >= 5") == "s = 3\n");
  CHECK(run_on_every_back_end("tensor f(9)\ntensor s\nf(t) = s[t]\ns[t] = s[t-1] + t : t < 9\nuntil s[t] > 3") ==
        "f = [0 1 3 6 0 0 0 0 0]\ns = 6\n");
}

TEST_CASE("scalars and vectors step together") {
  CHECK(run_on_every_back_end(
            "tensor a\ntensor b\na[-1] = 0\nb[-1] = 1\na[t] = b[t-1] : t < 10\nb[t] = a[t-1] + b[t-1]") ==
        "a = 55\nb = 89\n");
}

TEST_CASE("a later kernel reads the last step") {
  CHECK(run_on_every_back_end("tensor x(2)\ntensor y(2)\nfill_with x [1, 2]\nkernel a { x[t](i) = x[t-1](i) + 1 : t < "
                              "3 }\nkernel b { y(i) = x(i)*10 }") == "x = [4 5]\ny = [40 50]\n");
}

TEST_CASE("a border that the timestep indexes does not end the steps early") {
  // The table of Needleman and Wunsch along its diagonals; its border H(d) ends at d = 2, the last diagonal is 5.
  CHECK(run_on_every_back_end(
            "tensor a(n): u8\ntensor b(m): u8\ntensor H(n+1): i32\nfill_with a \"AC\"\nfill_with b \"AGC\"\n"
            "H[d](0) = -2*d\nH[d](d) = -2*d : 1 <= d\n"
            "H[d](i) = max(H[d-2](i-1) + (a(i-1) == b(d-i-1) ? 1 : -1), H[d-1](i-1) - 2, H[d-1](i) - 2)"
            " : 1 <= i < d, d - m <= i, d <= n+m\norder d i") == "H = [-10 -3 0]\n");
  CHECK(run_on_every_back_end("tensor x\ntensor y\nx[t] = x[t-1] + 1 : t < 2\ny[t] = y[t-1] + 1 : t < 5") ==
        "x = 2\ny = 5\n");
}
