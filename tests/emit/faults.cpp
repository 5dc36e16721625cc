// What goes wrong while a kernel runs is recorded with its place in the program, and memory is never left.

#include <doctest/doctest.h>

#include "tests/emit/flows.hpp"

using namespace flows;

namespace {

run::Outcome gather(const std::vector<std::int64_t>& where, run::Backend backend) {
  const Expr i = var("i");
  const Expr index = get("a", {i}, ScalarType::i64);
  const Expr value = typed(ScalarType::f64, flow::Value{"T", checked("T", {index})});
  const emit::Module module =
      emit::emit(flow_of("gather", {"n", "m"},
                         {array("T", {size("m")}, operand), array("a", {size("n")}, operand, ScalarType::i64),
                          array("y", {size("n")}, result)},
                         {loop("i", num(0), size("n"), {set("y", {i}, value)})}));
  REQUIRE(module.sites.size() == 1);
  CHECK(module.sites[0].what == "index a[i] of T");
  run::Bindings bindings;
  bindings.sizes = {{"n", static_cast<std::int64_t>(where.size())}, {"m", 3}};
  std::vector<Value> indices;
  for (std::int64_t w : where) indices.push_back(Value::of_integer(ScalarType::i64, w));
  bindings.arrays["a"] = vector(ScalarType::i64, indices);
  bindings.arrays["T"] = reals({1, 2, 3});
  bindings.arrays["y"] = reals(std::vector<double>(where.size(), 0));
  return execute(module, bindings, backend);
}

}  // namespace

TEST_CASE("an index out of range is a fault at its site, on either side") {
  for (run::Backend backend : {run::Backend::jit, run::Backend::native}) {
    CHECK(gather({0, 2, 1}, backend).status == run::Outcome::Status::ok);
    for (std::int64_t wrong : {-1, 3}) {
      const run::Outcome outcome = gather({0, wrong, 1}, backend);
      CHECK(outcome.status == run::Outcome::Status::fault);
      CHECK(outcome.fault == emit::FaultKind::index_out_of_range);
      CHECK(outcome.site == 0);
    }
  }
}

TEST_CASE("integer division by zero and its overflow are faults") {
  const Expr quotient = get("x", {}, ScalarType::i64) / get("y", {}, ScalarType::i64);
  const emit::Module module =
      emit::emit(flow_of("divide", {},
                         {array("x", {}, operand, ScalarType::i64), array("y", {}, operand, ScalarType::i64),
                          array("z", {}, result, ScalarType::i64)},
                         {set("z", {}, quotient)}));
  auto scalar = [](std::int64_t v) {
    return *tensor::Tensor::create(ScalarType::i64, {}, format::Format::dense(0),
                                   Value::of_integer(ScalarType::i64, v));
  };
  for (run::Backend backend : {run::Backend::jit, run::Backend::native}) {
    auto fault = [&](std::int64_t x, std::int64_t y) {
      run::Bindings bindings;
      bindings.arrays = {{"x", scalar(x)}, {"y", scalar(y)}, {"z", scalar(0)}};
      return execute(module, bindings, backend).fault;
    };
    CHECK(fault(7, -2) == emit::FaultKind::none);
    CHECK(fault(7, 0) == emit::FaultKind::division_by_zero);
    CHECK(fault(INT64_MIN, -1) == emit::FaultKind::division_overflow);
  }
}
