#include "engine/schedule/cut_tiles.hpp"

#include <algorithm>
#include <map>

#include "engine/loop/cut_loop.hpp"
#include "engine/schedule/fewer_bounds.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using format::Function;
using loop::Context;
using loop::For;
using loop::Stmt;
using math::Affine;

/// Where a loop over tiles has to be cut for the bounds of sides inside.
class Borders {
 public:
  explicit Borders(const std::string& tiles) : tiles_(tiles) {}

  std::vector<Affine> of(const Stmt& body) {
    visit(body);
    for (const std::string& inside : bound_names(body))
      std::erase_if(cuts_, [&](const Affine& at) { return at.mentions(inside); });
    return std::move(cuts_);
  }

 private:
  void visit(const Stmt& stmt) {
    const auto* f = stmt.as<For>();
    if (f && f->registers) look_at(*f);
    if (f && f->registers) sides_[f->variable] = f;
    loop::for_each_child(
        stmt, [&](const Stmt& child) { visit(child); }, [](const loop::Expr&) {});
    if (f && f->registers) sides_.erase(f->variable);
  }

  /// Bounds that go with another side, each beside those that do not.
  void look_at(const For& f) {
    for (const auto& [other, side] : sides_) {
      for (const Affine& follows : loop::alternatives(f.high, Function::min))
        for (const Affine& begin : tile_bounds(side->low, Function::max))
          cut_from(loop::alternatives(f.high, Function::min), other, follows, begin, 0);
      for (const Affine& follows : loop::alternatives(f.low, Function::max))
        for (const Affine& end : tile_bounds(side->high, Function::min))
          cut_from(loop::alternatives(f.low, Function::max), other, follows, end - 1, 1);
    }
  }

  /// Those that go with the tiles, by more than one for each.
  std::vector<Affine> tile_bounds(const loop::Expr& bound, Function function) const {
    std::vector<Affine> all = loop::alternatives(bound, function);
    std::erase_if(all, [&](const Affine& form) { return form.coefficient(tiles_) < 2; });
    return all;
  }

  /// Where the bound that follows the other side, at that value of it, comes to a fixed one: it is the greater of the
  /// two from there on; of an upper limit one further, as long as it is not.
  void cut_from(const std::vector<Affine>& bounds, const std::string& other, const Affine& follows, const Affine& value,
                std::int64_t further) {
    if (follows.coefficient(other) != 1) return;
    const Affine there = follows - Affine::name(other) + value;
    const std::int64_t width = there.coefficient(tiles_);
    if (width < 2) return;
    const Affine rest = there - Affine::name(tiles_, width);
    for (const Affine& fixed : bounds) {
      const bool goes = std::ranges::any_of(sides_, [&](const auto& side) { return fixed.mentions(side.first); });
      if (goes || fixed.mentions(tiles_) || rest.mentions(tiles_)) continue;
      const Affine distance = fixed - rest;  // width * tile >= distance, or <=
      add_once(cuts_, further == 0 ? Affine::div(distance + (width - 1), width) : Affine::div(distance, width) + 1);
    }
  }

  const std::string tiles_;
  std::map<std::string, const For*> sides_;
  std::vector<Affine> cuts_;
};

Stmt cut(const Stmt& stmt, const Context& known) {
  const auto* f = stmt.as<For>();
  std::vector<Stmt> parts{stmt};
  if (f && !f->registers && !f->until)
    for (const Affine& at : Borders(f->variable).of(f->body)) {
      std::vector<Stmt> finer;
      for (const Stmt& part : parts) {
        const auto both = loop::cut_loop(part, at, known);
        if (!both) finer.push_back(part);
        else
          for (const Stmt* half : {&both->lower, &both->upper}) finer.push_back(with_fewer_bounds(*half, known));
      }
      parts = std::move(finer);
    }
  for (Stmt& part : parts)
    part = loop::map_children(
        part, [&](const Stmt& child) { return cut(child, known.within(part)); }, [](const loop::Expr& e) { return e; });
  if (f && f->descending) std::ranges::reverse(parts);
  return parts.size() == 1 ? parts.front() : loop::block(std::move(parts), stmt.origin());
}

}  // namespace

Stmt cut_tiles(const Stmt& loops, math::Solver& solver) { return cut(loops, Context(solver)); }

}  // namespace trellis::schedule
