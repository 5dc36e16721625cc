#include "engine/schedule/mark.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::schedule {
namespace {

using loop::For;
using loop::Stmt;

/// What the loop of this number carries; loops are numbered as `sites` numbers them, in the order of the text.
void add_carried(const Nest& nest, int loop, Carries& into) {
  for (const Dependence& d : nest.dependences) {
    const Around* carrier = nest.carrier(d);
    if (!carrier || carrier->id != loop) continue;
    if (!d.commutes) into.order = into.order ? into.order : &d;
    else if (std::ranges::find(into.reduces, d.first.tensor) == into.reduces.end())
      into.reduces.push_back(d.first.tensor);
  }
}

struct Deciding {
  const Nest& nest;
  int loops = 0;

  Stmt walk(const Stmt& stmt) {
    const bool counted = stmt.as<For>() || stmt.as<loop::While>();
    const int loop = counted ? ++loops : 0;
    const Stmt inner = loop::map_children(
        stmt, [&](const Stmt& child) { return walk(child); }, [](const loop::Expr& expr) { return expr; });
    const auto* f = inner.as<For>();
    if (!f || inner.id() >= 0) return inner;
    Carries carried;
    add_carried(nest, loop, carried);
    For decided = *f;
    const bool serial = carried.order || f->until;
    decided.kind = serial ? For::Kind::serial : For::Kind::forall;
    decided.reduces = serial ? std::vector<std::string>{} : carried.reduces;
    if (!f->deals_out.empty())  // what iterations of the loop inside update as well
      for (const std::string& shared : f->reduces) add_once(decided.reduces, shared);
    return Stmt(loop::StmtNode{std::move(decided), inner->span}, inner.origin());
  }
};

}  // namespace

Stmt decide_kinds(const Stmt& loops, const Nest& nest) { return Deciding{nest}.walk(loops); }

Stmt on_loops(const Stmt& loops, const std::string& variable, const std::function<void(For&)>& change) {
  const Stmt inner = loop::map_children(
      loops, [&](const Stmt& child) { return on_loops(child, variable, change); },
      [](const loop::Expr& expr) { return expr; });
  const auto* f = inner.as<For>();
  if (!f || f->variable != variable) return inner;
  For changed = *f;
  change(changed);
  return Stmt(loop::StmtNode{std::move(changed), inner->span}, inner.origin(), inner.id());
}

Carries carries(const Nest& nest, int loop) {
  Carries result;
  add_carried(nest, loop, result);
  return result;
}

Carries carries(const Stmt& loops, const Nest& nest, const std::string& variable) {
  Carries result;
  int number = 0;
  loop::for_each(loops, [&](const Stmt& stmt) {
    if (!stmt.as<For>() && !stmt.as<loop::While>()) return;
    ++number;
    if (!stmt.as<For>() || stmt.as<For>()->variable != variable) return;
    ++result.loops;
    add_carried(nest, number, result);
  });
  return result;
}

}  // namespace trellis::schedule
