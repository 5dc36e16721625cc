// The reference and the comparison take tensors of any format, in full or in samples.
#include "engine/check/reference.hpp"

#include <doctest/doctest.h>

#include "engine/lang/parse.hpp"
#include "engine/lang/resolve.hpp"
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
    const auto compared = [&](const Tensor& b) { return check::compare(program, program.kernels[0], before, {{"B", b}}); };
    CHECK(compared(diagonal(4, "coo", 6)).elements == 16);
    CHECK_FALSE(compared(diagonal(4, "coo", 6)).first);
    REQUIRE(compared(diagonal(4, "csr", 5)).first);
    CHECK(compared(diagonal(4, "csr", 5)).first->index == Index{0, 0});
  }
}

TEST_CASE("loop programs are evaluated on sparse tensors") {
  const lang::Program program = resolved("param n = 4\ntensor A(n, n)\ntensor B(n, n)\nloops { for i, j { B(i,j) += A(i,j) } }\n");
  const check::State before{{}, {{"A", diagonal(4, "csr", 3)}, {"B", diagonal(4, "csc", 7)}}};
  const check::Evaluation evaluation = check::evaluate(program, program.kernels[0], before);
  REQUIRE_FALSE(evaluation.problem);
  CHECK(evaluation.results.at("B").get(Index{2, 2}) == f64(10));
  CHECK(before.tensors.at("B").get(Index{2, 2}) == f64(7));
}

TEST_CASE("large sparse tensors are sampled, stored elements as well") {
  const std::int64_t n = 1'000'000;
  const lang::Program program = resolved(twice);
  const check::State before{{{"n", Value::of_integer(ScalarType::i64, n)}}, {{"A", diagonal(n, "csr", 3)}, {"B", diagonal(n, "csr", 0)}}};
  const auto compared = [&](double value) { return check::compare(program, program.kernels[0], before, {{"B", diagonal(n, "csr", value)}}); };
  const check::Report right = compared(6);
  CHECK(right.coverage == check::Report::Coverage::sampled);
  CHECK_FALSE(right.problem);
  CHECK_FALSE(right.first);
  CHECK(right.elements > 1000);
  CHECK(compared(5).first.has_value());
}
