#include "engine/flow/sum_in_lanes.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/arithmetic.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;
using format::ReduceOp;
using making::binary;

/// A scalar that the loop's iterations add to, or multiply.
struct Total {
  std::string tensor, lanes;
  ReduceOp op;
};

/// Every addition to a total is one to its part in the lane.
Stmt in_lane(const Stmt& s, const std::vector<Total>& totals, const Expr& lane) {
  const auto* a = s.as<Assign>();
  if (!a)
    return map_children(
        s, [&](const Stmt& child) { return in_lane(child, totals, lane); }, [](const Expr& e) { return e; });
  const auto total = std::ranges::find(totals, a->tensor, &Total::tensor);
  if (total == totals.end()) return s;
  const Position part(PositionNode{Direct{total->lanes, 0, root(), lane, {}}});
  return Stmt(StmtNode{Assign{total->lanes, part, a->op, a->value}, s->span}, s.origin());
}

class Summing {
 public:
  explicit Summing(Flow& flow) : flow_(flow), taken_(bound_in(flow.root)) {
    taken_.insert(flow.sizes.begin(), flow.sizes.end());
    taken_.insert(flow.reals.begin(), flow.reals.end());
    for (const Tensor& tensor : flow.tensors) taken_.insert(tensor.name);
  }

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* loop = inner.as<Loop>();
    if (!loop || loop->lanes == 1 || !only_assigns(loop->body)) return inner;
    std::vector<Total> totals = totals_of(*loop);
    return totals.empty() ? inner : in_parts(inner, *loop, totals);
  }

 private:
  static bool only_assigns(const Stmt& body) {
    bool only = true;
    for_each_stmt(body, [&](const Stmt& s) {
      only &= s.as<Assign>() || s.as<Seq>() || s.as<Let>() || s.as<If>() || s.as<Note>();
    });
    return only;
  }

  std::vector<Total> totals_of(const Loop& loop) {
    std::vector<Total> totals;
    std::set<std::string> otherwise;  // read, or written in another way
    const auto read = [&](const auto& self, const Expr& e) -> void {
      if (const auto* v = e.as<Value>()) otherwise.insert(v->tensor);
      for_each_child(e, [&](const Expr& child) { self(self, child); });
    };
    for_each_stmt(loop.body, [&](const Stmt& s) {
      for_each_child(
          s, [](const Stmt&) {}, [&](const Expr& e) { read(read, e); });
      const auto* a = s.as<Assign>();
      if (!a) return;
      const auto known = std::ranges::find(totals, a->tensor, &Total::tensor);
      const bool adds = a->op && is_total(*a) && (known == totals.end() || known->op == *a->op);
      if (!adds) otherwise.insert(a->tensor);
      else if (known == totals.end()) totals.push_back({a->tensor, "", *a->op});
    });
    std::erase_if(totals, [&](const Total& t) { return otherwise.contains(t.tensor); });
    for (Total& total : totals) total.lanes = fresh(total.tensor + "_lanes");
    return totals;
  }

  bool is_total(const Assign& a) const {
    const Tensor& tensor = *flow_.tensor(a.tensor);
    return tensor.storage == Tensor::Storage::temporary && tensor.levels.empty() && format::is_floating(tensor.type) &&
           (*a.op == ReduceOp::sum || *a.op == ReduceOp::prod);
  }

  std::string fresh(std::string name) {
    while (!taken_.insert(name).second) name += "_";
    return name;
  }

  void note(const Loop& loop, const std::vector<Total>& totals) {
    for_each_stmt(loop.body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      if (a && std::ranges::find(totals, a->tensor, &Total::tensor) != totals.end())
        flow_.reassociated.push_back({s.origin(), "in " + std::to_string(loop.lanes) + " parts"});
    });
  }

  Stmt in_parts(const Stmt& s, const Loop& loop, const std::vector<Total>& totals) {
    note(loop, totals);
    const auto made = [&](auto node) { return Stmt(StmtNode{std::move(node), s->span}, s.origin()); };
    const Expr lanes = integer(loop.lanes);
    const std::string count = fresh(loop.variable + "_count"), block = fresh(loop.variable + "_block"),
                      lane = fresh(loop.variable + "_lane");
    const Expr iterations = name(count), rest = binary(BinaryOp::modulo, iterations, lanes);
    // The iteration with the number, counted in the loop's direction.
    const auto iteration = [&](const Expr& number) {
      const bool down = loop.direction == Loop::Direction::down;
      const Expr variable = down ? binary(BinaryOp::subtract, binary(BinaryOp::subtract, loop.high, integer(1)), number)
                            : is_zero(loop.low) ? number
                                                : binary(BinaryOp::add, loop.low, number);
      return made(Let{loop.variable, variable, in_lane(loop.body, totals, name(lane))});
    };
    const auto each_lane = [&](Expr end, Loop::Execution execution, Stmt body) {
      return made(Loop{{integer(0), std::move(end)}, {execution}, {}, lane, std::move(body)});
    };
    const Expr whole = binary(BinaryOp::divide, iterations, lanes);
    Seq all = declared(totals, loop.lanes, made);
    const Stmt full = iteration(binary(BinaryOp::add, binary(BinaryOp::multiply, name(block), lanes), name(lane)));
    all.statements.push_back(
        made(Loop{{integer(0), whole}, {}, {}, block, each_lane(lanes, Loop::Execution::vector, full)}));
    const Stmt left = iteration(binary(BinaryOp::add, binary(BinaryOp::subtract, iterations, rest), name(lane)));
    all.statements.push_back(each_lane(rest, Loop::Execution::serial, left));
    for (const Total& total : totals) {
      for (int half = loop.lanes / 2; half > 1; half /= 2)
        all.statements.push_back(
            each_lane(integer(half), Loop::Execution::serial, folded(total, half, name(lane), made)));
      all.statements.push_back(made(Assign{total.tensor, root(), total.op, both(total)}));
    }
    const Expr span = binary(BinaryOp::subtract, loop.high, loop.low);
    const Expr some(ExprNode{
        Call{format::Function::max, {is_zero(loop.low) ? loop.high : span, integer(0)}}, format::ScalarType::i64, {}});
    return made(Let{count, some, made(std::move(all))});
  }

  template <class Make>
  Seq declared(const std::vector<Total>& totals, int lanes, const Make& made) {
    Seq all;
    for (const Total& total : totals) {
      const format::ScalarType type = flow_.tensor(total.tensor)->type;
      flow_.tensors.push_back({total.lanes, type, {{integer(lanes)}}, {0}, Tensor::Storage::temporary});
      all.statements.push_back(made(Declare{total.lanes}));
      const Expr start = constant(format::Value::of_integer(type, total.op == ReduceOp::sum ? 0 : 1));
      all.statements.push_back(made(Reset{total.lanes, start}));
    }
    return all;
  }

  Expr part(const Total& total, Expr lane) const {
    const Position at(PositionNode{Direct{total.lanes, 0, root(), std::move(lane), {}}});
    return Expr(ExprNode{Value{total.lanes, at}, flow_.tensor(total.lanes)->type, {}});
  }

  Expr both(const Total& total) const {
    return binary(total.op == ReduceOp::sum ? BinaryOp::add : BinaryOp::multiply, part(total, integer(0)),
                  part(total, integer(1)), flow_.tensor(total.tensor)->type);
  }

  /// Each of the first parts takes one of the second half.
  template <class Make>
  Stmt folded(const Total& total, int half, const Expr& lane, const Make& made) const {
    const Position at(PositionNode{Direct{total.lanes, 0, root(), lane, {}}});
    return made(Assign{total.lanes, at, total.op, part(total, binary(BinaryOp::add, lane, integer(half)))});
  }

  Flow& flow_;
  std::set<std::string> taken_;
};

}  // namespace

Flow sum_in_lanes(const Flow& flow) {
  Flow result = flow;
  result.root = Summing(result).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
