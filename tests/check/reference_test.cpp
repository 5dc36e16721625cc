// The reference evaluator against results worked out by hand.
#include <doctest/doctest.h>

#include <cmath>

#include "engine/check/reference.hpp"
#include "engine/lang/parse.hpp"
#include "engine/tensor/convert.hpp"

using namespace trellis;

namespace {

using Numbers = std::vector<double>;

struct Run {
  text::Sources sources;
  text::Diagnostics diagnostics;
  std::optional<lang::Program> program;
  check::State before;
  check::Evaluation evaluation;

  const lang::Kernel& kernel() const { return program->kernels.at(0); }
  /// A result in row-major order.
  Numbers operator[](const std::string& name) const {
    REQUIRE(evaluation.results.count(name));
    const tensor::Tensor& t = evaluation.results.at(name);
    Numbers numbers;
    for (std::int64_t i = 0; i < t.count(); ++i) numbers.push_back(t.get_flat(i).as_double());
    return numbers;
  }
  std::string problem() const { return evaluation.problem ? evaluation.problem->code : "none"; }
};

/// Resolves and fills in the inputs, which are row-major.
Run prepare(const std::string& source, const lang::Overrides& sizes = {},
            const std::map<std::string, Numbers>& inputs = {}) {
  Run result;
  const int number = result.sources.add("test.tr", source);
  const auto file = lang::parse(result.sources, number, result.diagnostics);
  result.program = lang::resolve(file, result.diagnostics, sizes);
  for (const auto& d : result.diagnostics.all())
    if (d.severity == text::Severity::error) MESSAGE(render(d, result.sources, text::Colour::off));
  REQUIRE(result.program);
  auto value = [&](const std::string& name) -> std::optional<std::int64_t> {
    return result.program->parameter(name)->value.value_or(format::Value::of(format::ScalarType::i64, 0)).integer;
  };
  for (const lang::TensorInfo& info : result.program->tensors) {
    tensor::Index shape;
    for (const math::Affine& size : info.shape) shape.push_back(*size.evaluate(value));
    auto t = tensor::Tensor::create(info.type, shape, info.format, info.fill);
    REQUIRE(t);
    if (auto input = inputs.find(info.name); input != inputs.end())
      for (std::size_t i = 0; i < input->second.size(); ++i)
        t->set_flat(static_cast<std::int64_t>(i), format::Value::of(info.type, input->second[i]));
    result.before.tensors.emplace(info.name, *t);
  }
  return result;
}

/// Evaluates the first kernel as well.
Run run(const std::string& source, const lang::Overrides& sizes = {},
        const std::map<std::string, Numbers>& inputs = {}) {
  Run result = prepare(source, sizes, inputs);
  result.evaluation = check::evaluate(*result.program, result.kernel(), result.before);
  return result;
}

lang::Overrides n_is(std::int64_t n) { return {{"n", format::Value::of_integer(format::ScalarType::i64, n)}}; }

}  // namespace

TEST_CASE("elements that depend on each other") {
  CHECK(run("tensor F(n): i64\nF(0) = 0; F(1) = 1; F(i) = F(i-1) + F(i-2) : 2 <= i", n_is(10))["F"] ==
        Numbers{0, 1, 1, 2, 3, 5, 8, 13, 21, 34});
  CHECK(run("tensor C(n, n): i64\nC(i,0) = 1; C(i,j) = C(i-1,j-1) + C(i-1,j) : 1 <= j <= i, 1 <= i", n_is(4))["C"] ==
        Numbers{1, 0, 0, 0, 1, 1, 0, 0, 1, 2, 1, 0, 1, 3, 3, 1});
  CHECK(run("tensor F(n): i64\nF(0) = 0; F(1) = 1; F(i) = F(i-1) + F(i-2) : 2 <= i", n_is(1))["F"] == Numbers{0});
}

TEST_CASE("Cholesky of a 3 by 3 matrix") {
  const Run r =
      run("tensor A(n, n); tensor L(n, n)\n"
          "L(i,j) = (A(i,j) - sum(k)(L(i,k)*L(j,k)))/L(j,j) : k < j < i\n"
          "L(i,i) = sqrt(A(i,i) - sum(k)(L(i,k)^2)) : k < i",
          n_is(3), {{"A", {4, 12, -16, 12, 37, -43, -16, -43, 98}}});
  CHECK(r["L"] == Numbers{2, 0, 0, 6, 1, 0, -8, 5, 3});
}

TEST_CASE("Viterbi with its path: the first of equal candidates wins") {
  const Run r =
      run("tensor V(n, 3): i64; tensor A(n, n): i64; tensor P(n, 3): i64\n"
          "V(i,0) = 1; V(i,j) = max(k)(V(k,j-1)*A(k,i)) : 1 <= j\n"
          "P(i,j) = argmax(k)(V(k,j-1)*A(k,i)) : 1 <= j",
          n_is(2), {{"A", {1, 2, 3, 2}}});
  CHECK(r["V"] == Numbers{1, 3, 6, 1, 2, 6});
  CHECK(r["P"] == Numbers{0, 1, 1, 0, 0, 0});
}

TEST_CASE("Needleman-Wunsch reads through other arrays") {
  const Run r =
      run("param gap = -1; tensor a(n): u8; tensor b(n): u8; tensor S(2, 2): i32; tensor H(n+1, n+1): i32\n"
          "H(i,0) = gap*i; H(0,j) = gap*j : 1 <= j\n"
          "H(i,j) = max(H(i-1,j-1) + S(a(i-1), b(j-1)), H(i-1,j) + gap, H(i,j-1) + gap) : 1 <= i, 1 <= j",
          n_is(2), {{"a", {0, 1}}, {"b", {1, 1}}, {"S", {1, -1, -1, 1}}});
  CHECK(r["H"] == Numbers{0, -1, -2, -1, -1, -2, -2, 0, 0});
}

TEST_CASE("back substitution is evaluated from its end") {
  const Run r = run("tensor U(n, n); tensor x(n); tensor b(n)\nx(i) = (b(i) - sum(j)(U(i,j)*x(j)))/U(i,i) : j > i",
                    n_is(2), {{"U", {2, 1, 0, 4}}, {"b", {4, 8}}});
  CHECK(r["x"] == Numbers{1, 2});
}

TEST_CASE("empty reductions are identities") {
  const Run r =
      run("tensor x(n): i32\n"
          "a = sum(i)(x(i)) : i < 0; b = min(i)(x(i)) : i < 0; c = argmin(i)(x(i)) : i < 0; d = prod(i)(x(i)) : i < 0",
          n_is(2));
  CHECK(r["a"] == Numbers{0});
  CHECK(r["b"] == Numbers{2147483647});
  CHECK(r["c"] == Numbers{-1});
  CHECK(r["d"] == Numbers{1});
}

TEST_CASE("guards keep reads in range") {
  CHECK(run("tensor x(n); tensor y(n)\ny(i) = 0 < i && x(i-1) > 1 ? x(i-1) : 7", n_is(3), {{"x", {1, 2, 3}}})["y"] ==
        Numbers{7, 7, 2});
  CHECK(run("tensor x(n); tensor y(n)\ny(i) = x(i-1)", n_is(3)).problem() == "E0104");
}

TEST_CASE("integers wrap, round down and fault") {
  CHECK(run("tensor x(n): u8; tensor y(n): u8\ny(i) = x(i) + 1", n_is(1), {{"x", {255}}})["y"] == Numbers{0});
  CHECK(run("tensor x(n): i32; tensor y(n): i32\ny(i) = x(i)/2*10 + x(i)%4", n_is(1), {{"x", {-7}}})["y"] ==
        Numbers{-39});
  CHECK(run("tensor x(n): i32; tensor y(n): i32\ny(i) = 1/x(i)", n_is(1)).problem() == "E0502");
}

TEST_CASE("what no equation defines keeps the loaded value") {
  CHECK(run("tensor x(n)\nx(i) = 2*x(i+1) : i%2 = 0", n_is(4), {{"x", {0, 5, 0, 6}}})["x"] == Numbers{10, 5, 12, 6});
}

TEST_CASE("reductions with bounds that only later variables give") {
  CHECK(run("tensor x(n): i64\ns = sum(i,j)(x(i)*x(j)) : i < j", n_is(3), {{"x", {1, 2, 3}}})["s"] == Numbers{11});
  CHECK(run("s = sum(i,j)(1) : 0 <= i < j < 4")["s"] == Numbers{6});
}

TEST_CASE("a definition that needs itself, and one that exists twice") {
  Run cycle = run("tensor x(n)\nx(i) = x((i+1)%3) : i < 3", n_is(3));
  CHECK(cycle.problem() == "E0102");
  Run twice = run("tensor x(n)\nx(i) = 1 : i < 2; x(i) = 2 : i > 0", n_is(3));
  REQUIRE(twice.problem() == "E0103");
  CHECK(twice.evaluation.problem->instance->element == std::vector<std::int64_t>{1});
  CHECK(check::confirms(*twice.program, twice.kernel(), *twice.evaluation.problem->instance));
}

TEST_CASE("a chain of a million elements is no recursion") {
  const Run r = run("tensor x(n): i64\nx(i) = x(i+1) + 1 : i+1 < n", n_is(1'000'000));
  CHECK(r.evaluation.results.at("x").get_flat(0).integer == 999'999);
}

TEST_CASE("an instance is confirmed when its read and its write are real") {
  const Run r = run("tensor V(n, m): i64\nV(i,0) = 1; V(i,j) = max(k)(V(k,j-1)) : 1 <= j");
  text::Instance instance{"V", {{"i", 0}, {"j", 1}, {"k", 1}}, {1, 0}, {{"i", 1}}, {{"n", 2}, {"m", 2}}};
  CHECK(check::confirms(*r.program, r.kernel(), instance));
  instance.element = {0, 0};
  CHECK(!check::confirms(*r.program, r.kernel(), instance));
}

TEST_CASE("comparison finds the first difference and treats not-a-numbers as equal") {
  Run r = run("tensor x(n); tensor y(n)\ny(i) = sqrt(x(i))", n_is(3), {{"x", {4, -1, 9}}});
  auto after = r.evaluation.results;
  CHECK(!check::compare(*r.program, r.kernel(), r.before, after).first);
  after.at("y") = after.at("y").clone();
  after.at("y").set_flat(2, format::Value::of(format::ScalarType::f64, 3.5));
  const check::Report report = check::compare(*r.program, r.kernel(), r.before, after);
  REQUIRE(report.first);
  CHECK(report.first->index == tensor::Index{2});
  CHECK(report.max_rel_error == doctest::Approx(0.5 / 3));
}

TEST_CASE("large kernels are sampled, their corners always") {
  Run r = prepare("tensor A(n, n); tensor B(n, n); tensor C(n, n)\nC(i,j) = sum(k)(A(i,k)*B(k,j))", n_is(1010));
  CHECK(check::estimate_terms(*r.program, r.kernel(), r.before) == doctest::Approx(1010.0 * 1010 * 1011));
  std::map<std::string, tensor::Tensor> after{{"C", r.before.tensors.at("C").clone()}};
  check::Report report = check::compare(*r.program, r.kernel(), r.before, after);
  CHECK(report.coverage == check::Report::Coverage::sampled);
  CHECK(report.elements == 10'004);
  CHECK(!report.first);
  after.at("C").set_flat(1009, format::Value::of(format::ScalarType::f64, 1));
  report = check::compare(*r.program, r.kernel(), r.before, after);
  REQUIRE(report.first);
  CHECK(report.first->index == tensor::Index{0, 1009});
}

TEST_CASE("a mask leaves out what it does not store") {
  const std::string tensors = "tensor A(n, n); tensor M(n, n): csr; tensor L(n, n)\n";
  const auto masked = [&](const std::string& kernel) {
    Run r = prepare(tensors + kernel, n_is(2), {{"A", {1, 2, 3, 4}}, {"L", {9, 9, 9, 9}}});
    auto pattern = tensor::Tensor::create(format::ScalarType::f64, {2, 2}, format::Format::dense(2),
                                          format::Value::of(format::ScalarType::f64, 0));
    for (const int at : {1, 2}) pattern->set_flat(at, format::Value::of(format::ScalarType::f64, 5));
    r.before.tensors["M"] = *with_format(*pattern, *format::Format::named("csr", 2));
    r.evaluation = check::evaluate(*r.program, r.kernel(), r.before);
    return r["L"];
  };
  CHECK(masked("L(i,j) = 2 * A(i,j)\nmask L M") == Numbers{9, 4, 6, 9});
  CHECK(masked("loops { for i, j { L(i,j) += A(i,j) } }\nmask L M") == Numbers{9, 11, 12, 9});
}

TEST_CASE("a long evaluation ends when it is interrupted") {
  for (const char* kernel :
       {"x(0) = sum(i, j)(A(i,j)) + sum(i, j)(A(j,i))", "loops { for k in 0:1000 { for i, j { x(0) += A(i,j) } } }"}) {
    const Run r = prepare("tensor A(n, n); tensor x(1)\n" + std::string(kernel), n_is(1500));
    int asked = 0;
    const auto evaluation = check::evaluate(*r.program, r.kernel(), r.before, [&] { return ++asked == 2; });
    REQUIRE(evaluation.problem);
    CHECK(evaluation.problem->code == "E0506");
    CHECK(asked == 2);
  }
}
