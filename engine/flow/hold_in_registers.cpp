#include "engine/flow/hold_in_registers.hpp"

#include <algorithm>

#include "engine/flow/fresh_names.hpp"
#include "engine/flow/only_statement.hpp"
#include "engine/flow/ranges.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;

constexpr std::int64_t most_elements = 256;  ///< in a tile: more do not lie on the stack (emit/temporary.cpp)

Expr binary(BinaryOp op, const Expr& a, const Expr& b, format::ScalarType type = format::ScalarType::i64) {
  return Expr(ExprNode{Binary{op, a, b}, type, a->span});
}

/// One of the loops over the tile: so many iterations where `whole` holds, if anything is asked.
struct Side {
  std::string variable, inner;
  Expr low;
  std::int64_t count = 0;
  std::vector<Expr> whole;
};

std::vector<Expr> lesser_of(const Expr& high) {
  const auto* call = high.as<Call>();
  return call && call->function == format::Function::min ? call->arguments : std::vector<Expr>{high};
}

std::optional<Side> side_of(const Loop& loop) {
  const auto low = affine(loop.low);
  if (!loop.registers || !is_plain(loop, {But::vector}) || !low) return std::nullopt;
  Side side{loop.variable, {}, loop.low, 0, {}};
  std::vector<Expr> others;
  for (const Expr& bound : lesser_of(loop.high)) {
    const auto form = affine(bound);
    const auto length = form ? *form - *low : math::Affine();
    if (form && length.is_constant() && (side.count == 0 || length.constant < side.count)) side.count = length.constant;
    else if (!form || !length.is_constant()) others.push_back(bound);
  }
  if (side.count < 1 || side.count > most_elements) return std::nullopt;
  for (const Expr& bound : others)
    side.whole.push_back(binary(BinaryOp::greater_equal, binary(BinaryOp::subtract, bound, loop.low),
                                integer(side.count), format::ScalarType::boolean));
  return side;
}

bool names_any(const Side& side, const std::vector<std::string>& variables) {
  return std::ranges::any_of(variables, [&](const std::string& v) {
    return names(side.low, v) || std::ranges::any_of(side.whole, [&](const Expr& e) { return names(e, v); });
  });
}

/// Are all coordinates of the element affine and sure to be there, and does it move with both sides and with nothing
/// else?
bool is_element_of_tile(const Position& position, const Side& rows, const Side& columns, const std::string& sum) {
  bool by_rows = false, by_columns = false, fine = true;
  const Position* at = &position;
  for (const Direct* d = at->as<Direct>(); d; at = &d->parent, d = at->as<Direct>()) {
    const auto coordinate = affine(d->coordinate);
    fine = fine && coordinate && !d->check && !coordinate->mentions(sum);
    by_rows |= coordinate && coordinate->mentions(rows.variable);
    by_columns |= coordinate && coordinate->mentions(columns.variable);
  }
  return fine && at->as<Root>() && by_rows && by_columns;
}

class Holding {
 public:
  explicit Holding(Flow& flow) : flow_(flow), names_(flow) {}

  bool held_some = false;
  std::string why = "no loop around them does nothing but run them, one directly inside the other";

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* loop = inner.as<Loop>();
    return loop && is_plain(*loop, {But::down}) ? held(inner, *loop) : inner;
  }

 private:
  /// The loops over a tile and the update inside, under a loop that sums; null: something else stands there.
  struct Nest {
    const Loop *rows = nullptr, *columns = nullptr;
    const Assign* update = nullptr;
  };
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
    if (!update.op || update.atomic || mentions(update.value, update.tensor))
      return refused(s, "what they do to it is no update by a sum, a product, a least or a greatest value");
    auto rows = side_of(*nest.rows), columns = side_of(*nest.columns);
    if (!rows || !columns || names_any(*rows, {sum.variable}) ||
        names_any(*columns, {sum.variable, nest.rows->variable}))
      return refused(s, "they do not go over tiles of sizes that are numbers");
    if (rows->count * columns->count > most_elements)
      return refused(s, "a tile of more than " + std::to_string(most_elements) + " elements does not fit");
    if (!is_element_of_tile(update.position, *rows, *columns, sum.variable))
      return refused(s, "loop " + sum.variable + " around them does not add to one tile of a dense tensor");
    rows->inner = names_.take(names_.underlined(nest.rows->variable + "_in"));
    columns->inner = names_.take(names_.underlined(nest.columns->variable + "_in"));
    held_some = true;
    return in_two(s, sum, update, *rows, *columns);
  }

  Stmt refused(const Stmt& s, std::string reason) {
    why = std::move(reason);
    return s;
  }

  Stmt in_two(const Stmt& s, const Loop& sum, const Assign& assign, const Side& rows, const Side& columns) {
    const std::string tile = declare(assign.tensor, rows, columns);
    const Position element = element_of(tile, rows, columns);
    Renaming there;
    there.values[rows.variable] = binary(BinaryOp::add, rows.low, name(rows.inner));
    there.values[columns.variable] = binary(BinaryOp::add, columns.low, name(columns.inner));
    const auto made = [&](auto node) { return Stmt(StmtNode{std::move(node), s->span}, s.origin()); };
    const Stmt update = renamed(made(assign), there);
    const auto& moved = *update.as<Assign>();
    const format::ScalarType type = flow_.tensor(assign.tensor)->type;

    Loop adding = sum;
    Assign add = moved;
    add.tensor = tile;
    add.position = element;
    adding.body = over(s, rows, columns, made(std::move(add)));
    Assign load{tile, element, std::nullopt, Expr(ExprNode{Value{assign.tensor, moved.position}, type, s->span})};
    Assign store{assign.tensor, moved.position, std::nullopt, Expr(ExprNode{Value{tile, element}, type, s->span})};
    const Stmt all = made(Seq{{made(Declare{tile}), over(s, rows, columns, made(std::move(load))),
                               made(std::move(adding)), over(s, rows, columns, made(std::move(store)))}});
    Expr whole;
    for (const Side* side : {&rows, &columns})
      for (const Expr& e : side->whole)
        whole = whole ? binary(BinaryOp::logical_and, whole, e, format::ScalarType::boolean) : e;
    return whole ? made(If{whole, all, s}) : all;
  }

  /// The tile as a temporary of its own.
  std::string declare(const std::string& of, const Side& rows, const Side& columns) {
    const Tensor original = *flow_.tensor(of);
    Tensor tile;
    tile.name = names_.take(names_.underlined(of + "_tile"));
    tile.type = original.type;
    tile.fill = original.fill;
    tile.storage = Tensor::Storage::temporary;
    for (const Side* side : {&rows, &columns}) {
      Level level;
      level.size = integer(side->count);
      tile.levels.push_back(std::move(level));
    }
    tile.order = {0, 1};
    flow_.tensors.push_back(tile);
    return tile.name;
  }

  static Position element_of(const std::string& tile, const Side& rows, const Side& columns) {
    const Position row(PositionNode{Direct{tile, 0, Position(PositionNode{Root{}}), name(rows.inner), std::nullopt}});
    return Position(PositionNode{Direct{tile, 1, row, name(columns.inner), std::nullopt}});
  }

  static Stmt over(const Stmt& s, const Side& rows, const Side& columns, Stmt body) {
    for (const Side* side : {&columns, &rows}) {
      Loop loop;
      loop.variable = side->inner;
      loop.low = integer(0);
      loop.high = integer(side->count);
      if (side == &columns) loop.execution = Loop::Execution::vector;
      loop.body = std::move(body);
      body = Stmt(StmtNode{std::move(loop), s->span}, s.origin());
    }
    return body;
  }

  Flow& flow_;
  FreshNames names_;
};

}  // namespace

std::optional<Flow> hold_in_registers(const Flow& flow, const lang::Kernel& kernel, text::Diagnostics& diagnostics) {
  using Step = lang::ScheduleStep;
  Flow result = flow;
  Holding holding(result);
  result.root = holding.visit(flow.root);
  const auto step = std::ranges::find(kernel.schedule.steps, Step::Kind::registers, &Step::kind);
  if (step == kernel.schedule.steps.end() || holding.held_some) return result;
  diagnostics.error(
      "E0160", step->span, "loops " + step->loops[0] + " and " + step->loops[1] + " hold no tile: " + holding.why,
      "an order such as j/24 i/8 k i j ends in two loops over a tile, and the loop outside of them adds to it");
  return std::nullopt;
}

}  // namespace trellis::flow
