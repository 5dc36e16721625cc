#include "engine/coiterate/lift.hpp"

#include <algorithm>
#include <set>

#include "engine/coiterate/properties.hpp"
#include "engine/coiterate/reduce.hpp"
#include "engine/flow/updates.hpp"

namespace trellis::coiterate {

namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;

loop::Stmt made(auto node, const loop::Stmt& from) { return loop::Stmt(loop::StmtNode{std::move(node), from->span}, from.origin(), from.id()); }

/// The statements of a body, remarks aside.
void collect(const loop::Stmt& body, std::vector<loop::Stmt>& all) {
  if (const auto* b = body.as<loop::Block>())
    for (const loop::Stmt& s : b->statements) collect(s, all);
  else if (!body.as<loop::Note>())
    all.push_back(body);
}

/// Is it enough to know that it happened?
bool is_idempotent(ReduceOp op, ScalarType type) {
  return op == ReduceOp::min || op == ReduceOp::max || op == ReduceOp::any || op == ReduceOp::all || (op == ReduceOp::sum && format::is_boolean(type));
}

bool is_update(const loop::Stmt& s, const std::string& variable) {
  const auto* const a = s.as<loop::Assign>();
  if (!a || !a->op || !(is_idempotent(*a->op, a->value->type) || *a->op == ReduceOp::sum)) return false;
  const std::vector<std::string> moving = lang::free_variables(a->target);
  return std::ranges::find(moving, variable) == moving.end();
}

/// The updates, each of another tensor, that iterations of the loop consist of; none if they do anything else, or read what they
/// update.
std::vector<loop::Stmt> updates_in(const loop::Stmt& loop) {
  const auto& f = *loop.as<loop::For>();
  std::vector<loop::Stmt> all;
  collect(f.body, all);
  const std::set<std::string> written = written_in(f.body);
  bool fits = !f.until && f.execution == loop::For::Execution::serial && std::ranges::all_of(all, [&](const loop::Stmt& s) { return is_update(s, f.variable); });
  fits = fits && written.size() == all.size();  // two updates of one target depend on their order
  for_each_read(f.body, [&](const Read& read) { fits = fits && !written.count(read.access.as<lang::Access>()->tensor); });
  return fits ? all : std::vector<loop::Stmt>();
}

/// `t op= value`, `times` times; those are at least one.
loop::Stmt repeated(const loop::Stmt& update, const format::Value& value, const lang::Expr& times) {
  const auto& a = *update.as<loop::Assign>();
  const ScalarType type = a.value->type;
  lang::Expr all = lang::constant(value);
  if (!is_idempotent(*a.op, type)) all = lang::binary(BinaryOp::multiply, lang::cast(type, times), all);
  return made(loop::Assign{a.target, a.op, all}, update);
}

lang::Expr iterations(const loop::For& f) {
  const auto* const low = f.low.as<lang::Constant>();
  return low && low->value.integer == 0 ? f.high : lang::binary(BinaryOp::subtract, f.high, f.low);
}

/// What the update does where none of the operands stores anything: its value there, or nothing at all.
struct Gap {
  bool nothing = false;
  std::optional<format::Value> value;
};

/// Updates by the same value.
struct Apart {
  lang::Expr value;
  format::Value in_gaps;
  std::vector<loop::Stmt> updates;
};

Gap in_gaps(const loop::Stmt& update, const Offers& offers, const Surroundings& around) {
  loop::Stmt left = update;
  for (const Literal& literal : offers.literals)
    if (!literal.sequence.full()) left = without(left, literal, around);
  left = reduce(left, around);
  if (is_nothing(left)) return {true, {}};
  const auto* const assign = left.as<loop::Assign>();
  const auto* const constant = assign ? assign->value.as<lang::Constant>() : nullptr;
  return {false, constant ? std::optional(constant->value) : std::nullopt};
}

}  // namespace

std::optional<Lifted> lift(const loop::Stmt& loop, const Offers& offers, const Surroundings& around, const std::string& counter) {
  if (std::ranges::all_of(offers.literals, [](const Literal& l) { return l.sequence.full(); })) return std::nullopt;
  const auto& f = *loop.as<loop::For>();
  std::vector<loop::Stmt> always;
  std::vector<Apart> apart;
  for (const loop::Stmt& update : updates_in(loop)) {
    const auto& a = *update.as<loop::Assign>();
    const Gap gap = in_gaps(update, offers, around);
    if (gap.nothing) always.push_back(update);
    if (gap.nothing) continue;
    if (!gap.value || flow::annihilator(*a.op, a.value->type) == gap.value) return std::nullopt;
    const auto same = std::ranges::find_if(apart, [&](const Apart& one) { return one.value == a.value; });
    if (same == apart.end()) apart.push_back({a.value, *gap.value, {update}});
    else same->updates.push_back(update);
  }
  if (apart.empty()) return std::nullopt;

  Lifted lifted;
  loop::For walk = f;
  for (const Apart& one : apart) {
    const std::string name = lifted.counters.empty() ? counter : counter + std::to_string(lifted.counters.size() + 1);
    lifted.counters.push_back({name, {}, {}, ScalarType::i64, format::Value::of_integer(ScalarType::i64, 0), lang::TensorInfo::Kind::temporary, loop->span});
    if (walk.kind == loop::For::Kind::forall) walk.reduces.push_back(name);
    const loop::Stmt& first = one.updates.front();
    const lang::Expr seen(lang::ExprNode{lang::Access{name, {}, {}}, ScalarType::i64, {}});
    const lang::Expr gaps = lang::binary(BinaryOp::subtract, iterations(f), seen);
    std::vector<loop::Stmt> counted = one.updates, rest;
    counted.push_back(made(loop::Assign{seen, ReduceOp::sum, lang::integer(1)}, first));
    for (const loop::Stmt& update : one.updates) rest.push_back(repeated(update, one.in_gaps, gaps));
    const lang::Expr differs = lang::binary(BinaryOp::not_equal, one.value, lang::constant(one.in_gaps));
    always.push_back(made(loop::If{differs, loop::block(std::move(counted)), {}}, first));
    lifted.rest.push_back(made(loop::If{lang::binary(BinaryOp::less, seen, iterations(f)), loop::block(std::move(rest)), {}}, first));
  }
  walk.body = loop::block(std::move(always));
  lifted.walk = made(std::move(walk), loop);
  return lifted;
}

std::optional<loop::Stmt> lift_constant(const loop::Stmt& loop) {
  const auto& f = *loop.as<loop::For>();
  std::vector<loop::Stmt> done;
  for (const loop::Stmt& update : updates_in(loop)) {
    const auto* const constant = update.as<loop::Assign>()->value.as<lang::Constant>();
    if (!constant) return std::nullopt;
    done.push_back(repeated(update, constant->value, iterations(f)));
  }
  if (done.empty()) return std::nullopt;
  return made(loop::If{lang::binary(BinaryOp::less, f.low, f.high), loop::block(std::move(done)), {}}, loop);
}

}  // namespace trellis::coiterate
