// Factors whose entries are known, in the orders that read them across their storage, or meet one fiber with many: maps
// of positions, and tables of fibers. That results stay as they are, tests/random/masks_test.cpp and patterns_test.cpp
// see, too.
#include <doctest/doctest.h>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

const std::string equations = "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n";

/// Of Cholesky, in the layout, under the pattern that is found.
std::string answer(const std::string& layout, const std::string& rest, const std::string& asked,
                   const std::string& diagonal = "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n") {
  Transcript session;
  const auto said = session.say("param n = 9\ntensor A(n, n): " + layout + "\ntensor L(n, n): " + layout +
                                "\nrandom A seed 3 spd density 0.3\nkernel factor {\n" + equations + diagonal +
                                "mask L auto\n" + rest + "\n}\n" + "run\ncheck\n" + asked);
  CAPTURE(rest);
  REQUIRE_MESSAGE(said.ok(), said.messages());
  return said.output;
}

std::string flow_of(const std::string& layout, const std::string& order) {
  return answer(layout, "order " + order, "show flow factor");
}

}  // namespace

TEST_CASE("a row that is met with other rows is spread out once") {
  const std::string rows = flow_of("csr", "i j k");
  CHECK(has(rows, "tabulate L_table of L.2 below [i]\n"));
  CHECK(has(rows, "locate pL_3 = L_table[k] in L.2 below [i] at k\n"));
  CHECK_FALSE(has(rows, "map "));
  CHECK(has(flow_of("csr", "j i k"), "tabulate L_table of L.2 below [j]\n"));
  CHECK(has(flow_of("csc", "k j i"), "tabulate L_table of L.2 below [k]\n"));
}

TEST_CASE("rows of a factor by columns are walked by a map of their positions") {
  for (const std::string order : {"i j k", "j i k"}) {
    const std::string rows = flow_of("csc", order);
    CHECK(has(rows, "map L_mask_t_in_L from L_mask_t to L\n"));
    CHECK(has(rows, "tabulate L_table of L_mask_t.2 below [" + order.substr(0, 1) + "] in map L_mask_t_in_L\n"));
    CHECK(has(rows, "= L_mask_t_in_L[pL_mask_t"));
    CHECK_FALSE(has(rows, "march again"));
  }
  const std::string columns = flow_of("csr", "k j i");
  CHECK(has(columns, "tabulate L_table of L_mask_t.2 below [k] in map L_mask_t_in_L\n"));
  CHECK(has(columns, "= L_table[i] in L.2 below [i] at k\n"));
  CHECK(has(flow_of("csr", "k i j"), "= L_table[j] in L.2 below [j] at k\n"));
}

TEST_CASE("nothing is spread out or mapped that is come by once, on threads, or that marches as the schedule says") {
  CHECK_FALSE(has(flow_of("csc", "i k j"), "map "));
  CHECK_FALSE(has(flow_of("csc", "i k j"), "tabulate"));
  CHECK_FALSE(has(flow_of("csc", "j k i"), "map "));
  const std::string waits = answer("csc", "order j k i\nparallel j", "show flow factor",
                                   "L(j,j) = sqrt(A(j,j) - sum(k)(L(j,k)^2)) : k < j\n");
  CHECK_FALSE(has(waits, "map "));
  const std::string asked = answer("csc", "order k i j\nmarch L i", "show flow factor");
  CHECK(has(asked, " again in L.2 below [j] at i"));
}

TEST_CASE("under masks of the user, what the one leads to is looked up by a map in the other's layout") {
  const std::string masks =
      "tensor M(n, n): {dense, compressed, pattern} @ (1, 0) bool\ntensor R(n, n): {dense, compressed, pattern} bool\n";
  const std::string program = "param n = 6\ntensor A(n, n): csc\ntensor L(n, n): csc\n" + masks + equations +
                              "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\nmask L M\nmask L R\norder ";
  const std::string rows = shown("flow", program + "i j k");
  CHECK(has(rows, "map R_in_L from R to L\n"));
  CHECK(has(rows, "tabulate "));
  for (const std::string order : {"i j k", "j i k", "k i j", "k j i"}) check_agrees(program + order);
}

TEST_CASE("tables and maps are listed with what loops keep in memory, and with how elements are found") {
  const std::string memory = answer("csc", "order i j k", "show memory factor");
  CHECK(has(memory, "L_table: where a fiber of L_mask_t has each coordinate, 36 bytes\n"));
  CHECK(has(memory, "L_mask_t_in_L: where L has each entry of L_mask_t, "));
  CHECK(has(answer("csc", "order i j k", "show formats factor"), "is found in a table for each "));
}
