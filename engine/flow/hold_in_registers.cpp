#include "engine/flow/hold_in_registers.hpp"

#include <algorithm>

#include "engine/flow/arithmetic.hpp"
#include "engine/flow/around.hpp"
#include "engine/flow/fresh_names.hpp"
#include "engine/flow/only_statement.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/register_tile.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;
using format::ScalarType;
using making::binary;

/// Are all coordinates of the element affine and sure to be there, and does it move with both sides and with nothing
/// else?
bool is_element_of_tile(const Position& position, const RegisterTile& tile, const std::string& sum) {
  bool by_rows = false, by_columns = false, fine = true;
  const Position* at = &position;
  for (const Direct* d = at->as<Direct>(); d; at = &d->parent, d = at->as<Direct>()) {
    const auto coordinate = quasi_affine(d->coordinate);
    fine = fine && coordinate && !d->check && !coordinate->mentions(sum);
    by_rows |= coordinate && coordinate->mentions(tile.rows.variable);
    by_columns |= coordinate && coordinate->mentions(tile.columns.variable);
  }
  return fine && at->as<Root>() && by_rows && by_columns;
}

/// Do rows follow each other in storage, and columns do not, where a row's elements fill vectors?
bool goes_along_rows(const Assign& update, const RegisterTile& tile, const Flow& flow) {
  const auto* last = update.position.as<Direct>();
  const auto coordinate = last ? quasi_affine(last->coordinate) : std::nullopt;
  return coordinate && coordinate->mentions(tile.rows.variable) && !coordinate->mentions(tile.columns.variable) &&
         fills_vectors(tile.rows, flow.tensor(update.tensor)->type);
}

/// All reads of tensors in it.
std::vector<Value> values_in(const Expr& expr) {
  std::vector<Value> all;
  if (const auto* value = expr.as<Value>()) all.push_back(*value);
  for_each_child(expr, [&](const Expr& child) { std::ranges::move(values_in(child), std::back_inserter(all)); });
  return all;
}

/// Whatever its operands are, can it be evaluated, and is nothing seen of that?
bool is_harmless(const Expr& expr) {
  if (expr.as<Value>()) return true;  // whether it is there is another question
  const auto* b = expr.as<Binary>();
  const bool divides = b && (b->op == BinaryOp::divide || b->op == BinaryOp::modulo) && format::is_integer(expr->type);
  bool fine = !divides && !expr.as<Checked>() && !expr.as<After>() && !expr.as<Apply>() && !expr.as<Here>();
  for_each_child(expr, [&](const Expr& child) { fine = fine && is_harmless(child); });
  return fine;
}

/// Loops of so many iterations the C compiler writes out by itself, without which no array goes into registers.
constexpr std::int64_t unrolled_unasked = 16;

/// The loops over a tile and the update inside.
struct Nest {
  const Loop *rows = nullptr, *columns = nullptr;
  const Assign* update = nullptr;
};

/// What replaces the loop around a nest.
class Holder {
 public:
  Holder(Flow& flow, FreshNames& names, Around& around, const Stmt& from, const Nest& nest, RegisterTile tile)
      : flow_(flow), around_(around), from_(from), sum_(*from.as<Loop>()), nest_(nest), tile_(std::move(tile)) {
    tile_.rows.inner = names.take(names.underlined(tile_.rows.variable + "_in"));
    tile_.columns.inner = names.take(names.underlined(tile_.columns.variable + "_in"));
    name_ = names.take(names.underlined(nest.update->tensor + "_tile"));
  }

  /// Bounds inside say no more than what holds in an iteration: where there is none, the tile is left alone.
  Stmt run() {
    const Expr last = making::minus(making::minus(sum_.high, sum_.low), integer(1));
    const bool runs = around_.non_negative(last);
    const Stmt all = in_tile();
    return runs ? all : made(If{binary(BinaryOp::less, sum_.low, sum_.high, ScalarType::boolean), all, {}});
  }

 private:
  Stmt in_tile() {
    flow_.tensors.push_back(tile_tensor(name_, *flow_.tensor(nest_.update->tensor), tile_));
    const Expr whole = conjunction(&TileSide::whole);
    const Stmt load = whole_tile(loaded()), add = adding(), store = whole_tile(stored());
    if (!whole) return made(Seq{{made(Declare{name_}), load, add, store}});
    if (!reads_what_is_there()) return made(If{whole, made(Seq{{made(Declare{name_}), load, add, store}}), from_});
    Assign zero = loaded();
    zero.value = constant(format::Value::of_integer(nest_.update->value->type, 0));
    const Stmt some = made(Seq{{whole_tile(zero), as_before(loaded_as_before())}});
    const Stmt all = made(Seq{{made(Declare{name_}), made(If{whole, load, some}), add,
                               made(If{whole, store, as_before(stored_as_before())})}});
    const Expr exists = conjunction(&TileSide::some);
    return exists ? made(If{exists, all, {}}) : all;
  }

  template <class Node>
  Stmt made(Node node) const {
    return Stmt(StmtNode{std::move(node), from_->span}, from_.origin());
  }

  /// That none of these is negative; null where none ever is.
  Expr conjunction(std::vector<Expr> TileSide::*conditions) {
    std::vector<Expr> all;
    for (const TileSide* side : {&tile_.rows, &tile_.columns})
      std::ranges::copy(side->*conditions, std::back_inserter(all));
    return all_non_negative(all, around_);
  }

  /// Is what the update reads stored for each element of a whole tile, whether or not the tile is?
  bool reads_what_is_there() {
    if (!is_harmless(nest_.update->value)) return false;
    enter_tile();
    const bool there = std::ranges::all_of(values_in(nest_.update->value), [&](const Value& value) {
      return around_.in_range(value.position, *flow_.tensor(value.tensor));
    });
    around_.leave(3);
    return there;
  }

  void enter_tile() {
    around_.enter(sum_);
    for (const TileSide* side : {&tile_.rows, &tile_.columns})
      around_.enter(side->variable, side->base, binary(BinaryOp::add, side->base, integer(side->count)));
  }

  Position element(const Expr& row, const Expr& column) const {
    const Position at(PositionNode{Direct{name_, 0, Position(PositionNode{Root{}}), row, std::nullopt}});
    return Position(PositionNode{Direct{name_, 1, at, column, std::nullopt}});
  }
  Position element() const { return element(name(tile_.rows.inner), name(tile_.columns.inner)); }
  /// Of the loops as they were.
  Position element_before() const {
    const auto from_base = [](const TileSide& side) {
      return binary(BinaryOp::subtract, name(side.variable), side.base);
    };
    return element(from_base(tile_.rows), from_base(tile_.columns));
  }

  /// The update, with variables that count from 0.
  Assign moved() const {
    Renaming there;
    for (const TileSide* side : {&tile_.rows, &tile_.columns})
      there.values[side->variable] = binary(BinaryOp::add, side->base, name(side->inner));
    return *renamed(made(Assign(*nest_.update)), there).as<Assign>();
  }

  Expr read(const std::string& tensor, const Position& at) const {
    return Expr(ExprNode{Value{tensor, at}, flow_.tensor(tensor)->type, from_->span});
  }
  Assign loaded() const { return {name_, element(), {}, read(nest_.update->tensor, moved().position)}; }
  Assign stored() const { return {nest_.update->tensor, moved().position, {}, read(name_, element())}; }
  Assign loaded_as_before() const {
    return {name_, element_before(), {}, read(nest_.update->tensor, nest_.update->position)};
  }
  Assign stored_as_before() const {
    return {nest_.update->tensor, nest_.update->position, {}, read(name_, element_before())};
  }

  Stmt adding() const {
    Assign add = moved();
    add.tensor = name_;
    add.position = element();
    Loop loop = sum_;
    loop.body = whole_tile(std::move(add));
    return made(std::move(loop));
  }

  Stmt whole_tile(Assign assign) const {
    Stmt body = made(std::move(assign));
    for (const TileSide* side : {&tile_.columns, &tile_.rows}) {
      Loop loop;
      loop.variable = side->inner;
      loop.low = integer(0);
      loop.high = integer(side->count);
      if (side == &tile_.columns) loop.execution = Loop::Execution::vector;
      else if (side->count > unrolled_unasked) loop.unroll = static_cast<int>(side->count);
      loop.body = std::move(body);
      body = made(std::move(loop));
    }
    return body;
  }

  Stmt as_before(Assign assign) const {
    Loop columns = *nest_.columns, rows = *nest_.rows;
    columns.body = made(std::move(assign));
    rows.body = made(std::move(columns));
    return made(std::move(rows));
  }

  Flow& flow_;
  Around& around_;
  const Stmt& from_;
  const Loop& sum_;
  const Nest& nest_;
  RegisterTile tile_;
  std::string name_;
};

class Holding {
 public:
  explicit Holding(Flow& flow) : flow_(flow), names_(flow), around_(flow) {}

  bool held_some = false;
  std::string why = "no loop around them does nothing but run them, one directly inside the other";

  Stmt visit(const Stmt& s) {
    const Stmt inner = around_.with_children(s, [&](const Stmt& child) { return visit(child); });
    const auto* loop = inner.as<Loop>();
    return loop && is_plain(*loop, {But::down}) ? held(inner, *loop) : inner;
  }

 private:
  static Nest nest_of(const Loop& sum) {
    Nest nest;
    const Stmt* outer = only_statement(sum.body);
    nest.rows = outer ? outer->as<Loop>() : nullptr;
    const Stmt* inner = nest.rows ? only_statement(nest.rows->body) : nullptr;
    nest.columns = inner ? inner->as<Loop>() : nullptr;
    const Stmt* update = nest.columns ? only_statement(nest.columns->body) : nullptr;
    nest.update = update ? update->as<Assign>() : nullptr;
    return nest;
  }

  Stmt held(const Stmt& s, const Loop& sum) {
    const Nest nest = nest_of(sum);
    if (!nest.update || !nest.rows->registers || !nest.columns->registers) return s;
    const Assign& update = *nest.update;
    if (!update.op || update.atomic)
      return refused(s, "what they do to it is no update by a sum, a product, a least or a greatest value");
    auto tile = register_tile(*nest.rows, *nest.columns, sum.variable);
    if (!tile) return refused(s, "they do not go over tiles of sizes that are numbers");
    if (tile->bytes(flow_.tensor(update.tensor)->type) > bytes_in_registers)
      return refused(s, "a tile of more than " + std::to_string(bytes_in_registers) + " bytes does not fit");
    if (!is_element_of_tile(update.position, *tile, sum.variable))
      return refused(s, "loop " + sum.variable + " around them does not add to one tile of a dense tensor");
    if (mentions(update.value, update.tensor) && !reads_beside(sum, *tile, update))
      return refused(s, "what they add is read from where they add it");
    held_some = true;
    // Vectors go along what is stored side by side.
    if (goes_along_rows(update, *tile, flow_)) std::swap(tile->rows, tile->columns);
    return Holder(flow_, names_, around_, s, nest, std::move(*tile)).run();
  }

  /// Is nothing that the update reads of its tensor in the tile?
  bool reads_beside(const Loop& sum, const RegisterTile& tile, const Assign& update) {
    around_.enter(sum);
    Renaming elsewhere;  // any two of the tile's elements
    for (const TileSide* side : {&tile.rows, &tile.columns}) {
      const Expr end = binary(BinaryOp::add, side->base, integer(side->count));
      around_.enter(side->variable, side->base, end);
      around_.enter(side->variable + "'", side->base, end);
      elsewhere.values[side->variable] = name(side->variable + "'");
    }
    const bool beside = std::ranges::all_of(values_in(renamed(update.value, elsewhere)), [&](const Value& value) {
      return value.tensor != update.tensor || around_.apart(value.position, update.position);
    });
    around_.leave(5);
    return beside;
  }

  Stmt refused(const Stmt& s, std::string reason) {
    why = std::move(reason);
    return s;
  }

  Flow& flow_;
  FreshNames names_;
  Around around_;
};

}  // namespace

std::optional<Flow> hold_in_registers(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  using Step = lang::ScheduleStep;
  const auto step = std::ranges::find(kernel.schedule.steps, Step::Kind::registers, &Step::kind);
  Flow result = flow;
  Holding holding(result);
  result.root = holding.visit(flow.root);
  if (step == kernel.schedule.steps.end() || holding.held_some) return result;
  diagnostics.error(
      "E0160", step->span, "loops " + step->loops[0] + " and " + step->loops[1] + " hold no tile: " + holding.why,
      "an order such as j/24 i/8 k i j ends in two loops over a tile, and the loop outside of them adds to it");
  return std::nullopt;
}

}  // namespace trellis::flow
