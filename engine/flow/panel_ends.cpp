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
  std::vector<Stmt> all, rest;
  for (const Part& part : parts_) all.push_back(by_columns_before(part, f, name(j), name(columns)));
  for (const Part& part : parts_) {
    if (part.end && part.end->operand) all.push_back(takes_operand(part, f, name(j), name(columns)));
    if (part.end) rest.push_back(below_corner(part, f, name(j), name(corner)));
  }
  if (!rest.empty()) {
    // Of a whole block its corner first, and all rows below it in vectors.
    const Expr below = plus(name(j), whole);
    const Expr worth =
        conjunction(conjunction(test(BinaryOp::equal, name(columns), whole),
                                test(BinaryOp::greater_equal, minus(name(rows_), below), integer(rows_in_block / 2))),
                    test(BinaryOp::greater, name(rows_), integer(rows_in_block)));
    const Expr limit = Expr(ExprNode{Select{worth, below, name(rows_)}, ScalarType::i64, {}});
    const Stmt there = rest.size() == 1 ? rest.front() : make_.seq(rest);
    const Stmt more = make_.made(If{test(BinaryOp::less, name(corner), name(rows_)), there, std::nullopt});
    all.push_back(make_.let(corner, limit, make_.seq({in_turn(f, name(j), name(columns), name(corner)), more})));
  } else {
    all.push_back(in_turn(f, name(j), name(columns), name(rows_)));
  }
  const Stmt one = make_.let(j, times(name(block), columns_in_block),
                             make_.let(columns, least(whole, minus(wide, name(j))), make_.seq(std::move(all))));
  return make_.loop(block, integer(0), divided(plus(wide, integer(columns_in_block - 1)), columns_in_block), one);
}

/// Columns of a block, each by those of the block before it, and then from its sums: rows up to a limit.
Stmt Panels::in_turn(const Expr& f, const Expr& j, const Expr& columns, const Expr& limit) {
  const std::string q = variable("q");
  const Expr c = plus(j, name(q));
  std::vector<Stmt> all;
  for (const Part& part : parts_) all.push_back(by_those_of_the_block(part, f, j, c, part.end ? limit : name(rows_)));
  all.push_back(make_.let(of_.column, plus(f, c), finished(f, c, name(q), limit)));
  return make_.loop(q, integer(0), columns, make_.seq(std::move(all)));
}

Stmt Panels::by_those_of_the_block(const Part& part, const Expr& f, const Expr& j, const Expr& c, const Expr& limit) {
  const std::string k = variable(of_.before + "_in"), to = variable("to"), b = variable("b");
  const std::string there = variable(&across(part) == &part ? "base" : "across");
  const Source from{f, c, integer(0)};
  const Stmt terms = make_.let(b, plus(name(there), c), adds_row(part, from, k, f, c, limit));
  return make_.let(to, column(part, f, c), make_.loop(k, j, c, with_bases(part, from, k, terms)));
}

Expr Panels::given(const Part& part, const Expr& column, const Expr& row) const {
  return value(*flow_.tensor(part.given), element(part.given, {column, row}));
}

/// Of column q of a block, the entry in a row.
Expr Panels::final_value(const Part& part, const Expr& q, const Expr& row, const Expr& sum) const {
  return part.end->value(part.end->operand ? given(part, q, row) : sum, sum, [&](std::size_t one) {
    return value(*flow_.tensor(part.kept[one]), element(part.kept[one], {q}));
  });
}

/// Column c of the panel, the q-th of its block, from its sums.
Stmt Panels::finished(const Expr& f, const Expr& c, const Expr& q, const Expr& limit) {
  Stmt whole = rest_;
  for (const Part& part : parts_) {
    if (!part.end) continue;
    const std::string z = variable("z"), to = variable("to"), p = variable("p" + part.side->factor);
    std::vector<Stmt> all;
    for (std::size_t one = 0; one < part.kept.size(); ++one)
      all.push_back(make_.set(part.kept[one], element(part.kept[one], {q}), part.end->kept[one]));
    const Expr value = final_value(part, q, name(z), in_factor(part, p));
    const Stmt rows =
        make_.loop(z, plus(c, integer(part.end->on_diagonal ? 0 : 1)), limit,
                   make_.let(p, plus(name(to), name(z)), make_.set(part.side->factor, entry(p), value)), vectors);
    all.push_back(make_.let(to, column(part, f, c), rows));
    whole = part.end->with(whole, make_.seq(std::move(all)));
  }
  return whole;
}

Stmt Panels::along_operand(const Part& part, const Expr& column, const std::string& i, Stmt each) {
  Coiterate walk;
  walk.variable = i;
  walk.low = plus(column, integer(part.end->on_diagonal ? 0 : 1));
  walk.high = of_.size;
  Cursor cursor = *part.end->operand;
  cursor.parent = element(cursor.tensor, {column});
  cursor.role = Cursor::Role::lead;
  cursor.from = cursor.to = std::nullopt;
  walk.cursors = {cursor};
  Coiterate::Point point;
  point.leads = {0};
  point.body = make_.made(Test{cursor.name, std::move(each), std::nullopt, true});
  walk.points = {point};
  return make_.made(std::move(walk));
}

/// What the operand stores in the columns of a block, by the panel's rows; 0 elsewhere.
Stmt Panels::takes_operand(const Part& part, const Expr& f, const Expr& j, const Expr& columns) {
  const std::string q = variable("q"), z = variable("z"), i = variable("i_given"), x = variable("x");
  const Cursor& operand = *part.end->operand;
  const Expr there =
      conjunction(test(BinaryOp::less, name(x), name(rows_)), test(BinaryOp::equal, row_of(f, name(x)), name(i)));
  const Stmt puts = make_.set(part.given, element(part.given, {name(q), name(x)}),
                              value(*flow_.tensor(operand.tensor), entry(operand.name)));
  const Stmt takes = make_.let(x, at(place_, name(i)), make_.made(If{there, puts, std::nullopt}));
  const Expr zero = constant(format::Value::of(type_, 0));
  const Stmt clear =
      make_.loop(z, j, name(rows_), make_.set(part.given, element(part.given, {name(q), name(z)}), zero), vectors);
  const Expr own = plus(f, plus(j, name(q)));
  return make_.loop(q, integer(0), columns, make_.seq({clear, along_operand(part, own, i, takes)}));
}

/// A whole block of columns, in the rows below its corner: each by those before it, and then from its sums. The last
/// strip begins so that it ends with the panel, and leaves rows out that it has in common with the one before.
Stmt Panels::below_corner(const Part& part, const Expr& f, const Expr& j, const Expr& corner) {
  const std::string strip = variable("strip"), i = variable("i_at"), skipped = variable("skipped"), q = variable("q"),
                    k = variable(of_.before + "_in"), z = variable("z"), to = variable("to"), b = variable("b"),
                    p = variable("p" + part.side->factor), number = variable(of_.before + "_number_in");
  const Part& other = across(part);
  const Expr c = plus(j, name(q)), many = integer(rows_in_block), whole = integer(columns_in_block);
  const Position place = element(tile_, {name(q), name(z)});
  const auto sum = [&](const std::string& column) {
    return in_tile({rows_in_block, columns_in_block}, name(column), name(z));
  };
  const auto over = [&](Expr low, Stmt inside) {
    const Stmt rows_of = make_.loop(z, std::move(low), many,
                                    make_.let(p, plus(plus(name(to), name(i)), name(z)), std::move(inside)), vectors);
    return make_.loop(q, integer(0), whole, make_.let(to, column(part, f, c), rows_of));
  };
  const Stmt loads = over(integer(0), make_.set(tile_, place, in_factor(part, p)));
  const Stmt stores = over(name(skipped), make_.set(part.side->factor, entry(p), sum(q)));
  const Source from{f, plus(j, whole), integer(0)};
  const Expr term = product(part, from, number, sum(k), in_factor(other, b));
  const Stmt adds = make_.loop(z, integer(0), many, make_.add(tile_, place, term), vectors);
  const Stmt before =
      make_.loop(k, integer(0), name(q),
                 make_.let(number, plus(j, name(k)), make_.let(b, plus(column(other, f, name(number)), c), adds)));
  const Expr value = final_value(part, name(q), plus(name(i), name(z)), sum(q));
  const Stmt ends = make_.loop(z, integer(0), many, make_.set(tile_, place, value), vectors);
  const Stmt turns = make_.loop(q, integer(0), whole, make_.seq({before, ends}));
  const Expr strips = divided(plus(minus(name(rows_), corner), integer(rows_in_block - 1)), rows_in_block);
  return make_.loop(strip, integer(0), strips,
                    strip_at(plus(corner, times(name(strip), rows_in_block)), name(rows_), rows_in_block,
                             make_.seq({make_.made(Declare{tile_}), loads, turns, stores})));
}

}  // namespace trellis::flow
