#include "engine/loop/nest_digits.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/loop/context.hpp"
#include "engine/loop/find_digits.hpp"
#include "engine/loop/simplify_expressions.hpp"

namespace trellis::loop {

namespace {

using format::Function;
using math::Affine;
using math::Constraint;
using math::Relation;

Expr with_digits(const Expr& expr, const Context& known) {
  if (const auto form = lang::affine(expr); form && !form->quotients.empty()) {
    const Affine next = cancel_digits(*form, known);
    if (next == *form) return expr;
    const Expr made = known.to_expr(next);
    return Expr(lang::ExprNode{made->is, made->type, expr->span}, expr.origin(), expr.id());
  }
  return lang::map_children(expr, [&](const Expr& child) { return with_digits(child, known); });
}

/// The body with the value in the place of the variable.
Stmt substituted(const Stmt& stmt, const std::string& variable, const Expr& value, const Context& known) {
  if (stmt.as<Note>()) return block({});
  bool then = true;
  return map_children(
      stmt,
      [&](const Stmt& child) {
        return substituted(child, variable, value, known.within(stmt, std::exchange(then, false)));
      },
      [&](const Expr& expr) {
        return with_digits(simplify(lang::substitute(expr, {{variable, value}})), known);
      });
}

/// Bounds of a coordinate: all of them hold.
struct Bounds {
  std::vector<Affine> lows, highs;  ///< low <= coordinate < high
};

std::optional<Bounds> bounds_in_digits(const For& f) {
  const auto lows = arguments(f.low, Function::max), highs = arguments(f.high, Function::min);
  Bounds all{alternatives(f.low, Function::max), alternatives(f.high, Function::min)};
  return all.lows.size() == lows.size() && all.highs.size() == highs.size() ? std::optional(all) : std::nullopt;
}

/// Of `offset ± variable`.
Bounds moved(const Bounds& bounds, const Digits& digits) {
  Bounds all;
  for (const Affine& low : bounds.lows) {
    if (digits.reversed) all.highs.push_back(digits.offset - low + Affine(1));
    else all.lows.push_back(digits.offset + low);
  }
  for (const Affine& high : bounds.highs) {
    if (digits.reversed) all.lows.push_back(digits.offset - high + Affine(1));
    else all.highs.push_back(digits.offset + high);
  }
  return all;
}

Expr extremum(Function function, const std::vector<Affine>& forms, const Context& known) {
  std::vector<Expr> all;
  for (const Affine& form : forms) all.push_back(known.to_expr(form));
  if (all.size() == 1) return all.front();
  return Expr(lang::ExprNode{lang::Call{function, all}, format::ScalarType::i64, {}});
}

/// Moved by so many of the largest digits that the first one is 0, where that is known to be a form.
void begin_at_zero(Digits& digits, const Bounds& bounds) {
  const std::int64_t cut = digits.cuts.back();
  const Affine first = Affine::div(moved(bounds, digits).lows.front(), cut);
  if (first.quotients.empty()) digits.offset = digits.offset - cut * first;
}

class Nesting {
 public:
  Nesting(const Stmt& all, const lang::Program& program) : program_(program) {
    for_each(all, [&](const Stmt& s) {
      if (const auto* f = s.as<For>()) names_.insert(f->variable);
      if (const auto* l = s.as<Let>()) names_.insert(l->name);
      if (const auto* d = s.as<Declare>()) names_.insert(d->tensor.name);
    });
  }

  Stmt nest(const Stmt& stmt, const Context& known) {
    if (const auto* f = stmt.as<For>())
      if (const auto nested = nest(stmt, *f, known)) return *nested;
    bool then = true;
    return map_children(
        stmt, [&](const Stmt& child) { return nest(child, known.within(stmt, std::exchange(then, false))); },
        [](const Expr& expr) { return expr; });
  }

 private:
  std::optional<Stmt> nest(const Stmt& stmt, const For& f, const Context& known) {
    if (f.until) return std::nullopt;
    auto digits = find_digits(f, program_);
    const auto bounds = digits ? bounds_in_digits(f) : std::nullopt;
    if (!bounds) return std::nullopt;
    begin_at_zero(*digits, *bounds);
    std::vector<For> loops;
    const Affine whole = open(f, *digits, moved(*bounds, *digits), known, loops);
    Context inside = known;
    for (const For& one : loops) inside = inside.within(Stmt(StmtNode{one, {}}));
    const Affine value = digits->reversed ? digits->offset - whole : whole - digits->offset;
    Stmt body = nest(substituted(f.body, f.variable, inside.to_expr(value), inside), inside);
    for (std::size_t k = loops.size(); k-- > 0;) {
      loops[k].body = body;
      body = Stmt(StmtNode{loops[k], stmt->span}, stmt.origin());
      if (k > 0) body = block({body}, stmt.origin());
    }
    return body;
  }

  /// The loops over the digits, outermost first; what they go through, as one number.
  Affine open(const For& f, const Digits& digits, Bounds rest, Context known, std::vector<For>& loops) {
    Affine whole;
    const std::size_t count = digits.cuts.size();
    for (std::size_t k = count + 1; k-- > 0;) {
      const std::int64_t unit = k == 0 ? 1 : digits.cuts[k - 1];
      Bounds own;
      for (const Affine& low : rest.lows) own.lows.push_back(Affine::div(low, unit));
      for (const Affine& high : rest.highs) own.highs.push_back(Affine::div(high + Affine(unit - 1), unit));
      if (k < count) {
        own.lows.emplace_back(0);
        own.highs.emplace_back(digits.cuts[k] / unit);
      }
      For one = f;
      one.variable = unused(f.variable + std::to_string(k));
      one.low = extremum(Function::max, own.lows, known);
      one.high = extremum(Function::min, own.highs, known);
      one.descending = f.descending != digits.reversed;
      mark(one, k == count, k == 0);
      loops.push_back(one);
      known = known.inside(one);
      const Affine here = Affine::name(one.variable, unit);
      for (Affine& low : rest.lows) low = low - here;
      for (Affine& high : rest.highs) high = high - here;
      whole = whole + here;
    }
    return whole;
  }

  static void mark(For& f, bool outermost, bool innermost) {
    const bool parallel = f.execution == For::Execution::parallel;
    if (!outermost && parallel) f.execution = For::Execution::serial;
    if (innermost) return;
    if (!parallel) f.execution = For::Execution::serial;
    f.unroll = 1;
    f.lanes = 1;
    f.jam = 1;
  }

  std::string unused(std::string name) {
    while (program_.tensor(name) || program_.parameter(name) || names_.contains(name)) name += "_";
    names_.insert(name);
    return name;
  }

  const lang::Program& program_;
  std::set<std::string> names_;
};

}  // namespace

Stmt nest_digits(const Stmt& stmt, const lang::Program& program, math::Solver& solver) {
  return Nesting(stmt, program).nest(stmt, Context(solver));
}

}  // namespace trellis::loop
