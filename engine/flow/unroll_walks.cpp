#include "engine/flow/unroll_walks.hpp"

#include <set>
#include <string>

namespace trellis::flow {

namespace {

/// Do the entries of a walk choose which elements of some array its body reads or writes?
class Choice {
 public:
  Choice(const Coiterate& walk, const Cursor& cursor) : cursor_(cursor), entry_{cursor.name, walk.variable} {
    visit(walk.points[0].body);
  }

  bool found() const { return found_; }

 private:
  void visit(const Stmt& s) {
    if (const auto* l = s.as<Let>()) entry_.insert(l->name);
    if (const auto* l = s.as<Locate>()) found_ |= depends(l->parent), entry_.insert(l->name);
    if (const auto* i = s.as<Insert>()) found_ |= mentions(i->coordinate), entry_.insert(i->name);
    if (const auto* a = s.as<Assign>()) found_ |= depends(a->position);
    for_each_child(
        s, [&](const Stmt& child) { visit(child); }, [&](const Expr& e) { visit(e); });
  }

  void visit(const Expr& e) {
    if (const auto* v = e.as<Value>()) found_ |= depends(v->position);
    for_each_child(e, [&](const Expr& child) { visit(child); });
  }

  bool depends(const Position& position) const {
    const auto* at = position.as<At>();
    return !(at && at->name == cursor_.name) && mentions(position);
  }

  bool mentions(const Position& position) const {
    if (const auto* at = position.as<At>()) return entry_.contains(at->name);
    if (const auto* d = position.as<Direct>()) return mentions(d->parent) || mentions(d->coordinate);
    const auto* w = position.as<Within>();
    return w && (entry_.contains(w->name) || mentions(w->coordinate));
  }

  bool mentions(const Expr& e) const {
    const auto* n = e.as<Name>();
    const auto* v = e.as<Value>();
    bool found = (n && entry_.contains(n->name)) || (v && mentions(v->position));
    for_each_child(e, [&](const Expr& child) { found |= mentions(child); });
    return found;
  }

  const Cursor& cursor_;
  std::set<std::string> entry_;  ///< variables that say which entry it is
  bool found_ = false;
};

Stmt unrolled(const Stmt& s) {
  const Stmt inner = map_children(s, unrolled, [](const Expr& e) { return e; });
  const auto* walk = inner.as<Coiterate>();
  if (!walk || !walk->carried || !Choice(*walk, *walk->only()).found()) return inner;
  Coiterate twice = *walk;
  twice.unroll = 2;
  return Stmt(StmtNode{std::move(twice), inner->span}, inner.origin(), inner.id());
}

}  // namespace

Flow unroll_walks(const Flow& flow) {
  Flow result = flow;
  result.root = unrolled(flow.root);
  return result;
}

}  // namespace trellis::flow
