#include "engine/coiterate/lift.hpp"

#include <algorithm>
#include <set>

#include "engine/coiterate/choice.hpp"
#include "engine/coiterate/reduce.hpp"
#include "engine/flow/updates.hpp"
#include "engine/lang/properties.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

namespace {

using format::BinaryOp;
using format::ReduceOp;
using format::ScalarType;

loop::Stmt made(auto node, const loop::Stmt& from) {
  return loop::Stmt(loop::StmtNode{std::move(node), from->span}, from.origin(), from.id());
}

/// Is it enough to know that it happened?
bool is_idempotent(ReduceOp op, ScalarType type) {
  return op == ReduceOp::min || op == ReduceOp::max || op == ReduceOp::any || op == ReduceOp::all ||
         (op == ReduceOp::sum && format::is_boolean(type));
}

/// The loop whose iterations update the same elements, and perhaps one inside it, over elements.
struct Iterations {
  const loop::For& over;
  const loop::For* along = nullptr;

  const loop::Stmt& body() const { return along ? along->body : over.body; }
  /// Does every iteration of the loop update this, and of that inside each another element?
  bool updates(const lang::Expr& target) const {
    const std::vector<std::string> moving = lang::free_variables(target);
    return !contains(moving, over.variable) && (!along || contains(moving, along->variable));
  }
};

bool is_update(const loop::Stmt& s, const Iterations& iterations) {
  const auto* const a = s.as<loop::Assign>();
  return a && a->op && (is_idempotent(*a->op, a->value->type) || *a->op == ReduceOp::sum) &&
         iterations.updates(a->target);
}

/// argmin or argmax, written out.
std::optional<Choice> argument_of(const loop::Stmt& s, const Iterations& iterations) {
  const std::optional<Choice> choice = choice_of(s);
  const bool settles = choice && (choice->ties == Choice::Ties::least || choice->ties == Choice::Ties::first);
  if (!settles || choice->targets.size() != 2 || !(choice->index == lang::variable(iterations.over.variable)))
    return std::nullopt;
  return std::ranges::all_of(choice->targets, [&](const auto& t) { return iterations.updates(t); }) ? choice
                                                                                                    : std::nullopt;
}

struct Updates {
  std::vector<loop::Stmt> plain;
  std::vector<Choice> choices;
};

/// The updates, each of another tensor, that iterations of the loop consist of; none if they do anything else, or read
/// what they update.
Updates updates_in(const Iterations& iterations) {
  const loop::For& f = iterations.over;
  Updates all;
  const std::vector<loop::Stmt> statements = statements_in(iterations.body());
  const std::set<std::string> written = written_in(f.body);
  bool fits = !f.until && f.execution == loop::For::Execution::serial;
  const auto look = [&](const Read& read) { fits = fits && !written.count(read.access.as<lang::Access>()->tensor); };
  for (const loop::Stmt& s : statements) {
    const auto choice = f.descending ? std::nullopt : argument_of(s, iterations);
    fits = fits && (choice || is_update(s, iterations));
    if (choice) {
      all.choices.push_back(*choice);
      for_each_read(choice->value, look);
    } else {
      all.plain.push_back(s);
      for_each_read(s, look);
    }
  }
  fits = fits && written.size() ==
                     all.plain.size() + 2 * all.choices.size();  // two updates of one target depend on their order
  return fits ? all : Updates();
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
    if (!literal.sequence.full) left = without(left, literal, around);
  left = reduce(left, around);
  if (is_nothing(left)) return {true, {}};
  const auto* const assign = left.as<loop::Assign>();
  const auto* const constant = assign ? assign->value.as<lang::Constant>() : nullptr;
  return {false, constant ? std::optional(constant->value) : std::nullopt};
}

/// Of a value alone.
std::optional<format::Value> in_gaps(const lang::Expr& value, const Offers& offers, const Surroundings& around) {
  const lang::Expr nowhere(lang::ExprNode{lang::Access{"", {}, {}}, value->type, {}});
  loop::Stmt left(loop::StmtNode{loop::Assign{nowhere, ReduceOp::user, value}, value->span});
  for (const Literal& literal : offers.literals)
    if (!literal.sequence.full) left = without(left, literal, around);
  const lang::Expr reduced = reduce(left.as<loop::Assign>()->value, around);
  const auto* const constant = reduced.as<lang::Constant>();
  return constant ? std::optional(constant->value) : std::nullopt;
}

/// `best = value; at = index`, where that wins.
loop::Stmt chosen(const Choice& choice, const format::Value& value, const lang::Expr& index) {
  const loop::Stmt take =
      loop::block({made(loop::Assign{choice.best, std::nullopt, lang::constant(value)}, choice.statement),
                   made(loop::Assign{choice.at, std::nullopt, index}, choice.statement)});
  return made(loop::If{choice.wins(lang::constant(value), index), loop::block({take}), {}}, choice.statement);
}

lang::Expr differs(const lang::Expr& value, const format::Value& in_gaps) {
  return lang::binary(BinaryOp::not_equal, value, lang::constant(in_gaps));
}

/// The least coordinate that has a counter, which is number 0: below 0 where the loop begins there.
math::Affine first_of(const loop::For& inside) { return std::min<std::int64_t>(0, lang::affine(inside.low)->constant); }

/// How many counters a loop inside needs, one for each of its iterations; nothing where that is not known.
std::optional<math::Affine> counters_for(const loop::For& inside) {
  const auto low = lang::affine(inside.low), high = lang::affine(inside.high);
  return low && low->is_constant() && high ? std::optional(*high - first_of(inside)) : std::nullopt;
}

class Lifting {
 public:
  Lifting(const loop::Stmt& loop, const Iterations& iterations,
          const std::function<std::string(const std::string&)>& fresh)
      : loop_(loop), walk_(iterations.over), along_(iterations.along), fresh_(fresh) {}

  void keep(const loop::Stmt& update) { body_.push_back(update); }

  void count(const Apart& one) {
    const std::string number = counted_++ == 0 ? "" : std::to_string(counted_);
    const lang::Expr seen = counter(walk_.variable + "_seen" + number);
    const lang::Expr all = iterations(walk_), gaps = lang::binary(BinaryOp::subtract, all, seen);
    const loop::Stmt& first = one.updates.front();
    std::vector<loop::Stmt> counted = one.updates, rest;
    counted.push_back(made(loop::Assign{seen, ReduceOp::sum, lang::integer(1)}, first));
    for (const loop::Stmt& update : one.updates) rest.push_back(repeated(update, one.in_gaps, gaps));
    body_.push_back(made(loop::If{differs(one.value, one.in_gaps), loop::block(std::move(counted)), {}}, first));
    lifted_.rest.push_back(
        made(loop::If{lang::binary(BinaryOp::less, seen, all), loop::block(std::move(rest)), {}}, first));
  }

  /// The loop goes upwards, so that what comes before the first gap has been seen when that is passed by.
  void choose(const Choice& choice, const format::Value& in_gaps) {
    const std::string number = chosen_++ == 0 ? "" : std::to_string(chosen_);
    const lang::Expr passed = counter(walk_.variable + "_gap" + number);
    const auto* const low = walk_.low.as<lang::Constant>();
    const lang::Expr gap = low && low->value.integer == 0 ? passed : lang::binary(BinaryOp::add, walk_.low, passed);
    const auto made_here = [&](auto node) { return made(std::move(node), choice.statement); };
    const loop::Stmt passing = pass(walk_.variable, {passed, gap}, choice.statement);
    body_.push_back(made_here(loop::If{differs(choice.value, in_gaps), loop::block({passing, choice.statement}), {}}));
    const lang::Expr any = lang::binary(BinaryOp::less, gap, walk_.high);
    lifted_.rest.push_back(made_here(loop::If{any, loop::block({chosen(choice, in_gaps, gap)}), {}}));
    walk_.kind = loop::For::Kind::serial;
    walk_.reduces.clear();
  }

  Lifted finish() {
    if (chosen_ > 0) walk_.reduces.clear();
    walk_.body = along_ ? loop::block({along(std::move(body_))}) : loop::block(std::move(body_));
    if (along_) lifted_.rest = {along(std::move(lifted_.rest))};
    lifted_.walk = made(std::move(walk_), loop_);
    return std::move(lifted_);
  }

 private:
  lang::Expr counter(const std::string& base) {
    const std::string name = fresh_(base);
    lang::TensorInfo info{name,
                          {},
                          {},
                          ScalarType::i64,
                          format::Value::of_integer(ScalarType::i64, 0),
                          lang::TensorInfo::Kind::temporary,
                          loop_->span};
    std::vector<lang::Expr> indices;
    if (along_) {
      info.shape = {*counters_for(*along_)};
      info.format = format::Format::dense(1);
      const math::Affine number = math::Affine::name(along_->variable) - first_of(*along_);
      indices = {lang::to_expr(number, {along_->variable})};
    }
    lifted_.counters.push_back(std::move(info));
    if (walk_.kind == loop::For::Kind::forall) walk_.reduces.push_back(name);
    return lang::Expr(lang::ExprNode{lang::Access{name, std::move(indices), {}}, ScalarType::i64, {}});
  }

  /// The loop inside, over other statements.
  loop::Stmt along(std::vector<loop::Stmt> statements) const {
    loop::For next = *along_;
    next.body = loop::block(std::move(statements));
    return made(std::move(next), loop_);
  }

  const loop::Stmt& loop_;
  loop::For walk_;
  const loop::For* const along_;
  const std::function<std::string(const std::string&)>& fresh_;
  std::vector<loop::Stmt> body_;
  int counted_ = 0, chosen_ = 0;
  Lifted lifted_;
};

}  // namespace

const loop::For* loop_inside(const loop::Stmt& loop, const lang::Program& program) {
  const std::vector<loop::Stmt> statements = statements_in(loop.as<loop::For>()->body);
  const auto* const inside = statements.size() == 1 ? statements.front().as<loop::For>() : nullptr;
  if (!inside || inside->until || inside->execution != loop::For::Execution::serial) return nullptr;
  // The counters need a size, which is that of some tensor.
  const auto size = counters_for(*inside);
  const auto has_size = [&](const lang::TensorInfo& t) { return size && contains(t.shape, *size); };
  return std::ranges::any_of(program.tensors, has_size) ? inside : nullptr;
}

std::optional<Lifted> lift(const loop::Stmt& loop, const Offers& offers, const Surroundings& around,
                           const std::function<std::string(const std::string&)>& fresh) {
  if (std::ranges::all_of(offers.literals, [](const Literal& l) { return l.sequence.full; })) return std::nullopt;
  const Iterations iterations{*loop.as<loop::For>(), loop_inside(loop, around.program)};
  const Updates updates = updates_in(iterations);
  Lifting lifting(loop, iterations, fresh);
  std::vector<Apart> apart;
  for (const loop::Stmt& update : updates.plain) {
    const auto& a = *update.as<loop::Assign>();
    const Gap gap = in_gaps(update, offers, around);
    if (gap.nothing) lifting.keep(update);
    if (gap.nothing) continue;
    if (!gap.value || flow::annihilator(*a.op, a.value->type) == gap.value) return std::nullopt;
    const auto same = std::ranges::find_if(apart, [&](const Apart& one) { return one.value == a.value; });
    if (same == apart.end()) apart.push_back({a.value, *gap.value, {update}});
    else same->updates.push_back(update);
  }
  if (apart.empty() && updates.choices.empty()) return std::nullopt;
  for (const Apart& one : apart) lifting.count(one);
  for (const Choice& choice : updates.choices) {
    const std::optional<format::Value> value = in_gaps(choice.value, offers, around);
    if (!value) return std::nullopt;
    lifting.choose(choice, *value);
  }
  return lifting.finish();
}

std::optional<loop::Stmt> lift_constant(const loop::Stmt& loop) {
  const auto& f = *loop.as<loop::For>();
  std::vector<loop::Stmt> done;
  const Updates updates = updates_in({f});
  for (const loop::Stmt& update : updates.plain) {
    const auto* const constant = update.as<loop::Assign>()->value.as<lang::Constant>();
    if (!constant) return std::nullopt;
    done.push_back(repeated(update, constant->value, iterations(f)));
  }
  for (const Choice& choice : updates.choices) {
    const auto* const constant = choice.value.as<lang::Constant>();
    if (!constant) return std::nullopt;
    done.push_back(chosen(choice, constant->value, f.low));
  }
  if (done.empty()) return std::nullopt;
  return made(loop::If{lang::binary(BinaryOp::less, f.low, f.high), loop::block(std::move(done)), {}}, loop);
}

}  // namespace trellis::coiterate
