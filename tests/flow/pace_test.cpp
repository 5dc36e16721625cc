// What makes walks of fibers faster: positions that are carried, entries that are streamed, two of them in each
// iteration, and rows that are fetched ahead. That results stay as they are is tested by everything else.
#include <doctest/doctest.h>

#include "engine/flow/flow.hpp"
#include "tests/coiterate/shown.hpp"
#include "tests/emit/flows.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

const std::string sizes = "param n = 6\nparam m = 5\n";

std::string flow_of(const std::string& program) { return shown("flow", sizes + program); }

/// SpMV, with A in the format, under the statements that follow.
std::string product(const std::string& format, const std::string& rest = "order i j") {
  return "tensor A(n, m): " + format + "\ntensor x(m)\ny(i) = sum(j)(A(i,j) * x(j))\n" + rest;
}

}  // namespace

TEST_CASE("a walk of every row in turn begins where the one before ended") {
  const std::string rows = flow_of(product("csr"));
  CHECK(has(rows, "loop i in 0:n carries pA at A.2\n"));
  CHECK(has(rows, "coiterate j in 0:m reduces y carried streams crd vals unroll 2\n"));
  // Only rows that are there are stored: their entries count the rows.
  const std::string stored = flow_of("tensor y(n): compressed\n" + product("dcsr"));
  CHECK(has(stored, "coiterate i in 0:n carries pA at A.2\n"));
  CHECK(has(stored, " carried streams"));
}

TEST_CASE("a walk that may leave a row out, or runs on threads or backwards, begins where its row does") {
  CHECK_FALSE(has(flow_of(product("csr", "order i j\nparallel i")), "carr"));
  CHECK_FALSE(has(flow_of(product("csr", "order i- j")), "carr"));
  CHECK_FALSE(has(flow_of(product("csr", "order i j-")), "carr"));
  const std::string csr = "tensor A(n, m): csr\ntensor x(m)\n";
  CHECK_FALSE(has(flow_of(csr + "y(i) = sum(j)(A(i,j) * x(j)) : 1 <= i\norder i j"), "carr"));
  CHECK_FALSE(has(flow_of(csr + "y(i) = sum(j)((j <= i ? A(i,j) : 0) * x(j))\norder i j"), "carr"));
  CHECK_FALSE(has(flow_of("tensor A(2*n, m): dcsr\ntensor C(n, m): csr\nC(i,j) = A(2*i,j)\norder i j"), "carr"));
  CHECK_FALSE(has(flow_of("tensor A(n, m): coo\ntensor x(m)\ny(i) = sum(j)(A(i,j) * x(j))"), "carr"));
}

TEST_CASE("where entries have loops of their own, positions stay inside and chosen rows are fetched ahead") {
  const std::string rows =
      flow_of("tensor A(n, m): csr\ntensor B(m, n)\nC(i,k) = sum(j)(A(i,j) * B(j,k))\norder i j k");
  CHECK_FALSE(has(rows, "carr"));
  CHECK(has(rows, "fetch j_ahead ahead: B[j_ahead][0]\n"));
  // Along columns the next element is not the row's.
  CHECK_FALSE(
      has(flow_of("tensor A(n, m): csr\ntensor B(n, m)\nC(i,k) = sum(j)(A(i,j) * B(k,j))\norder i j k"), "ahead"));
  // The dimension's name is taken.
  const std::string taken = "param j_ahead = 3\ntensor A(n, m): csr\ntensor B(m, j_ahead)\n";
  const std::string other = flow_of(taken + "C(i,k) = sum(j)(A(i,j) * B(j,k))\norder i j k");
  CHECK(has(other, "fetch j_ahead_ ahead: B[j_ahead_][0]\n"));
}

TEST_CASE("what a walk reads is streamed, and entries that choose elements go two by two") {
  const std::string pattern =
      flow_of("tensor A(n, m): csr pattern\ntensor x(m)\ny(i) = sum(j)(A(i,j) ? x(j) : 0)\norder i j");
  CHECK(has(pattern, "streams crd unroll 2\n"));
  const std::string sums = flow_of("tensor A(n, m): csr\ny(i) = sum(j)(A(i,j))\norder i j");
  CHECK(has(sums, "carried streams vals\n"));
  CHECK_FALSE(has(sums, "unroll"));
}

namespace {

using flow::Coiterate, flow::Cursor, flow::Flow;

/// loop i { coiterate j over A's row i }, changed before it is verified.
template <class Change>
std::string verified(const Change& change) {
  flow::Tensor a = flows::array("A", {flows::size("n"), flows::size("m")}, flows::operand);
  a.levels[1].facts = format::facts(format::Level{"compressed", {}});
  Coiterate walk;
  walk.variable = "j", walk.low = flows::num(0), walk.high = flows::size("m");
  walk.cursors.push_back({"pA", "A", 1, flows::at("A", {flows::var("i")}), {}, false, 1, 1, 1, flows::num(0)});
  walk.points.push_back({{0}, {}, false, flows::seq({})});
  walk.carried = true;
  flow::Loop rows{{flows::num(0), flows::size("n")}, {}, {}, "i", {}};
  rows.carries.push_back({"pA", "A", 1});
  change(rows, walk);
  rows.body = flow::Stmt({walk, {}});
  return flow::verify({"f", {"n", "m"}, {}, {a}, flow::Stmt({rows, {}})});
}

}  // namespace

TEST_CASE("hints stand only where their condition holds") {
  CHECK(verified([](flow::Loop&, Coiterate&) {}).empty());
  CHECK_FALSE(verified([](flow::Loop& rows, Coiterate&) { rows.carries.clear(); }).empty());
  CHECK_FALSE(verified([](flow::Loop& rows, Coiterate&) { rows.low = flows::num(1); }).empty());
  CHECK_FALSE(verified([](flow::Loop&, Coiterate& walk) { walk.carried = false; }).empty());
  CHECK_FALSE(verified([](flow::Loop&, Coiterate& walk) { walk.cursors[0].below = true; }).empty());
  CHECK_FALSE(
      verified([](flow::Loop&, Coiterate& walk) { walk.cursors[0].parent = flows::at("A", {flows::num(0)}); }).empty());
  CHECK_FALSE(verified([](flow::Loop&, Coiterate& walk) {
                walk.carried = false;
                walk.points[0].leads.clear();
                walk.unroll = 2;
              }).empty());
}

TEST_CASE("elements that entries of one fiber update are read in pairs") {
  const std::string solve =
      "tensor F(n, n): csc\ntensor b(n)\ntensor x(n)\nrandom F seed 1 spd\nrandom b seed 2\n"
      "x(i) = (b(i) - sum(j)(F(i,j) * x(j))) / F(i,i) : j < i\n";
  CHECK(has(flow_of(solve + "order j i"), "coiterate i in j + 1:n in pairs\n"));
  const std::string c = shown("c", sizes + solve + "order j i");
  CHECK(has(c, "for (; pF_2 + 1 < pF_2_stop; pF_2 += 2) {\n"));
  CHECK(has(c, "tx[i_] = tx_after_;\n"));
  check_agrees(sizes + solve + "order j i");
  // Sums of one element have their order; other orders, formats and loops have nothing to read before.
  CHECK_FALSE(has(flow_of(solve + "order i j"), "in pairs"));
  const std::string smallest =
      "tensor D(n, n): csc fill inf\ntensor s(n)\nrandom D seed 1 density 0.5\nrandom s seed 2\ntensor d(n)\n"
      "d(i) = min(s(i), min(j)(D(i,j) + d(j))) : j < i\norder j i";
  CHECK(has(flow_of(smallest), "in pairs"));
  check_agrees(sizes + smallest);
}

TEST_CASE("rows are fetched ahead from no place that only a walk by regions inside knows") {
  const std::string masked =
      "param n = 4\ntensor A(n): bool\ntensor X(n+1, n): bool\n"
      "tensor M(n+1, n): bool {compressed, sparse_rle, pattern}\n"
      "random A seed 1 density 0.5\nrandom M seed 2 density 0.6\nX(i+1,j) = A(i)\nmask X M\norder i j\n";
  check_agrees_with_formats(masked);
}
