#include "engine/coiterate/offers.hpp"

namespace trellis::coiterate {

const lang::Expr& level_index(const lang::Access& access, const lang::TensorInfo& info, int level) {
  return access.indices[static_cast<std::size_t>(info.format.order[static_cast<std::size_t>(level)])];
}

std::string level_key(const lang::Access& access, const lang::TensorInfo& info, int level) {
  std::string key = access.tensor;
  for (int l = 0; l <= level; ++l) key += "|" + lang::to_string(level_index(access, info, l));
  return key;
}

void for_each_read(const lang::Expr& expr, const std::function<void(const Read&)>& visit, bool guarded) {
  const auto go = [&](const lang::Expr& child, bool conditional) { for_each_read(child, visit, guarded || conditional); };
  if (const auto* s = expr.as<lang::Select>()) {
    go(s->condition, false);
    go(s->then, true);
    go(s->otherwise, true);
    return;
  }
  if (const auto* b = expr.as<lang::Binary>(); b && format::is_logical(b->op)) {
    go(b->left, false);
    go(b->right, true);
    return;
  }
  lang::for_each_child(expr, [&](const lang::Expr& child) { go(child, false); });
  if (expr.as<lang::Access>()) visit({expr, guarded});
}

void for_each_read(const loop::Stmt& stmt, const std::function<void(const Read&)>& visit) {
  const auto target = [&](const lang::Expr& left) {
    for (const lang::Expr& index : left.as<lang::Access>()->indices) for_each_read(index, visit);
  };
  loop::for_each(stmt, [&](const loop::Stmt& s) {
    s.match([&](const loop::For& f) {
              for_each_read(f.low, visit);
              for_each_read(f.high, visit);
              if (f.until) for_each_read(*f.until, visit);
            },
            [&](const loop::While& w) { for_each_read(w.condition, visit); },
            [&](const loop::If& i) { for_each_read(i.condition, visit); },
            [&](const loop::Let& l) { for_each_read(l.value, visit); },
            [&](const loop::Assign& a) {
              target(a.target);
              for_each_read(a.value, visit);
            },
            [&](const loop::Reset& r) { for_each_read(r.value, visit); }, [](const auto&) {});
  });
}

std::set<std::string> written_in(const loop::Stmt& stmt) {
  std::set<std::string> names;
  loop::for_each(stmt, [&](const loop::Stmt& s) {
    if (const auto* a = s.as<loop::Assign>()) names.insert(a->target.as<lang::Access>()->tensor);
    if (const auto* r = s.as<loop::Reset>()) names.insert(r->tensor);
    if (const auto* d = s.as<loop::Declare>()) names.insert(d->tensor.name);
  });
  return names;
}

int Offers::of(const lang::Access& access, const lang::TensorInfo& info) const {
  for (std::size_t k = 0; k < literals.size(); ++k) {
    const Literal& literal = literals[k];
    const auto* own = literal.access.as<lang::Access>();
    if (own->tensor == access.tensor && literal.key == level_key(access, info, literal.level)) return static_cast<int>(k);
  }
  return -1;
}

}  // namespace trellis::coiterate
