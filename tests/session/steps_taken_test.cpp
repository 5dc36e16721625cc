// How the steps of a kernel with `until` ended, in words and as JSON.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

/// Halves 64 until it is below a bound; of so many steps.
std::string halving(const std::string& most, const std::string& condition) {
  return "tensor x: f64\nfill_with x 64\nkernel half {\n  x[t] = x[t-1] / 2 : t < " + most + "\n  until " + condition +
         "\n}\nrun";
}

struct Ended {
  std::string line, until;
  std::int64_t taken = -1, most = -1;
};

Ended ended(const std::string& program) {
  const auto answer = Transcript().run(program);
  CHECK_MESSAGE(answer.ok(), answer.messages());
  Ended result;
  for (const session::Reply& reply : answer.replies) {
    const std::string all = session::remarks_of(reply);
    if (const std::size_t at = all.find("\nhalf: "); at != std::string::npos)
      result.line = all.substr(at + 1, all.find('\n', at + 1) - at - 1);
  }
  const auto steps = answer.last("run")["kernels"][0]["steps"];
  if (!steps.is_object()) return result;
  result.taken = steps["taken"];
  result.most = steps["most"];
  result.until = steps["until"];
  return result;
}

}  // namespace

TEST_CASE("a run says after how many steps the condition of until held") {
  const Ended met = ended(halving("100", "x[t] < 1"));
  CHECK(met.line == "half: 7 of at most 100 steps, until its condition held");
  CHECK(met.taken == 7);
  CHECK(met.most == 100);
  CHECK(met.until == "met");
  CHECK(ended("param n = 9\n" + halving("n", "x[t] < x[t-1]")).line ==
        "half: 1 of at most 9 steps, until its condition held");
  CHECK(ended(halving("1", "x[t] < 50")).line == "half: 1 of at most 1 step, until its condition held");
  CHECK(ended(halving("7", "x[t] < 1")).until == "met");
}

TEST_CASE("a run says that the condition of until was never met") {
  const Ended never = ended(halving("6", "x[t] < 1"));
  CHECK(never.line == "half: all 6 steps ran; the condition of until was never met");
  CHECK(never.taken == 6);
  CHECK(never.until == "not met");
  CHECK(ended(halving("1", "x[t] < 1")).line == "half: its only step ran; the condition of until was never met");
}

TEST_CASE("where there are no steps, none ran") {
  const Ended none = ended("param n = 0\n" + halving("n", "x[t] < 100"));
  CHECK(none.line == "half: no step ran, as there are at most 0");
  CHECK(none.taken == 0);
  CHECK(none.until == "not met");
}

TEST_CASE("steps that come to nan have diverged, whatever the condition makes of it") {
  const std::string jacobi =
      "tensor A(3, 3)\nfill_with A [[1, 3, -2], [4, 1, 5], [6, 7, 1]]\ntensor b(3)\nfill_with b [1, 1, 1]\ntensor "
      "x(3)\nkernel half {\n"
      "  x[t](i) = (b(i) - sum(j != i)(A(i,j)*x[t-1](j))) / A(i,i) : t < 5000\n  until ";
  const Ended passed = ended(jacobi + "max(i)(abs(x[t](i) - x[t-1](i))) < 1e-10\n}\nrun");
  CHECK(passed.until == "diverged");
  CHECK(contains(passed.line, "steps, which diverged: x(0) is"));
  CHECK(passed.taken < 5000);
  const Ended never = ended(jacobi + "sum(i)(x[t](i)) == 1\n}\nrun");
  CHECK(never.until == "diverged");
  CHECK(never.taken == 5000);
  // nan that was there before is none of the kernel's, but nothing converges to it either
  CHECK(ended("tensor x: f64\nfill_with x nan\nkernel half {\n  x[t] = x[t-1] / 2 : t < 5\n  until !(x[t] > 1)\n}\nrun")
            .until == "diverged");
  // distances that stay at inf are no sign of anything
  CHECK(ended("tensor x: f64\nfill_with x inf\nkernel half {\n  x[t] = min(x[t-1], inf) : t < 5\n  until x[t] == "
              "x[t-1]\n}\nrun")
            .until == "met");
}

TEST_CASE("a kernel without until says nothing about steps") {
  CHECK(ended("tensor x: f64\nkernel half { x[t] = x[t-1] + 1 : t < 5 }\nrun").taken == -1);
}

TEST_CASE("what runs first for another command says how its steps ended") {
  const auto answer =
      Transcript().run(halving("100", "x[t] < 1").substr(0, halving("100", "x[t] < 1").size() - 3) + "print x");
  CHECK(contains(answer.messages(), "7 of at most 100 steps, until its condition held"));
}
