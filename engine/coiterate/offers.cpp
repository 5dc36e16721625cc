#include "engine/coiterate/offers.hpp"

#include <algorithm>

namespace trellis::coiterate {

lang::Expr negated(const lang::Expr& e) {
  return lang::Expr(lang::ExprNode{lang::Unary{format::UnaryOp::logical_not, e}, format::ScalarType::boolean, e->span});
}

namespace {

void for_each_read_behind(const lang::Expr& expr, const std::function<void(const Read&)>& visit,
                          const std::vector<lang::Expr>& conditions) {
  const auto under = [&](const lang::Expr& child, const lang::Expr& condition) {
    std::vector<lang::Expr> all = conditions;
    all.push_back(condition);
    for_each_read_behind(child, visit, all);
  };
  if (const auto* s = expr.as<lang::Select>()) {
    for_each_read_behind(s->condition, visit, conditions);
    under(s->then, s->condition);
    under(s->otherwise, negated(s->condition));
    return;
  }
  if (const auto* b = expr.as<lang::Binary>(); b && format::is_logical(b->op)) {
    for_each_read_behind(b->left, visit, conditions);
    under(b->right, b->op == format::BinaryOp::logical_and ? b->left : negated(b->left));
    return;
  }
  lang::for_each_child(expr, [&](const lang::Expr& child) { for_each_read_behind(child, visit, conditions); });
  if (expr.as<lang::Access>()) visit({expr, !conditions.empty(), conditions});
}

}  // namespace

void for_each_read(const lang::Expr& expr, const std::function<void(const Read&)>& visit) {
  for_each_read_behind(expr, visit, {});
}

void for_each_read(const loop::Stmt& stmt, const std::function<void(const Read&)>& visit) {
  const auto target = [&](const lang::Expr& left) {
    for (const lang::Expr& index : left.as<lang::Access>()->indices) for_each_read(index, visit);
  };
  const auto inside = [&](const auto& body, const lang::Expr& condition) {
    for_each_read(body, [&](Read read) {
      read.around.insert(read.around.begin(), condition);
      visit(read);
    });
  };
  stmt.match(
      [&](const loop::Block& b) {
        for (const loop::Stmt& inner : b.statements) for_each_read(inner, visit);
      },
      [&](const loop::For& f) {
        const lang::Expr runs(lang::ExprNode{lang::Binary{format::BinaryOp::less, f.low, f.high},
                                             format::ScalarType::boolean, stmt->span});
        for_each_read(f.low, visit);
        for_each_read(f.high, visit);
        if (f.until) inside(*f.until, runs);
        inside(f.body, runs);
      },
      [&](const loop::While& w) {
        for_each_read(w.condition, visit);
        inside(w.body, w.condition);
      },
      [&](const loop::If& i) {
        for_each_read(i.condition, visit);
        inside(i.then, i.condition);
        if (i.otherwise) inside(*i.otherwise, negated(i.condition));
      },
      [&](const loop::Let& l) {
        for_each_read(l.value, visit);
        for_each_read(l.body, visit);
      },
      [&](const loop::Assign& a) {
        target(a.target);
        for_each_read(a.value, visit);
      },
      [&](const loop::Reset& r) { for_each_read(r.value, visit); }, [](const auto&) {});
}

std::set<std::string> written_in(const loop::Stmt& stmt) {
  std::set<std::string> names;
  loop::for_each(stmt, [&](const loop::Stmt& s) {
    if (const auto* a = s.as<loop::Assign>()) names.insert(a->target.as<lang::Access>()->tensor);
    if (const auto* r = s.as<loop::Reset>()) names.insert(r->tensor);
    if (const auto* d = s.as<loop::Declare>()) names.insert(d->tensor.name);
    if (const auto* e = s.as<loop::Exchange>()) names.insert(e->tensor);
  });
  return names;
}

bool may_fail_below(const lang::Access& access, const lang::TensorInfo& info, int level) {
  for (int below = level + 1; below < std::ssize(access.indices); ++below)
    if (!lang::affine(level_index(access, info, below))) return true;
  return false;
}

int Offers::of(const lang::Access& access, const lang::TensorInfo& info) const {
  for (std::size_t k = 0; k < literals.size(); ++k) {
    const Literal& literal = literals[k];
    const auto* own = literal.access.as<lang::Access>();
    if (own->tensor == access.tensor && literal.key == level_key(access, info, literal.level()))
      return may_fail_below(access, info, literal.level()) ? -1 : static_cast<int>(k);
  }
  return -1;
}

}  // namespace trellis::coiterate
