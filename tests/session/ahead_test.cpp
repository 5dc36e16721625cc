// Rows that entries of sparse operands choose are fetched ahead of their use.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

TEST_CASE("rows of entries to come are fetched, of a level's entries as they are counted") {
  const auto fetched = [](const std::string& program) {
    Transcript t;
    REQUIRE(t.say("param n = 20\nparam r = 3\n" + program +
                  "\nrandom A seed 1 density 0.3\nrandom D seed 2\nrandom E seed 3\nrun\ncheck\nrun native\ncheck")
                .ok());
    const std::string c = t.say("show c").output;
    std::string lines;
    for (std::size_t at = c.find("_ahead = "); at != std::string::npos; at = c.find("_ahead = ", at + 1))
      lines += c.substr(at + 9, c.find('\n', at) - at - 9);
    return lines;
  };
  const std::string product = "tensor D(n, r)\ntensor E(n, r)\nC(i,j) = A(i,j) * sum(k)(D(i,k) * E(j,k))\norder i j k";
  CHECK(fetched("tensor A(n, n): csr\ntensor C(n, n): csr\n" + product) == "A_crd[ahead(pA, A_pos[n])];");
  CHECK(fetched("tensor A(n, n): dcsr\ntensor C(n, n): csr\n" + product)
            .ends_with("A2_crd[ahead(pA, A2_pos[A1_pos[1]])];"));
  CHECK(fetched("tensor A(n, n): coo\ntensor C(n, n): csr\n" + product).ends_with("A2_crd[ahead(pA, A_pos[1])];"));
  CHECK(fetched("tensor A(n, n): csr\ntensor C(n, n): csr\ntensor D(r, n)\ntensor E(r, n)\nC(i,j) = A(i,j) * "
                "sum(k)(D(k,i) * E(k,j))\norder i j k")
            .empty());
}
