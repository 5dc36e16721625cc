// Ranks that are compiled: the C of one, and its results and messages as threads of a child beside those of all ranks
// in step.
#include <doctest/doctest.h>

#include "engine/distribute/execute.hpp"
#include "engine/distribute/print.hpp"
#include "engine/tensor/convert.hpp"
#include "tests/distribute/filled.hpp"
#include "tests/distribute/on_threads.hpp"

using namespace trellis;
using namespace trellis::distribute::testing;

namespace {

/// The same results, bit for bit, and as many elements in as many messages.
void agrees(const Made& m, std::vector<std::int64_t> grid, const distribute::Numbers& sizes,
            run::Backend backend = run::Backend::jit) {
  REQUIRE_MESSAGE(m.plan, m.errors);
  CHECK(distribute::not_compiled(*m.plan) == "");
  const loop::Bindings expected = filled(m, sizes), own = filled(m, sizes);
  const auto cuts = distribute::cut(*m.plan, std::move(grid), sizes);
  const distribute::InStep in_step = distribute::run_in_step(*m.plan, *cuts, expected);
  CHECK(in_step.astray == "");
  const OnThreads ran = run_on_threads(*m.compilation, *cuts, own.parameters, own.tensors, backend);
  CHECK(ran.problem == "");
  for (const std::string& name : m.compilation->kernel.results())
    CHECK_MESSAGE(same(own.tensors.at(name), expected.tensors.at(name)), name);
  REQUIRE(ran.sent.size() == in_step.sent.size());
  for (std::size_t k = 0; k < ran.sent.size(); ++k) {
    CHECK(ran.sent[k].elements == in_step.sent[k].elements);
    CHECK(ran.sent[k].messages == in_step.sent[k].messages);
    CHECK(ran.sent[k].executions == in_step.sent[k].executions);
  }
}

std::string c_of(const Made& m) {
  text::Diagnostics diagnostics;
  const auto of_rank = session::compiled_for_ranks(*m.compilation, diagnostics);
  return of_rank ? of_rank->module.shown.characters : "";
}

}  // namespace

TEST_CASE("a rank of heat asks for its ghosts in each step, in between the ends of its part") {
  const std::string c = c_of(made(heat));
  mentions(c, "ranks->key[0] = floor_mod_i64(t, 2);");
  mentions(c, "ranks->start(ranks, 0, u_steps);");
  mentions(c, "ranks->finish(ranks, 0, u_steps);");
  mentions(c, "hi_p");
}

TEST_CASE("heat on 1 to 12 threads has the bits and the messages of ranks in step") {
  const Made m = made(heat);
  for (std::int64_t ranks = 1; ranks <= 12; ++ranks) {
    CAPTURE(ranks);
    agrees(m, {ranks}, {{"n", 10}, {"steps", 7}});
  }
}

TEST_CASE("heat by the native back end") { agrees(made(heat), {3}, {{"n", 30}, {"steps", 7}}, run::Backend::native); }

TEST_CASE("heat in two dimensions, by rows and on a grid") {
  agrees(made(heat_2d + "ranks p\ndistribute i over p\n"), {4}, {{"n", 9}, {"steps", 3}});
  const Made m = made(heat_2d + "ranks p q\ndistribute i over p\ndistribute j over q\n");
  agrees(m, {2, 3}, {{"n", 9}, {"steps", 3}});
  agrees(m, {4, 1}, {{"n", 5}, {"steps", 2}});
}

TEST_CASE("sums are added in the order of ranks") {
  const Made m = made(
      "param n = 8\ntensor x(n)\ntensor s\nloops { for i in 0:n { s += x(i) / 3 } }\nranks p\n"
      "distribute i over p\n");
  for (const std::int64_t ranks : {1, 3, 5}) agrees(m, {ranks}, {{"n", 8}});
}

TEST_CASE("what a rank adds to elements of others goes to them") {
  const Made m = made(
      "param n = 8\ntensor x(n)\ntensor y(n)\nloops { for i in 0:n-1 { y(i) += x(i) / 3\n y(i+1) += x(i) / 7 } }\n"
      "ranks p\ndistribute i over p\n");
  for (const std::int64_t ranks : {1, 2, 5}) agrees(m, {ranks}, {{"n", 8}});
}

TEST_CASE("sections of more than one kind: reversed, every other one, a row from one to all") {
  agrees(made("param n = 30\ntensor x(n)\ntensor y(n)\ny(i) = x(n-1-i)\nranks p\ndistribute i over p\n"), {3},
         {{"n", 30}});
  agrees(made("param n = 12\ntensor x(2*n)\ntensor y(n)\ny(i) = x(2*i+1)\nranks p\ndistribute i over p\n"), {5},
         {{"n", 12}});
  const Made row = made(
      "param n = 6\ntensor D(n, n)\ntensor v(n)\nloops { for t in 0:n { for j in 0:n { v(j) = D(t,j) }\n"
      "for i in 0:n { for j in 0:n { D(i,j) min= D(i,t) + v(j) } } } }\n" +
      along_p);
  agrees(row, {4}, {{"n", 6}});
  CHECK(row.exchange("D")->pattern == "from one");
}

TEST_CASE("sizes that differ by a number are cut at the same places") {
  const Made m = made("param n = 7\ntensor x(n+1)\ntensor y(n)\ny(i) = x(i) + x(i+1)\n" + along_p);
  for (const std::int64_t ranks : {1, 3, 8}) agrees(m, {ranks}, {{"n", 7}});
}

TEST_CASE("of what goes through a sparse operand ranks are sent what their rows have") {
  const std::string source =
      "param n = 12\ntensor A(n, n): csr\ntensor x(n)\ntensor y(n)\ny(i) = sum(k)(A(i,k) * x(k))\n" + along_p;
  const Made m = made(source);
  REQUIRE_MESSAGE(m.plan, m.errors);
  const distribute::Numbers sizes{{"n", 12}};
  const auto tridiagonal = [&] {
    loop::Bindings all = filled(m, sizes);
    tensor::Tensor whole = tensor::Tensor::create(format::ScalarType::f64, {12, 12}, format::Format::dense(2),
                                                  format::Value::of(format::ScalarType::f64, 0))
                               .value();
    for (std::int64_t i = 0; i < 12; ++i)
      for (std::int64_t k = std::max<std::int64_t>(0, i - 1); k < std::min<std::int64_t>(12, i + 2); ++k)
        whole.set(tensor::Index{i, k}, format::Value::of(format::ScalarType::f64, static_cast<double>(i + k + 1)));
    all.tensors.insert_or_assign(
        "A", tensor::convert(whole, all.tensors.at("A").format(), tensor::ExplicitFills::dropped, std::size_t{1} << 20)
                 .value());
    return all;
  };
  const loop::Bindings expected = tridiagonal(), own = tridiagonal();
  const auto cuts = distribute::cut(*m.plan, {3}, sizes);
  const distribute::InStep in_step = distribute::run_in_step(*m.plan, *cuts, expected);
  const OnThreads ran = run_on_threads(*m.compilation, *cuts, own.parameters, own.tensors);
  CHECK(ran.problem == "");
  CHECK(same(own.tensors.at("y"), expected.tensors.at("y")));
  REQUIRE(ran.sent.size() == 1);
  CHECK(in_step.sent.front().elements == 24);  // all that others have
  CHECK(ran.sent.front().elements == 4);       // a neighbour's on either side
  CHECK(ran.sent.front().messages == 4);
}
