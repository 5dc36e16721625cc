// The reference and the comparison take tensors of any format, in full or in samples.
#include "engine/check/reference.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve/resolve.hpp"
#include "engine/tensor/convert.hpp"

using namespace trellis;
using format::Format;
using format::ScalarType;
using format::Value;
using tensor::Index;
using tensor::Tensor;

namespace {

lang::Program resolved(const std::string& source) {
  text::Sources sources;
  text::Diagnostics sink;
  const int number = sources.add("test", source);
  auto program = lang::resolve(lang::parse(sources, number, sink), sink);
  REQUIRE_MESSAGE(program.has_value(), sink.all().front().message);
  return *program;
}

Value f64(double number) { return Value::of(ScalarType::f64, number); }

/// Holds `values` on its diagonal.
Tensor diagonal(std::int64_t n, const std::string& format, double value) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < n; ++i) numbers.push_back(i);
  const std::vector<double> values(numbers.size(), value);
  tensor::Entries entries;
  entries.count = numbers.size();
  entries.indices = {std::span<const std::int64_t>(numbers), std::span<const std::int64_t>(numbers)};
  entries.values = values.data();
  tensor::PackFailure failure;
  return *tensor::pack(ScalarType::f64, {n, n}, *Format::named(format, 2), f64(0), entries, failure);
}

const char* const twice = "param n = 4\ntensor A(n, n)\ntensor B(n, n)\nB(i,j) = 2 * A(i,j)\n";

}  // namespace

TEST_CASE("the reference reads and writes sparse tensors") {
  const lang::Program program = resolved(twice);
  for (const char* name : {"csr", "csc", "coo", "dcsr"}) {
    const check::State before{{}, {{"A", diagonal(4, name, 3)}, {"B", diagonal(4, name, 7)}}};
    const check::Evaluation evaluation = check::evaluate(program, program.kernels[0], before);
    REQUIRE_FALSE(evaluation.problem);
    CHECK(evaluation.results.at("B").get(Index{2, 2}) == f64(6));
    CHECK(evaluation.results.at("B").get(Index{2, 1}) == f64(0));
    CHECK(before.tensors.at("B").get(Index{2, 2}) == f64(7));
    const auto compared = [&](const Tensor& b) {
      return check::compare(program, program.kernels[0], before, {{"B", b}});
    };
    CHECK(compared(diagonal(4, "coo", 6)).elements == 16);
    CHECK_FALSE(compared(diagonal(4, "coo", 6)).first);
    REQUIRE(compared(diagonal(4, "csr", 5)).first);
    CHECK(compared(diagonal(4, "csr", 5)).first->index == Index{0, 0});
  }
}

TEST_CASE("loop programs are evaluated on sparse tensors") {
  const lang::Program program =
      resolved("param n = 4\ntensor A(n, n)\ntensor B(n, n)\nloops { for i, j { B(i,j) += A(i,j) } }\n");
  const check::State before{{}, {{"A", diagonal(4, "csr", 3)}, {"B", diagonal(4, "csc", 7)}}};
  const check::Evaluation evaluation = check::evaluate(program, program.kernels[0], before);
  REQUIRE_FALSE(evaluation.problem);
  CHECK(evaluation.results.at("B").get(Index{2, 2}) == f64(10));
  CHECK(before.tensors.at("B").get(Index{2, 2}) == f64(7));
}

TEST_CASE("large sparse tensors are sampled, stored elements as well") {
  const std::int64_t n = 1'000'000;
  const lang::Program program = resolved(twice);
  const check::State before{{{"n", Value::of_integer(ScalarType::i64, n)}},
                            {{"A", diagonal(n, "csr", 3)}, {"B", diagonal(n, "csr", 0)}}};
  const auto compared = [&](double value) {
    return check::compare(program, program.kernels[0], before, {{"B", diagonal(n, "csr", value)}});
  };
  const check::Report right = compared(6);
  CHECK(right.coverage == check::Report::Coverage::sampled);
  CHECK_FALSE(right.problem);
  CHECK_FALSE(right.first);
  CHECK(right.elements > 1000);
  CHECK(compared(5).first.has_value());
}

TEST_CASE("where an operand is absent its fill settles an operation, where the same value is stored it does not") {
  const double inf = std::numeric_limits<double>::infinity();
  const auto dense = [](std::int64_t n, double value) {
    auto t = Tensor::create(ScalarType::f64, {n}, Format::dense(1), f64(value));
    return *t;
  };
  const auto at = [&](const std::string& body, Index index, bool loops = false) {
    const std::string head = "param n = 3\ntensor A(n, n)\ntensor B(n, n)\ntensor x(n)\ntensor y(n)\ntensor C(n, n)\n";
    const std::string equation = "C(i,j) = " + body + "\n";
    const lang::Program program = resolved(head + (loops ? "loops { for i, j { " + equation + " } }\n" : equation));
    const check::State before{{},
                              {{"A", diagonal(3, "csr", 0)},
                               {"B", diagonal(3, "coo", 0)},
                               {"x", dense(3, inf)},
                               {"y", dense(3, 0)},
                               {"C", *tensor::to_dense(diagonal(3, "csr", 0))}}};
    const check::Evaluation evaluation = check::evaluate(program, program.kernels[0], before);
    REQUIRE_FALSE(evaluation.problem);
    return evaluation.results.at("C").get(index).real;
  };
  for (const bool loops : {false, true}) {
    CAPTURE(loops);
    CHECK(at("A(i,j) * x(j)", {0, 1}, loops) == 0);
    CHECK(std::isnan(at("A(i,j) * x(j)", {1, 1}, loops)));
    CHECK(at("x(j) * -(2 * A(i,j) + B(i,j))", {0, 1}, loops) == 0);
    CHECK(std::isnan(at("x(j) * (A(i,j) + y(i))", {0, 1}, loops)));
    CHECK(at("A(i,j) / y(j)", {0, 1}, loops) == 0);
    CHECK(std::isnan(at("A(i,j) / y(j)", {1, 1}, loops)));
    CHECK(std::isnan(at("y(i) * x(j)", {0, 1}, loops)));
    CHECK(std::isnan(at("(y(i) < 1 ? A(i,j) : 1) * x(j)", {0, 1}, loops)));
  }
}
