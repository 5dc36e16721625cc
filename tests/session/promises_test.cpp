// What declarations promise of index tensors: checked when data arrives, and counted on by loops.
#include <doctest/doctest.h>

#include "engine/find/prove.hpp"
#include "tests/session/transcript.hpp"

using namespace trellis;
using testing::contains;
using testing::Transcript;

namespace {

const std::string gather =
    "tensor x(12): compressed; tensor p(6): i64 PROMISE\nfill_with x [0, 1, 0, 0, 4, 0, 6, 7, 0, 0, 10, 0]\n"
    "fill_with p [0, 1, 1, 4, 6, 11]\n";

std::string with(std::string text, const std::string& promise) {
  text.replace(text.find("PROMISE"), 7, promise);
  return text;
}

}  // namespace

TEST_CASE("promises: data that breaks one is named, and what was held is kept") {
  const auto said = [](const std::string& promise, const std::string& values) {
    Transcript t;
    const auto answer = t.say("tensor p(4): i64 " + promise + "\nfill_with p " + values);
    return answer.codes + (answer.ok() ? "" : " " + answer.messages());
  };
  CHECK(said("sorted", "[0, 2, 2, 5]") == "");
  CHECK(contains(said("sorted", "[0, 3, 2, 5]"), "E0416 p is not sorted: p(1) is 3, and p(2) is 2"));
  CHECK(contains(said("sorted(strictly)", "[0, 2, 2, 5]"), "p(1) and p(2) are both 2"));
  CHECK(contains(said("decreasing", "[5, 2, 3, 0]"), "E0416"));
  CHECK(contains(said("injective", "[5, 2, 3, 5]"), "p(0) and p(3) are both 5"));
  CHECK(contains(said("range(0, 5)", "[4, 5, 3, 0]"), "p(1) is 5"));
  Transcript t;
  t.say("tensor p(3): i64 injective\nfill_with p [2, 0, 1]");
  CHECK_FALSE(t.say("fill_with p [2, 2, 1]").ok());
  CHECK(t.value("p") == "[2 0 1]");
}

TEST_CASE("promises: of rows each by itself, and never of floating numbers") {
  Transcript t;
  CHECK(t.say("tensor q(2, 2): i32 sorted\nfill_with q [[3, 4], [0, 1]]").ok());
  CHECK(t.say("tensor u(2): f64 sorted").codes == "E0254");
  CHECK(t.say("tensor v(2): i64 sorted decreasing").codes == "E0254");
  CHECK(t.say("tensor w(2): i64 sorted(twice)").codes == "E0205");
}

TEST_CASE("promises: random contents keep them") {
  for (const char* promise :
       {"sorted", "decreasing(strictly)", "injective", "injective sorted range(3, 40)", "range(0, n)"}) {
    Transcript t;
    const auto said =
        t.say("param n = 3; tensor p(20): i64 " + std::string(promise) + "\nrandom p seed 3\nprint max(i)(p(i)) < 40");
    CAPTURE(said.messages());
    CHECK(said.ok());
    if (std::string(promise) == "range(0, n)") CHECK(t.value("max(i)(p(i))") == "2");
  }
  Transcript t;
  CHECK(t.say("tensor p(20): i64 injective range(0, 19)\nrandom p seed 3").codes == "E0416");
  // As long as there are elements, however far the range goes.
  Transcript far;
  CHECK(far.say("tensor p(20): i64 injective range(0, 1000000000000)\nrandom p seed 3").ok());
}

TEST_CASE("promises: an operand that was computed is looked at before it is read") {
  Transcript t;
  t.say(
      "param n = 4; tensor p(n): i64 injective; tensor x(n); random x seed 1\nkernel indices { p(i) = i / 2 }\n"
      "kernel read { y(i) = x(p(i)) }\nrun indices");
  CHECK(contains(t.say("run read").messages(), "p is not injective"));
}

TEST_CASE("promises: indices that are promised to be in range are not checked when a kernel runs") {
  const auto c = [](const std::string& promise, const std::string& kernel) {
    Transcript t;
    const std::string tensors = "param n = 6; param m = 4; tensor x(n); tensor A(n, n): csr; tensor p(m): i64 " +
                                promise + "\nrandom x seed 1; random A seed 2 density 0.4; random p seed 3 range 1:5\n";
    const auto said = t.say(tensors + kernel + "\nshow c\nrun\ncheck");
    CHECK_MESSAGE(said.ok(), said.messages());
    return said.output;
  };
  const std::string gather = "y(i) = x(p(i)) : i < m", rows = "tensor Z(m, n): csr; Z(a,j) = A(p(a),j)";
  for (const std::string& kernel : {gather, rows}) {
    CHECK(!contains(c("range(0, n)", kernel), "at(p["));
    CHECK(!contains(c("range(1, n)", kernel), "at(p["));
    CHECK(contains(c("range(0, 5)", kernel), "at(p["));
    CHECK(contains(c("", kernel), "at(p["));
  }
  // Nobody promised what the kernel itself computes, and p itself is read where the loop inside may run nowhere.
  CHECK(contains(c("range(0, n)", "loops { for i { p(i) = 5 - i; x(p(i)) = 1 } }"), "at(p["));
  CHECK(contains(c("range(0, n)", "y(i) = sum(j)(A(p(i-1),j)) : 0 < i, i < m"), "A_pos[p["));
  CHECK(contains(c("range(0, n)", "loops { for i in 0:m { for j in 0:i { y(i) += A(p(i-1),j) } } }"), "at("));
}

TEST_CASE("promises: a range is looked at again where its size is another one") {
  Transcript t;
  t.say("param n = 10; tensor x(n); tensor p(3): i64 range(0, n); tensor y(3)\nrandom x seed 1\nfill_with p [9, 8, 7]");
  CHECK(t.say("y(i) = x(p(i))\nrun").ok());
  t.enter({"param n = 8"});
  CHECK(contains(t.say("run").messages(), "p is not range(0, 8): p(0) is 9"));
}

TEST_CASE("promises: what is read at sorted indices is gone through once, proven") {
  if (!find::has_prover_of_functions()) return;
  Transcript t;
  const auto said =
      t.say(with(gather, "sorted") + "tensor y(6)\ny(i) = x(p(i))\nshow c\nshow find\nrun\ncheck\nprint y");
  CHECK(contains(said.output, "march(x_crd"));
  CHECK(
      contains(said.output, "by a pointer that goes on while i runs: it is never asked for less than before, proven"));
  CHECK(contains(said.output, "agrees with the reference"));
  CHECK(contains(said.output, "y = [0 1 1 4 6 0]"));
  Transcript free;
  const auto bisected = free.say(with(gather, "range(0, 12)") + "y(i) = x(p(i))\nshow c\nshow find");
  CHECK_FALSE(contains(bisected.output, "march"));
  CHECK(contains(bisected.output, "bisected for; no pointer can go on: asked for "));
}

TEST_CASE("promises: a find that would go astray is refused with two iterations") {
  Transcript t;
  const auto said = t.say(with(gather, "") + "y(i) = x(p(i))\nfind x scan\nrun");
  CHECK(contains(said.codes, find::has_prover_of_functions() ? "E0914" : ""));
  if (find::has_prover_of_functions()) CHECK(contains(said.messages(), "where p("));
  Transcript rows;
  const auto affine = rows.say(
      "param n = 5; tensor B(n, n): csr; tensor y(n, n)\nrandom B seed 1 density 0.5\n"
      "y(i,j) = B(i,(2*j)%5)\nfind B gallop\nrun");
  CHECK(contains(affine.codes, "E0914"));
  CHECK(contains(affine.messages(), "asked for "));
  Transcript rising;
  const auto fine = rising.say(
      "param n = 6; tensor B(n, n): csr; tensor y(n, n)\nrandom B seed 1 density 0.5\n"
      "y(i,j) = B(j/2,i)\norder i j\nfind B gallop\nshow find\nrun\ncheck");
  CHECK(contains(fine.output, "agrees"));
}

TEST_CASE("promises: no two iterations write one element of y(p(i)) where p is injective") {
  const std::string scatter =
      "param n = 8; tensor p(n): i64 PROMISE; tensor x(n); tensor y(n)\nrandom x seed 1\n"
      "fill_with p [3, 1, 0, 2, 7, 6, 4, 5]\nloops { for i { y(p(i)) = x(i) } }\nparallel i\nrun native\ncheck";
  Transcript t;
  const auto said = t.say(with(scatter, "injective"));
  CAPTURE(said.messages());
  CHECK(contains(said.output, "agrees with the reference"));
  Transcript refused;
  CHECK(contains(refused.say(with(scatter, "")).codes, "E0107"));
  // Sums need no atomic updates.
  Transcript sums;
  const auto c =
      sums.say(with("param n = 8; tensor p(n): i64 PROMISE; tensor x(n); tensor y(n)\n"
                    "loops { for i { y(p(i)) += x(i) } }\nparallel i\nshow c",
                    "sorted(strictly)"));
  CHECK(contains(c.output, "#pragma omp for"));
  CHECK_FALSE(contains(c.output, "atomic"));
}
