#include "engine/flow/keep_values.hpp"

#include "engine/flow/fibers.hpp"
#include "engine/flow/fresh_names.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

bool holds_loop(const Stmt& loop) {
  int loops = 0;
  for_each_stmt(loop, [&](const Stmt& s) { loops += s.as<Loop>() || s.as<Coiterate>() || s.as<While>(); });
  return loops > 1;
}

/// `NAME >= 0`: something has been found.
std::string found_if(const Expr& condition) {
  const auto* b = condition.as<Binary>();
  const auto* name = b && b->op == format::BinaryOp::greater_equal && is_zero(b->right) ? b->left.as<Name>() : nullptr;
  return name ? name->name : "";
}

class Keeping {
 public:
  explicit Keeping(const Flow& flow) : flow_(flow), names_(flow) {}

  Stmt visit(const Stmt& s) {
    const auto* l = s.as<Loop>();
    const auto* c = s.as<Coiterate>();
    if (parallel_ > 0 && (l || c) && !holds_loop(s)) return kept_before(s);
    const bool parallel = (l ? l->execution : c ? c->execution : Loop::Execution::serial) == Loop::Execution::parallel;
    const auto* test = s.as<If>();
    const Cursor* const cursor = c ? c->only() : nullptr;
    const std::string certain = test ? found_if(test->condition) : cursor ? cursor->name : "";
    parallel_ += parallel;
    const auto before = certain_.size();
    if (!certain.empty() && !(test && test->otherwise)) certain_.push_back(certain);
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    certain_.resize(before);
    parallel_ -= parallel;
    return inner;
  }

 private:
  Stmt kept_before(const Stmt& loop) {
    Stmt current = loop;
    for (const Expr& value : reads_of_one_place(loop)) {
      const std::string name = names_.take(names_.numbered(value.as<Value>()->tensor + "_value"));
      current = substituted(current, value, flow::name(name), value->type);
      current = Stmt(StmtNode{Let{name, value, current}, loop->span}, loop.origin());
    }
    return current;
  }

  /// In statements that every iteration comes by, of what is not written meanwhile.
  std::vector<Expr> reads_of_one_place(const Stmt& loop) const {
    const std::set<std::string> written = written_in(loop), inner = bound_in(loop);
    std::vector<Expr> found;
    const auto look = [&](const auto& self, const Expr& e) -> Expr {
      const auto* v = e.as<Value>();
      const auto* at = v ? v->position.as<At>() : nullptr;
      const bool stays = at && !at->several && !inner.contains(at->name) && contains(certain_, at->name);
      if (stays && !written.contains(v->tensor) && !flow_.tensor(v->tensor)->pattern) add_once(found, e);
      if (e.as<Select>()) return e;
      return map_children(e, [&](const Expr& child) { return self(self, child); });
    };
    const auto iterations = [&](const auto& self, const Stmt& s) -> Stmt {
      if (s.as<If>() || (s.as<Test>() && !s.as<Test>()->certain)) return s;
      return map_children(
          s, [&](const Stmt& child) { return self(self, child); }, [&](const Expr& e) { return look(look, e); });
    };
    const auto* walk = loop.as<Coiterate>();
    if (!walk || walk->points.size() == 1)
      for_each_child(
          loop, [&](const Stmt& body) { return iterations(iterations, body); }, [](const Expr&) {});
    return found;
  }

  static Stmt substituted(const Stmt& s, const Expr& value, const Expr& by, format::ScalarType type) {
    const auto change = [&](const auto& self, const Expr& e) -> Expr {
      if (e == value) return Expr(ExprNode{by->is, type, e->span}, e.origin());
      return map_children(e, [&](const Expr& child) { return self(self, child); });
    };
    return map_children(
        s, [&](const Stmt& child) { return substituted(child, value, by, type); },
        [&](const Expr& e) { return change(change, e); });
  }

  const Flow& flow_;
  FreshNames names_;
  std::vector<std::string> certain_;  ///< positions of entries that there are
  int parallel_ = 0;
};

}  // namespace

Flow keep_values(const Flow& flow) {
  Flow result = flow;
  result.root = Keeping(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
