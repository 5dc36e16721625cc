#include "engine/flow/name_remainders.hpp"

#include <algorithm>
#include <set>

#include "engine/flow/fresh_names.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::flow {

namespace {

using format::BinaryOp;

class Naming {
 public:
  explicit Naming(const Flow& flow) : names_(flow) {}

  Stmt visit(const Stmt& s) {
    const Stmt inner = map_children(
        s, [&](const Stmt& child) { return visit(child); }, [](const Expr& e) { return e; });
    const auto* loop = inner.as<Loop>();
    // Compilers run loops in vectors that combine integers, without being told.
    return loop && (loop->execution == Loop::Execution::vector || !loop->reduces.empty()) ? with_names(inner) : inner;
  }

 private:
  Stmt with_names(const Stmt& s) {
    const std::set<std::string> bound = bound_in(s);
    std::vector<Expr> found;
    for_each_stmt(s.as<Loop>()->body, [&](const Stmt& inside) {
      for_each_child(
          inside, [](const Stmt&) {}, [&](const Expr& e) { collect(e, bound, found); });
    });
    if (found.empty()) return s;
    std::vector<std::string> named;
    for (std::size_t k = 0; k < found.size(); ++k) named.push_back(names_.take(names_.numbered("slot")));
    Loop loop = *s.as<Loop>();
    loop.body = replaced(loop.body, found, named);
    Stmt result(StmtNode{std::move(loop), s->span}, s.origin());
    for (std::size_t k = found.size(); k-- > 0;)
      result = Stmt(StmtNode{Let{named[k], found[k], result}, s->span}, s.origin());
    return result;
  }

  /// Remainders by a number of what is named outside.
  static bool stays(const Expr& e, const std::set<std::string>& bound) {
    const auto* b = e.as<Binary>();
    if (const auto* n = e.as<Name>()) return !bound.contains(n->name);
    if (e.as<Constant>()) return true;
    const bool whole = b && (b->op == BinaryOp::add || b->op == BinaryOp::subtract || b->op == BinaryOp::multiply);
    return whole && stays(b->left, bound) && stays(b->right, bound);
  }
  static bool is_remainder(const Expr& e, const std::set<std::string>& bound) {
    const auto* b = e.as<Binary>();
    const auto* by = b && b->op == BinaryOp::modulo ? b->right.as<Constant>() : nullptr;
    return by && e->type == format::ScalarType::i64 && by->value.integer > 0 && !b->left.as<Constant>() &&
           stays(b->left, bound);
  }
  static void collect(const Expr& e, const std::set<std::string>& bound, std::vector<Expr>& into) {
    if (is_remainder(e, bound)) return add_once(into, e);
    for_each_child(e, [&](const Expr& child) { collect(child, bound, into); });
  }

  static Expr replaced(const Expr& e, const std::vector<Expr>& found, const std::vector<std::string>& named) {
    const auto at = std::ranges::find(found, e);
    if (at == found.end()) return map_children(e, [&](const Expr& child) { return replaced(child, found, named); });
    return Expr(
        ExprNode{Name{Name::Kind::variable, named[static_cast<std::size_t>(at - found.begin())]}, e->type, e->span},
        e.origin());
  }
  static Stmt replaced(const Stmt& s, const std::vector<Expr>& found, const std::vector<std::string>& named) {
    return map_children(
        s, [&](const Stmt& child) { return replaced(child, found, named); },
        [&](const Expr& e) { return replaced(e, found, named); });
  }

  FreshNames names_;
};

}  // namespace

Flow name_remainders(const Flow& flow) {
  Flow result = flow;
  result.root = Naming(flow).visit(flow.root);
  return result;
}

}  // namespace trellis::flow
