#include "engine/results/along_storage.hpp"

#include <algorithm>

#include "engine/access/level_index.hpp"
#include "engine/loop/instead_of.hpp"
#include "engine/schedule/nests.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::results {
namespace {

using loop::Expr;
using loop::Stmt;

/// Loops around nothing but assignments, perhaps under conditions.
struct Perfect {
  std::vector<Stmt> loops;  ///< outermost first
  Stmt inside;
  std::vector<const loop::Assign*> assigns;
  std::vector<Expr> conditions;
};

bool is_plain(const loop::For& f) {
  return !f.until && !f.descending && f.execution == loop::For::Execution::serial && f.unroll == 1 && f.jam == 1 &&
         f.awaits.empty() && f.deals_out.empty() && f.finds.empty();
}

/// Takes in what is assigned, and under which conditions; false when there is something else.
bool takes_in(const Stmt& stmt, Perfect& nest) {
  if (const auto* a = stmt.as<loop::Assign>()) return nest.assigns.push_back(a), true;
  if (const auto* b = stmt.as<loop::Block>())
    return std::ranges::all_of(b->statements, [&](const Stmt& child) { return takes_in(child, nest); });
  const auto* i = stmt.as<loop::If>();
  if (!i) return false;
  nest.conditions.push_back(i->condition);
  return takes_in(i->then, nest) && (!i->otherwise || takes_in(*i->otherwise, nest));
}

Perfect perfect(const Stmt& stmt) {
  Perfect nest{{}, stmt, {}, {}};
  while (const auto* f = nest.inside.as<loop::For>()) {
    if (!is_plain(*f)) return {};
    nest.loops.push_back(nest.inside);
    const Stmt only = schedule::only_statement(f->body);
    nest.inside = only ? only : f->body;
  }
  return takes_in(nest.inside, nest) ? nest : Perfect{};
}

/// Of an order of loops: does the tensor store what the access reads in it, and is it no other element of `result`?
class InOrder {
 public:
  InOrder(const lang::Access& element, std::vector<std::string> order, const lang::Program& program)
      : element_(element), order_(std::move(order)), program_(program) {}

  bool holds(const Expr& e) const {
    if (const auto* access = e.as<lang::Access>(); access && !holds(*access)) return false;
    bool all = true;
    lang::for_each_child(e, [&](const Expr& child) { all = all && holds(child); });
    return all;
  }

 private:
  bool holds(const lang::Access& access) const {
    if (access.tensor == element_.tensor) return access.indices == element_.indices;
    const lang::TensorInfo* info = program_.tensor(access.tensor);
    if (!info || info->format.all_known()) return true;
    std::ptrdiff_t least = 0;
    for (std::size_t l = 0; l < info->format.levels.size(); ++l)
      for (const std::string& v : lang::free_variables(access::level_index(access, *info, static_cast<int>(l)))) {
        const auto at = std::ranges::find(order_, v) - order_.begin();
        if (at < least) return false;
        least = at;
      }
    return true;
  }

  const lang::Access& element_;
  const std::vector<std::string> order_;
  const lang::Program& program_;
};

Stmt turned(const Stmt& stmt, const lang::TensorInfo& tensor, const lang::Program& program) {
  const Perfect nest = perfect(stmt);
  const auto* target = nest.assigns.empty() ? nullptr : nest.assigns.front()->target.as<lang::Access>();
  if (!target || target->tensor != tensor.name || nest.loops.size() != target->indices.size()) return stmt;
  std::vector<Stmt> loops;
  std::vector<std::string> order;
  for (std::size_t l = 0; l < nest.loops.size(); ++l) {
    const auto* v = access::level_index(*target, tensor, static_cast<int>(l)).as<lang::Variable>();
    const auto own = std::ranges::find_if(
        nest.loops, [&](const Stmt& one) { return v && one.as<loop::For>()->variable == v->name; });
    if (own == nest.loops.end() || contains(order, v->name)) return stmt;
    loops.push_back(*own);
    order.push_back(v->name);
  }
  const auto is_free = [&](const Expr& bound) {
    return std::ranges::none_of(lang::free_variables(bound), [&](const std::string& v) { return contains(order, v); });
  };
  if (!std::ranges::all_of(loops, [&](const Stmt& one) {
        return is_free(one.as<loop::For>()->low) && is_free(one.as<loop::For>()->high);
      }))
    return stmt;
  const InOrder in_order(*target, order, program);
  const auto about_it = [&](const loop::Assign* a) {
    return a->target == nest.assigns.front()->target && in_order.holds(a->value);
  };
  const auto holds = [&](const Expr& condition) { return in_order.holds(condition); };
  if (!std::ranges::all_of(nest.assigns, about_it) || !std::ranges::all_of(nest.conditions, holds)) return stmt;
  Stmt inside = nest.inside;
  for (std::size_t l = loops.size(); l-- > 0;) {
    loop::For f = *loops[l].as<loop::For>();
    f.body = inside.as<loop::Block>() ? inside : loop::block({inside});
    inside = loop::instead_of(loops[l], std::move(f));
  }
  return inside == stmt ? stmt : inside;
}

}  // namespace

Stmt along_storage(const Stmt& loops, const lang::TensorInfo& tensor, const lang::Program& program) {
  loop::Block all;
  bool changed = false;
  for (const Stmt& child : loops.as<loop::Block>()->statements) {
    all.statements.push_back(turned(child, tensor, program));
    changed |= !all.statements.back().same(child);
  }
  return changed ? loop::instead_of(loops, std::move(all)) : loops;
}

}  // namespace trellis::results
