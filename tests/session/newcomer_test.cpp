// What a newcomer types that means something else here: the message says what to type instead.
#include <doctest/doctest.h>

#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::Answer;
using testing::contains;
using testing::Transcript;

namespace {

/// The fixes of the first error or note that has some.
std::vector<std::string> fixes_of(const Answer& answer) {
  std::vector<std::string> commands;
  for (const session::Reply& reply : answer.replies)
    for (const text::Diagnostic* d : session::messages_of(reply))
      if (commands.empty())
        for (const text::Fix& fix : d->fixes) commands.push_back(fix.command);
  return commands;
}

std::string instance_of(const Answer& answer) {
  for (const session::Reply& reply : answer.replies)
    for (const text::Diagnostic& d : reply.diagnostics.all())
      if (!d.instance_text.empty()) return d.instance_text;
  return "";
}

/// Two sweeps down that need each other, and a third up.
const std::string three_sweeps =
    "param n = 5; tensor a(n); tensor w(n); tensor v(n); tensor z(n); tensor q(n)\n"
    "w(i) = v(i+1) + a(i) : i < n-1\nw(n-1) = a(n-1)\nv(i) = w(i+1)*2 : i < n-1\nv(n-1) = 1\n"
    "z(i) = q(i-1) + v(i) : 1 <= i\nz(0) = w(0)\nq(i) = q(i-1) + z(i-1) : 1 <= i\nq(0) = 1\n";

}  // namespace

TEST_CASE("newcomer: sweeps both ways are told which index to rename, whatever order was given") {
  const std::string sweeps =
      "param n = 5; tensor a(n)\nw(i) = w(i+1) + a(i) : i < n-1\nw(n-1) = a(n-1)\n"
      "z(i) = z(i-1) + w(i) : 1 <= i\nz(0) = w(0)\n";
  for (const std::string order : {"", "order i\n", "order i-\n"}) {
    CAPTURE(order);
    Transcript t;
    const Answer answer = t.say(sweeps + order + "run");
    CHECK(answer.codes.find(order.empty() ? "E0105" : "E0101") != std::string::npos);
    REQUIRE(fixes_of(answer).size() == 1);
    CHECK(t.enter({"fix 1", "order auto", "run"}).codes.find("E0") == std::string::npos);
  }
}

TEST_CASE(
    "newcomer: of several equations that need a direction, one is renamed where that is enough, and it is legal") {
  Transcript t;
  const Answer answer = t.say(three_sweeps + "run");
  CHECK(contains(answer.codes, "E0105"));
  REQUIRE(fixes_of(answer).size() == 1);
  CHECK(t.enter({"fix 1", "run", "check"}).codes.find("E0") == std::string::npos);
}

TEST_CASE("newcomer: a recurrence without its borders is offered `pad`, which is its result's declaration") {
  Transcript t;
  const Answer answer =
      t.say("param n = 3; tensor a(n, n): f64 fill 1\nS(i,j) = S(i-1,j) + S(i,j-1) - S(i-1,j-1) + a(i,j)\nrun");
  CHECK(contains(answer.codes, "E0104"));
  const auto fixes = fixes_of(answer);
  REQUIRE(fixes.size() == 2);
  CHECK(fixes[0] == "tensor S(n, n): pad");
  CHECK(t.enter({"fix 1", "run"}).ok());
  CHECK(t.value("S") == "[[1 2 3]\n     [2 4 6]\n     [3 6 9]]");
  // Of integers, the declaration says so; of a tensor that is declared already, and where others are read outside as
  // well, there is nothing to type that would do.
  CHECK(fixes_of(Transcript().say("param n = 3\nc(i) = c(i-1) + i : i < n\nrun")).front() == "tensor c(n): i64 pad");
  CHECK(fixes_of(Transcript().say("param n = 3; tensor s(n)\ns(i) = s(i-1) + 1\nrun")).size() == 1);
  CHECK(fixes_of(Transcript().say("param n = 3; tensor x(n)\ns(i) = s(i-1) + x(i) + x(i-1)\nrun")).size() == 1);
}

TEST_CASE("newcomer: a shape that cannot be told names the indices that nothing bounds, and as many sizes") {
  Transcript t;
  const std::string said = t.say("param n = 3; tensor x(n)\nB(i,j,k) = x(j)\nrun").messages();
  CHECK(contains(said, "declare it, as in tensor B(n, n, n), or bound i and k after ':', as in i < n, k < n"));
}

TEST_CASE("newcomer: a range behind an index of a sum is compared, whichever word is written") {
  for (const std::string range : {"i=0:4", "i in 0:4", "i in range"}) {
    const Answer answer = Transcript().say("tensor x(9)\ns = sum(" + range + ")(x(i))");
    CHECK(answer.codes == "E0010");
    CHECK(contains(answer.messages(), "as in sum(1 <= i, i < 4)(x(i))"));
  }
}

TEST_CASE("newcomer: a length in a constraint is said by its size") {
  const Answer answer = Transcript().say("tensor b(4); tensor x(3)\nx[t](i) = x[t-1](i) + b(t) : t < len(b)\nrun");
  CHECK(contains(answer.codes, "E0240"));
  CHECK(contains(answer.messages(), "sizes have names: tensor x(n) is n long; here b is 4"));
}

TEST_CASE("newcomer: an index that data puts out of range says where, of equations too") {
  Transcript t;
  const Answer answer = t.say("tensor x(4): f64 fill 1; tensor p(3): i32\nfill_with p [0, 3, 4]\ny(i) = x(p(i))\nrun");
  CHECK(contains(answer.codes, "E0502"));
  CHECK(instance_of(answer) == "at i=2 it reads x(4)");
  const Answer divided =
      Transcript().say("tensor a(3): i32 fill 6; tensor d(3): i32\nfill_with d [1, 0, 2]\nq(i) = a(i) / d(i)\nrun");
  CHECK(instance_of(divided) == "at i=1");
}

TEST_CASE("newcomer: a large recurrence over what is stored is offered a sparse result, which is as right") {
  const std::string runs =
      "param n = 1200; tensor A(n, n): csr; random A seed 1 density 0.0005\n"
      "C(i,j) = A(i,j) * (1 + C(i-1,j)) : i >= 1; C(0,j) = A(0,j)\n";
  Transcript t;
  const Answer answer = t.say(runs + "run");
  CHECK(contains(answer.codes, "N0608"));
  CHECK_FALSE(contains(t.say("run").codes, "N0608"));
  const std::string sum = t.value("sum(i,j)(C(i,j))");
  CHECK(t.enter({"fix 2", "run"}).ok());  // behind the one that keeps it dense
  CHECK(t.value("sum(i,j)(C(i,j))") == sum);
  CHECK(contains(t.say("show formats").output, "csr"));
  // Not where somebody chose the format, where the result is small, or full.
  CHECK_FALSE(contains(Transcript().say("tensor C(1200, 1200)\n" + runs + "run").codes, "N0608"));
  CHECK_FALSE(contains(Transcript()
                           .say("param n = 90\ntensor A(n, n): csr; random A seed 1 density 0.01\n"
                                "C(i,j) = A(i,j) * (1 + C(i-1,j)) : i >= 1; C(0,j) = A(0,j)\nrun")
                           .codes,
                       "N0608"));
  CHECK_FALSE(contains(Transcript().say(runs + "D(i,j) = C(i,j) + 1\nrun").messages(), "D is dense, and nearly"));
}

TEST_CASE("newcomer: the reason for another order is the part of the estimate that it shrinks most") {
  const auto first = [](const std::string& program) {
    return fixes_of(Transcript().say(program)).empty() ? Transcript().say(program + "\nsuggest").output : "";
  };
  // k innermost adds up one number: it waits, and strides through nothing.
  const std::string cholesky =
      "param n = 400; tensor A(n, n)\nrandom A seed 1 spd\n"
      "L(i,j) = (A(i,j) - sum(k)(L(i,k) * L(j,k))) / L(j,j) : k < j < i\nL(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k "
      "< i\n"
      "order i j k";
  CHECK(contains(first(cholesky), "wait less for the one before; now those of k add to, or read, what it left"));
  const std::string product = "param n = 400; tensor A(n, n); tensor B(n, n)\nC(i,j) = A(i,k) * B(k,j)\norder k j i";
  CHECK(contains(first(product), "order i k j"));
  CHECK(contains(first(product), "j innermost walks B, C contiguously; now i, j innermost strides through A, C"));
}

TEST_CASE("newcomer: equations in time that are entered one by one are told how to enter them together") {
  const std::string together = "equations that need each other are entered as one: `kernel NAME {`, a line each, `}`";
  Transcript t;
  t.enter({"param n = 4", "tensor b(n)", "tensor x(n)"});
  for (const std::string entry :
       {"r[-1](i) = b(i) - x[-1](i)", "p[-1](i) = r[-1](i)", "x[t](i) = x[t-1](i) + b(i)", "until x[t](0) < 1"}) {
    CAPTURE(entry);
    CHECK(contains(t.enter({entry}).messages(), together));
  }
  CHECK_FALSE(contains(t.enter({"y(i) = z(i)"}).messages(), together));
  CHECK_FALSE(contains(t.say("x[t](i) = x[t-1](i) + b(i)").messages(), together));
  CHECK(t.enter({"kernel k {\nx[t](i) = x[t-1](i) + b(i) : t < 3\nuntil x[t](0) > 9\n}"}).ok());
}

TEST_CASE("newcomer: conditions of reductions stand beside the index, or are a choice") {
  const Answer behind = Transcript().say("tensor D(3, 3)\nnn(i) = argmin(j)(D(i,j) : j != i)");
  CHECK(behind.codes == "E0010");
  CHECK(contains(behind.messages(), "a condition stands beside the index, as in argmin(0 < j)(…)"));
  const Answer value = Transcript().say("tensor D(3, 3)\nnn(i) = argmin(j, D(i,j) > 1)(D(i,j))");
  CHECK(value.codes == "E0303");
  CHECK(contains(value.messages(), "c ? e : inf in a min or an argmin"));
}

TEST_CASE(
    "newcomer: data is loaded by a command, from a file in quotes, and sizes have names where they are declared") {
  CHECK(contains(Transcript().say("A = load(\"a.mtx\")").messages(), "as in load A \"file.mtx\""));
  const Answer bare = Transcript().say("load x a.csv");
  CHECK(bare.codes == "E0601");
  CHECK(contains(bare.messages(), "a file name in quotes"));
  CHECK(
      contains(Transcript().say("tensor x(3)\ny(i) = x(i) / n").messages(), "where a tensor is declared, tensor x(n)"));
  CHECK(contains(Transcript().say("solve A x = b").messages(), "conjugate_gradients"));
}
