// Shape operators: what they mean to the resolver, and what is refused.
#include "engine/lang/push_shapes.hpp"
#include "tests/lang/resolved.hpp"

namespace trellis {
namespace {

using testing::check_understood;
using testing::codes;
using testing::resolve;

/// The last kernel's equations with operators pushed to the leaves, and what that assumes.
std::string pushed(const std::string& source) {
  const testing::Resolved result = resolve(source);
  REQUIRE(result.program);
  text::Diagnostics said;
  const auto done = lang::push_shapes(*result.program, result.program->kernels.back(), said);
  if (!done) return said.all().front().code;
  std::string text = print_equations(*result.program, done->kernel).characters;
  for (const auto& c : done->assumed) text += "# " + math::to_string(c) + "\n";
  return text;
}

/// The shape of the implicit result y.
std::string shape_of_y(const std::string& source) {
  const testing::Resolved result = resolve(source);
  REQUIRE(result.program);
  std::string text;
  for (const math::Affine& size : result.program->tensor("y")->shape)
    text += (text.empty() ? "" : ", ") + math::to_string(size);
  return text;
}

TEST_CASE("shape operators read back as they print") {
  const std::string tensors = "param n = 4\ntensor A(n, 3); tensor B(2, 3); tensor b(n*3); tensor x(n)\n";
  check_understood(tensors + "tensor y(n*3)", "y(k) = collapse(A(i,j), (i,j)->k)", "y(k) = collapse(A(i,j), (i,j)->k)");
  check_understood(tensors + "tensor y(n,3)", "y(i,j) = split(b(k), k->(i,j))", "y(i,j) = split(b(k), k->(i,j))");
  check_understood(tensors + "tensor y(n+2,3)", "y(l,j) = concat(A(i,j), B(k,j), (i,k)->l)",
                   "y(l,j) = concat(A(i,j), B(k,j), (i,k)->l)");
  check_understood(tensors + "tensor y(n,2)", "y(i,s) = stack(x(i), 2*x(i), s)", "y(i,s) = stack(x(i), 2*x(i), s)");
  check_understood(tensors + "tensor y(2)", "y(i) = slice(x(j), j->i, 0:4:2)", "y(i) = slice(x(j), j->i, 0:4:2)");
  check_understood(tensors + "tensor y(n)", "y(i) = roll(x(j), j->i, -1)", "y(i) = roll(x(j), j->i, -1)");
  check_understood(tensors + "tensor y(n+3)", "y(i) = pad(x(j), j->i, 1:2)", "y(i) = pad(x(j), j->i, 1:2, 0)");
  check_understood(tensors + "tensor y(3,n)", "y(k,l) = reshape(A(i,j), (i,j)->(k,l))",
                   "y(k,l) = reshape(A(i,j), (i,j)->(k,l))");
}

TEST_CASE("what operators bind is told apart from what else has its name") {
  check_understood("tensor A(n, m); tensor y(n*m)", "y(k) = collapse(A(i,j), (i,j)->k) + collapse(2*A(i,j), (i,j)->k)",
                   "y(k) = collapse(A(i,j), (i,j)->k) + collapse(2*A(i2,j2), (i2,j2)->k)");
  check_understood("tensor x(n); tensor y(n)", "y(i) = roll(x(i), i->i, 1)", "y(i) = roll(x(i2), i2->i, 1)");
  check_understood("tensor x(n); tensor z(m); tensor y(n+m)", "y(i) = concat(x(i), z(i), (i,i)->i)",
                   "y(i) = concat(x(i2), z(i3), (i2,i3)->i)");
}

TEST_CASE("an index that an operator makes is summed as any other") {
  check_understood("tensor A(n, m); tensor x(n*m); tensor s", "s = collapse(A(i,j), (i,j)->k) * x(k)",
                   "s = sum(k)(collapse(A(i,j), (i,j)->k)*x(k))");
}

TEST_CASE("sizes follow from accesses, the left side, constraints and operators") {
  CHECK(shape_of_y("tensor A(n, m)\ny(k) = collapse(A(i,j), (i,j)->k)") == "m*n");
  CHECK(shape_of_y("tensor v(n*m)\ny(i,j) = split(v(k), k->(i,j)) : j < m") == "n, m");
  CHECK(shape_of_y("tensor a(n); tensor b(m)\ny(l) = concat(a(i), b(k), (i,k)->l)") == "m + n");
  CHECK(shape_of_y("tensor a(n)\ny(k) = pad(a(i), i->k, 1:2)") == "n + 3");
  CHECK(shape_of_y("tensor a(n)\ny(k) = slice(a(i), i->k, 1:n)") == "n - 1");
  CHECK(shape_of_y("tensor a(n)\ny(k) = collapse(a(i), (r,i)->k) : r < 3") == "3*n");
  CHECK(shape_of_y("tensor A(n, m); tensor B(q, m)\ny(l) = collapse(concat(A(i,j), B(k,j), (i,k)->p), (p,j)->l)") ==
        "m*n + m*q");
  CHECK(shape_of_y("tensor v(n)\ny(i,j) = split(v(k), k->(i,j)) : j < 3") == "n/3, 3");
  CHECK(shape_of_y("param n = 6; param m = 3; tensor v(n)\ny(i,j) = split(v(k), k->(i,j)) : j < m") == "2, m");
}

TEST_CASE("mistakes in shape operators have codes") {
  CHECK(codes("tensor b(10)\nc(i,j) = split(b(k), k->(i,j)) : j < 4") == "E0243");
  CHECK(codes("tensor b(10)\nc(i,j) = split(b(k), k->(i,j))") == "E0302");
  CHECK(codes("tensor b(n)\nc(i,j) = split(b(k), k->(i,j)) : j < m") == "E0302");
  CHECK(codes("tensor A(3,5); tensor C(12)\nC(k) = collapse(A(i,j), (i,j)->k)") == "E0301");
  CHECK(codes("tensor A(3,5)\nC(k,j) = collapse(A(i,j), (i,q)->k)") == "E0241");
  CHECK(codes("tensor A(3,5)\nC(i) = sum(i)(slice(A(i,j), j->i, 0:2))") == "E0242");
  CHECK(codes("tensor b(8)\nc(i) = slice(b(j), j->i, 3:9)") == "E0244 N0201");
  CHECK(codes("tensor A(3,3); tensor C(3,5)\nC(i,k) = pad(exp(A(i,j)), j->k, 1:1)") == "E0245");
  CHECK(codes("param n = 6; param m = 4; tensor a(n); tensor b(m)\nb(i) = roll(a(j), j->i, 1)") == "E0246");
  CHECK(codes("tensor A(3,3); tensor y(9)\ny(k) = collapse(A(i,j), i->k, 3)") == "E0247");
  CHECK(codes("tensor a(3); tensor y(3)\ny(k) = slice(a(i), i->k, 0:3:0)") == "E0247");
  CHECK(codes("tensor A(3,3); tensor x(9)\ncollapse(A(i,j), (i,j)->k) = x(k)") == "E0210");
  CHECK(codes("tensor A(3,3); tensor k; tensor x(9)\nx(l) = collapse(A(i,j), (i,k)->l)") == "E0208");
}

TEST_CASE("operators become indices of what they read") {
  CHECK(pushed("param m = 4; tensor A(3, m); tensor y(12)\ny(k) = collapse(A(i,j), (i,j)->k)") ==
        "y(k) = A(k/4,k%4)\n# m = 4\n");
  CHECK(pushed("tensor A(n, m); tensor y(n*m)\ny(k) = collapse(A(i,j), (i,j)->k)") == "y(k) = A(k/m,k%m)\n");
  CHECK(pushed("tensor a(n); tensor b(m); tensor y(n+m)\ny(l) = concat(a(i), b(k), (i,k)->l)") ==
        "y(l) = l < n ? a(l) : b(l-n)\n");
  CHECK(pushed("tensor a(n); tensor y(n+3)\ny(k) = pad(a(i), i->k, 1:2, 7)") ==
        "y(k) = k < 1 ? 7 : k < n + 1 ? a(k-1) : 7\n");
  CHECK(pushed("tensor a(9); tensor y(3)\ny(i) = slice(a(j), j->i, 8:2:-2)") == "y(i) = a(-2*i+8)\n");
}

TEST_CASE("digits cancel whatever the sizes are") {
  // What is put together and taken apart again is what it was.
  CHECK(pushed("tensor A(n, m); tensor Y(n, m)\nY(a,b) = split(collapse(A(i,j), (i,j)->k), k->(a,b))") ==
        "Y(a,b) = A(a,b)\n");
  CHECK(pushed("tensor v(n*m); tensor y(n*m)\ny(l) = collapse(split(v(k), k->(i,j)), (i,j)->l) : j < m") ==
        "y(l) = v(l)\n");
  CHECK(pushed("tensor A(n, m); tensor B(q, m); tensor Y(n, m)\nY(a,b) = slice(concat(A(i,b), B(k,b), (i,k)->l), l->a, "
               "0:n)") == "Y(a,b) = A(a,b)\n");
}

}  // namespace
}  // namespace trellis
