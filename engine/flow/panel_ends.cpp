// The columns of a panel, finished from left to right.
#include "engine/flow/panels.hpp"

namespace trellis::flow {

using namespace making;
using format::BinaryOp;
using format::ScalarType;

namespace {
constexpr auto vectors = Loop::Execution::vector;
}

/// The panel's own columns, in blocks.
Stmt Panels::factorised(const Expr& f, const Expr& end) {
  const std::string block = variable("block"), j = variable("j_at"), columns = variable("columns"),
                    corner = variable("corner");
  const Expr wide = minus(end, f), whole = integer(columns_in_block);
  std::vector<Stmt> all{by_columns_before(f, name(j), name(columns))};
  Stmt turns;
  if (end_) {
    if (end_->operand) all.push_back(takes_operand(f, name(j), name(columns)));
    // Of a whole block its corner first, and all rows below it in vectors.
    const Expr below = plus(minus(name(j), integer(of_.diagonal ? 0 : 1)), whole);
    const Source from{f, plus(name(j), whole), integer(0)};
    const Expr worth =
        conjunction(conjunction(test(BinaryOp::equal, name(columns), whole),
                                test(BinaryOp::greater_equal, minus(name(rows_), below), integer(rows_in_block / 2))),
                    fits(from, name(rows_)));
    const Expr limit = Expr(ExprNode{Select{worth, below, name(rows_)}, ScalarType::i64, {}});
    const Stmt rest = make_.made(
        If{test(BinaryOp::less, name(corner), name(rows_)), below_corner(f, name(j), name(corner)), std::nullopt});
    turns = make_.let(corner, limit, make_.seq({in_turn(f, name(j), name(columns), name(corner)), rest}));
  } else {
    turns = in_turn(f, name(j), name(columns), name(rows_));
  }
  all.push_back(std::move(turns));
  const Stmt one = make_.let(j, times(name(block), columns_in_block),
                             make_.let(columns, least(whole, minus(wide, name(j))), make_.seq(std::move(all))));
  return make_.loop(block, integer(0), divided(plus(wide, integer(columns_in_block - 1)), columns_in_block), one);
}

/// Columns of a block, each by those of the block before it, and then from its sums: rows up to a limit.
Stmt Panels::in_turn(const Expr& f, const Expr& j, const Expr& columns, const Expr& limit) {
  const std::string q = variable("q"), k = variable(of_.before + "_in"), z = variable("z"), to = variable("to"),
                    p = variable("p" + of_.factor), base = variable("base"), a = variable("a"), b = variable("b");
  const Expr c = plus(j, name(q)), own = minus(c, integer(of_.diagonal ? 0 : 1));
  const Source from{f, columns, integer(0)};
  const Stmt term = make_.let(a, plus(name(base), name(z)),
                              make_.let(p, plus(name(to), name(z)),
                                        make_.add(of_.factor, entry(p), product(from, k, in_factor(a), in_factor(b)))));
  std::vector<Stmt> each{make_.loop(z, plus(own, integer(1)), limit, term, vectors)};
  if (of_.own_is_term)
    each.insert(each.begin(),
                make_.add(sums_, element(sums_, {plus(f, c)}), product(from, k, in_factor(b), in_factor(b))));
  const Stmt before = make_.loop(
      k, j, c,
      make_.let(base, minus(begin(plus(f, name(k))), name(k)), make_.let(b, plus(name(base), own), make_.seq(each))));
  const Stmt ends = make_.let(of_.column, plus(f, c), finished(name(to), name(q), own, limit));
  return make_.loop(q, integer(0), columns, make_.let(to, minus(begin(plus(f, c)), c), make_.seq({before, ends})));
}

Expr Panels::given(const Expr& column, const Expr& row) const {
  return value(*flow_.tensor(given_), element(given_, {column, row}));
}

/// Of column q of a block, the entry in a row.
Expr Panels::final_value(const Expr& q, const Expr& row, const Expr& sum) const {
  return end_->value(end_->operand ? given(q, row) : sum, sum,
                     [&](std::size_t one) { return value(*flow_.tensor(kept_[one]), element(kept_[one], {q})); });
}

Stmt Panels::finished(const Expr& to, const Expr& q, const Expr& own, const Expr& limit) {
  if (!end_) return rest_;
  const std::string z = variable("z"), p = variable("p" + of_.factor);
  std::vector<Stmt> all;
  for (std::size_t one = 0; one < kept_.size(); ++one)
    all.push_back(make_.set(kept_[one], element(kept_[one], {q}), end_->kept[one]));
  all.push_back(make_.loop(
      z, plus(own, integer(1)), limit,
      make_.let(p, plus(to, name(z)), make_.set(of_.factor, entry(p), final_value(q, name(z), in_factor(p)))),
      vectors));
  return end_->with(rest_, make_.seq(std::move(all)));
}

/// What the operand stores in the columns of a block, by the panel's rows; 0 elsewhere.
Stmt Panels::takes_operand(const Expr& f, const Expr& j, const Expr& columns) {
  const std::string q = variable("q"), z = variable("z"), i = variable("i_given"), x = variable("x");
  const Cursor& operand = *end_->operand;
  const Expr column = plus(f, plus(j, name(q)));
  Coiterate walk;
  walk.variable = i;
  walk.low = plus(column, integer(1));
  walk.high = of_.size;
  Cursor cursor = operand;
  cursor.parent = element(operand.tensor, {column});
  cursor.role = Cursor::Role::lead;
  cursor.from = cursor.to = std::nullopt;
  walk.cursors = {cursor};
  const Expr there = conjunction(test(BinaryOp::less, name(x), name(rows_)),
                                 test(BinaryOp::equal, row(plus(begin(f), name(x))), name(i)));
  const Stmt takes = make_.let(x, at(place_, name(i)),
                               make_.made(If{there,
                                             make_.set(given_, element(given_, {name(q), name(x)}),
                                                       value(*flow_.tensor(operand.tensor), entry(cursor.name))),
                                             std::nullopt}));
  Coiterate::Point point;
  point.leads = {0};
  point.body = make_.made(Test{cursor.name, takes, std::nullopt, true});
  walk.points = {point};
  const Stmt zero = make_.loop(
      z, j, name(rows_), make_.set(given_, element(given_, {name(q), name(z)}), constant(format::Value::of(type_, 0))),
      vectors);
  return make_.loop(q, integer(0), columns, make_.seq({zero, make_.made(std::move(walk))}));
}

/// A whole block of columns, in the rows below its corner: each by those before it, and then from its sums.
Stmt Panels::below_corner(const Expr& f, const Expr& j, const Expr& corner) {
  const std::string strip = variable("strip"), i = variable("i_at"), rows = variable("rows"), q = variable("q"),
                    k = variable(of_.before + "_in"), z = variable("z"), to = variable("to"), b = variable("b"),
                    p = variable("p" + of_.factor);
  const Expr c = plus(j, name(q)), many = integer(rows_in_block), whole = integer(columns_in_block);
  const Expr own = minus(c, integer(of_.diagonal ? 0 : 1)), column = minus(begin(plus(f, c)), c);
  const Position place = element(tile_, {name(q), name(z)});
  const auto over = [&](Expr high, Stmt inside, Loop::Execution how) {
    const Stmt rows_of = make_.loop(z, integer(0), std::move(high),
                                    make_.let(p, plus(plus(name(to), name(i)), name(z)), std::move(inside)), how);
    return make_.loop(q, integer(0), whole, make_.let(to, column, rows_of));
  };
  const Stmt loads = over(many, make_.set(tile_, place, in_factor(p)), vectors);
  const Stmt stores = over(name(rows), make_.set(of_.factor, entry(p), in_tile(name(q), name(z))), vectors);
  const Source from{f, plus(j, whole), integer(0)};
  const std::string number = variable(of_.before + "_number");
  const Stmt adds =
      make_.loop(z, integer(0), many,
                 make_.add(tile_, place, product(from, number, in_tile(name(k), name(z)), in_factor(b))), vectors);
  const Stmt before =
      make_.loop(k, integer(0), name(q),
                 make_.let(number, plus(j, name(k)),
                           make_.let(b, plus(minus(begin(plus(f, name(number))), name(number)), own), adds)));
  const Stmt ends = make_.loop(
      z, integer(0), many,
      make_.set(tile_, place, final_value(name(q), plus(name(i), name(z)), in_tile(name(q), name(z)))), vectors);
  const Stmt turns = make_.loop(q, integer(0), whole, make_.seq({before, ends}));
  const Expr strips = divided(plus(minus(name(rows_), corner), integer(rows_in_block - 1)), rows_in_block);
  return make_.loop(strip, integer(0), strips,
                    make_.let(i, plus(corner, times(name(strip), rows_in_block)),
                              make_.let(rows, least(many, minus(name(rows_), name(i))),
                                        make_.seq({make_.made(Declare{tile_}), loads, turns, stores}))));
}

}  // namespace trellis::flow
