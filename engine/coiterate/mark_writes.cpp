#include "engine/coiterate/mark_writes.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace trellis::coiterate {

namespace {

using flow::Assign, flow::Coiterate, flow::Declare, flow::Loop, flow::Reset, flow::Seq, flow::Stmt, flow::StmtNode;

class Marking {
 public:
  explicit Marking(const Marks& marks) : marks_(marks) {}

  Stmt stmt(const Stmt& s) const {
    if (const auto* seq = s.as<Seq>()) return of_all(s, seq->statements);
    const auto after = behind(s);
    if (after) return Stmt(StmtNode{Seq{{s, *after}}, s->span}, s.origin());
    const Stmt inner = flow::map_children(
        s, [&](const Stmt& child) { return stmt(child); }, [](const auto& e) { return e; });
    if (const auto* l = inner.as<Loop>()) return with_reduced(inner, *l);
    if (const auto* c = inner.as<Coiterate>()) return with_reduced(inner, *c);
    return inner;
  }

  /// What is there already is touched if it is not its fill.
  Stmt begin(const Stmt& root) const {
    Seq all;
    for (const auto& [scalar, mark] : marks_) {
      if (!mark.before) continue;
      const flow::Expr now(flow::ExprNode{flow::Value{scalar, flow::root()}, mark.fill.type, {}});
      const flow::Expr differs(flow::ExprNode{
          flow::Binary{format::BinaryOp::not_equal, now, flow::constant(mark.fill)}, format::ScalarType::boolean, {}});
      all.statements.push_back(made(Declare{mark.name}, root));
      all.statements.push_back(made(Assign{mark.name, flow::root(), {}, differs}, root));
    }
    if (all.statements.empty()) return root;
    all.statements.push_back(root);
    return made(std::move(all), root);
  }

 private:
  static Stmt made(auto node, const Stmt& from) { return Stmt(StmtNode{std::move(node), from->span}, from.origin()); }

  const Mark* mark_of(const std::string& scalar) const {
    const auto found = marks_.find(scalar);
    return found == marks_.end() ? nullptr : &found->second;
  }

  /// What goes with a statement.
  std::optional<Stmt> behind(const Stmt& s) const {
    const auto* d = s.as<Declare>();
    const auto* a = s.as<Assign>();
    const auto* r = s.as<Reset>();
    const Mark* mark = d ? mark_of(d->tensor) : a ? mark_of(a->tensor) : r ? mark_of(r->tensor) : nullptr;
    if (!mark) return std::nullopt;
    if (d) return made(Declare{mark->name}, s);
    const auto* value = (a ? a->value : r->value).as<flow::Constant>();
    const bool filled = !(a && a->op) && value && value->value == mark->fill;
    const auto op = filled ? std::nullopt : std::optional(format::ReduceOp::any);
    return made(Assign{mark->name, flow::root(), op, flow::constant(format::Value::truth(!filled))}, s);
  }

  Stmt of_all(const Stmt& s, const std::vector<Stmt>& statements) const {
    Seq all;
    bool changed = false;
    for (const Stmt& one : statements) {
      const auto after = behind(one);
      all.statements.push_back(after ? one : stmt(one));
      if (after) all.statements.push_back(*after);
      changed = changed || after || !all.statements.back().same(one);
    }
    return changed ? Stmt(StmtNode{std::move(all), s->span}, s.origin(), s.id()) : s;
  }

  template <class AnyLoop>
  Stmt with_reduced(const Stmt& s, AnyLoop loop) const {
    const std::size_t before = loop.reduces.size();
    for (std::size_t k = 0; k < before; ++k)
      if (const Mark* mark = mark_of(loop.reduces[k])) loop.reduces.push_back(mark->name);
    return loop.reduces.size() == before ? s : Stmt(StmtNode{std::move(loop), s->span}, s.origin(), s.id());
  }

  const Marks& marks_;
};

}  // namespace

Stmt mark_writes(const Stmt& root, const Marks& marks) {
  if (marks.empty()) return root;
  const Marking marking(marks);
  return marking.begin(marking.stmt(root));
}

}  // namespace trellis::coiterate
