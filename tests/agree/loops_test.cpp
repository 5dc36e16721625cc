// Loop programs: the reference, the loop interpreter, jit and native leave what was worked out by hand.
#include <doctest/doctest.h>

#include "tests/agree/agree.hpp"

using trellis::testing::run_on_every_back_end;

namespace {

void check(const std::string& program, const std::string& expected) {
  INFO(program);
  CHECK(run_on_every_back_end(program) == expected);
}

const std::string graph =
    "tensor A(6, 6): bool; tensor P(6): i64 fill -1\n"
    "fill_with A [[0,1,1,0,0,0],[1,0,0,1,0,0],[1,0,0,1,0,0],[0,1,1,0,1,0],[0,0,0,1,0,0],[0,0,0,0,0,0]]\n";

}  // namespace

TEST_CASE("Breadth-first search pushes along edges") {
  check(graph + "loops {\n"
                "  F(0) = true; V(0) = true\n"
                "  while any(i)(F(i)) {\n"
                "    N .= false\n"
                "    for j, k { if F(j) && A(j,k) && !V(k) { N(k) ||= true; P(k) choose(-1)= j } }\n"
                "    F .= false\n"
                "    for k { if N(k) { F(k) = true; V(k) = true } }\n"
                "  }\n"
                "}\n",
        "F = [false false false false false false]\nV = [true true true true true false]\n"
        "N = [false false false false false false]\nP = [-1 0 0 1 3 -1]\n");
}
