// What masks ask for: entries, values, or where there are none, the same in all formats.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/folder.hpp"
#include "tests/random/wanted.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Folder;
using testing::Transcript;

namespace {

/// Which elements of L are stored, or differ from 0 where it is dense: "01 02".
std::string computed(const std::string& mask, const std::string& result, const std::string& command) {
  Folder folder;
  folder.file("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 2 0\n1 3 5\n2 1 1\n");
  Transcript t;
  REQUIRE(t.say("tensor M(2, 3): " + mask + "\ntensor A(2, 3)\ntensor L(2, 3): " + result + "\nload M \"" +
                folder / "m.mtx" + "\"\nfill_with A [[1, 2, 3], [4, 5, 6]]\nkernel k { L(i,j) = A(i,j)\n" + command +
                " }")
              .ok());
  CHECK(t.say("check").ok());
  REQUIRE(t.say("run").ok());
  std::vector<std::string> elements;
  const nlohmann::json printed = t.say("print L").last("print");
  for (const auto& entry : printed["entries"])
    if (entry[1] != 0)
      elements.push_back(std::to_string(entry[0][0].get<int>()) + std::to_string(entry[0][1].get<int>()));
  std::ranges::sort(elements);
  std::string found;
  for (const std::string& element : elements) found += (found.empty() ? "" : " ") + element;
  return found;
}

}  // namespace

TEST_CASE("masks go by what is stored, by values where that is asked, in every format") {
  int number = 0;
  for (const char* mask : {"csr", "csc", "coo", "dcsr", "{dense, hashed}", "csr bool"})
    for (const char* result : {"csr", "csc", "coo", "dcsr", "dense", "{dense, hashed}", "{dense, sparse_rle}"}) {
      if (!randomised::is_taken(number++)) continue;
      CAPTURE(mask);
      CAPTURE(result);
      CHECK(computed(mask, result, "mask L M") == "01 02 10");
      CHECK(computed(mask, result, "mask L M values") == "02 10");
      CHECK(computed(mask, result, "mask L !M") == "00 11 12");
      CHECK(computed(mask, result, "mask L !M values") == "00 01 11 12");
    }
}

TEST_CASE("masks that store what nobody listed go by their values") {
  for (const char* mask : {"dense", "{dense, rle}", "{dense, vbl(2)}", "{dense, band}"})
    for (const char* result : {"csr", "dense", "{dense, rle}"}) {
      CAPTURE(mask);
      CAPTURE(result);
      CHECK(computed(mask, result, "mask L M") == "02 10");
      CHECK(computed(mask, result, "mask L !M") == "00 01 11 12");
    }
}

TEST_CASE("a mask that is an operand as well keeps its values") {
  Folder folder;
  folder.file("m.mtx", "%%MatrixMarket matrix coordinate real general\n1 3 2\n1 2 0\n1 3 5\n");
  Transcript t;
  REQUIRE(t.say("tensor M(1, 3): csr\ntensor L(1, 3): csr\nload M \"" + folder / "m.mtx" +
                "\"\nkernel k { L(i,j) = M(i,j) + 1\nmask L M }")
              .ok());
  CHECK(t.say("check").ok());
  REQUIRE(t.say("run").ok());
  CHECK(t.say("print L").last("print")["entries"] == nlohmann::json::parse("[[[0,1],1.0],[[0,2],6.0]]"));
}
