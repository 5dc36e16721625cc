// Which back end runs a kernel where nobody names one.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Transcript;

namespace {

std::string ran_on(Transcript& t, const std::string& command) {
  return t.say(command).last("run")["kernels"][0]["backend"];
}

}  // namespace

TEST_CASE("a run that is estimated to take long waits for the C compiler, where the session may choose") {
  const std::string multiplied =
      "tensor A(n, n)\ntensor B(n, n)\nrandom A seed 1\nrandom B seed 2\nC(i,j) = A(i,k) * B(k,j)\n";
  session::Options options;
  options.chooses_backend = true;
  Transcript large(options), small(options), named(options), usual;
  large.say("param n = 900\n" + multiplied);
  CHECK(ran_on(large, "run") == "native");
  small.say("param n = 50\n" + multiplied);
  CHECK(ran_on(small, "run") == "jit");
  CHECK(ran_on(small, "run native") == "native");
  named.say("param n = 500\n" + multiplied + "order i k j\njam k 4\n");
  CHECK(ran_on(named, "run jit") == "jit");
  usual.say("param n = 300\n" + multiplied);
  CHECK(ran_on(usual, "run") == "jit");
}
