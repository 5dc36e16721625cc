// Several iterations at once, in the loops inside: what `jam i 4` makes of loops over every kind of storage.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/coiterate/shown.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using namespace trellis::testing;

namespace {

const std::string declared =
    "param n = 11\ntensor A(n, n): @\ntensor B(n, n)\ntensor x(n)\n"
    "random A seed 1 density 0.6\nrandom B seed 2 density 1\nrandom x seed 3 density 1\n";

std::string jammed(const std::string& format, const std::string& rest) {
  std::string text = declared + rest;
  return text.replace(text.find('@'), 1, format);
}

std::string sweeps(const std::string& steps) {
  return "param n = 11\nparam T = 7\ntensor x(n, n)\nrandom x seed 1 density 1\n"
         "x[t](i,j) = (x[t-1](i,j) + x[t](i-1,j) + x[t](i,j-1) + x[t-1](i+1,j) + x[t-1](i,j+1)) / 5"
         " : 1 <= i < n-1, 1 <= j < n-1, 1 <= t < T\norder t i j\ninplace x\n" +
         steps;
}

const std::string counts[] = {"3", "8"};

}  // namespace

TEST_CASE("jammed products agree with the reference and between back ends, whatever is walked and in which order") {
  int ran = 0, refused = 0;
  for (const std::string format : {"dense", "csr", "csc", "{dense, band}", "{dense, rle}", "coo"})
    for (const std::string& count : counts)
      for (const std::string schedule :
           {"order i j k\njam j ", "order k i j\njam k ", "order i k j\njam i ", "order j- i k\njam j "}) {
        const std::string text = jammed(format, "C(i,j) = sum(k)(A(i,k) * B(k,j))\n" + schedule + count + "\n");
        CAPTURE(text);
        Transcript t;
        if (const Answer a = t.say(text + "run"); !a.ok()) {  // what is walked belongs to one iteration
          CHECK(contains(a.codes, "E0149"));
          ++refused;
          continue;
        }
        check_agrees_with_formats(text);
        ++ran;
      }
  CHECK(ran == 44);
  CHECK(refused == 4);
}

TEST_CASE("what is left of a loop runs in smaller blocks, then one by one") {
  for (int n = 0; n < 20; ++n) {
    const std::string text = "param n = " + std::to_string(n) + "\ntensor A(n, n)\nrandom A seed 1 density 1\n";
    check_agrees_with_formats(text + "y(i) = sum(j)(A(i,j))\norder i j\njam i 8\n");
    check_agrees_with_formats(text + "y(i) = sum(j)(A(i,j))\norder i- j\njam i 6\n");
    check_agrees_with_formats(text + "y(i) = sum(j)(A(i,j)) : 3 <= i\norder i j\njam i 4\nparallel i\n");
  }
}

TEST_CASE("loops whose range differs share what the ranges have in common") {
  for (const std::string& count : counts) {
    const std::string triangle = "C(i,j) = sum(k)(A(i,k) * A(j,k)) : j <= i\norder i j k\njam i " + count + "\n";
    check_agrees_with_formats(jammed("dense", triangle));
    check_agrees_with_formats(
        jammed("dense", "C(i,j) = sum(k)(A(i,k) * A(k,j)) : i <= k <= j\norder i j k\njam i " + count + "\njam j 2\n"));
    check_agrees_with_formats(sweeps("skew t i 2\njam t " + count + "\n"));
    check_agrees_with_formats(sweeps("skew t i 1\njam t " + count + "\n"));
    check_agrees_with_formats(sweeps("skew t i 2\nreorder i t\njam t " + count + "\n"));
  }
}

TEST_CASE("workspaces and temporaries become as many as there are iterations at once") {
  for (const std::string& count : counts) {
    check_agrees_with_formats(
        jammed("csr", "tensor C(n, n): csr\nC(i,j) = sum(k)(B(i,k) * A(k,j))\norder i k j\njam i " + count + "\n"));
    check_agrees_with_formats(jammed("csr",
                                     "tensor C(n, n): csr\nC(i,j) = sum(k)(B(i,k) * A(k,j))\norder i k j\n"
                                     "workspace w for C(i,:) bytemap\njam i " +
                                         count + "\n"));
    check_agrees_with_formats(
        jammed("csr", "y(i) = sum(k)(A(k,i) * max(j)(B(i,j) + x(j)))\norder i j k\njam i " + count + "\n"));
  }
}

TEST_CASE("loop programs are jammed where they say so, and refused where that is wrong") {
  check_agrees_with_formats(
      jammed("dense", "loops {\n  for i in 0:n jam 4 {\n    for j in 0:n { x(i) += A(i,j) * B(i,j) }\n  }\n}\n"));
  Transcript t;
  const auto said = t.say(
      "param n = 9\ntensor A(n, n)\nloops {\n  for i in 1:n jam 4 {\n    for j in 0:n-1 { A(i,j) = A(i-1,j+1) }\n  "
      "}\n}\nrun");
  CHECK_FALSE(said.ok());
  CHECK(has(said.codes, "E0140"));
}

TEST_CASE("sums that a jam adds up in another order are named, others are not") {
  Transcript total, rows;
  const auto all = total.say(jammed("dense", "s = sum(i, j)(A(i,j) * B(i,j))\norder i j\njam i 2\nshow schedule"));
  CHECK(has(all.output, "reassociated: s"));
  const auto each = rows.say(jammed("dense", "y(i) = sum(j)(A(i,j) * x(j))\norder i j\njam i 2\nshow schedule"));
  CHECK(has(each.output, "jam i 2   # certified"));
  CHECK_FALSE(has(each.output, "reassociated"));
}

TEST_CASE("a jam of which nothing comes is an error") {
  Transcript rows;
  const auto said = rows.say(jammed("csr", "y(i) = sum(j)(A(i,j) * x(j))\norder i j\njam i 4\nrun"));
  CHECK_FALSE(said.ok());
  CHECK(has(said.codes, "E0149"));
  Transcript entries;
  const std::string walked = "C(i,k) = sum(j)(A(i,j) * B(j,k))\norder i j k\njam j 4\nrun";
  CHECK(has(entries.say(jammed("csr", walked)).codes, "E0149"));
}

TEST_CASE("temporaries of blocks that a jam puts together come to life once") {
  Transcript t;
  const auto said = t.say(
      "param m = 5; param n = 4; tensor A(m,n): csr; tensor B(n,m,m,m); tensor X(m,m); tensor Z(m,n)\n"
      "random A seed 1 density 0.5; random B seed 2\nX(i,k) = max(j)(A(i,j))\n"
      "Z(i,j) = B(j,k,i,l) : k/2 == j\norder k i- j l\njam i 4\nrun\ncheck");
  CHECK_MESSAGE(said.ok(), said.messages());
  CHECK(has(said.output, "agrees with the reference"));
}
