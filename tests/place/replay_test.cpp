// An illegal order followed all the same: its replay reads too early exactly when the order is illegal.
#include <doctest/doctest.h>

#include <algorithm>

#include "engine/check/reference.hpp"
#include "engine/loop/print.hpp"
#include "engine/math/points.hpp"
#include "tests/place/early_reads.hpp"
#include "tests/place/kernels.hpp"
#include "tests/place/sources.hpp"

using namespace trellis;
using namespace trellis::place;

namespace {

constexpr std::int64_t size = 4;

/// All parameters are of that size, all elements 1.
loop::Bindings ones(const lang::Program& program) {
  loop::Bindings bindings;
  for (const lang::ParameterInfo& p : program.parameters)
    bindings.parameters[p.name] = format::Value::of_integer(format::ScalarType::i64, size);
  for (const lang::TensorInfo& info : program.tensors) {
    tensor::Index shape;
    for (const math::Affine& extent : info.shape) {
      shape.push_back(extent.evaluate([](const std::string&) { return std::optional<std::int64_t>(size); }).value());
    }
    bindings.tensors[info.name] =
        tensor::Tensor::create(info.type, shape, info.format, format::Value::of_integer(info.type, 1)).value();
  }
  return bindings;
}

EarlyReads interpreted(const Analysis& analysis, const loop::Stmt& nest) {
  loop::Options options;
  const auto results = analysis.kernel.results();
  options.poisoned = {results.begin(), results.end()};
  options.undefined = loop::Options::Undefined::allow;
  EarlyReads early;
  const loop::Execution execution = loop::interpret(nest, ones(analysis.program), options, &early);
  CHECK(execution.end == loop::Execution::End::finished);
  return early;
}

void check_replay(const Analysis& analysis, const lang::Order& order) {
  CAPTURE(lang::to_string(order));
  const Placement placement = place::place(analysis, order);
  const auto replay = place_ignoring(analysis, order);
  REQUIRE(replay);
  CAPTURE(loop::to_string(replay->nest));
  const auto* placed = std::get_if<Placed>(&placement);
  CHECK(replay->violated.empty() == (placed != nullptr));
  CHECK(interpreted(analysis, replay->nest).any() == (placed == nullptr));
  if (placed) CHECK(loop::to_string(replay->nest) == loop::to_string(placed->nest));
  for (const Violation& v : replay->violated) {
    if (analysis.fragments.fragments[static_cast<std::size_t>(v.writer)].temporary) continue;
    CHECK(check::confirms(analysis.program, analysis.kernel, v.instance));
  }
}

/// In all directions.
template <class Use>
void for_each_order(std::vector<std::string> names, Use&& use) {
  std::sort(names.begin(), names.end());
  do {
    for (unsigned down = 0; down < 1u << names.size(); ++down) {
      lang::Order order;
      for (std::size_t k = 0; k < names.size(); ++k) order.push_back({names[k], ((down >> k) & 1u) != 0});
      use(order);
    }
  } while (std::next_permutation(names.begin(), names.end()));
}

Replay replayed(const std::string& source, const std::string& order) {
  auto result = place_ignoring(analysed(source), lang::parse_order(order).value());
  REQUIRE(result);
  return *result;
}

}  // namespace

TEST_CASE("a replay reads too early exactly when its order is illegal, and is the ordinary nest when it is legal") {
  for (const std::string& source : {cholesky, lu, ldl, lower_solve, back_substitution, viterbi, needleman_wunsch,
                                    two_solves, interval, prefix_sum, fibonacci}) {
    CAPTURE(source);
    const Analysis analysis = analysed(source);
    for_each_order(analysis.kernel.variables(), [&](const lang::Order& order) { check_replay(analysis, order); });
  }
}

TEST_CASE("a replay keeps what its order does not violate") {
  const Replay replay = replayed(viterbi, "i j k");
  REQUIRE(replay.violated.size() == 1);
  std::int64_t violated = 0;
  for (const math::Domain& pairs : replay.violated[0].pairs)
    math::for_each_point(pairs, {{"s", 3}, {"m", 3}}, [&](const math::Point&) { ++violated; });
  CHECK(violated == 3);  // k > i, for the one step that reads another
  CHECK(interpreted(analysed(viterbi), replay.nest).undefined > 0);
}

TEST_CASE("notes mark the statements of a replay that read too early") {
  CHECK(loop::to_string(replayed(back_substitution, "i j").nest) == R"(for i in 0:n {
  tensor tx: f64
  tx = 0
  forall j in i + 1:n reduces tx {
    # reads x(j) too early
    tx += U(i,j)*x(j)
  }
  x(i) = (b(i) - tx)/U(i,i)
  # ready x(i)
}
)");
}

TEST_CASE("an order that leaves out a loop has no replay") {
  CHECK(!place_ignoring(analysed(cholesky), lang::parse_order("j k").value()));
}
