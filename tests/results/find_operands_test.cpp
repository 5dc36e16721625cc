// How operands are found where others lead: as the schedule says, or as the kernel chooses when it begins.

#include <nlohmann/json.hpp>

#include "tests/coiterate/shown.hpp"
#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

/// Of a matrix and a vector with so many of their elements.
std::string product(const std::string& n, const std::string& matrix, const std::string& vector) {
  return "tensor A(" + n + ", " + n + "): csr\ntensor x(" + n + "): compressed\ntensor y(" + n + ")\n" +
         "random A density " + matrix + " seed 1\nrandom x density " + vector + " seed 2\n" +
         "y(i) = A(i,j) * x(j)\norder i j\n";
}

}  // namespace

TEST_CASE("find: the C of each strategy") {
  const auto c = [](const std::string& how) {
    return shown("c", "tensor A(n, m): csr\ntensor x(m): compressed\ny(i) = A(i,j) * x(j)\norder i j\n" + how + "\n");
  };
  CHECK(has(c(""), "find(x_crd, x_pos[0], x_pos[1], j)"));
  CHECK(has(c("find x scan"), "while (px < px_end && x_crd[px] < j) {"));
  CHECK(has(c("find A scan"), "while (pA < pA_end && A_crd[pA] < j) {"));
  CHECK(has(c("find x gallop"), "px = gallop(x_crd, px, px_end, j);"));
  CHECK(has(c("find x merge"), "const int64_t j = jA < jx ? jA : jx;"));
  CHECK(has(c("find x binary"), "find(x_crd, x_pos[0], x_pos[1], j)"));
  CHECK(has(c("find x table"), "const int64_t px_table = find_direct(x_table_set, 0, m, j);"));
  CHECK(has(c("find x hash"), "find_entry(&x_hash_entries, 0, j)"));
}

TEST_CASE("find auto: three ways in one kernel, of which it takes one") {
  const std::string loops = shown("loops",
                                  "tensor A(n, m): csr\ntensor x(m): compressed\n"
                                  "y(i) = A(i,j) * x(j)\norder i j\nfind x auto\n");
  CHECK(has(loops, "let x_by_table = 0.3*f64(m) + 5*f64(stored(x.1)) + 2*f64(stored(A.2)) {"));
  CHECK(has(loops,
            "let x_by_scan = 8*(f64(stored(A.2))*(f64(stored(x.1))/(f64(stored(x.1)) + 1))) + "
            "0.6*(f64(n)*f64(stored(x.1))) {"));
  CHECK(has(loops, "if x_by_table <= x_by_gallop && x_by_table <= x_by_scan {"));
  CHECK(has(loops, "forall j in 0:m reduces y find x gallop {"));
  CHECK(has(loops, "forall j in 0:m reduces y find x scan {"));
}

TEST_CASE("find auto: what a matrix and a vector store decides") {
  // Of a table all elements must be cleared; a long vector is galloped through by few entries.
  const auto taken = [](const std::string& program) {
    Transcript t;
    const Answer answer = t.say(program + "find x auto\nshow find\nrun jit\ncheck");
    CHECK(has(answer.output, "agrees with the reference"));
    const std::size_t end = answer.output.find("   now");
    REQUIRE(end != std::string::npos);
    const std::size_t line = answer.output.rfind('\n', end) + 1;
    return answer.output.substr(line, answer.output.find(' ', line + 2) - line);
  };
  CHECK(taken(product("1000", "0.02", "0.3")) == "  table");
  CHECK(taken("tensor A(4000): compressed\ntensor x(4000): compressed\ntensor y\nrandom A density 0.001 seed 1\n"
              "random x density 0.9 seed 2\ny = A(j) * x(j)\n") == "  gallop");
  CHECK(taken("tensor A(4000): compressed\ntensor x(4000): compressed\ntensor y\nrandom A density 0.01 seed 1\n"
              "random x density 0.02 seed 2\ny = A(j) * x(j)\n") == "  scan");
}

TEST_CASE("find auto: of a vector that stores nothing no table is made") {
  Transcript t;
  const Answer answer = t.say(
      "tensor A(900, 900): csr\ntensor x(900): compressed\ntensor y(900)\nrandom A density 0.2 seed 1\n"
      "random x density 0 seed 2\ny(i) = A(i,j) * x(j)\norder i j\nfind x auto\nshow find\nrun jit\ncheck");
  CHECK(has(answer.output, "gallop        0 ns   now"));
  CHECK(has(answer.output, "agrees with the reference"));
}

TEST_CASE("find: an operand with rows is hashed, whole") {
  const std::string c = shown("c",
                              "tensor A(n, k): csr\ntensor B(n, k): csr\ntensor s\ns = A(i,j) * B(i,j)\n"
                              "order i j\nfind B hash\n");
  CHECK(has(c, "B_hash"));
  CHECK_FALSE(has(c, "jA < jB"));
}

TEST_CASE("show find: what each way would take, and why it is as it is") {
  Transcript t;
  const Answer answer = t.say(product("1000", "0.02", "0.3") + "show find");
  CHECK(has(answer.output, "x(j), beside A(i,j): asked for 19963 times, in 1000 fibers of 288"));
  CHECK(has(answer.output, "bisected for, as it would be walked from its start again in each iteration around"));
  CHECK(has(answer.output, "the least: `find x table`, or `find x auto` to choose whenever the kernel begins"));
  Transcript dense;
  CHECK(has(dense.say("tensor y(9); tensor z(9)\nz(i) = 2*y(i)\nshow find").output, "nothing is found in kernel main"));
}

TEST_CASE("find: a table is suggested where an operand is asked often") {
  Transcript t;
  const Answer answer = t.say(product("1000", "0.02", "0.3") + "suggest");
  CHECK(has(answer.output, "find x table"));
  CHECK(has(answer.output, "`find x auto` has the kernel choose whenever it begins"));
}

TEST_CASE("find: a table is memory that the kernel keeps on the side") {
  CHECK(has(shown("memory", product("1000", "0.02", "0.3") + "find x table\n"),
            "x_table: workspace, (1000) f64, bytemap"));
}

TEST_CASE("find: what has nothing to choose says so, and is undone") {
  Transcript t;
  const Answer answer = t.say(
      "tensor x(9): compressed\ntensor y(9): compressed\ntensor z(9)\nz(i) = x(i) + y(i)\n"
      "find y auto\nshow c");
  CHECK(has(answer.codes, "E0913"));
  CHECK(has(t.say("find y").messages(), "find B scan"));
  const std::string three =
      "tensor a(9): compressed; tensor b(9): compressed; tensor c(9): compressed; tensor s\n"
      "random a density 0.5 seed 1; random b density 0.5 seed 2; random c density 0.5 seed 3\n"
      "s = a(i) * b(i) * c(i)\nfind b auto; find c auto\n";
  check_agrees(three);
  Transcript more;
  CHECK(has(more.say(three + "find a auto\nshow c").messages(), "one choice too many"));
}
