#include "engine/flow/clear_where_read.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "engine/flow/fibers.hpp"
#include "engine/flow/rename.hpp"

namespace trellis::flow {

namespace {

/// The constant that a loop gives to all elements it comes by, which does nothing else.
std::optional<Expr> cleared_to(const Stmt& s, const std::string& tensor) {
  const auto* loop = s.as<Loop>();
  const auto* assign = loop ? loop->body.as<Assign>() : nullptr;
  if (!assign || assign->tensor != tensor || assign->op || assign->atomic || !assign->value.as<Constant>()) return {};
  const auto* at = assign->position.as<Direct>();
  const auto* name = at && at->parent.as<Root>() && !at->check ? at->coordinate.as<Name>() : nullptr;
  const bool all = name && name->name == loop->variable && is_plain(*loop, {But::vector, But::parallel});
  return all ? std::optional(assign->value) : std::nullopt;
}

/// The walk of one of the cursors of a coiteration, which does nothing yet.
Coiterate alone(const Coiterate& from, const Cursor& cursor) {
  Coiterate walk;
  static_cast<Domain&>(walk) = {from.low, from.high};
  walk.variable = from.variable;
  walk.cursors = {cursor};
  walk.cursors.front().role = Cursor::Role::lead;
  walk.cursors.front().find = Cursor::Find::chosen;
  walk.points.resize(1);
  walk.points.front().leads = {0};
  return walk;
}

/// Where what comes behind a clearing reads the workspace.
class Reads {
 public:
  Reads(const Flow& flow, const std::string& workspace, std::span<const Stmt> behind)
      : flow_(flow), workspace_(workspace) {
    for (const Stmt& s : behind) {
      written_.merge(written_in(s));
      bound_.merge(bound_in(s));
    }
    for (const Stmt& s : behind) visit(s, {});
  }

  /// Walks of whole fibers, each once, which come by all elements that are read. Empty: there are none, or it is read
  /// elsewhere.
  std::vector<Coiterate> found() const { return elsewhere_ ? std::vector<Coiterate>() : walks_; }

 private:
  /// A loop around, and those of its cursors that stand at its coordinate.
  struct Around {
    const Coiterate* loop;
    std::vector<const Cursor*> here = {};
  };

  void visit(const Stmt& s, std::vector<Around> around) {
    const std::set<std::string> bound = bound_by(s);
    std::erase_if(around, [&](const Around& one) {  // what is bound anew hides it
      return bound.contains(one.loop->variable) ||
             std::ranges::any_of(one.loop->cursors, [&](const Cursor& cursor) { return bound.contains(cursor.name); });
    });
    if (const auto* r = s.as<Reset>(); r && r->tensor == workspace_) elsewhere_ = true;
    if (const auto* a = s.as<Assign>(); a && a->tensor == workspace_) return update(*a, around);
    if (const auto* loop = s.as<Coiterate>(); loop && !loop->by_regions()) around.push_back({loop});
    if (const auto* test = s.as<Test>()) {
      if (test->otherwise) visit(*test->otherwise, around);
      return visit(test->then, at_cursor(test->cursor, around));
    }
    for_each_child(
        s, [&](const Stmt& child) { visit(child, around); }, [&](const Expr& e) { visit(e, around); });
  }

  static std::vector<Around> at_cursor(const std::string& name, std::vector<Around> around) {
    for (Around& one : around)
      for (const Cursor& cursor : one.loop->cursors)
        if (cursor.name == name) one.here.push_back(&cursor);
    return around;
  }

  void visit(const Expr& e, const std::vector<Around>& around) {
    if (const auto* v = e.as<Value>(); v && v->tensor == workspace_) read(v->position, around);
    for_each_child(e, [&](const Expr& child) { visit(child, around); });
  }

  /// What it was is looked at for nothing but what it becomes.
  void update(const Assign& a, const std::vector<Around>& around) {
    if (a.op == format::ReduceOp::user) elsewhere_ = true;
    for_each_child(a.position, [&](const Expr& e) { visit(e, around); });
    visit(a.value, around);
  }

  void read(const Position& position, const std::vector<Around>& around) {
    const auto* at = position.as<Direct>();
    const auto* name = at && at->parent.as<Root>() && !at->check ? at->coordinate.as<Name>() : nullptr;
    for (const Around& one : around)
      if (name && name->name == one.loop->variable)
        for (const Cursor* cursor : one.here)
          if (const Coiterate walk = alone(*one.loop, *cursor); stays(walk)) return keep(walk);
    elsewhere_ = true;
  }

  void keep(const Coiterate& walk) {
    const Cursor& cursor = walk.cursors.front();
    const bool known = std::ranges::any_of(walks_, [&](const Coiterate& one) {
      const Cursor& other = one.cursors.front();
      return cursor.tensor == other.tensor && cursor.level == other.level && cursor.parent == other.parent &&
             walk.low == one.low && walk.high == one.high;
    });
    if (!known) walks_.push_back(walk);
  }

  /// The same entries could be walked before all this.
  bool stays(const Coiterate& walk) const {
    const Cursor* const cursor = walks_fiber(flow_, walk, written_);
    if (!cursor || !cursor->plain() || cursor->below || cursor->above || cursor->from || cursor->to) return false;
    std::set<std::string> names = named_by(cursor->parent);
    for (const Expr& e : {cursor->offset, walk.low, walk.high}) names.merge(named_by(e));
    return std::ranges::none_of(names, [&](const std::string& name) { return bound_.contains(name); });
  }

  const Flow& flow_;
  const std::string& workspace_;
  std::set<std::string> written_, bound_;
  std::vector<Coiterate> walks_;
  bool elsewhere_ = false;
};

/// The walk gives a value to the elements of the workspace that it comes by, where another statement gave it to all.
Stmt clearing(Coiterate walk, const std::string& workspace, const Expr& value, const Stmt& instead) {
  const Expr here(ExprNode{Name{Name::Kind::variable, walk.variable}, format::ScalarType::i64, {}}, instead.origin());
  const Position at(PositionNode{Direct{workspace, 0, root(), here, {}}});
  const auto stmt = [&](auto is) { return Stmt(StmtNode{std::move(is), instead->span}, instead.origin()); };
  Coiterate::Point& point = walk.points.front();
  point.origin = instead.origin();
  point.body = stmt(Test{walk.cursors.front().name, stmt(Assign{workspace, at, {}, value}), {}, true});
  return stmt(std::move(walk));
}

std::vector<Stmt> cleared_where_read(const Flow& flow, const std::vector<Stmt>& all) {
  std::vector<Stmt> made;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto* assigns = all[k].as<Loop>() ? all[k].as<Loop>()->body.as<Assign>() : nullptr;
    const std::string workspace = assigns ? assigns->tensor : "";
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(k);
    // From where it comes to life nothing else has been there.
    const auto declared = std::find_if(
        all.begin(), begin, [&](const Stmt& s) { return s.as<Declare>() && s.as<Declare>()->tensor == workspace; });
    const bool first =
        declared != begin && std::none_of(declared + 1, begin, [&](const Stmt& s) { return mentions(s, workspace); });
    const auto value =
        first && flow.tensor(workspace)->levels.size() == 1 ? cleared_to(all[k], workspace) : std::nullopt;
    const std::vector<Coiterate> walks =
        value ? Reads(flow, workspace, std::span(all).subspan(k + 1)).found() : std::vector<Coiterate>();
    for (const Coiterate& walk : walks) made.push_back(clearing(walk, workspace, *value, all[k]));
    if (walks.empty()) made.push_back(all[k]);
  }
  return made;
}

}  // namespace

Flow clear_where_read(const Flow& flow) {
  const auto visit = [&](const auto& self, const Stmt& s) -> Stmt {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return self(self, child); }, [](const Expr& e) { return e; });
    const auto* all = inner.as<Seq>();
    if (!all) return inner;
    std::vector<Stmt> made = cleared_where_read(flow, all->statements);
    const bool same = std::ranges::equal(made, all->statements, [](const Stmt& a, const Stmt& b) { return a.same(b); });
    return same ? inner : Stmt(StmtNode{Seq{std::move(made)}, inner->span}, inner.origin(), inner.id());
  };
  Flow result = flow;
  result.root = visit(visit, flow.root);
  return result;
}

}  // namespace trellis::flow
