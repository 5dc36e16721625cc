// What the iterations of loops share, close, sort and ask: decided in the flow, where it is printed and verified.
#include <doctest/doctest.h>

#include "engine/flow/flow.hpp"
#include "tests/coiterate/shown.hpp"
#include "tests/emit/flows.hpp"

namespace trellis::testing::iterations {
namespace {

const std::string sizes = "param n = 6\nparam m = 5\n";

std::string flow_of(const std::string& program) { return shown("flow", sizes + program); }
std::string c_of(const std::string& program) { return shown("c", sizes + program); }

const std::string doubled = "tensor A(n, m): csr\ntensor C(n, m): csr\nC(i,j) = 2 * A(i,j) : j <= i\n";
const std::string product =
    "tensor A(n, m): csr\ntensor B(m, n): csr\ntensor C(n, n): csr\nC(i,k) = sum(j)(A(i,j) * B(j,k))\norder i j k\n";

}  // namespace

TEST_CASE("a loop through all rows of a result closes them") {
  CHECK(has(flow_of(doubled + "order i j"), "loop i in 0:n closes C"));
  CHECK(has(c_of(doubled + "order i j"), "C_pos[i + 1] = pC;"));
  // Counted rows too: their positions are there before.
  CHECK(has(flow_of(doubled + "order i j\nparallel i"), "loop i in 0:n parallel closes C counting"));
  // Some rows have no iteration, or no loop is theirs.
  const std::string some = "tensor A(n, m): csr\ntensor C(n, m): csr\nC(i,j) = A(i,j) : 1 <= i\norder i j";
  CHECK_FALSE(has(flow_of(some), "closes"));
  CHECK(has(c_of(some), "C_open"));
  CHECK_FALSE(has(flow_of("tensor A(n, m): csr\ntensor C(n, m): coo\nC(i,j) = A(i,j)\norder i j"), "closes"));
}

TEST_CASE("a result that is looked into while it is appended to is readable meanwhile") {
  CHECK_FALSE(has(flow_of(doubled + "order i j"), "readable"));
  const std::string running = "tensor A(n): compressed\ntensor C(n): compressed\nC(i) = A(i) + C(i-1) : 1 <= i\n";
  CHECK(has(flow_of(running), "result C{n}: f64 readable meanwhile\n"));
}

TEST_CASE("a bytemap whose entries are only counted is not sorted") {
  const std::string counted = flow_of(product + "workspace w for C(i,:) bytemap\nparallel i");
  CHECK(has(counted, " at w.1 in any order\n"));
  CHECK_FALSE(has(flow_of(product + "workspace w for C(i,:) bytemap"), "in any order"));
  CHECK_FALSE(has(flow_of(product + "workspace w for C(i,:) hash\nparallel i"), "in any order"));
}

TEST_CASE("a loop of simple iterations asks now and then whether it is over") {
  const std::string found = "tensor F(n): bool\nx = any(i)(F(i))\n";
  CHECK(has(flow_of(found), " every 1024\n"));
  CHECK(has(c_of(found), "+= 1024"));
  // An iteration that is a loop itself is worth asking before.
  const std::string rows = flow_of("tensor F(n, m): bool\nx = any(i, j)(F(i,j))\norder i j");
  CHECK(has(rows, "loop i in 0:n reduces x unless x_any\n"));
  CHECK(has(rows, "loop j in 0:m reduces x unless x_any every 1024\n"));
}

TEST_CASE("threads have parts of a scalar, and update elements one at a time") {
  const std::string sum = "tensor x(n)\ns = sum(i)(x(i))\nparallel i";
  CHECK(has(flow_of(sum), " by +=\n"));
  CHECK_FALSE(has(flow_of(sum), "atomic"));
  CHECK(has(c_of(sum), "reduction(+:"));
  const std::string scattered = "tensor A(n, m): csr\ntensor x(n)\ny(j) = sum(i)(A(i,j) * x(i))\norder i j\nparallel i";
  CHECK(has(flow_of(scattered), "atomic y[j] += "));
  CHECK(has(c_of(scattered), "#pragma omp atomic\n"));
}

TEST_CASE("a loop runs in vectors where its iterations are apart") {
  CHECK(has(flow_of("tensor x(n)\ny(i) = 2 * x(i)\nvectorize i"), "loop i in 0:n vector\n"));
  const std::string sum = "tensor x(n): i64\ns = sum(i)(x(i))\nvectorize i";
  CHECK_FALSE(has(flow_of(sum), "vector"));
  CHECK_FALSE(has(c_of(sum), "simd"));
}

namespace {

using flow::Loop;
using flow::Stmt;

/// loop i in 0:n { x += a[i]; append C(i) = 1 }, changed before it is verified.
template <class Change>
std::string verified(const Change& change) {
  using namespace flows;
  Tensor c = array("C", {size("n"), size("n")}, result);
  c.levels[1].facts = format::facts(format::Level{"compressed", {}});
  flow::Assign update{"x", at("x", {}), ReduceOp::sum, get("a", {var("i")})};
  flow::Append append{"C", {var("i"), num(0)}, flow::constant(Value::of(ScalarType::f64, 1))};
  Loop rows{{num(0), size("n")}, {Loop::Execution::parallel, {"x"}}, {}, "i", {}};
  change(rows, update, append);
  rows.body = seq({Stmt({update, {}}), Stmt({append, {}})});
  const auto tensors = {array("a", {size("n")}, operand), array("x", {}, temporary), c};
  return flow::verify({"f", {"n"}, {}, tensors, seq({declare("x"), Stmt({rows, {}})})});
}

}  // namespace

TEST_CASE("what is said of iterations is verified") {
  using flow::Append, flow::Assign;
  const auto in_turn = [](Loop& rows) { rows.execution = Loop::Execution::serial, rows.reduces.clear(); };
  CHECK(verified([](Loop&, Assign&, Append&) {}).empty());
  CHECK(verified([](Loop&, Assign& a, Append&) { a.atomic = true; }).empty());
  CHECK_FALSE(verified([&](Loop& l, Assign& a, Append&) { in_turn(l), a.atomic = true; }).empty());
  const flow::Partial part{"x", format::ReduceOp::sum}, least{"x", format::ReduceOp::min};
  CHECK(verified([&](Loop& l, Assign&, Append&) { l.partials = {part}; }).empty());
  CHECK_FALSE(verified([&](Loop& l, Assign& a, Append&) { l.partials = {part}, a.atomic = true; }).empty());
  CHECK_FALSE(verified([&](Loop& l, Assign&, Append&) { l.partials = {least}; }).empty());
  CHECK_FALSE(verified([&](Loop& l, Assign&, Append&) { in_turn(l), l.partials = {part}; }).empty());
  const auto closing = [&](Loop& rows) { in_turn(rows), rows.closes = {"C"}; };
  CHECK(verified([&](Loop& l, Assign&, Append&) { closing(l); }).empty());
  CHECK_FALSE(verified([](Loop& l, Assign&, Append&) { l.closes = {"C"}; }).empty());
  CHECK_FALSE(verified([&](Loop& l, Assign&, Append& a) { closing(l), a.coordinates[0] = flows::num(0); }).empty());
  CHECK_FALSE(verified([&](Loop& l, Assign&, Append&) { closing(l), l.low = flows::num(1); }).empty());
  CHECK_FALSE(verified([&](Loop& l, Assign&, Append&) { in_turn(l), l.asks_every = 1024; }).empty());
}

}  // namespace trellis::testing::iterations
