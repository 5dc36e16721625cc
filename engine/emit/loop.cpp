#include "engine/emit/loop.hpp"

#include "engine/emit/ahead.hpp"
#include "engine/emit/copy.hpp"
#include "engine/emit/count_then_fill.hpp"
#include "engine/emit/deal_out.hpp"
#include "engine/emit/shorthand.hpp"
#include "engine/emit/written_out.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::emit {

namespace {

using flow::Loop;
using flow::Tensor;
using format::BinaryOp;

/// Cheap and constant while the loop runs, so that it can stand in the loop's head.
bool plain_bound(const flow::Expr& e) {
  if (e.as<flow::Constant>() || e.as<flow::Name>()) return true;
  const auto* b = e.as<flow::Binary>();
  const bool cheap = b && (b->op == BinaryOp::add || b->op == BinaryOp::subtract || b->op == BinaryOp::multiply);
  return cheap && plain_bound(b->left) && plain_bound(b->right);
}

/// Where the loop's variable begins: past the iterations for so many coordinates at once, in its direction.
c::Expr first_of(const Loop& l, const Loops::Range& range) {
  const bool down = l.direction == Loop::Direction::down;
  const c::Expr first = down ? minus(range.high, c::number(1)) : range.low;
  if (l.after == 1) return first;
  const c::Expr all = is_zero(range.low) ? range.high : minus(range.high, range.low), whole = c::number(l.after);
  const c::Expr past = times(c::binary("/", all, whole), whole);
  return down ? minus(first, past) : is_zero(range.low) ? past : sum(first, past);
}

/// What it stays below, or at least at.
c::Expr last_of(const Loop& l, const Loops::Range& range) {
  const c::Expr more = c::number(l.by - 1);
  if (l.direction == Loop::Direction::down) return l.by > 1 ? sum(range.low, more) : range.low;
  return l.by > 1 ? minus(range.high, more) : range.high;
}

}  // namespace

c::Expr bound(Context& out, const flow::Expr& e, const std::string& name) {
  const c::Expr value = out.expressions.expr(e);
  if (plain_bound(e)) return value;
  const std::string local = out.bind(name);
  out.add(constant(local, value));
  return c::token(local);
}

c::Expr going_on(Context& out, const c::Expr& condition, const std::optional<flow::Expr>& unless) {
  if (!unless) return condition;
  const auto* is_false = unless->as<flow::Unary>();
  const auto* is_end = unless->as<flow::Binary>();
  c::Expr open;
  if (is_false && is_false->op == format::UnaryOp::logical_not) open = out.expressions.expr(is_false->operand);
  else if (is_end && is_end->op == BinaryOp::equal)
    open = c::binary("!=", out.expressions.expr(is_end->left), out.expressions.expr(is_end->right));
  else open = c::expr(c::Unary{"!", out.expressions.expr(*unless)});
  return c::binary("&&", condition, open);
}

namespace {

/// A loop that is left early, and asks before each `size` iterations: those are a loop of their own.
void in_blocks(Context& out, const flow::Domain& loop, const std::string& variable, const Loops::Range& range,
               std::int64_t size, const text::Origin& origin,
               const std::function<void(const Loops::Range&)>& iterations) {
  const bool down = loop.direction == Loop::Direction::down;
  const auto& [low, high] = range;
  out.open();
  const std::string block = out.bind(variable + "'block"), stop = out.bind(variable + "'stop");
  const c::Expr at = c::token(block), many = c::number(size);
  const c::Expr left = arithmetic(format::ScalarType::i64, "-", down ? at : high, down ? low : at);
  const c::Expr next = c::binary(down ? "-" : "+", at, many);
  out.add(constant(stop, choose(c::binary(">", left, many), next, down ? low : high)));
  iterations(down ? Loops::Range{c::token(stop), at} : Loops::Range{at, c::token(stop)});
  const c::Stmt body = out.close();
  const c::Expr condition = going_on(out, down ? c::binary(">", at, low) : c::binary("<", at, high), loop.unless);
  const std::string on = block + (down ? " -= " : " += ") + std::to_string(size);
  out.add(c::stmt(c::For{block, down ? high : low, condition, on, body}, origin));
}

}  // namespace

c::Expr Loops::iterations_of(const Range& range) {
  return is_zero(range.low) ? range.high : minus(range.high, range.low);
}

void Loops::loop(const Loop& l, const text::Origin& origin) {
  if (l.among) return among(l, origin);
  for (const flow::Lists& lists : l.lists) waiting_.begin(lists);
  Range range;
  range.low = bound(out_, l.low, l.variable + "'low");
  range.high = bound(out_, l.high, l.variable + "'end");
  const auto copied = threads_.inside() ? std::nullopt : flow::copies_rows(out_.flow, l);
  if (copied) return copy_rows(out_, results_, l, range, *copied, origin);
  if (l.counting) return count_then_fill(l, range, origin);
  const auto all = [&](const Range& within) { iterate(l, within, {}, origin); };
  if (l.merge_path && !threads_.inside()) return dealt_out(l, range, origin);
  const bool parallel = l.execution == Loop::Execution::parallel;
  if (parallel && !threads_.inside() && iterations_wait(l)) return run_ordered(l, range, origin);
  if (parallel && !threads_.inside())
    return threads_.run({l.variable, l.partials, l.body, false, iterations_of(range), l}, [&] { all(range); });
  if (l.asks_every > 1) return in_blocks(out_, l, l.variable, range, l.asks_every, origin, all);
  if (l.execution == Loop::Execution::vector) out_.add(c::stmt(c::Pragma{"omp simd"}));
  else if (l.unroll > 1) out_.add(c::stmt(c::Pragma{"GCC unroll " + std::to_string(l.unroll)}));
  carrying(out_, l.carries, c::number(0), [&] { iterate(l, range, l.unless, origin); });
}

void Loops::dealt_out(const Loop& l, const Range& range, const text::Origin& origin) {
  deal_out(out_, threads_, *l.merge_path, {l.variable, l.partials, l.body}, range.high, [&](const PartOfRows& rows) {
    out_.open();
    const std::string i = out_.bind(l.variable);
    rows.begin(i);
    body_(l.body, true);
    const c::Stmt body = out_.close();
    out_.add(c::stmt(c::For{i, rows.first, rows.more(i), i + "++", body}, origin));
  });
}

void Loops::iterate(const Loop& l, const Range& range, const std::optional<flow::Expr>& unless,
                    const text::Origin& origin) {
  const bool down = l.direction == Loop::Direction::down;
  out_.open();
  const std::string i = out_.bind(l.variable);
  iteration(l, i, origin, false);
  const c::Stmt body = out_.close();
  const c::Expr more = c::binary(down ? ">=" : "<", c::token(i), last_of(l, range));
  const std::string on = l.by > 1 ? i + (down ? " -= " : " += ") + std::to_string(l.by) : i + (down ? "--" : "++");
  out_.add(c::stmt(c::For{i, first_of(l, range), going_on(out_, more, unless), on, body}, origin));
}

void Loops::iteration(const Loop& l, const std::string& i, const text::Origin& origin, bool waited_for) {
  const bool parallel = l.execution == Loop::Execution::parallel;
  if (runs_in_turn(l)) out_.add(c::stmt(c::Evaluate{c::call(out_.prelude.use(Helper::in_turn), {})}));
  threads_.begin_iteration(parallel, waited_for);
  results_.begin_row(l);
  body_(l.body, l.closes.empty());
  results_.end_row(l);
  for (const flow::Lists& lists : l.lists) waiting_.move_on(lists, i);
  if (l.until) {
    const c::Expr reached = out_.expressions.expr(*l.until);
    std::vector<c::Stmt> end;
    if (out_.flow.tells_steps) end.push_back(assign_to(c::token("*steps"), "=", sum(c::token(i), c::number(1))));
    end.push_back(c::stmt(c::Break{}));
    out_.add(c::stmt(c::If{reached, c::stmt(c::Block{std::move(end)}), std::nullopt}, origin));
  }
  threads_.end_iteration(parallel);
  if (waited_for) ordered_.finish(i);
}

// #pragma omp for                                                            without an order of its own:
// for (int64_t j_task = 0; j_task < j_tasks; j_task++)                       for (int64_t j = 0; j < n; j++) …
//   for (int64_t j_at = j_order[n + j_task]; j_at < j_order[n + j_task + 1]; j_at++) { const int64_t j = j_order[j_at];
//   … }
void Loops::run_ordered(const Loop& l, const Range& range, const text::Origin& origin) {
  ordered_.begin(l, {range.low, range.high});
  const OrderedIterations::Tasks tasks = ordered_.tasks();
  threads_.run({l.variable, l.partials, l.body, true}, [&] {
    out_.open();
    const std::string task = out_.bind(tasks.order.empty() ? l.variable : l.variable + "'task");
    if (tasks.order.empty()) {
      iteration(l, task, origin, true);
    } else {
      out_.open();
      const std::string at = out_.bind(l.variable + "'at"), i = out_.bind(l.variable);
      out_.add(constant(i, index(c::token(tasks.order), c::token(at))));
      iteration(l, i, origin, true);
      const c::Stmt iterations = out_.close();
      const c::Expr begins = sum(tasks.begins, c::token(task));
      const c::Expr more = c::binary("<", c::token(at), index(c::token(tasks.order), sum(begins, c::number(1))));
      out_.add(c::stmt(c::For{at, index(c::token(tasks.order), begins), more, at + "++", iterations}, origin));
    }
    const c::Stmt body = out_.close();
    const c::Expr more = c::binary(tasks.down ? ">=" : "<", c::token(task), tasks.down ? tasks.first : tasks.last);
    const c::Expr first = tasks.down ? minus(tasks.last, c::number(1)) : tasks.first;
    out_.add(c::stmt(c::For{task, first, more, task + (tasks.down ? "--" : "++"), body}, origin));
  });
  ordered_.end();
}

// for (int64_t k = L_lists[j]; k >= 0; k = L_lists_after[k]) { const int64_t pL = L_lists_next[k]; … }
void Loops::among(const Loop& l, const text::Origin& origin) {
  const std::string& lists = l.among->lists;
  const c::Expr first = waiting_.first(lists, out_.expressions.expr(l.among->coordinate));
  out_.open();
  const std::string k = out_.bind(l.variable), entry = out_.bind(l.among->entry);
  out_.add(constant(entry, waiting_.entry(lists, k)));
  body_(l.body, true);
  const c::Stmt body = out_.close();
  const c::Expr more = c::binary(">=", c::token(k), c::number(0));
  out_.add(c::stmt(c::For{k, first, going_on(out_, more, l.unless), waiting_.step(lists, k), body}, origin));
}

// All iterations twice, and in between counts become positions.
void Loops::count_then_fill(const Loop& l, Range range, const text::Origin& origin) {
  if (!is_zero(range.low)) {
    // No iteration begins behind the last row.
    const std::string first = out_.bind(l.variable + "'first");
    out_.add(constant(first, choose(c::binary("<", range.low, range.high), range.low, range.high)));
    range.low = c::token(first);
  }
  std::optional<WholeRows> parts;
  if (l.merge_path) parts.emplace(out_, *l.merge_path, range.high);
  Threads::Work work{l.variable, l.partials, l.body};
  if (!parts) work.iterations = iterations_of(range), work.range = l;
  const CountedLoop counted{std::move(work), *l.counting, range.low, range.high};
  emit::count_then_fill(out_, threads_, counts_, body_, counted, [&](const AtCoordinate& inside) {
    const auto rows = [&](const c::Expr& first, const c::Expr& last) {
      out_.open();
      const std::string i = out_.bind(l.variable);
      threads_.begin_iteration(true);
      inside(i);
      threads_.end_iteration(true);
      const c::Stmt block = out_.close();
      out_.add(c::stmt(c::For{i, first, c::binary("<", c::token(i), last), i + "++", block}, origin));
    };
    parts ? parts->each_part(rows) : rows(range.low, range.high);
  });
}

}  // namespace trellis::emit
