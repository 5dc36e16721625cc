// How tensors are stored: formats as declared, and as `format` changes them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

const std::string matrix = "tensor A(2, 3); fill_with A [[1, 2, 3], [4, 5, 6]]; y(i) = sum(j)(A(i,j))\n";

}  // namespace

TEST_CASE("format lays out anew what a tensor holds") {
  Transcript t;
  REQUIRE(t.say(matrix + "run").ok());
  REQUIRE(t.say("format A @ (1, 0)").ok());
  CHECK(t.value("A") == "[[1 2 3]\n     [4 5 6]]");
  CHECK(t.say("show memory").output.find("A: operand, (2, 3) f64, stored @ (1, 0)") != std::string::npos);
  REQUIRE(t.say("run").ok());
  CHECK(t.value("y") == "[6 15]");
  REQUIRE(t.say("undo 2").ok());
  CHECK(t.value("A") == "[[1 2 3]\n     [4 5 6]]");
  CHECK(t.say("show memory").output.find("A: operand, (2, 3) f64, last index fastest") != std::string::npos);
}

TEST_CASE("a format command that is refused changes nothing") {
  Transcript t;
  REQUIRE(t.say(matrix).ok());
  for (const char* command : {"format A", "format B csr", "format A {dense}", "format A csr csc", "format A fancy", "format A dia"})
    CHECK_MESSAGE(!t.say(command).ok(), command);
  CHECK(t.say("run").ok());
  CHECK(t.value("y") == "[6 15]");
}
