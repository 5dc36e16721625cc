// Results in sparse formats that hold values and are changed: what is stored is visited, and what comes, nothing else.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

struct Change {
  const char* text;
  std::int64_t stored;  ///< of a matrix of 6 x 6 with 6 entries, by another with 6 others, and one in both
};

// The diagonal of C is 2, and A has 1, -1, 1, … right of it, and one entry on it.
const std::string in_place_data =
    "fill_with C [[2,0,0,0,0,0],[0,2,0,0,0,0],[0,0,2,0,0,0],[0,0,0,2,0,0],[0,0,0,0,2,0],[0,0,0,0,0,2]]\n"
    "fill_with A [[0,1,0,0,0,0],[0,0,-1,0,0,0],[0,0,3,1,0,0],[0,0,0,0,-1,0],[0,0,0,0,0,1],[0,0,0,0,0,0]]\n";

const Change changes[] = {
    {"loops { for i, j { C(i,j) += A(i,j) } }", 11},
    {"loops { for i, j { C(i,j) -= A(i,j) } }", 11},
    {"loops { for i, j { C(i,j) *= 2 } }", 6},
    {"loops { for i, j { C(i,j) = C(i,j)*2 } }", 6},
    {"loops { for i, j { C(i,j) *= x(j) } }", 6},
    {"loops { for i, j { C(i,j) *= A(i,j) } }", 1},
    {"loops { for i, j { C(i,j) *= 2; C(i,j) += A(i,j); C(i,j) max= A(i,j) } }", 11},
    {"loops { for i, j { if i < j { C(i,j) *= x(j) } } }", 6},
    {"loops { for i, j { C(i,j) max= 0 - 1 } }", 6},
    {"loops { for i, j { C(i,j) min= 1 } }", 6},
    {"loops { for i { C(i,i) += 1 } }", 6},
    {"loops { for i in 1:6 { C(i,i-1) += 1 } }", 11},
    {"loops { C(0,5) = 7 }", 7},
    {"loops { for i, j { C(j,i) += A(i,j) } }", 11},
    {"loops { for i, j { C(i,j) += A(i,j); C(i,j) *= 3 } }", 11},
    {"C[t](i,j) = C[t-1](i,j) + A(i,j) : t < 3", 11},
    {"C[t](i,j) = 0.5*C[t-1](i,j) + A(i,j) : t < 3", 11},
};

const char* const formats[] = {
    "csr", "csc", "dcsr", "coo", "{dense, hashed}", "{hashed, hashed}", "{dense, sparse_rle}"};

}  // namespace

TEST_CASE("a sparse result that holds values is changed where it is stored and where something comes") {
  for (const char* format : formats)
    for (const Change& change : changes) {
      CAPTURE(format);
      CAPTURE(change.text);
      Transcript t;
      REQUIRE(t.say(std::string("tensor A(6, 6): ") + format + "\ntensor C(6, 6): " + format + "\ntensor x(6)\n" +
                    in_place_data + "fill_with x [1, 2, 3, 4, 5, 6]\nkernel change { " + change.text + " }")
                  .ok());
      CHECK(t.say("check").ok());
      REQUIRE(t.say("run").ok());
      CHECK(t.say("print C").last("print")["entries"].size() == static_cast<std::size_t>(change.stored));
    }
}

TEST_CASE("a change computes the same in every format where numbers are infinite or none") {
  for (const char* change : {"C(p(i),j) = min(x(j), C(p(i),j))", "C(p(i),j) = max(x(j), C(p(i),j))",
                             "C(p(i),j) = C(p(i),j) * A(i,j)", "C(p(i),j) *= A(i,j)", "C(i,j) *= A(i,j)",
                             "C(i,j) = A(i,j) * C(i,j)", "C(i,j) min= A(i,j)", "C(i,j) = min(A(i,j), C(i,j))"}) {
    CAPTURE(change);
    for (const char* format : {"csr", "csc", "{dense, hashed}", "dense"}) {
      CAPTURE(format);
      Transcript t;
      REQUIRE(t.say(std::string("tensor A(2, 2): csr\ntensor C(2, 2): ") + format +
                    "\ntensor x(2)\ntensor p(2): i64\nfill_with A [[0, 2], [3, 0]]\nfill_with C [[inf, -0], [5, nan]]\n"
                    "fill_with x [nan, 0]\nfill_with p [1, 0]\nloops { for i, j { " +
                    change + " } }")
                  .ok());
      CHECK(t.say("run; check").ok());
    }
  }
}

TEST_CASE("a change of a sparse result costs nothing where nothing is stored") {
  // Were all 4e10 elements visited, none of these would end.
  const std::string sizes = "param n = 200000\n";
  for (const char* format : {"csr", "csc", "dcsr", "coo", "{dense, hashed}"})
    for (const char* change : {"loops { for i, j { C(i,j) += A(i,j) } }", "loops { for i, j { C(i,j) *= 2 } }",
                               "loops { for i, j { C(i,j) max= A(i,j) } }", "loops { for i { C(i,i) += 1 } }",
                               "loops { for i, j { C(i,j) *= 2; C(i,j) += A(i,j) } }", "loops { C(0,0) = 7 }",
                               "C[t](i,j) = C[t-1](i,j) + A(i,j) : t < 3"}) {
      CAPTURE(format);
      CAPTURE(change);
      Transcript t;
      REQUIRE(t.say(sizes + "tensor A(n, n): " + format + "\ntensor C(n, n): " + format +
                    "\nrandom A seed 1 density 1e-9\nrandom C seed 2 density 1e-9\nkernel change { " + change + " }")
                  .ok());
      CHECK(t.say("run").ok());
    }
  for (const std::string format : {"compressed", "hashed"})
    for (const std::string change :
         {"for i { c(i) += a(i) }", "for i { c(i) *= a(i) }", "for i { c(i) *= 2 }", "c(0) = 7"}) {
      CAPTURE(format);
      CAPTURE(change);
      Transcript t;
      REQUIRE(t.say("param n = 1000000000\ntensor a(n): " + format + "\ntensor c(n): " + format +
                    "\nrandom a density 1e-8\nrandom c seed 2 density 1e-8\nloops { " + change + " }")
                  .ok());
      CHECK(t.say("run").ok());
    }
}
