// Updates of panels: by finished ones, and by their own columns.
#include "engine/flow/panels.hpp"

namespace trellis::flow {

using namespace making;
using format::BinaryOp;
using format::ScalarType;

namespace {
constexpr auto in_lanes = Loop::Execution::vector;
}

/// By the finished panel from column d on to before `behind`: its rows from `entry_` on, of which `joint_` are columns.
Stmt Panels::update(const Expr& d, const Expr& behind, const Expr& f) {
  const std::string x = variable("x"), wide = variable("wide"), shift = variable("shift");
  const Source from{d, name(wide), name(shift)};
  const Stmt places =
      make_.loop(x, integer(0), name(all_), put(rel_, name(x), at(place_, row(plus(name(entry_), name(x))))));
  const Expr wide_blocks = test(BinaryOp::greater_equal, at(joint_, {}), integer(3));
  const Expr worth = conjunction(test(BinaryOp::greater_equal, from.count, integer(2)),
                                 test(BinaryOp::greater_equal, name(all_), integer(fewest_rows)));
  const Expr much = conjunction(test(BinaryOp::greater_equal, from.count, integer(columns_packed / 4)),
                                test(BinaryOp::greater_equal, at(joint_, {}), integer(2 * columns_in_block)));
  const auto each = [&](const auto& by) {
    std::vector<Stmt> all;
    for (const Part& part : parts_) all.push_back(by(part));
    return all.size() == 1 ? all.front() : make_.seq(std::move(all));
  };
  const auto in_rows = [&](int rows) {
    const auto in = [&](int columns) {
      return each([&](const Part& part) { return in_blocks(part, from, f, {rows, columns}); });
    };
    return make_.made(If{wide_blocks, in(columns_in_block), in(2)});
  };
  const Expr many = test(BinaryOp::greater_equal, name(all_), integer(rows_in_block));
  const Stmt direct = make_.made(If{many, in_rows(rows_in_block), in_rows(fewest_rows)});
  const Stmt blocks = make_.made(If{much, each([&](const Part& part) { return in_parts(part, from, f); }), direct});
  const Stmt single = each([&](const Part& part) { return one_by_one(part, from, f); });
  const Stmt by = make_.seq({places, make_.made(If{worth, blocks, single})});
  const Expr first = minus(name(entry_), column(parts_[structure_], d, integer(0)));
  return make_.let(wide, minus(behind, d), make_.let(shift, first, by));
}

/// Some columns of a finished panel at a time, rows of which are copied to where they lie side by side.
Stmt Panels::in_parts(const Part& part, const Source& from, const Expr& f) {
  const std::string one = variable("part"), first = variable(of_.before + "_from"), many = variable("many");
  const Source some{plus(from.first, name(first)), name(many), minus(from.shift, name(first))};
  const Expr parts = divided(plus(from.count, integer(columns_packed - 1)), columns_packed);
  return make_.loop(one, integer(0), parts,
                    make_.let(first, times(name(one), columns_packed),
                              make_.let(many, least(integer(columns_packed), minus(from.count, name(first))),
                                        in_blocks(part, some, f, {rows_in_block, columns_in_block}, true))));
}

/// So many rows from i on of the columns, each beside the other.
Stmt Panels::packs(const Part& part, const Source& from, const Expr& i, const Expr& rows) {
  const std::string k = variable(of_.before + "_in"), z = variable("z"), base = variable("base"), a = variable("a");
  const Expr start = plus(plus(column(part, from.first, name(k)), from.shift), i);
  const Expr entry = in_factor(part, a);
  const Stmt copies = make_.loop(
      z, integer(0), rows,
      make_.let(a, plus(name(base), name(z)), make_.set(packed_, element(packed_, {name(k), name(z)}), entry)),
      in_lanes);
  return make_.loop(k, integer(0), from.count, make_.let(base, start, copies));
}

/// tile[q][z]: sums of rows i + z and j + q, by their numbers.
std::vector<Stmt> Panels::tile_sums(const Part& part, const Source& from, const Expr& i, const Expr& j, Block size,
                                    bool packed) {
  const std::string k = variable(of_.before + "_in"), q = variable("q"), z = variable("z"), base = variable("base"),
                    a = variable("a"), b = variable("b"), &tile = tile_of(size);
  const Part& other = across(part);
  const std::string there = &other == &part ? base : variable("across");
  const Position place = element(tile, {name(q), name(z)});
  const Expr zero = constant(format::Value::of(type_, 0));
  const auto over = [&](Stmt inside) {
    return make_.loop(q, integer(0), integer(size.columns),
                      make_.loop(z, integer(0), integer(size.rows), std::move(inside), in_lanes));
  };
  const Expr beside = value(*flow_.tensor(packed_), element(packed_, {name(k), name(z)}));
  Stmt adds = make_.add(tile, place, product(part, from, k, packed ? beside : in_factor(part, a), in_factor(other, b)));
  adds = make_.let(b, plus(plus(name(there), j), name(q)), std::move(adds));
  if (!packed) adds = make_.let(a, plus(plus(name(base), i), name(z)), std::move(adds));
  return {make_.made(Declare{tile}), over(make_.set(tile, place, zero)),
          make_.loop(k, integer(0), from.count, with_bases(part, from, k, over(adds)))};
}

/// Of the rows from number `begin` on: those of a strip that ends with the `count` rows that there are, and how many of
/// them the one before has.
Stmt Panels::strip_at(const Expr& begin, const Expr& count, int rows, const Stmt& body) {
  const std::string i = variable("i_at");
  return make_.let(i, least(begin, minus(count, integer(rows))),
                   make_.let(variable("skipped"), minus(begin, name(i)), body));
}

Stmt Panels::in_blocks(const Part& part, const Source& from, const Expr& f, Block size, bool packed) {
  const std::string strip = variable("strip"), block = variable("block"), i = variable("i_at"), j = variable("j_at"),
                    rows = variable("rows"), columns = variable("columns"), q = variable("q"), z = variable("z"),
                    of = variable(of_.column + "_of"), to = variable("to"), p = variable("p" + part.side->factor);
  const Expr c = plus(name(j), name(q)), wide = integer(size.columns), begin = times(name(strip), size.rows);
  const Expr skipped = packed ? integer(0) : name(variable("skipped")), high = packed ? name(rows) : integer(size.rows);
  // Below the diagonal, and perhaps on it: else that has a place of its own.
  const Expr first = greatest(skipped, minus(plus(c, integer(part.below())), name(i)));
  const Stmt scatter = make_.loop(z, first, high,
                                  make_.let(p, plus(name(to), at(rel_, plus(name(i), name(z)))),
                                            make_.add(part.side->factor, entry(p), in_tile(size, name(q), name(z)))));
  const Expr on = minus(c, name(i));
  std::vector<Stmt> targets{scatter};
  if (part.own)
    targets.insert(
        targets.begin(),
        make_.made(If{test(BinaryOp::greater_equal, on, skipped),
                      make_.add(sums_, element(sums_, {name(of)}), in_tile(size, name(q), on)), std::nullopt}));
  const Stmt stored =
      make_.loop(q, minus(times(name(block), size.columns), name(j)), least(wide, minus(name(columns), name(j))),
                 make_.let(of, row(plus(name(entry_), c)),
                           make_.let(to, column(part, f, minus(name(of), f)), make_.seq(std::move(targets)))));
  std::vector<Stmt> sums = tile_sums(part, from, name(i), name(j), size, packed);
  sums.push_back(stored);
  const Stmt one =
      make_.let(j, least(times(name(block), size.columns), minus(name(all_), wide)), make_.seq(std::move(sums)));
  const Expr blocks = divided(plus(name(columns), integer(size.columns - 1)), size.columns);
  const Expr strips = divided(plus(name(all_), integer(size.rows - 1)), size.rows);
  Stmt all = make_.loop(block, integer(0), blocks, one);
  if (packed) all = make_.seq({packs(part, from, name(i), name(rows)), all});
  all = make_.let(columns, least(at(joint_, {}), plus(name(i), high)), all);
  const Expr many = least(integer(size.rows), minus(name(all_), name(i)));
  return make_.loop(
      strip, integer(0), strips,
      packed ? make_.let(i, begin, make_.let(rows, many, all)) : strip_at(begin, name(all_), size.rows, all));
}

Stmt Panels::one_by_one(const Part& part, const Source& from, const Expr& f) {
  const std::string k = variable(of_.before + "_in"), q = variable("q"), z = variable("z"), base = variable("base"),
                    a = variable("a"), b = variable("b"), of = variable(of_.column + "_of"), to = variable("to"),
                    p = variable("p" + part.side->factor);
  const Part& other = across(part);
  const std::string there = &other == &part ? base : variable("across");
  const Expr term = product(part, from, k, in_factor(part, a), in_factor(other, b));
  const Stmt below = make_.loop(
      z, plus(name(q), integer(part.below())), name(all_),
      make_.let(a, plus(name(base), name(z)),
                make_.let(p, plus(name(to), at(rel_, name(z))), make_.add(part.side->factor, entry(p), term))));
  std::vector<Stmt> targets{below};
  if (part.own)
    targets.insert(targets.begin(),
                   make_.let(a, plus(name(base), name(q)), make_.add(sums_, element(sums_, {name(of)}), term)));
  const Stmt terms =
      make_.loop(k, integer(0), from.count,
                 with_bases(part, from, k, make_.let(b, plus(name(there), name(q)), make_.seq(std::move(targets)))));
  return make_.loop(
      q, integer(0), at(joint_, {}),
      make_.let(of, row(plus(name(entry_), name(q))), make_.let(to, column(part, f, minus(name(of), f)), terms)));
}

/// Columns j … of the panel by all those before them.
Stmt Panels::by_columns_before(const Part& part, const Expr& f, const Expr& j, const Expr& columns) {
  const std::string first = variable("first_of_block");
  const Expr many = conjunction(test(BinaryOp::greater, name(rows_), integer(rows_in_block)),
                                test(BinaryOp::greater, minus(name(rows_), j), integer(rows_in_block - fewest_rows)));
  const auto in = [&](int rows) { return by_columns_before(part, f, j, columns, {rows, columns_in_block}); };
  const Stmt blocks = make_.made(If{many, in(rows_in_block), in(fewest_rows)});
  const Stmt all = make_.let(first, least(j, minus(name(rows_), integer(columns_in_block))), blocks);
  return make_.made(If{test(BinaryOp::greater, j, integer(0)), all, std::nullopt});
}

Stmt Panels::by_columns_before(const Part& part, const Expr& f, const Expr& j, const Expr& columns, Block size) {
  const std::string strip = variable("strip"), i = variable("i_at"), skipped = variable("skipped"), q = variable("q"),
                    z = variable("z"), to = variable("to"), p = variable("p" + part.side->factor),
                    first = variable("first_of_block");
  const Source from{f, j, integer(0)};
  const Expr c = plus(name(first), name(q)), on = minus(c, name(i)), rows = integer(size.rows);
  const Expr begin = greatest(name(skipped), minus(plus(c, integer(part.below())), name(i)));
  const Expr sum = in_tile(size, name(q), name(z));
  const Stmt below = make_.loop(
      z, begin, rows, make_.let(p, plus(plus(name(to), name(i)), name(z)), make_.add(part.side->factor, entry(p), sum)),
      in_lanes);
  std::vector<Stmt> targets{below};
  const Expr here = conjunction(test(BinaryOp::greater_equal, on, name(skipped)), test(BinaryOp::less, on, rows));
  if (part.own)
    targets.insert(
        targets.begin(),
        make_.made(If{here, make_.add(sums_, element(sums_, {plus(f, c)}), in_tile(size, name(q), on)), std::nullopt}));
  const Expr skips = minus(j, name(first));
  const Stmt stored =
      make_.loop(q, skips, plus(columns, skips), make_.let(to, column(part, f, c), make_.seq(std::move(targets))));
  std::vector<Stmt> sums = tile_sums(part, from, name(i), name(first), size, false);
  sums.push_back(stored);
  const Expr strips = divided(plus(minus(name(rows_), j), integer(size.rows - 1)), size.rows);
  return make_.loop(
      strip, integer(0), strips,
      strip_at(plus(j, times(name(strip), size.rows)), name(rows_), size.rows, make_.seq(std::move(sums))));
}

/// To column c of the panel, whose row 0 is at `to`, the terms of column k of `from`: `base`, and `b` in its row.
Stmt Panels::adds_row(const Part& part, const Source& from, const std::string& k, const Expr& f, const Expr& c,
                      const Expr& limit) {
  const std::string z = variable("z"), to = variable("to"), p = variable("p" + part.side->factor), a = variable("a"),
                    b = variable("b"), base = variable("base");
  const Expr term = product(part, from, k, in_factor(part, a), in_factor(across(part), b));
  const Stmt add = make_.let(a, plus(name(base), name(z)),
                             make_.let(p, plus(name(to), name(z)), make_.add(part.side->factor, entry(p), term)));
  const Stmt below = make_.loop(z, plus(c, integer(part.below())), limit, add, in_lanes);
  if (!part.own) return below;
  return make_.seq({make_.let(a, plus(name(base), c), make_.add(sums_, element(sums_, {plus(f, c)}), term)), below});
}

}  // namespace trellis::flow
