// From loop programs to loop IR: reductions become loops, unproven indices are marked.
#include "engine/loop/check_indices.hpp"
#include "engine/loop/merge_blocks.hpp"
#include "tests/loop/notation.hpp"

using namespace trellis;
using namespace trellis::loop;
using namespace trellis::loop::testing;

namespace {

void reads_as(const std::string& before, const std::string& after) {
  INFO(before);
  CHECK(to_string(merge_blocks(loops(before))) == after);
}

/// What becomes of the statements when their indices are checked.
void check_marked(const std::string& before, const std::string& after) {
  INFO(before);
  const Stmt marked = check_indices(loops(before), world(), solver());
  CHECK(verify(marked, world()) == "");
  CHECK(to_string(marked) == after);
}

}  // namespace

TEST_CASE("a reduction becomes a loop before its statement") {
  reads_as("s = 1 + sum(i)(x(i))", "tensor sum_x: f64\nsum_x = 0\nfor i in 0:n {\n  sum_x += x(i)\n}\ns = 1 + sum_x\n");
  reads_as("s = sum(i, j, j < i)(A(i,j))",
           "tensor sum_A: f64\nsum_A = 0\nfor i in 0:n {\n  for j in 0:min(n, i) {\n    sum_A += A(i,j)\n  }\n}\ns = "
           "sum_A\n");
  reads_as("s = max(i)(sum(j)(A(i,j)))",
           "tensor max_A: f64\nmax_A = -inf\nfor i in 0:n {\n  tensor sum_A: f64\n  sum_A = 0\n  for j in 0:n {\n"
           "    sum_A += A(i,j)\n  }\n  max_A max= sum_A\n}\ns = max_A\n");
}

TEST_CASE("a condition of while is computed again at the end of its body") {
  reads_as("while any(i)(F(i)) { F(0) = false }",
           "tensor any_F: bool\nany_F = false\nfor i in 0:n {\n  any_F ||= F(i)\n}\nwhile any_F {\n  F(0) = false\n  "
           "any_F = false\n"
           "  for i in 0:n {\n    any_F ||= F(i)\n  }\n}\n");
}

TEST_CASE("a reduction that is not always needed is not always computed") {
  reads_as("if F(0) && any(i)(F(i)) { s = 1 }",
           "tensor any_F: bool\nif F(0) {\n  any_F = false\n  for i in 0:n {\n    any_F ||= F(i)\n  }\n}\n"
           "if F(0) && any_F {\n  s = 1\n}\n");
}

TEST_CASE("argmax keeps the first of equal values") {
  reads_as("p(0) = argmax(i)(x(i))",
           "tensor argmax_x: i64\ntensor argmax_x_best: f64\nargmax_x = -1\nargmax_x_best = -inf\nfor i in 0:n {\n  "
           "let v = x(i) {\n"
           "    if v > argmax_x_best || argmax_x < 0 && v == argmax_x_best {\n      argmax_x_best = v\n      argmax_x "
           "= i\n    }\n  }\n}\np(0) = argmax_x\n");
}

TEST_CASE("an index that nothing proves is marked") {
  check_marked("for i in 0:n { x(i) = 1 }", "for i in 0:n {\n  x(i) = 1\n}\n");
  check_marked("x(0) = 1", "x(i64(0)) = 1\n");
  check_marked("if 0 < n { x(0) = 1 }", "if 0 < n {\n  x(0) = 1\n}\n");
  check_marked("for i in 0:n { x(i) = y(i+1) }", "for i in 0:n {\n  x(i) = y(i64(i+1))\n}\n");
  check_marked("for i in 0:n { x(i) = i < n-1 ? y(i+1) : 0 }", "for i in 0:n {\n  x(i) = i < n - 1 ? y(i+1) : 0\n}\n");
  check_marked("for i in 0:n { if 0 < i && F(i-1) { s = 1 } }",
               "for i in 0:n {\n  if 0 < i && F(i-1) {\n    s = 1\n  }\n}\n");
  check_marked("for i in 0:m { x(i) = 1 }", "for i in 0:m {\n  x(i64(i)) = 1\n}\n");
  check_marked("for i in 0:n { x(p(i)) = 1 }", "for i in 0:n {\n  x(p(i)) = 1\n}\n");
}
