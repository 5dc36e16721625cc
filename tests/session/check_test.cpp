// `check` and `show` where sums are added up in another order than their equations say.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;

TEST_CASE("check goes by equations where a sum is added up in another order, and names it") {
  const std::string head =
      "param n = 40\ntensor A(n, n)\ntensor x(n)\nrandom A seed 1 density 1\nrandom x seed 2 density 1\n";
  const auto said = [&](const std::string& rest) {
    testing::Transcript t;
    const auto answer = t.say(head + rest + "\nrun\ncheck");
    CHECK_MESSAGE(answer.ok(), answer.messages());
    return answer.output;
  };
  const std::string product = "y(i) = sum(j)(A(i,j) * x(j))\norder i j";
  CHECK(testing::contains(said(product), "main: agrees with the reference on 40 elements"));
  const std::string parts = said(product + "\nvectorize j 8");
  CHECK(testing::contains(parts,
                          "main: each equation holds on the kernel's own results, on 40 elements (largest error "));
  CHECK(testing::contains(parts, "  the sum over j in y is added up in another order, in 8 parts: reassociated\n"));
  CHECK(testing::contains(said("y(i) = sum(j)(A(i,j) * x(j))\norder i j-"),
                          "another order, with j descending: reassociated"));
  CHECK(testing::contains(said("s = sum(i, j)(A(i,j) * x(j))\norder j i"),
                          "the sum over i, j in s is added up in another order, with j outside i"));
  CHECK(testing::contains(said("s = sum(i, j)(A(i,j) * x(j))\norder i j\nreorder j i"),
                          "another order, by `reorder j i`"));
  CHECK(testing::contains(said(product + "\nsplit j into jo ji 4"), "agrees with the reference"));
  CHECK(testing::contains(said("s = sum(j)(x(j))\norder j\nparallel j"), "another order, by threads: reassociated"));
  CHECK(testing::contains(said("s = max(j)(x(j))\norder j\nparallel j"), "agrees with the reference"));
}

TEST_CASE("timesteps are compared by elements whatever is reassociated, as only the last one is left") {
  testing::Transcript t;
  const auto answer = t.say(
      "param n = 8\ntensor x(n)\nrandom x seed 2 density 1\n"
      "x[t+1](i) = x[t](i) / sum(j)(x[t](j)) : t < 3\norder t i- j-\nrun\ncheck");
  CHECK_MESSAGE(answer.ok(), answer.messages());
  CHECK(testing::contains(answer.output, "agrees with the reference on 8 elements"));
  CHECK(testing::contains(answer.output,
                          "compared by elements all the same, as a kernel leaves its last timestep alone"));
}

TEST_CASE("of a masked result the entries of the mask are tried, on what the kernel left under it") {
  const auto said = [](const std::string& band) {
    testing::Transcript t;
    return t.say(
        "param n = 12\ntensor A(n, n)\ntensor M(n, n): csr\ntensor L(n, n): csr\nrandom A seed 3 spd\n"
        "kernel pattern { M(i,j) = 1 : " +
        band +
        " }\n"
        "kernel factor {\n  L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i\n"
        "  L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i\n  mask L M\n  order i j k-\n}\nrun\ncheck factor");
  };
  const auto answer = said("i - 3 <= j <= i");
  CHECK_MESSAGE(answer.ok(), answer.messages());
  CHECK(testing::contains(answer.output, "factor: each equation holds on the kernel's own results, on 144 elements"));
  // A diagonal that the mask leaves out is 0; infinite entries meet others that are not there.
  const auto infinite = said("i - 3 <= j < i");
  CHECK_MESSAGE(infinite.ok(), infinite.output);
}
