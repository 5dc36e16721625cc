// Undeclared factors of sparse matrices: stored in csc, with their patterns found first.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

const std::string sparse_square = "param n = 40\ntensor A(n, n): csr\nrandom A seed 1 spd density 0.1\n";
const std::string undeclared_cholesky =
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i\n";
const std::string undeclared_factors =
    "U(i,j) = A(i,j) - sum(k)(L(i,k) * U(k,j))            : k < i <= j\n"
    "L(i,j) = (A(i,j) - sum(k)(L(i,k) * U(k,j))) / U(j,j) : k < j < i\n";

}  // namespace

TEST_CASE("undeclared factors of a sparse matrix are stored in csc, and their patterns are found first") {
  for (const std::string& equations : {undeclared_cholesky, undeclared_factors}) {
    Transcript t;
    const auto ran = t.say(sparse_square + equations + "run\ncheck");
    CAPTURE(ran.messages());
    CHECK(ran.ok());
    CHECK(contains(ran.codes, "N0205"));
    CHECK(contains(ran.messages(), "L(n, n): f64 csc"));
    CHECK(contains(t.say("show equations").output, "L(i,j)"));
    CHECK(t.enter({"random A seed 2 spd density 0.2", "run", "check"}).ok());
  }
}

TEST_CASE("an undeclared factor is dense where somebody says so, or says what its loops are") {
  for (const std::string line : {"plan off", "format L dense", "order i j k"}) {
    Transcript t;
    const auto ran = t.say(sparse_square + undeclared_cholesky + line + "\nrun\ncheck");
    CAPTURE(line);
    CHECK(ran.ok());
    CHECK(!contains(ran.codes, "N0205"));
  }
  Transcript later;
  CHECK(later.say(sparse_square + undeclared_cholesky + "run").ok());
  CHECK(later.enter({"plan off", "run", "check", "plan on", "run", "check", "undo", "undo", "run", "check"}).ok());
}

TEST_CASE("an undeclared factor has its format line by line as well, and in blocks") {
  Transcript turns;
  CHECK(turns.say(sparse_square).ok());
  CHECK(turns.say("kernel factor {\n" + undeclared_cholesky + "}").ok());
  CHECK(turns.enter({"run", "check"}).ok());
  CHECK(contains(turns.say("show formats factor").output, "csc"));
  CHECK(turns
            .say("tensor b(n)\nrandom b seed 3\n"
                 "kernel solve { x(i) = (b(i) - sum(j)(L(i,j) * x(j))) / L(i,i) : j < i }\nrun\ncheck")
            .ok());
}

TEST_CASE("other recurrences stay dense, and factors of dense matrices") {
  Transcript dense;
  CHECK(!contains(dense.say("param n = 9\ntensor A(n, n)\nrandom A seed 1 spd\n" + undeclared_cholesky + "run").codes,
                  "N0205"));
  Transcript chain;
  CHECK(!contains(chain.say(sparse_square + "R(i,j) = A(i,j) * R(i-1,j) : i >= 1\nrun").codes, "N0205"));
}
