#include "engine/emit/ordered_iterations.hpp"

#include <algorithm>

#include "engine/emit/shorthand.hpp"
#include "engine/flow/fibers.hpp"

namespace trellis::emit {

namespace {

c::Stmt freed(const std::string& array) { return c::stmt(c::Evaluate{c::call("free", {c::token(array)})}); }

}  // namespace

void OrderedIterations::begin(const flow::Loop& loop, const Range& range) {
  Waiting waiting{loop.variable, out_.bind(loop.variable + "'over"), range.low, {}};
  const bool down = loop.direction == flow::Loop::Direction::down;
  waiting.tasks = {range.low, range.high, "", {}, down};
  const c::Expr count = is_zero(range.low) ? range.high : minus(range.high, range.low);
  const flow::Cursor* const fibers = flow::fibers_waited_for(out_.flow, loop);
  out_.add(c::stmt(
      c::Declaration{"uint8_t *", waiting.over, {}, c::call(out_.prelude.use_zeroed(), {count, c::number(1)})}));
  std::vector<std::string> arrays{waiting.over};
  if (fibers) {
    waiting.tasks.order = out_.bind(loop.variable + "'order");
    const c::Expr room = plus(times(c::number(4), count), c::number(1));
    const c::Expr memory =
        c::call(out_.prelude.use(Helper::allocate), {room, c::call("sizeof", {c::token("int64_t")})});
    out_.add(c::stmt(c::Declaration{"int64_t *", waiting.tasks.order, {}, memory}));
    arrays.push_back(waiting.tasks.order);
  }
  return_without(arrays);
  if (fibers) {
    const flow::Tensor& tensor = *out_.flow.tensor(fibers->tensor);
    const auto array = [&](format::Array which) { return out_.expressions.array(tensor, fibers->level, which); };
    const std::string tasks = out_.bind(loop.variable + "'tasks");
    out_.add(constant(tasks, c::call(out_.prelude.use_tasks(facts_of(tensor, fibers->level).wide),
                                     {array(format::Array::positions), array(format::Array::coordinates), range.low,
                                      range.high, c::number(down), c::token(waiting.tasks.order)})));
    waiting.tasks.first = c::number(0);
    waiting.tasks.last = c::token(tasks);
    waiting.tasks.begins = count;
    waiting.tasks.down = false;
  }
  loops_.push_back(std::move(waiting));
}

void OrderedIterations::return_without(const std::vector<std::string>& arrays) {
  c::Expr missing;
  std::vector<c::Stmt> give_up;
  for (const std::string& array : arrays) {
    const c::Expr absent = c::expr(c::Unary{"!", c::token(array)});
    missing = missing ? c::binary("||", missing, absent) : absent;
    if (arrays.size() > 1) give_up.push_back(freed(array));
  }
  give_up.push_back(memory_.give_up());
  memory_.may_return();
  out_.add(c::stmt(c::If{missing, c::stmt(c::Block{give_up}), {}}));
}

void OrderedIterations::end() {
  if (!tasks().order.empty()) out_.add(freed(tasks().order));
  out_.add(freed(loops_.back().over));
  loops_.pop_back();
}

c::Expr OrderedIterations::over(const Waiting& loop, const c::Expr& coordinate) const {
  return address(index(c::token(loop.over), is_zero(loop.low) ? coordinate : minus(coordinate, loop.low)));
}

void OrderedIterations::await(const flow::Await& a) {
  const auto loop = std::ranges::find(loops_, a.loop, &Waiting::loop);
  if (loop == loops_.end()) return;
  out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use_await(), {over(*loop, out_.expressions.expr(a.coordinate))})}));
}

void OrderedIterations::finish(const std::string& variable) {
  const Waiting& loop = loops_.back();
  out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use_finish(), {over(loop, c::token(variable))})}));
}

}  // namespace trellis::emit
