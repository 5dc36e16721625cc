// The reference of loop programs against results worked out by hand.
#include <doctest/doctest.h>

#include "engine/check/loops.hpp"
#include "engine/lang/parse.hpp"

using namespace trellis;

namespace {

using Numbers = std::vector<double>;

/// Runs `loops { statements }` on x(5), p(5): i64, A(3,3) and the scalar s, all zero.
check::Evaluation run_loops(const std::string& statements, std::int64_t most_steps = 10'000) {
  text::Sources sources;
  text::Diagnostics diagnostics;
  const int number =
      sources.add("test.tr", "tensor x(5); tensor p(5): i64; tensor A(3, 3); tensor s\nloops {\n" + statements + "\n}");
  const auto program = lang::resolve(lang::parse(sources, number, diagnostics), diagnostics);
  for (const auto& d : diagnostics.all()) CHECK_MESSAGE(d.severity != text::Severity::error, d.message);
  REQUIRE(program);
  return check::evaluate_loops(*program, program->kernels.at(0), {}, most_steps);
}

Numbers values(const std::string& statements, const std::string& tensor) {
  const check::Evaluation evaluation = run_loops(statements);
  if (evaluation.problem) FAIL_CHECK(evaluation.problem->message);
  const tensor::Tensor& t = evaluation.results.at(tensor);
  Numbers numbers;
  for (std::int64_t k = 0; k < t.count(); ++k) numbers.push_back(t.get_flat(k).as_double());
  return numbers;
}

std::string problem(const std::string& statements, std::int64_t most_steps = 10'000) {
  const auto found = run_loops(statements, most_steps).problem;
  return found ? found->code + ": " + found->message + (found->instance_text.empty() ? "" : ", " + found->instance_text)
               : "";
}

}  // namespace

TEST_CASE("loops, conditions and lets in the reference") {
  CHECK(values("for i { x(i) = i*i }", "x") == Numbers{0, 1, 4, 9, 16});
  CHECK(values("for i down in 1:5 { x(i) = x(i) + 1; x(i-1) = x(i) + 1 }", "x") == Numbers{8, 7, 5, 3, 1});
  CHECK(values("for i { if i%2 == 0 { x(i) = 1 } else { x(i) = 2 } }", "x") == Numbers{1, 2, 1, 2, 1});
  CHECK(values("s = 1; while s < 100 { s *= 3 }", "s") == Numbers{243});
}

TEST_CASE("reductions are evaluated where they stand") {
  CHECK(values("for i { x(i) = i + 1 }; s = sum(i)(x(i)) + prod(i)(x(i))", "s") == Numbers{135});
  CHECK(values("for i { x(i) = (i*3) % 5 }; s = argmax(i)(x(i)) * 10 + argmin(i)(x(i))", "s") == Numbers{30});
  CHECK(values("s = argmin(i < 0)(x(i))", "s") == Numbers{-1});
  CHECK(values("for i in 0:3 { for j in 0:3 { A(i,j) = sum(k, l, 0 <= k, k < i, 0 <= l, l <= k)(1) } }", "A") ==
        Numbers{0, 0, 0, 1, 1, 1, 3, 3, 3});
}

TEST_CASE("a declared tensor starts as its fill each time") {
  CHECK(values("for i { tensor w(2): i64 fill 7; w(0) += 1; x(i) = f64(w(0) + w(1)) }", "x") ==
        Numbers{15, 15, 15, 15, 15});
}

TEST_CASE("a loop stops early") { CHECK(values("for i until x(i) > 3 { x(i) = 2*i }", "x") == Numbers{0, 2, 4, 0, 0}); }

TEST_CASE("what goes wrong has a place and an instance") {
  CHECK(problem("for i { x(i) = x(i+1) }") == "E0502: there is no x(5) in x(5), at i=4");
  CHECK(problem("p(0) = 9; x(p(0)) = 1") == "E0502: there is no x(9) in x(5)");
  CHECK(problem("for i { p(i) = 6 / p(i) }") == "E0502: integer division by zero, at i=0");
  CHECK(problem("while s < 1 { s *= 2 }", 100) == "E0266: the reference evaluator gave up after 100 steps");
}
