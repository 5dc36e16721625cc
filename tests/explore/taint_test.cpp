// What undefined elements spoil.
#include "engine/explore/taint.hpp"

#include "engine/loop/interpret.hpp"
#include "tests/loop/notation.hpp"

using namespace trellis;
using explore::Taint;

namespace {

explore::Trace::Touch element(const char* tensor, std::int64_t at, bool early = false) {
  return {tensor, {at}, format::Value::of(format::ScalarType::f64, 1), early};
}

explore::Trace::Step copy(explore::Trace::Touch from, explore::Trace::Touch to) {
  explore::Trace::Step step;
  step.reads = {std::move(from)};
  step.write = std::move(to);
  return step;
}

/// Of a nest over x, y and L of 3, and m = 2, of which nothing has written y.
explore::Trace traced(const std::string& notation) {
  loop::Bindings bindings;
  for (const auto& [name, size] : {std::pair("n", 3), std::pair("m", 2)})
    bindings.parameters[name] = format::Value::of_integer(format::ScalarType::i64, size);
  for (const char* name : {"x", "y"})
    bindings.tensors.insert_or_assign(
        name, *tensor::Tensor::create(format::ScalarType::f64, {3}, format::Format::dense(1), {}));
  return explore::trace(loop::testing::loops(notation), bindings, {"y"}, 100);
}

}  // namespace

TEST_CASE("taint: an undefined element spoils what is computed of it, until that is written anew") {
  explore::Trace trace;
  trace.steps = {copy(element("x", 0), element("V", 0)),        // of an operand
                 copy(element("V", 2, true), element("V", 1)),  // of nothing
                 copy(element("V", 1), element("W", 0)),        // of that
                 copy(element("V", 0), element("W", 1)),       copy(element("x", 0), element("V", 1)),
                 copy(element("V", 1), element("W", 0))};
  CHECK(explore::taints(trace, {"x"}).steps ==
        std::vector<Taint>{Taint::none, Taint::undefined, Taint::undefined, Taint::none, Taint::none, Taint::none});
}

TEST_CASE("taint: what is not complete is stale, not undefined, and what begins afresh is clean") {
  explore::Trace trace;
  trace.steps = {copy(element("x", 0), element("V", 0)), copy(element("V", 0, true), element("t", 0)),
                 copy(element("x", 3, true), element("W", 0))};
  explore::Trace::Step begins;
  begins.starts = "t";
  begins.filled = format::Value::of(format::ScalarType::f64, 0);
  trace.steps.push_back(begins);
  trace.steps.push_back(copy(element("t", 0), element("W", 1)));
  CHECK(explore::taints(trace, {"x"}).steps ==
        std::vector<Taint>{Taint::none, Taint::stale, Taint::stale, Taint::none, Taint::none});
}

TEST_CASE("taint: a condition on what is spoiled spoils what it decides about, whether it holds or not") {
  explore::Trace trace;
  trace.steps = {copy(element("x", 0), element("from", 0)), copy(element("x", 0), element("from", 1)),
                 copy(element("x", 1), element("from", 0)), copy(element("from", 1), element("W", 0))};
  // if V(1) > … { from(0) = …, after from(1) }, and the same of from(1), where it does not hold
  trace.premises = {{2, {}, {element("V", 1, true)}, true, {element("from", 0)}},
                    {3, {}, {element("V", 1, true)}, true, {element("from", 1), element("from", 2)}}};
  trace.steps[2].premises = {0};
  const explore::Taints taints = explore::taints(trace, {"x"});
  CHECK(taints.steps == std::vector<Taint>{Taint::none, Taint::none, Taint::undefined, Taint::undefined});
  REQUIRE(taints.chosen.size() == 2);
  CHECK(taints.chosen[1].step == 3);
  CHECK(taints.chosen[1].element == tensor::Index{1});
  CHECK(taints.chosen[1].taint == Taint::undefined);
}

TEST_CASE("taint: where `until` rests on what is spoiled, so does every iteration behind it") {
  const explore::Trace trace = traced("for i in 0:n until y(0) > 1 { x(i) = 1 }");
  CHECK(explore::taints(trace, {"x"}).steps == std::vector<Taint>{Taint::none, Taint::undefined, Taint::undefined});
  // Each time that the loop begins, its first iteration is done whatever the ones before have come to.
  const explore::Trace twice = traced("for j in 0:m { for i in 0:n until y(0) > 1 { x(i) = 1 } }");
  CHECK(explore::taints(twice, {"x"}).steps == std::vector<Taint>{Taint::none, Taint::undefined, Taint::undefined,
                                                                  Taint::none, Taint::undefined, Taint::undefined});
}

TEST_CASE("taint: what a loop left as it is, because it ended on what is spoiled, is spoiled") {
  const explore::Taints taints =
      explore::taints(traced("for t in 0:m until y(0) == 0 { for i in 0:n { x(i) = t } }"), {"x"});
  CHECK(taints.steps == std::vector<Taint>(3, Taint::none));
  REQUIRE(taints.chosen.size() == 3);
  CHECK(taints.chosen[2].step == 3);
  CHECK(taints.chosen[2].element == tensor::Index{2});
  // Its own value, which the next iteration changes, is not read too early.
  const explore::Trace trace = traced("for t in 0:m until x(0) > 5 { x(0) = t }");
  CHECK(explore::taints(trace, {"x"}).steps == std::vector<Taint>(2, Taint::none));
}
