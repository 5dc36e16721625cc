#include "engine/schedule/bounds_of_tiles.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "engine/loop/context.hpp"
#include "engine/schedule/strips.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using format::Function;
using loop::Context;
using loop::For;
using loop::Stmt;
using math::Affine;

using Tiles = std::vector<std::pair<Affine, Affine>>;  ///< from, and to before

/// Of the variable of each marked loop: tiles that one is known to go over.
std::map<std::string, Tiles> tiles_in(const Stmt& loops) {
  std::map<std::string, Tiles> found;
  loop::for_each(loops, [&](const Stmt& s) {
    const auto* f = s.as<For>();
    if (!f || !f->registers) return;
    const std::int64_t size = tile_size(*f);
    for (const Affine& low : loop::alternatives(f->low, Function::max))
      for (const Affine& high : loop::alternatives(f->high, Function::min))
        if (size > 0 && (high - low) == Affine(size)) add_once(found[f->variable], std::pair(low, high));
  });
  for (auto& [variable, tiles] : found)  // the smallest first
    std::ranges::stable_sort(tiles, {}, [](const auto& tile) { return (tile.second - tile.first).constant; });
  return found;
}

class Bounding {
 public:
  explicit Bounding(std::map<std::string, Tiles> tiles) : tiles_(std::move(tiles)) {}

  Stmt visit(const Stmt& stmt, const Context& known) const {
    const auto* f = stmt.as<For>();
    if (f && f->registers && tile_size(*f) == 0)
      if (const Tiles::value_type* tile = tile_of(*f, known)) return visit(bounded(stmt, *tile, known), known);
    return loop::map_children(
        stmt, [&](const Stmt& child) { return visit(child, known.within(stmt)); },
        [](const loop::Expr& e) { return e; });
  }

 private:
  /// The one that the loop stays in; null: none is known.
  const Tiles::value_type* tile_of(const For& f, const Context& known) const {
    const auto found = tiles_.find(f.variable);
    if (found == tiles_.end()) return nullptr;
    const Context inside = known.inside(f);
    const auto stays_in = [&](const Tiles::value_type& tile) {
      std::set<std::string> names;
      tile.first.collect_names(names);
      return std::ranges::all_of(names, [&](const std::string& name) { return contains(known.names(), name); }) &&
             inside.at_most(tile.first, Affine::name(f.variable)) &&
             inside.at_most(Affine::name(f.variable) + 1, tile.second);
    };
    const auto tile = std::ranges::find_if(found->second, stays_in);
    return tile == found->second.end() ? nullptr : &*tile;
  }

  static Stmt bounded(const Stmt& stmt, const Tiles::value_type& tile, const Context& known) {
    For f = *stmt.as<For>();
    const auto both = [](const loop::Expr& bound, const loop::Expr& more, Function function) {
      return loop::Expr(lang::ExprNode{lang::Call{function, {bound, more}}, more->type, bound->span});
    };
    if (!contains(loop::alternatives(f.low, Function::max), tile.first))
      f.low = both(f.low, known.to_expr(tile.first), Function::max);
    if (!contains(loop::alternatives(f.high, Function::min), tile.second))
      f.high = both(f.high, known.to_expr(tile.second), Function::min);
    return Stmt(loop::StmtNode{std::move(f), stmt->span}, stmt.origin());
  }

  std::map<std::string, Tiles> tiles_;
};

}  // namespace

Stmt bounds_of_tiles(const Stmt& loops, math::Solver& solver) {
  return Bounding(tiles_in(loops)).visit(loops, Context(solver));
}

}  // namespace trellis::schedule
