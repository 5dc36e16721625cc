#include "engine/schedule/fewer_bounds.hpp"

#include <algorithm>

#include "engine/schedule/nests.hpp"

namespace trellis::schedule {
namespace {

using format::Function;
using loop::For;
using loop::Stmt;
using math::Affine;

bool is_empty(const For& f, const loop::Context& known) {
  const auto highs = loop::alternatives(f.high, Function::min);
  return std::ranges::any_of(loop::alternatives(f.low, Function::max), [&](const Affine& low) {
    return std::ranges::any_of(highs, [&](const Affine& high) { return known.at_most(high, low); });
  });
}

}  // namespace

Stmt with_fewer_bounds(const Stmt& stmt, const loop::Context& known) {
  const auto* f = stmt.as<For>();
  if (!f)
    return loop::map_children(
        stmt, [&](const Stmt& child) { return with_fewer_bounds(child, known.within(stmt)); },
        [](const loop::Expr& e) { return e; });
  const bool several = f->low.as<lang::Call>() || f->high.as<lang::Call>();
  if (several && is_empty(*f, known)) return loop::block({}, stmt.origin());
  For fewer = *f;
  if (several)
    if (const auto bounds = bounds_of(*f, known.names())) fewer = with_bounds(fewer, *bounds, known, known.names());
  fewer.body = with_fewer_bounds(f->body, known.inside(fewer));
  return Stmt(loop::StmtNode{std::move(fewer), stmt->span}, stmt.origin());
}

}  // namespace trellis::schedule
