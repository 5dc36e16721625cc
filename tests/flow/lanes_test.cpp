// Sums in parts, side by side: what `vectorize j 8` asks for.
#include <doctest/doctest.h>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

const std::string head =
    "param n = 21\ntensor A(n, n): @\ntensor x(n)\nrandom A seed 1 density 0.7\nrandom x seed 2 density 1\n";

std::string with(const std::string& format, const std::string& rest) {
  std::string text = head + rest;
  return text.replace(text.find('@'), 1, format);
}

}  // namespace

TEST_CASE(
    "sums in parts agree with the reference and between back ends, in every format, direction and number of parts") {
  for (const std::string format : {"dense", "{dense, vbl}", "{dense, band}", "{dense, rle}", "csr", "{vbl, vbl}"})
    for (const std::string order : {"i j", "i j-", "i- j"})
      for (const std::string parts : {"2", "8", "16"}) {
        const std::string text =
            with(format, "y(i) = 3 + sum(j)(A(i,j) * x(j)) : 2 <= i\norder " + order + "\nvectorize j " + parts + "\n");
        CAPTURE(text);
        check_agrees_with_formats(text);
      }
  check_agrees_with_formats(with("dense", "y(i) = prod(j)(A(i,j) + x(j))\norder i j\nvectorize j 4\n"));
  check_agrees_with_formats(with("dense", "y(i) = sum(j)(j < i ? A(i,j) * x(j) : 0)\norder i j\nvectorize j 4\n"));
  check_agrees_with_formats(
      with("dense", "y(i) = sum(j)(A(i,j))\nz(i) = sum(j)(A(i,j) * x(j))\norder i j\nvectorize j 8\n"));
  check_agrees_with_formats(
      with("{dense, vbl}",
           "loops {\n  tensor s\n  for i {\n    s = 0\n    forall j reduces s vectorize 8 { s += A(i,j) * x(j) }\n"
           "    x(i) = s\n  }\n}\n"));
}

TEST_CASE("both back ends add up the same parts, in another order than one after the other") {
  const std::string text = with("{dense, vbl}", "y(i) = sum(j)(A(i,j) * x(j))\norder i j\n");
  Transcript one_by_one, jit, native;
  REQUIRE(one_by_one.say(text + "run").ok());
  REQUIRE(jit.say(text + "vectorize j 8\nrun jit").ok());
  REQUIRE(native.say(text + "vectorize j 8\nrun native").ok());
  const auto bits = [](Transcript& t) {
    std::vector<double> all;
    for (std::int64_t i = 0; i < 21; ++i)
      all.push_back(t.session().state().content().tensors->at("y").get_flat(i).real);
    return all;
  };
  CHECK(bits(jit) == bits(native));
  CHECK(bits(jit) != bits(one_by_one));
}

TEST_CASE("the certificate names what is reassociated, and other sums stay refused") {
  Transcript t;
  const auto said =
      t.say(with("dense", "y(i) = sum(j)(A(i,j) * x(j))\norder i j\nvectorize j 8\nshow schedule\nshow loops"));
  CHECK(has(said.output, "2 statements run once; reassociated: y, in 8 parts"));
  CHECK(has(said.output, "forall j in 0:n reduces y vectorize 8 {"));
  Transcript plain;
  CHECK_FALSE(plain.say(with("dense", "y(i) = sum(j)(A(i,j) * x(j))\norder i j\nvectorize j\nrun")).ok());
  Transcript odd;
  CHECK_FALSE(odd.say(with("dense", "y(i) = sum(j)(A(i,j) * x(j))\norder i j\nvectorize j 7\nrun")).ok());
}
