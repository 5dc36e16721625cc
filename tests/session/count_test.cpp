// count: steps and operations of a kernel on its data, over sizes.
#include <doctest/doctest.h>

#include "tests/folder.hpp"
#include "tests/session/transcript.hpp"

namespace trellis::session {
namespace {

using testing::contains;

const std::string product =
    "param n = 4\ntensor A(n, n): csr\ntensor x(n)\ntensor y(n)\nrandom A seed 1 density 0.5\n"
    "random x seed 2\ny(i) = A(i,j) * x(j)\n";
const std::string strip =
    "param m = 4\nparam n = m * 3\ntensor A(n, n): csc\ntensor L(n, n): csc\n"
    "kernel grid { A(p,q) = p == q ? 4.5 : p == q + 3 || q == p + 3 || p == q + 1 || q == p + 1 ? -1 : 0; order q p }\n"
    "kernel factor {\n"
    "  L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\n"
    "  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2))             : k < i\n";

}  // namespace

TEST_CASE("count: operations are two for each entry, and twice the same") {
  testing::Transcript session;
  const auto first = session.say(product + "count\n");
  REQUIRE(first.ok());
  const auto json = first.last("count");
  CHECK(json["kernel"] == "main");
  CHECK(json["rows"][0]["operations"] == 16);  // 8 entries
  CHECK(json["rows"][0]["elements"] == 4);
  CHECK(session.say("count\n").last("count")["rows"] == json["rows"]);
}

TEST_CASE("count: over a size all is computed anew, and nothing changes") {
  testing::Transcript session;
  REQUIRE(session.say(product + "random A seed 1 density 1\nrun\n").ok());
  const auto counted = session.say("count n 4 8 16\nprint n\n");
  REQUIRE(counted.ok());
  const auto json = counted.last("count");
  CHECK(json["size"] == "n");
  REQUIRE(json["rows"].size() == 3);
  CHECK(json["rows"][2]["value"] == 16);
  CHECK(json["rows"][2]["operations"] == 512);  // 16 x 16, twice
  CHECK(contains(counted.output, "all elements"));
  CHECK(contains(counted.output, "n^2"));
  CHECK(counted.last("print")["entries"][0][1] == 4);
}

TEST_CASE("count: a factor costs what is added up, with a mask or without, not n x n") {
  testing::Transcript session;
  const auto growth = [&](const testing::Answer& answer, const char* what) {
    const auto rows = answer.last("count")["rows"];
    return rows[1][what].get<double>() / rows[0][what].get<double>();
  };
  const auto masked = session.say(strip + "  mask L auto\n  order i k j\n}\ncount factor m 32 64\n");
  REQUIRE(masked.ok());
  CHECK(growth(masked, "steps") < 2.1);
  CHECK(growth(masked, "operations") < 2.1);
  CHECK(growth(masked, "elements") == 4);
  testing::Transcript other;
  const auto plain = other.say(strip + "  order j k i\n}\ncount factor m 32 64\n");
  REQUIRE(plain.ok());
  CHECK(growth(plain, "steps") < 2.1);
  testing::Transcript full;
  const auto dense = full.say(strip + "  order j k i\n}\nformat L dense\ncount factor m 16 32\n");
  REQUIRE(dense.ok());
  CHECK(growth(dense, "steps") > 6);
}

TEST_CASE("count: a picture goes to a file, and what is no size is refused") {
  const testing::Folder folder;
  testing::Transcript session;
  REQUIRE(session.say(product + "count n 4 8 \"" + folder / "growth.svg" + "\"").ok());
  CHECK(folder.count() == 1);
  CHECK(session.say("count n").codes == "E0601");
  CHECK(session.say("count n 8 4").codes == "E0601");
  CHECK(session.say("count q 4 8").codes != "");
  CHECK(session.say("count n 4 8 \"growth.pdf\"").codes == "E0617");
}

}  // namespace trellis::session
