// What undefined elements spoil.
#include "engine/explore/taint.hpp"

#include <doctest/doctest.h>

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
