// Updates of panels: by finished ones, and by their own columns.
#include "engine/flow/panels.hpp"

namespace trellis::flow {

using namespace making;
using format::BinaryOp;
using format::ScalarType;

namespace {
constexpr auto in_lanes = Loop::Execution::vector;
}

/// By the finished panel from column d on: its rows from `entry_` on, of which `joint_` are columns.
Stmt Panels::update(const Expr& d, const Expr& f) {
  const std::string x = variable("x"), wide = variable("wide"), shift = variable("shift");
  const Source from{d, name(wide), name(shift)};
  const Stmt places =
      make_.loop(x, integer(0), name(all_), put(rel_, name(x), at(place_, row(plus(name(entry_), name(x))))));
  const Expr worth = conjunction(conjunction(test(BinaryOp::greater_equal, from.count, integer(2)),
                                             test(BinaryOp::greater_equal, name(all_), integer(6))),
                                 fits(from, name(all_)));
  const Expr wide_blocks = test(BinaryOp::greater_equal, at(joint_, {}), integer(3));
  const Expr much = conjunction(test(BinaryOp::greater_equal, from.count, integer(columns_packed / 4)),
                                test(BinaryOp::greater_equal, at(joint_, {}), integer(2 * columns_in_block)));
  const Stmt direct = make_.made(If{wide_blocks, in_blocks(from, f, columns_in_block), in_blocks(from, f, 2)});
  const Stmt blocks = make_.made(If{much, in_parts(from, f), direct});
  const Stmt by = make_.seq({places, make_.made(If{worth, blocks, one_by_one(from, f)})});
  return make_.let(wide, minus(at(last_, d), d), make_.let(shift, minus(name(entry_), begin(d)), by));
}

/// Some columns of a finished panel at a time, rows of which are copied to where they lie side by side.
Stmt Panels::in_parts(const Source& from, const Expr& f) {
  const std::string part = variable("part"), first = variable(of_.before + "_from"), many = variable("many");
  const Source some{plus(from.first, name(first)), name(many), minus(from.shift, name(first))};
  const Expr parts = divided(plus(from.count, integer(columns_packed - 1)), columns_packed);
  return make_.loop(part, integer(0), parts,
                    make_.let(first, times(name(part), columns_packed),
                              make_.let(many, least(integer(columns_packed), minus(from.count, name(first))),
                                        in_blocks(some, f, columns_in_block, true))));
}

/// Rows i … of the columns, each beside the other.
Stmt Panels::packs(const Source& from, const Expr& i) {
  const std::string k = variable(of_.before + "_in"), z = variable("z"), base = variable("base"), a = variable("a");
  const Expr column = plus(minus(begin(plus(from.first, name(k))), name(k)), from.shift);
  const Stmt copies = make_.loop(
      z, integer(0), integer(rows_in_block),
      make_.let(a, plus(name(base), name(z)), make_.set(packed_, element(packed_, {name(k), name(z)}), in_factor(a))),
      in_lanes);
  return make_.loop(k, integer(0), from.count, make_.let(base, plus(column, i), copies));
}

/// tile[q][z]: sums of rows i + z and j + q, by their numbers.
std::vector<Stmt> Panels::tile_sums(const Source& from, const Expr& i, const Expr& j, int wide, bool packed) {
  const std::string k = variable(of_.before + "_in"), q = variable("q"), z = variable("z"), base = variable("base"),
                    a = variable("a"), b = variable("b");
  const Position place = element(tile_, {name(q), name(z)});
  const Expr zero = constant(format::Value::of(type_, 0));
  const auto over = [&](Stmt inside) {
    return make_.loop(q, integer(0), integer(wide),
                      make_.loop(z, integer(0), integer(rows_in_block), std::move(inside), in_lanes));
  };
  const Expr column = plus(minus(begin(plus(from.first, name(k))), name(k)), from.shift);
  const Expr beside = value(*flow_.tensor(packed_), element(packed_, {name(k), name(z)}));
  Stmt adds = make_.add(tile_, place, product(from, k, packed ? beside : in_factor(a), in_factor(b)));
  adds = make_.let(b, plus(plus(name(base), j), name(q)), std::move(adds));
  if (!packed) adds = make_.let(a, plus(plus(name(base), i), name(z)), std::move(adds));
  return {make_.made(Declare{tile_}), over(make_.set(tile_, place, zero)),
          make_.loop(k, integer(0), from.count, make_.let(base, column, over(adds)))};
}

Stmt Panels::in_blocks(const Source& from, const Expr& f, int wide, bool packed) {
  const std::string strip = variable("strip"), block = variable("block"), i = variable("i_at"), j = variable("j_at"),
                    rows = variable("rows"), columns = variable("columns"), q = variable("q"), z = variable("z"),
                    of = variable(of_.column + "_of"), to = variable("to"), p = variable("p" + of_.factor);
  const Expr c = plus(name(j), name(q));
  // Below the diagonal; what is on it has a place of its own.
  const Stmt scatter = make_.loop(z, greatest(integer(0), minus(plus(c, integer(1)), name(i))), name(rows),
                                  make_.let(p, plus(name(to), at(rel_, plus(name(i), name(z)))),
                                            make_.add(of_.factor, entry(p), in_tile(name(q), name(z)))));
  const Expr on = minus(c, name(i));
  const Stmt diagonal =
      make_.made(If{test(BinaryOp::greater_equal, c, name(i)),
                    make_.add(sums_, element(sums_, {name(of)}), in_tile(name(q), on)), std::nullopt});
  const std::vector<Stmt> both_parts = of_.own_is_term ? std::vector{diagonal, scatter} : std::vector{scatter};
  const Stmt stored =
      make_.loop(q, integer(0), least(integer(wide), minus(name(columns), name(j))),
                 make_.let(of, row(plus(name(entry_), c)),
                           make_.let(to, minus(begin(name(of)), minus(name(of), f)), make_.seq(both_parts))));
  std::vector<Stmt> sums = tile_sums(from, name(i), name(j), wide, packed);
  sums.push_back(stored);
  const Stmt one = make_.let(j, times(name(block), wide), make_.seq(std::move(sums)));
  const Expr blocks = divided(plus(name(columns), integer(wide - 1)), wide);
  const Expr strips = divided(plus(name(all_), integer(rows_in_block - 1)), rows_in_block);
  Stmt all = make_.loop(block, integer(0), blocks, one);
  if (packed) all = make_.seq({packs(from, name(i)), all});
  return make_.loop(strip, integer(0), strips,
                    make_.let(i, times(name(strip), rows_in_block),
                              make_.let(rows, least(integer(rows_in_block), minus(name(all_), name(i))),
                                        make_.let(columns, least(at(joint_, {}), plus(name(i), name(rows))), all))));
}

Stmt Panels::one_by_one(const Source& from, const Expr& f) {
  const std::string k = variable(of_.before + "_in"), q = variable("q"), z = variable("z"), base = variable("base"),
                    a = variable("a"), b = variable("b"), of = variable(of_.column + "_of"), to = variable("to"),
                    p = variable("p" + of_.factor);
  const Expr column = plus(minus(begin(plus(from.first, name(k))), name(k)), from.shift);
  const Stmt below =
      make_.loop(z, plus(name(q), integer(1)), name(all_),
                 make_.let(a, plus(name(base), name(z)),
                           make_.let(p, plus(name(to), at(rel_, name(z))),
                                     make_.add(of_.factor, entry(p), product(from, k, in_factor(a), in_factor(b))))));
  std::vector<Stmt> parts{below};
  if (of_.own_is_term)
    parts.insert(parts.begin(),
                 make_.add(sums_, element(sums_, {name(of)}), product(from, k, in_factor(b), in_factor(b))));
  const Stmt terms = make_.loop(k, integer(0), from.count,
                                make_.let(base, column, make_.let(b, plus(name(base), name(q)), make_.seq(parts))));
  return make_.loop(q, integer(0), at(joint_, {}),
                    make_.let(of, row(plus(name(entry_), name(q))),
                              make_.let(to, minus(begin(name(of)), minus(name(of), f)), terms)));
}

/// Columns j … of the panel by all those before them.
Stmt Panels::by_columns_before(const Expr& f, const Expr& j, const Expr& columns) {
  const std::string strip = variable("strip"), i = variable("i_at"), rows = variable("rows"), q = variable("q"),
                    z = variable("z"), to = variable("to"), p = variable("p" + of_.factor),
                    k = variable(of_.before + "_in"), base = variable("base"), a = variable("a"), b = variable("b");
  const Expr first = minus(j, integer(of_.diagonal ? 0 : 1));  // number of row f + j
  const Source from{f, j, integer(0)};
  const Expr c = plus(j, name(q)), own = plus(first, name(q));
  const Expr tile = in_tile(name(q), name(z));
  const Expr on = in_tile(name(q), minus(own, name(i)));
  const Expr there =
      conjunction(test(BinaryOp::greater_equal, own, name(i)), test(BinaryOp::less, own, plus(name(i), name(rows))));
  const Stmt below =
      make_.loop(z, greatest(integer(0), minus(plus(own, integer(1)), name(i))), name(rows),
                 make_.let(p, plus(plus(name(to), name(i)), name(z)), make_.add(of_.factor, entry(p), tile)), in_lanes);
  std::vector<Stmt> parts{below};
  if (of_.own_is_term)
    parts.insert(parts.begin(),
                 make_.made(If{there, make_.add(sums_, element(sums_, {plus(f, c)}), on), std::nullopt}));
  const Stmt stored = make_.loop(q, integer(0), columns, make_.let(to, minus(begin(plus(f, c)), c), make_.seq(parts)));
  const Expr strips = divided(plus(minus(name(rows_), first), integer(rows_in_block - 1)), rows_in_block);
  std::vector<Stmt> sums = tile_sums(from, name(i), first, columns_in_block, false);
  sums.push_back(stored);
  const Stmt blocks = make_.loop(strip, integer(0), strips,
                                 make_.let(i, plus(first, times(name(strip), rows_in_block)),
                                           make_.let(rows, least(integer(rows_in_block), minus(name(rows_), name(i))),
                                                     make_.seq(std::move(sums)))));
  // One after the other, where a block would reach beyond the factor.
  const Stmt term = make_.let(a, plus(name(base), name(z)),
                              make_.let(p, plus(name(to), name(z)),
                                        make_.add(of_.factor, entry(p), product(from, k, in_factor(a), in_factor(b)))));
  std::vector<Stmt> each{make_.loop(z, plus(own, integer(1)), name(rows_), term, in_lanes)};
  if (of_.own_is_term)
    each.insert(each.begin(),
                make_.add(sums_, element(sums_, {plus(f, c)}), product(from, k, in_factor(b), in_factor(b))));
  const Stmt single =
      make_.loop(q, integer(0), columns,
                 make_.let(to, minus(begin(plus(f, c)), c),
                           make_.loop(k, integer(0), j,
                                      make_.let(base, minus(begin(plus(f, name(k))), name(k)),
                                                make_.let(b, plus(name(base), own), make_.seq(each))))));
  const Stmt either = make_.made(If{fits(from, name(rows_)), blocks, single});
  return make_.made(If{test(BinaryOp::greater, j, integer(0)), either, std::nullopt});
}

}  // namespace trellis::flow
