#include "engine/flow/panels.hpp"

#include "engine/flow/rename.hpp"

namespace trellis::flow {

using namespace making;
using format::BinaryOp;
using format::ScalarType;

Panels::Panels(Flow& flow, const LeftLooking& of, std::string firsts, making::Maker maker)
    : flow_(flow),
      of_(of),
      firsts_(std::move(firsts)),
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
  waits_ = temporary(l + "_waits", ScalarType::i32, {of.size});
  after_ = temporary(l + "_after", ScalarType::i32, {of.size});
  next_ = temporary(l + "_next", ScalarType::i64, {of.size});
  last_ = temporary(l + "_last", ScalarType::i32, {of.size});
  if (!of.own.empty()) sums_ = temporary(l + "_sums", type_, {of.size});
  tile_ = temporary(l + "_tile", type_, {integer(columns_in_block), integer(rows_in_block)});
  packed_ = temporary(l + "_packed", type_, {integer(columns_packed), integer(rows_in_block)});
  waiting_ = temporary(l + "_waiting", ScalarType::i64, {});
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
Expr Panels::in_tile(const Expr& column, const Expr& row) const {
  return value(*flow_.tensor(tile_), element(tile_, {column, row}));
}

/// Are so many rows, and those of a block behind them, within the memory of each side?
Expr Panels::fits(const Source& from, const Expr& rows) const {
  std::optional<Expr> all;
  for (const Part& part : parts_) {
    const Expr last = column(part, from.first, minus(from.count, integer(1)));
    const Expr there = plus(plus(last, from.shift), rows);
    const Expr end = Expr(ExprNode{Stored{part.side->pattern, 1}, ScalarType::i64, {}});
    const Expr one = test(BinaryOp::less_equal, plus(there, integer(rows_in_block + columns_in_block)), end);
    all = all ? conjunction(*all, one) : one;
  }
  return *all;
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

Stmt Panels::all(const Stmt& body) {
  find_ends(body);
  const std::string f = variable(of_.column + "_first"), entry = variable("p" + firsts_), end = variable(f + "_end");
  const Expr behind = plus(name(entry), integer(1));
  const Expr known = Expr(ExprNode{Coordinate{firsts_, 0, behind}, ScalarType::i64, {}});
  const Expr more = test(BinaryOp::less, behind, Expr(ExprNode{Stored{firsts_, 0}, ScalarType::i64, {}}));
  const Expr next = Expr(ExprNode{Select{more, known, of_.size}, ScalarType::i64, {}});
  Coiterate walk;
  walk.variable = f;
  walk.low = integer(0);
  walk.high = of_.size;
  Cursor cursor;
  cursor.name = entry;
  cursor.tensor = firsts_;
  cursor.parent = root();
  cursor.offset = integer(0);
  walk.cursors = {cursor};
  Coiterate::Point point;
  point.leads = {0};
  Test here{entry, make_.let(end, next, panel(name(f), name(end))), std::nullopt, true};
  point.body = make_.made(std::move(here));
  walk.points = {point};
  std::vector<Stmt> all;
  std::vector<std::string> arrays{place_, rel_, waits_, after_, next_, last_, sums_, packed_};
  for (const Part& part : parts_) {
    arrays.push_back(part.given);
    arrays.insert(arrays.end(), part.kept.begin(), part.kept.end());
  }
  for (const std::string& array : arrays)
    if (!array.empty()) all.push_back(make_.made(Declare{array}));
  all.push_back(waits_from_here());
  all.push_back(make_.made(std::move(walk)));
  return make_.seq(std::move(all));
}

Stmt Panels::waits_from_here() {
  const std::string i = variable(of_.column + "_row");
  return make_.loop(
      i, integer(0), of_.size,
      make_.seq({put(waits_, name(i), integer(-1)), put(place_, name(i), integer(parts_[structure_].beside()))}));
}

Stmt Panels::panel(const Expr& f, const Expr& end) {
  const Part& rows = parts_[structure_];
  rows_ = variable(rows.side->factor + "_rows");
  const Expr count = plus(minus(begin(plus(f, integer(1))), begin(f)), integer(rows.beside()));
  return make_.let(rows_, count,
                   make_.seq({begins(f, end), updates(f, end), factorised(f, end), begins_to_wait(f, end)}));
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

/// By the panels that wait for one of its columns.
Stmt Panels::updates(const Expr& f, const Expr& end) {
  const std::string c = variable(of_.column + "_own"), d = variable(of_.before + "_first"),
                    then = variable(of_.before + "_after");
  const std::string& factor = parts_[structure_].side->factor;
  entry_ = variable("p" + factor + "_from");
  all_ = variable(factor + "_below");
  const Expr from = at(next_, name(d)), many = minus(begin(plus(name(d), integer(1))), name(entry_));
  const Expr joint = at(joint_, {}), behind = plus(name(entry_), joint);
  // How many of its rows are columns of the panel.
  const Expr inside = conjunction(test(BinaryOp::less, joint, name(all_)), test(BinaryOp::less, row(behind), end));
  const Stmt count = make_.made(While{inside, put(joint_, {}, plus(joint, integer(1)))});
  const Stmt on = make_.seq(
      {put(next_, name(d), behind), put(after_, name(d), at(waits_, row(behind))), put(waits_, row(behind), name(d))});
  const Stmt moves = make_.made(If{test(BinaryOp::less, joint, name(all_)), on, std::nullopt});
  const Stmt one = make_.seq({make_.made(Declare{joint_}), put(joint_, {}, integer(1)), count, update(name(d), f),
                              moves, put(waiting_, {}, name(then))});
  const Stmt body =
      make_.let(d, at(waiting_, {}),
                make_.let(then, at(after_, at(waiting_, {})), make_.let(entry_, from, make_.let(all_, many, one))));
  const Stmt through = make_.made(While{test(BinaryOp::greater_equal, at(waiting_, {}), integer(0)), body});
  return make_.loop(c, f, end,
                    make_.seq({make_.made(Declare{waiting_}), put(waiting_, {}, at(waits_, name(c))), through}));
}

/// For the first row below its own columns.
Stmt Panels::begins_to_wait(const Expr& f, const Expr& end) {
  const std::string p = variable("p" + parts_[structure_].side->factor + "_wait");
  const Expr first = plus(column(parts_[structure_], f, integer(0)), minus(end, f));
  const Stmt waits =
      make_.seq({put(next_, f, name(p)), put(after_, f, at(waits_, row(name(p)))), put(waits_, row(name(p)), f)});
  const Expr more = test(BinaryOp::less, name(p), begin(plus(f, integer(1))));
  return make_.seq({put(last_, f, end), make_.let(p, first, make_.made(If{more, waits, std::nullopt}))});
}

}  // namespace trellis::flow
