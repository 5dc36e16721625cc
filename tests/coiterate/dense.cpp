// Dense loops as control flow: what `show flow` prints.

#include <doctest/doctest.h>

#include "engine/coiterate/lower.hpp"
#include "engine/flow/promote_accumulators.hpp"

using namespace trellis;
using format::BinaryOp;
using format::ScalarType;

namespace {

lang::Expr access_to(const std::string& tensor, std::vector<lang::Expr> indices, ScalarType type = ScalarType::f64) {
  return lang::Expr({lang::Access{tensor, std::move(indices), std::nullopt}, type, {}});
}

loop::Stmt make(decltype(loop::StmtNode::is) node) { return loop::Stmt({std::move(node), {}}); }

loop::Stmt loop_over(const std::string& variable, std::vector<loop::Stmt> body) {
  loop::For f;
  f.variable = variable;
  f.low = lang::integer(0);
  f.high = lang::Expr({lang::Parameter{"n"}, ScalarType::i64, {}});
  f.body = loop::block(std::move(body));
  return make(f);
}

lang::TensorInfo info(const std::string& name, int rank, ScalarType type = ScalarType::f64) {
  lang::TensorInfo t;
  t.name = name;
  t.type = type;
  t.format = format::Format::dense(rank);
  for (int k = 0; k < rank; ++k) t.shape.push_back(math::Affine::name("n"));
  return t;
}

lang::Program program() {
  lang::Program p;
  p.parameters.push_back({"n", false, {}, {}});
  p.tensors = {info("A", 2), info("x", 1), info("a", 1, ScalarType::i64), info("y", 1)};
  p.tensors[0].format.order = {1, 0};
  return p;
}

std::string flow_text(const loop::Stmt& loops) {
  const flow::Flow flow = coiterate::lower(loop::number(loops), program(), "main").flow;
  CHECK(flow::verify(flow) == "");
  return flow::print(flow).characters;
}

const lang::Expr i = lang::variable("i"), j = lang::variable("j");

}  // namespace

TEST_CASE("coordinates are those of levels: a column-major matrix swaps them") {
  const auto product = lang::binary(BinaryOp::multiply, access_to("A", {i, j}), access_to("x", {j}));
  const auto update = make(loop::Assign{access_to("y", {i}), format::ReduceOp::sum, product});
  CHECK(flow_text(loop_over("j", {loop_over("i", {update})})) ==
        "size n\noperand A[n][n]: f64 @ (1, 0)\noperand x[n]: f64\nresult y[n]: f64\n"
        "loop j in 0:n\n  loop i in 0:n\n    y[i] += A[j][i] * x[j]\n");
}

TEST_CASE("indices that depend on data are checked, and those that check_indices has marked") {
  const auto element = access_to("a", {i}, ScalarType::i64);
  const auto direct = make(loop::Assign{access_to("y", {i}), {}, access_to("x", {element})});
  CHECK(flow_text(loop_over("i", {direct})).find("y[i] = x[a[i] checked]") != std::string::npos);
  const auto through = [&](const lang::Expr& index) {
    const auto assign = make(loop::Assign{access_to("y", {i}), {}, access_to("x", {index})});
    return flow_text(loop_over("i", {make(loop::Let{"p", element, loop::block({assign})})}));
  };
  const lang::Expr p = lang::variable("p");
  CHECK(through(p).find("y[i] = x[p]") != std::string::npos);
  CHECK(through(lang::Expr(lang::ExprNode{lang::Cast{p}, ScalarType::i64, {}})).find("y[i] = x[i64(p) checked]") !=
        std::string::npos);
}

TEST_CASE("temporaries of one name but different shapes in different blocks stay apart") {
  auto use = [&](int rank) {
    const std::vector<lang::Expr> indices(static_cast<std::size_t>(rank), i);
    return loop_over("i", {make(loop::Declare{info("t", rank)}),
                           make(loop::Assign{access_to("t", indices), {}, access_to("x", {i})})});
  };
  const std::string text = flow_text(loop::block({use(0), use(1)}));
  CHECK(text.find("temporary t: f64\ntemporary t_2[n]: f64\n") != std::string::npos);
  CHECK(text.find("declare t_2\n  t_2[i] = x[i]") != std::string::npos);
}

TEST_CASE("an accumulator is promoted unless another access may be the same element") {
  auto promoted = [&](const lang::Expr& value) {
    const auto update = make(loop::Assign{access_to("y", {i}), format::ReduceOp::sum, value});
    const auto loops = loop::number(loop_over("i", {loop_over("j", {update})}));
    const auto flow = flow::promote_accumulators(coiterate::lower(loops, program(), "main").flow);
    CHECK(flow::verify(flow) == "");
    return flow::print(flow).characters.find("y_i += ") != std::string::npos;
  };
  CHECK(promoted(access_to("x", {j})));
  CHECK(promoted(access_to("y", {i})));
  CHECK(promoted(access_to("y", {lang::binary(BinaryOp::subtract, i, lang::integer(1))})));
  CHECK_FALSE(promoted(access_to("y", {j})));
}

TEST_CASE("an accumulator is not touched before its loop when it may not exist") {
  // y(i - 1) is in range only where the inner loop runs.
  loop::For inner =
      *loop_over("j", {make(loop::Assign{access_to("y", {lang::binary(BinaryOp::subtract, i, lang::integer(1))}),
                                         format::ReduceOp::sum, access_to("x", {j})})})
           .as<loop::For>();
  inner.high = i;
  const auto loops = loop::number(loop_over("i", {make(inner)}));
  const auto flow = coiterate::lower(loops, program(), "main").flow;
  CHECK(flow::promote_accumulators(flow).root == flow.root);
}
