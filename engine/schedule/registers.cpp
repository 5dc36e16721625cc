#include "engine/schedule/registers.hpp"

#include <algorithm>

#include "engine/loop/cut_loop.hpp"
#include "engine/loop/merge_blocks.hpp"
#include "engine/loop/separate.hpp"
#include "engine/schedule/mark.hpp"

namespace trellis::schedule {
namespace {

using format::Function;
using loop::Context;
using loop::For;
using loop::Stmt;
using math::Affine;

/// Loops over a tile and the update inside, among what another loop does; null: there are none.
struct Tile {
  const For *rows = nullptr, *columns = nullptr;
  const loop::Assign* update = nullptr;
};

Tile tile_in(const Stmt& statement) {
  Tile tile;
  tile.rows = statement.as<For>();
  if (!tile.rows || !tile.rows->registers) return {};
  const Stmt inner = only_statement(tile.rows->body);
  tile.columns = inner ? inner.as<For>() : nullptr;
  if (!tile.columns || !tile.columns->registers) return {};
  const Stmt update = only_statement(tile.columns->body);
  tile.update = update ? update.as<loop::Assign>() : nullptr;
  return tile.update && tile.update->op ? tile : Tile{};
}

Stmt with(For f, const Stmt& from) { return Stmt(loop::StmtNode{std::move(f), from->span}, from.origin()); }

/// Loops with no more bounds than what is known around them leaves.
Stmt with_fewer_bounds(const Stmt& stmt, const Context& known) {
  const auto* f = stmt.as<For>();
  if (!f)
    return loop::map_children(
        stmt, [&](const Stmt& child) { return with_fewer_bounds(child, known.within(stmt)); },
        [](const loop::Expr& e) { return e; });
  For fewer = *f;
  if (f->low.as<lang::Call>() || f->high.as<lang::Call>())
    if (const auto bounds = bounds_of(*f, known.names())) fewer = with_bounds(fewer, *bounds, known, known.names());
  fewer.body = with_fewer_bounds(f->body, known.inside(fewer));
  return with(std::move(fewer), stmt);
}

class Cutting {
 public:
  explicit Cutting(math::Solver& solver) : known_(solver) {}

  Stmt run(const Stmt& loops) { return visit(loops, known_); }

 private:
  Stmt visit(const Stmt& stmt, const Context& known) {
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child, known.within(stmt)); },
        [](const loop::Expr& e) { return e; });
    const auto* f = inner.as<For>();
    if (!f || f->registers || f->until) return inner;
    for (const Stmt& child : f->body.as<loop::Block>()->statements)
      if (const Tile tile = tile_in(child); tile.update)
        if (const auto parts = apart(inner, *f, tile, known)) return *parts;
    return inner;
  }

  /// Up to where the loop has whole tiles, and there the update of the tile by itself; nothing where there is no need.
  std::optional<Stmt> apart(const Stmt& stmt, const For& f, const Tile& tile, const Context& known) {
    const auto end = end_of_whole(f, *tile.rows);
    const auto cut = end ? loop::cut_loop(stmt, *end, known) : std::nullopt;
    if (end && !cut) return std::nullopt;
    const Stmt whole = alone(cut ? with_fewer_bounds(cut->lower, known) : stmt, tile, known);
    if (!cut) return whole.same(stmt) ? std::nullopt : std::optional(whole);
    const Stmt rest = with_fewer_bounds(cut->upper, known);
    return loop::merge_blocks(f.descending ? loop::block({rest, whole}, stmt.origin())
                                           : loop::block({whole, rest}, stmt.origin()));
  }

  /// Where rows begin at the tile's first one: all bounds of theirs that follow the loop are at most that.
  static std::optional<Affine> end_of_whole(const For& f, const For& rows) {
    const auto lows = loop::alternatives(rows.low, Function::max);
    const auto begin = std::ranges::find_if(lows, [&](const Affine& low) { return !low.mentions(f.variable); });
    const auto follows =
        std::ranges::find_if(lows, [&](const Affine& low) { return low.coefficient(f.variable) == 1; });
    if (lows.size() != 2 || begin == lows.end() || follows == lows.end()) return std::nullopt;
    return *begin - (*follows - Affine::name(f.variable)) + 1;  // variable + c <= begin
  }

  /// Whatever else the loop does goes to one of its own, before it, if the two share nothing.
  static Stmt alone(const Stmt& stmt, const Tile& tile, const Context&) {
    const auto* f = stmt.as<For>();
    if (!f || only_statement(f->body)) return stmt;
    const auto parts = loop::separate(stmt, {tile.update->target.as<lang::Access>()->tensor});
    if (!parts || !parts->rest || !parts->part) return stmt;
    return loop::merge_blocks(loop::block({parts->rest, parts->part}, stmt.origin()));
  }

  Context known_;
};

}  // namespace

Stmt in_registers(const Stmt& loops, const std::string& rows, const std::string& columns, math::Solver& solver) {
  const auto mark = [](For& f) { f.registers = true; };
  return loop::merge_blocks(Cutting(solver).run(on_loops(on_loops(loops, rows, mark), columns, mark)));
}

}  // namespace trellis::schedule
