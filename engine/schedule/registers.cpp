#include "engine/schedule/registers.hpp"

#include <algorithm>
#include <set>

#include "engine/loop/cut_loop.hpp"
#include "engine/loop/effects.hpp"
#include "engine/loop/merge_blocks.hpp"
#include "engine/loop/separate.hpp"
#include "engine/schedule/bounds_of_tiles.hpp"
#include "engine/schedule/cut_tiles.hpp"
#include "engine/schedule/fewer_bounds.hpp"
#include "engine/schedule/mark.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using format::Function;
using loop::Context;
using loop::For;
using loop::Stmt;
using math::Affine;

/// Loops over a tile, and what they update, among what another loop does.
struct Tile {
  std::vector<const For*> loops;  ///< over rows or columns
  std::vector<std::string> updated;
};

void add_tiles(const Stmt& stmt, int marked, Tile& tile) {
  const auto* f = stmt.as<For>();
  if (f && f->registers) tile.loops.push_back(f);
  if (f && !f->registers) return;
  const auto* assign = stmt.as<loop::Assign>();
  if (assign && assign->op && marked == 2) add_once(tile.updated, assign->target.as<lang::Access>()->tensor);
  loop::for_each_child(
      stmt, [&](const Stmt& child) { add_tiles(child, marked + (f ? 1 : 0), tile); }, [](const loop::Expr&) {});
}

/// In the body of a loop.
Tile tile_in(const For& f) {
  Tile tile;
  for (const Stmt& child : f.body.as<loop::Block>()->statements)
    if (child.as<For>()) add_tiles(child, 0, tile);
  return tile;
}

Stmt with(For f, const Stmt& from) { return Stmt(loop::StmtNode{std::move(f), from->span}, from.origin()); }

/// Do all accesses of the tensor have the variable itself as one of their indices, in one dimension?
class OwnSlices {
 public:
  OwnSlices(const std::string& variable, const std::string& tensor) : variable_(variable), tensor_(tensor) {}

  bool hold_in(const Stmt& stmt) {
    loop::for_each(stmt, [&](const Stmt& s) {
      if (const auto* r = s.as<loop::Reset>()) fit_ = fit_ && r->tensor != tensor_;
      loop::for_each_child(
          s, [](const Stmt&) {}, [&](const loop::Expr& e) { look(e); });
    });
    return fit_ && common_ && !common_->empty();
  }

 private:
  void look(const loop::Expr& expr) {
    lang::for_each_child(expr, [&](const loop::Expr& child) { look(child); });
    const auto* access = expr.as<lang::Access>();
    if (!access || access->tensor != tensor_) return;
    std::vector<std::size_t> dimensions;
    for (std::size_t d = 0; d < access->indices.size(); ++d) {
      const auto* index = access->indices[d].as<lang::Variable>();
      if (index && index->name == variable_ && (!common_ || contains(*common_, d))) dimensions.push_back(d);
    }
    common_ = std::move(dimensions);
  }

  const std::string& variable_;
  const std::string& tensor_;
  bool fit_ = true;
  std::optional<std::vector<std::size_t>> common_;
};

/// A loop over rows or columns that does several things does one after the other, where each iteration has what they
/// share to itself.
Stmt one_by_one(const Stmt& stmt) {
  const auto* f = stmt.as<For>();
  if (!f || !f->registers || only_statement(f->body)) return stmt;
  const auto& body = f->body.as<loop::Block>()->statements;
  if (std::ranges::any_of(body, [](const Stmt& s) { return s.as<loop::Declare>() != nullptr; })) return stmt;
  std::set<std::string> written;
  for (const Stmt& s : body) written.merge(loop::effects(s).writes);
  const bool own = std::ranges::all_of(
      written, [&](const std::string& tensor) { return OwnSlices(f->variable, tensor).hold_in(f->body); });
  if (!own) return stmt;
  std::vector<Stmt> parts;
  for (const Stmt& s : body) {
    if (s.as<loop::Note>()) continue;
    For one = *f;
    one.body = loop::block({s});
    const std::set<std::string> writes = loop::effects(s).writes;
    std::erase_if(one.reduces, [&](const std::string& name) { return !writes.contains(name); });
    parts.push_back(with(std::move(one), stmt));
  }
  return loop::block(std::move(parts), stmt.origin());
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
    const Tile tile = tile_in(*f);
    return tile.updated.empty() ? inner : apart(inner, tile, known);
  }

  /// Up to where the loop has whole tiles, and there each update of a tile by itself; then what is left.
  static Stmt apart(const Stmt& stmt, const Tile& tile, const Context& known) {
    const For& f = *stmt.as<For>();
    Stmt whole = stmt;
    std::vector<Stmt> parts;
    for (const Affine& end : ends_of_whole(f, tile)) {
      const auto cut = loop::cut_loop(whole, end, known);
      if (!cut) continue;
      whole = with_fewer_bounds(cut->lower, known);
      parts.insert(parts.begin(), in_steps(with_fewer_bounds(cut->upper, known)));
    }
    parts.insert(parts.begin(), updates_apart(whole, tile));
    if (f.descending) std::ranges::reverse(parts);
    return parts.size() == 1 ? parts.front() : loop::block(std::move(parts), stmt.origin());
  }

  /// Where rows and columns begin at the tile's first ones: all bounds of theirs that follow the loop are at most
  /// these.
  static std::vector<Affine> ends_of_whole(const For& f, const Tile& tile) {
    std::vector<Affine> ends;
    for (const For* side : tile.loops) {
      const auto lows = loop::alternatives(side->low, Function::max);
      const auto inside = [&](const Affine& low) {
        return std::ranges::any_of(tile.loops, [&](const For* other) { return low.mentions(other->variable); });
      };
      for (const Affine& follows : lows)
        for (const Affine& begin : lows)
          if (follows.coefficient(f.variable) == 1 && !begin.mentions(f.variable) && !inside(begin) && !inside(follows))
            add_once(ends, begin - (follows - Affine::name(f.variable)) + 1);  // variable + c <= begin
    }
    return ends;
  }

  /// Whatever else the loop does goes to one of its own, before its updates, if they share nothing.
  static Stmt updates_apart(const Stmt& stmt, const Tile& tile) {
    Stmt rest = stmt;
    std::vector<Stmt> parts;
    for (const std::string& tensor : tile.updated) {
      const auto* f = rest.as<For>();
      if (!f) break;
      const auto both = loop::separate(rest, {tensor});
      if (!both || !both->rest || !both->part) continue;
      parts.push_back(both->part);
      rest = both->rest;
    }
    parts.insert(parts.begin(), rest);
    return parts.size() == 1 ? rest : loop::block(std::move(parts), stmt.origin());
  }

  /// What loops over rows and columns do beside an update goes first, so that the update's loops can be turned.
  static Stmt in_steps(const Stmt& stmt) {
    return loop::map_children(
        stmt, [](const Stmt& child) { return child.as<loop::Block>() ? in_steps(child) : one_by_one(child); },
        [](const loop::Expr& e) { return e; });
  }

  Context known_;
};

}  // namespace

Stmt in_registers(const Stmt& loops, const std::string& rows, const std::string& columns, math::Solver& solver) {
  const auto mark = [](For& f) { f.registers = true; };
  const Stmt marked = on_loops(on_loops(loops, rows, mark), columns, mark);
  return bounds_of_tiles(loop::merge_blocks(Cutting(solver).run(cut_tiles(marked, solver))), solver);
}

}  // namespace trellis::schedule
