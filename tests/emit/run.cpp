// Whole kernels on both back ends: what the text tests show also runs, with the same result.

#include <doctest/doctest.h>

#include "engine/flow/promote_accumulators.hpp"
#include "engine/flow/share_updates.hpp"
#include "tests/emit/flows.hpp"

using namespace flows;

namespace {

std::vector<double> numbers(const tensor::Tensor& t) {
  std::vector<double> all;
  for (std::int64_t k = 0; k < t.count(); ++k) all.push_back(t.get_flat(k).real);
  return all;
}

constexpr run::Backend backends[] = {run::Backend::jit, run::Backend::native};

}  // namespace

TEST_CASE("loops run downwards, temporaries carry values, and empty sizes are fine") {
  // w(i) = x(i); y(i) = w(i) + y(i+1), from the end: suffix sums.
  const Expr n = size("n"), i = var("i");
  flow::Loop down{{num(0), n - num(1), flow::Loop::Direction::down},
                  {},
                  {},
                  "i",
                  seq({set("y", {i}, get("w", {i}) + get("y", {i + num(1)}))})};
  const auto f =
      flow_of("suffix", {"n"}, {array("x", {n}, operand), array("y", {n}, result), array("w", {n}, temporary)},
              {declare("w"), loop("i", num(0), n, {set("w", {i}, get("x", {i})), set("y", {i}, get("x", {i}))}),
               Stmt({down, {}})});
  const emit::Module module = emit::emit(f);
  for (run::Backend backend : backends) {
    run::Bindings bindings;
    bindings.sizes["n"] = 4;
    bindings.arrays = {{"x", reals({1, 2, 3, 4})}, {"y", reals({0, 0, 0, 0})}};
    REQUIRE(execute(module, bindings, backend).status == run::Outcome::Status::ok);
    CHECK(numbers(bindings.arrays["y"]) == std::vector<double>{10, 9, 7, 4});
    bindings.sizes["n"] = 0;
    CHECK(execute(module, bindings, backend).status == run::Outcome::Status::ok);
  }
}

TEST_CASE("parallel iterations have their own temporaries, and reduce together") {
  // w(j) = x(i) * j, of each iteration's own; s += w(2).
  const Expr n = size("n"), i = var("i"), j = var("j");
  const Expr scaled = get("x", {i}) * typed(ScalarType::f64, flow::Cast{j});
  flow::Loop parallel{{num(0), n},
                      {flow::Loop::Execution::parallel, {"s"}},
                      {},
                      "i",
                      seq({declare("w"), loop("j", num(0), n, {set("w", {j}, scaled)}),
                           update(ReduceOp::sum, "s", {}, get("w", {num(2)}))})};
  const auto f = flow_of("total", {"n"}, {array("x", {n}, operand), array("s", {}, result), array("w", {n}, temporary)},
                         {Stmt({parallel, {}})});
  const emit::Module module = emit::emit(flow::share_updates(flow::promote_accumulators(f)));
  for (run::Backend backend : backends) {
    run::Bindings bindings;
    bindings.sizes["n"] = 4;
    bindings.arrays = {
        {"x", reals({1, 2, 3, 4})},
        {"s", *tensor::Tensor::create(ScalarType::f64, {}, format::Format::dense(0), Value::of(ScalarType::f64, 1))}};
    REQUIRE(execute(module, bindings, backend).status == run::Outcome::Status::ok);
    CHECK(bindings.arrays["s"].get_flat(0).real == 21);
  }
}

TEST_CASE("bounds that read arrays are evaluated once, and reset fills every element") {
  const Expr n = size("n"), i = var("i");
  const Expr end = typed(ScalarType::i64, flow::Cast{get("y", {num(0)})});
  const auto f =
      flow_of("fill", {"n"}, {array("y", {n}, result)},
              {Stmt({flow::Reset{"y", flow::constant(Value::of(ScalarType::f64, 2))}, {}}),
               loop("i", num(0), end, {set("y", {i}, get("y", {i}) + flow::constant(Value::of(ScalarType::f64, 1)))})});
  const emit::Module module = emit::emit(f);
  for (run::Backend backend : backends) {
    run::Bindings bindings;
    bindings.sizes["n"] = 4;
    bindings.arrays = {{"y", reals({0, 0, 0, 0})}};
    REQUIRE(execute(module, bindings, backend).status == run::Outcome::Status::ok);
    CHECK(numbers(bindings.arrays["y"]) == std::vector<double>{3, 3, 2, 2});
  }
}
