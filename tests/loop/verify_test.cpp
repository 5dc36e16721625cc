// What verify catches, one violation each.

#include "tests/loop/notation.hpp"

using namespace trellis;
using namespace trellis::loop;
using namespace trellis::loop::testing;

namespace {

Stmt make(auto node) { return Stmt(StmtNode{std::move(node), {}}); }
Expr element(const std::string& tensor, std::vector<Expr> indices) {
  return Expr(lang::ExprNode{lang::Access{tensor, std::move(indices), {}}, format::ScalarType::f64, {}});
}
Expr one() { return lang::constant(format::Value::of(format::ScalarType::f64, 1)); }
Expr zero() { return lang::integer(0); }
Stmt loop_over(const std::string& name, Stmt body) {
  For f;
  f.variable = name;
  f.low = zero();
  f.high = lang::integer(3);
  f.body = std::move(body);
  return make(f);
}
std::string broken(const Stmt& stmt) { return verify(block({stmt}), world()); }

}  // namespace

TEST_CASE("verify names what is broken") {
  const Expr i = lang::variable("i");
  CHECK(broken(make(Assign{element("x", {i}), {}, one()})) == "unbound variable i");
  CHECK(broken(loop_over("i", block({loop_over("i", block({}))}))) == "name bound twice on one path: i");
  CHECK(broken(loop_over("i", make(Assign{element("x", {i}), {}, one()}))) == "a body that is no block");
  CHECK(broken(make(Assign{element("q", {}), {}, one()})) ==
        "tensor used outside the block that declares it, or unknown: q");
  CHECK(broken(make(Assign{element("x", {}), {}, one()})) == "wrong number of indices: x");
  CHECK(broken(make(Assign{element("x", {one()}), {}, one()})) == "an index that is no i64: x(1)");
  CHECK(broken(make(Assign{element("p", {zero()}), {}, one()})) == "wrong type of access: p(0)");
  CHECK(broken(make(Assign{element("s", {}), {}, zero()})) == "an assignment of another type: s and 0");
  CHECK(broken(make(Assign{element("s", {}), format::ReduceOp::argmin, one()})) == "an argmin or argmax update");
  CHECK(broken(make(Assign{one(), {}, one()})) == "an assignment to something that is no access");
  CHECK(broken(make(If{one(), block({}), {}})) == "a condition must be bool");
  const Expr reduce(lang::ExprNode{lang::Reduce{format::ReduceOp::sum, {}, one()}, format::ScalarType::f64, {}});
  CHECK(broken(make(Assign{element("s", {}), {}, reduce})).starts_with("a reduction in a loop"));
}

TEST_CASE("a temporary lives to the end of its block") {
  lang::TensorInfo t;
  t.name = "t";
  const Stmt declared = make(Declare{t}), used = make(Assign{element("t", {}), {}, one()});
  CHECK(broken(block({declared, used})) == "");
  CHECK(verify(block({block({declared}), used}), world()) ==
        "tensor used outside the block that declares it, or unknown: t");
  CHECK(broken(block({declared, declared})) == "tensor declared twice: t");
}
