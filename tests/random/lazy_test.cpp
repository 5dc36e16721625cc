// Random lazy arrays: what is built means what NumPy computes, rewriting leaves it the same, and so does the engine, on
// operands in any format.
#include <doctest/doctest.h>

#include "engine/lazy/queries.hpp"
#include "engine/lazy/rewrite.hpp"
#include "tests/lazy/generate.hpp"
#include "tests/lazy/tables.hpp"
#include "tests/random/wanted.hpp"

namespace trellis::lazy {
namespace {

using randomised::Dice;
using randomised::first_seed;
using randomised::wanted;

/// An expression with its operands, and what it comes to.
struct Trial {
  Pair pair;
  Tensors operands;
  bool finite;  ///< with all that is on the way: nothing is promised of others

  Trial(Dice& dice, Wishes wishes, int most_deep) : Trial(Generator(dice, wishes), dice, most_deep) {}

  const Expr& expr() const { return pair.lazy.expr(); }
  std::string text() const { return to_string(pair.lazy.query("R")); }
  DenseArray expected() const { return {pair.lazy.axes(), pair.computed.type, pair.computed.values}; }

 private:
  Trial(Generator generator, Dice& dice, int most_deep)
      : pair(made(generator, dice, most_deep)),
        operands(generator.operands()),
        finite(is_finite_within(pair.lazy.expr(), operands)) {}

  static Pair made(Generator& generator, Dice& dice, int most_deep) {
    const Sizes shape = generator.shape();
    const Pair pair = generator.make(shape, generator.type(), 1 + dice.below(most_deep));
    if (pair.lazy.shape() == shape) return pair;
    return {broadcast_to(pair.lazy, shape), nd_broadcast(pair.computed, shape)};
  }
};

std::string difference(const DenseArray& expected, const DenseArray& got, Exactness how) {
  for (std::size_t k = 0; k < expected.values.size(); ++k) {
    const format::Value &a = expected.values[k], &b = got.values[k];
    if (how == Exactness::exact ? a == b : alike(a, b)) continue;
    return "element " + std::to_string(k) + " is " + format::to_string(b) + ", not " + format::to_string(a);
  }
  return expected.type == got.type ? "" : "the type is " + std::string(format::name_of(got.type));
}

/// Up to so many random steps, one after the other.
Expr rewritten_at_random(Expr expr, Dice& dice, int steps) {
  for (; steps > 0; --steps) {
    const std::vector<Rewritten> next = rewritings(expr);
    if (next.empty()) break;
    expr = dice.pick(next).expr;
  }
  return expr;
}

std::string on_engine(const Trial& trial, const Expr& expr, Dice& dice) {
  Query query = trial.pair.lazy.query("R");
  query.expr = expr;
  if (dice.chance(40)) query.format = random_storage(dice, static_cast<int>(query.fields.size()));
  const Plan plan = dice.chance(70) ? with_kept({query}) : Plan{{query}, {"R"}};
  std::string wrong;
  const Tensors results = run_plan(plan, trial.operands, wrong);
  if (wrong.empty()) wrong = difference(trial.expected(), results.at("R"));
  return wrong.empty() ? "" : to_string(plan) + wrong;
}

}  // namespace

TEST_CASE("random lazy arrays mean what arrays compute") {
  int finite = 0;
  const int count = wanted(2000);
  for (int n = 0; n < count; ++n) {
    Dice dice(first_seed(410000) + static_cast<std::uint64_t>(n));
    const Trial trial(dice, {}, 3);
    CAPTURE(n);
    CAPTURE(trial.text());
    CHECK(trial.pair.computed.type == trial.expr()->type);
    if (!trial.finite) continue;
    ++finite;
    const DenseArray meant = dense(trial.expr(), trial.operands, trial.pair.lazy.axes());
    CHECK(difference(trial.expected(), meant, Exactness::exact) == "");
  }
  CHECK(finite > count / 2);
}

TEST_CASE("random rewriting leaves elements the same, bit for bit where it says so") {
  int exact = 0, rounding = 0;
  const int count = wanted(1200);
  for (int n = 0; n < count; ++n) {
    Dice dice(first_seed(420000) + static_cast<std::uint64_t>(n));
    const Trial trial(dice, {true, dice.chance(50)}, 3);
    if (!trial.finite) continue;
    const DenseArray before = dense(trial.expr(), trial.operands);
    for (const Rewritten& step : rewritings(trial.expr())) {
      CAPTURE(n);
      CAPTURE(to_string(trial.expr()));
      CAPTURE(to_string(step.expr));
      CAPTURE(step.rule);
      (step.how == Exactness::exact ? exact : rounding) += 1;
      CHECK(step.expr->type == trial.expr()->type);
      CHECK(without(step.expr->fields, trial.expr()->fields).empty());
      if (!is_finite_within(step.expr, trial.operands)) continue;
      CHECK(difference(before, dense(step.expr, trial.operands, before.fields), step.how) == "");
    }
  }
  CHECK(exact > count / 4);
  CHECK(rounding > count / 40);
}

TEST_CASE("random lazy arrays on the engine, in random formats, before and after rewriting") {
  for (int n = 0; n < wanted(200); ++n) {
    Dice dice(first_seed(430000) + static_cast<std::uint64_t>(n));
    const Trial trial(dice, {false}, 3);
    if (!trial.finite) continue;
    CAPTURE(n);
    CHECK(on_engine(trial, trial.expr(), dice) == "");
    CHECK(on_engine(trial, rewrite(trial.expr(), Exactness::rounds).expr, dice) == "");
    CHECK(on_engine(trial, rewritten_at_random(trial.expr(), dice, 4), dice) == "");
  }
}

}  // namespace trellis::lazy
