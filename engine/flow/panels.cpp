#include "engine/flow/panels.hpp"

#include <algorithm>

#include "engine/flow/rename.hpp"

namespace trellis::flow {

using namespace making;
using format::BinaryOp;
using format::ScalarType;

Panels::Panels(Flow& flow, const LeftLooking& of, const lang::Schedule::Supernodes& supernodes, making::Maker maker)
    : flow_(flow),
      of_(of),
      firsts_(supernodes.partition),
      updates_(supernodes.updates()),
      make_(std::move(maker)),
      names_(flow),
      type_(flow.tensor(of.sides.front().factor)->type) {
  for (const LeftLooking::Side& side : of.sides) {
    if (side.diagonal && !parts_.empty() && !parts_[structure_].side->diagonal) structure_ = parts_.size();
    parts_.push_back({&side});
  }
  if (!of.own.empty()) parts_[of.own_side].own = true;
  const std::string& l = of.sides.front().factor;
  place_ = temporary(l + "_place", ScalarType::i32, {of.size});
  rel_ = temporary(l + "_rel", ScalarType::i32, {of.size});
  if (!of.own.empty()) sums_ = temporary(l + "_sums", type_, {of.size});
  tile_ = temporary(l + "_tile", type_, {integer(columns_in_block), integer(rows_in_block)});
  small_tile_ = temporary(l + "_small_tile", type_, {integer(columns_in_block), integer(fewest_rows)});
  packed_ = temporary(l + "_packed", type_, {integer(columns_packed), integer(rows_in_block)});
  from_ = temporary(l + "_from", ScalarType::i64, {});
  to_ = temporary(l + "_to", ScalarType::i64, {});
  joint_ = temporary(l + "_joint", ScalarType::i64, {});
}

std::string Panels::temporary(const std::string& wish, ScalarType type, std::vector<Expr> sizes) {
  Tensor made;
  made.name = names_.take(names_.underlined(wish));
  made.type = type;
  made.fill = format::Value::of(type, 0);
  made.storage = Tensor::Storage::temporary;
  for (Expr& size : sizes) {
    made.order.push_back(static_cast<int>(made.levels.size()));
    Level level;
    level.size = std::move(size);
    made.levels.push_back(std::move(level));
  }
  flow_.tensors.push_back(made);
  return made.name;
}

const std::string& Panels::variable(const std::string& wish) {
  const auto known = variables_.find(wish);
  if (known != variables_.end()) return known->second;
  return variables_[wish] = names_.take(names_.underlined(wish));
}

const Panels::Part& Panels::across(const Part& part) const {
  return parts_[of_.partner(static_cast<std::size_t>(&part - parts_.data()))];
}
Expr Panels::begin(const Part& part, const Expr& column) const {
  const std::string& factor = part.side->factor;
  return Expr(ExprNode{Begin{factor, 1, element(factor, {column})}, ScalarType::i64, {}});
}
Expr Panels::row(const Expr& entry) const {
  return Expr(ExprNode{Coordinate{parts_[structure_].side->factor, 1, entry}, ScalarType::i64, {}});
}
/// A row of the panel from f on, by its number.
Expr Panels::row_of(const Expr& f, const Expr& number) const {
  return row(plus(column(parts_[structure_], f, integer(0)), number));
}
Expr Panels::column(const Part& part, const Expr& f, const Expr& number) const {
  return minus(begin(part, plus(f, number)), plus(number, integer(part.beside())));
}
Expr Panels::at(const std::string& tensor, const Expr& index) const {
  const Tensor& t = *flow_.tensor(tensor);
  const Expr v = value(t, t.levels.empty() ? root() : element(tensor, {index}));
  return t.type == ScalarType::i32 ? cast(v, ScalarType::i64) : v;
}
Stmt Panels::put(const std::string& tensor, const Expr& index, const Expr& value) const {
  const Tensor& t = *flow_.tensor(tensor);
  return make_.set(tensor, t.levels.empty() ? root() : element(tensor, {index}),
                   t.type == ScalarType::i32 ? cast(value, ScalarType::i32) : value);
}

/// `base` is where a column of finished ones has row 0, `across` where that of the other side does.
Stmt Panels::with_bases(const Part& part, const Source& from, const std::string& k, Stmt body) {
  const Part& other = across(part);
  if (&other != &part)
    body = make_.let(variable("across"), plus(column(other, from.first, name(k)), from.shift), std::move(body));
  return make_.let(variable("base"), plus(column(part, from.first, name(k)), from.shift), std::move(body));
}

/// The term of k, the number of a column of `from`, of the side's elements in a row, and the other's in that of a
/// column.
Expr Panels::product(const Part& part, const Source& from, const std::string& k, const Expr& row,
                     const Expr& column) const {
  const auto with = [&](const Expr& e, const auto& self) -> Expr {
    const auto* v = e.as<Value>();
    const auto* entry = v && (v->tensor == part.side->factor || v->tensor == across(part).side->factor)
                            ? v->position.as<At>()
                            : nullptr;
    if (entry) return entry->name == part.side->entry ? row : column;
    return map_children(e, [&](const Expr& child) { return self(child, self); });
  };
  Renaming how;
  how.values = {{of_.before, plus(from.first, name(k))}};
  return renamed(with(part.side->term, with), how);
}
Expr Panels::in_factor(const Part& part, const std::string& position) const {
  return value(*flow_.tensor(part.side->factor), entry(position));
}
Expr Panels::in_tile(Block size, const Expr& column, const Expr& row) const {
  const std::string& tile = tile_of(size);
  return value(*flow_.tensor(tile), element(tile, {column, row}));
}

/// If all entries of a column get their values alike, blocks of them do.
void Panels::find_ends(const Stmt& body) {
  rest_ = of_.finish(body, sums_);
  for (Part& part : parts_) {
    const std::string& factor = part.side->factor;
    part.end = column_end(of_, *part.side, rest_, *flow_.tensor(factor));
    if (part.end && part.end->operand && flow_.tensor(part.end->operand->tensor)->type != type_) part.end.reset();
    if (!part.end) continue;
    for (std::size_t one = 0; one < part.end->kept.size(); ++one)
      part.kept.push_back(temporary(factor + "_kept", type_, {integer(columns_in_block)}));
    if (part.end->operand)
      part.given = temporary(part.end->operand->tensor + "_given", type_,
                             {integer(columns_in_block), plus(of_.size, integer(rows_in_block))});
  }
}

/// Of supernode `number`.
Expr Panels::first_of(const Expr& number) const {
  return Expr(ExprNode{Coordinate{firsts_, 0, number}, ScalarType::i64, {}});
}

std::vector<Stmt> Panels::declared(const std::vector<std::string>& arrays) const {
  std::vector<Stmt> all;
  for (const std::string& array : arrays)
    if (!array.empty()) all.push_back(make_.made(Declare{array}));
  return all;
}

Stmt Panels::all(const Stmt& body) {
  find_ends(body);
  const std::string s = variable(firsts_ + "_number"), f = variable(of_.column + "_first"), end = variable(f + "_end");
  const Expr many = Expr(ExprNode{Stored{firsts_, 0}, ScalarType::i64, {}}), behind = plus(name(s), integer(1));
  const Expr more = test(BinaryOp::less, behind, many);
  const Expr next = Expr(ExprNode{Select{more, first_of(behind), of_.size}, ScalarType::i64, {}});
  std::vector<std::string> own{place_, rel_, packed_};
  for (const Part& part : parts_) {
    own.push_back(part.given);
    own.insert(own.end(), part.kept.begin(), part.kept.end());
  }
  std::vector<Stmt> outside = declared({sums_}), inside = declared(own);
  if (!of_.parallel) {
    outside.insert(outside.end(), inside.begin(), inside.end());
    inside.clear();
    outside.push_back(places_begin());
  } else if (std::ranges::any_of(parts_, [](const Part& part) { return part.end && part.end->operand; })) {
    inside.push_back(places_of_operands(name(f), name(end)));
  }
  inside.push_back(panel(name(s), name(f), name(end)));
  const Stmt one = make_.let(f, first_of(name(s)), make_.let(end, next, make_.seq(std::move(inside))));
  outside.push_back(
      make_.loop(s, integer(0), many, one, of_.parallel ? Loop::Execution::parallel : Loop::Execution::serial));
  return make_.seq(std::move(outside));
}

/// No row has its place yet.
Stmt Panels::places_begin() {
  const std::string i = variable(of_.column + "_row");
  return make_.loop(i, integer(0), of_.size, put(place_, name(i), integer(parts_[structure_].beside())));
}

/// Those alone that operands of the panel will ask for: what a thread has for itself, it does not clear for each.
Stmt Panels::places_of_operands(const Expr& f, const Expr& end) {
  const std::string c = variable(of_.column + "_sum"), i = variable("i_given");
  std::vector<Stmt> all;
  for (const Part& part : parts_)
    if (part.end && part.end->operand)
      all.push_back(along_operand(part, name(c), i, put(place_, name(i), integer(parts_[structure_].beside()))));
  return make_.loop(c, f, end, make_.seq(std::move(all)));
}

Stmt Panels::panel(const Expr& s, const Expr& f, const Expr& end) {
  const Part& rows = parts_[structure_];
  rows_ = variable(rows.side->factor + "_rows");
  const Expr count = plus(minus(begin(plus(f, integer(1))), begin(f)), integer(rows.beside()));
  return make_.let(rows_, count, make_.seq({begins(f, end), updates(s.as<Name>()->name, f, end), factorised(f, end)}));
}

/// Where rows are, and sums at 0.
Stmt Panels::begins(const Expr& f, const Expr& end) {
  const std::string x = variable("x"), c = variable(of_.column + "_sum");
  const Expr zero = constant(format::Value::of(type_, 0));
  std::vector<Stmt> all{
      make_.loop(x, integer(parts_[structure_].beside()), name(rows_), put(place_, row_of(f, name(x)), name(x)))};
  for (const Part& part : parts_) {
    const std::string p = variable("p" + part.side->factor);
    all.push_back(make_.loop(p, begin(part, f), begin(part, end), make_.set(part.side->factor, entry(p), zero)));
  }
  if (!sums_.empty()) all.push_back(make_.loop(c, f, end, put(sums_, name(c), zero)));
  return make_.seq(std::move(all));
}

/// By the finished panels that have rows among its columns.
Stmt Panels::updates(const std::string& s, const Expr& f, const Expr& end) {
  const std::string number = variable(of_.before + "_number"), d = variable(of_.before + "_first"),
                    behind = variable(of_.before + "_behind"), below = variable(of_.before + "_below"),
                    stored = variable("p" + updates_);
  const std::string& factor = parts_[structure_].side->factor;
  entry_ = variable("p" + factor + "_from");
  all_ = variable(factor + "_below");
  const Expr many = minus(begin(plus(name(d), integer(1))), name(entry_)), joint = at(joint_, {});
  // How many of its rows are columns of the panel.
  const Expr more = test(BinaryOp::less, row(plus(name(entry_), joint)), end);
  const Expr inside = conjunction(test(BinaryOp::less, joint, name(all_)), more);
  const Stmt count = make_.made(While{inside, put(joint_, {}, plus(joint, integer(1)))});
  const Stmt by = make_.let(entry_, at(from_, {}),
                            make_.let(all_, many,
                                      make_.seq({make_.made(Declare{joint_}), put(joint_, {}, integer(1)), count,
                                                 update(name(d), name(behind), f)})));
  const Expr own = plus(column(parts_[structure_], name(d), integer(0)), minus(name(behind), name(d)));
  const Stmt one = make_.let(
      d, first_of(name(number)),
      make_.let(behind, first_of(plus(name(number), integer(1))),
                make_.let(below, own,
                          make_.seq({make_.made(Declare{from_}), finds_first_row(name(d), name(below), f), by}))));
  Cursor cursor;
  cursor.name = stored;
  cursor.tensor = updates_;
  cursor.level = 1;
  cursor.parent = element(updates_, {name(s)});
  cursor.offset = integer(0);
  Coiterate walk;
  walk.variable = number;
  walk.low = integer(0);
  walk.high = of_.size;
  walk.cursors = {cursor};
  Coiterate::Point point;
  point.leads = {0};
  point.body = make_.made(Test{stored, one, std::nullopt, true});
  if (of_.parallel) point.body = make_.seq({make_.made(Await{s, name(number)}), point.body});
  walk.points = {point};
  return make_.made(std::move(walk));
}

/// `from_`: the first entry at or behind `below` whose row is no less than f. It is there, and mostly the first of all.
Stmt Panels::finds_first_row(const Expr& d, const Expr& below, const Expr& f) {
  const std::string middle = variable("middle");
  const Expr from = at(from_, {}), end = begin(plus(d, integer(1)));
  const Expr before = test(BinaryOp::less, row(from), f);
  const Expr between = divided(plus(from, at(to_, {})), 2);
  const Stmt halves =
      make_.let(middle, between,
                make_.made(If{test(BinaryOp::less, row(name(middle)), f),
                              put(from_, {}, plus(name(middle), integer(1))), put(to_, {}, name(middle))}));
  const Stmt bisects = make_.seq({make_.made(Declare{to_}), put(to_, {}, end),
                                  make_.made(While{test(BinaryOp::less, from, at(to_, {})), halves})});
  return make_.seq({put(from_, {}, below), make_.made(If{before, bisects, std::nullopt})});
}

}  // namespace trellis::flow
