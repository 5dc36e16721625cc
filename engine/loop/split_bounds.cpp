#include "engine/loop/split_bounds.hpp"

#include <algorithm>
#include <utility>

#include "engine/loop/context.hpp"
#include "engine/loop/cut_loop.hpp"
#include "engine/loop/isolate.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::loop {

namespace {

using math::Affine;

constexpr int most_cuts = 3;      ///< of one loop of the input
constexpr int most_repeated = 6;  ///< statements that both parts may keep

/// Values of the variable at which the constraint changes.
void add_cuts(const Expr& comparison, const std::string& variable, std::vector<Affine>& cuts) {
  auto constraints = lang::affine_condition(comparison);
  if (!constraints || constraints->size() != 1) return;
  math::Constraint c = constraints->front();
  if (c.relation == math::Relation::not_equal) c.relation = math::Relation::equal;
  auto interval = isolate(c, variable);
  if (!interval) return;
  for (const auto& end : {interval->low, interval->high}) {
    if (end) add_once(cuts, *end);
  }
}

void collect_cuts(const Expr& expr, const std::string& variable, std::vector<Affine>& cuts) {
  if (expr.as<lang::Binary>()) add_cuts(expr, variable, cuts);
  lang::for_each_child(expr, [&](const Expr& child) { collect_cuts(child, variable, cuts); });
}

/// Only names known outside the loop can stand in its bounds.
bool is_known_outside(const Affine& cut, const std::vector<std::string>& bound_inside) {
  return std::none_of(bound_inside.begin(), bound_inside.end(),
                      [&](const std::string& name) { return cut.mentions(name); });
}

/// From conditions and arms in the body that inner loops do not repeat.
void collect_cuts(const Stmt& stmt, const std::string& variable, std::vector<std::string>& bound_inside,
                  std::vector<Affine>& cuts) {
  if (stmt.as<For>() || stmt.as<While>()) return;
  if (auto* let = stmt.as<Let>()) bound_inside.push_back(let->name);
  for_each_child(
      stmt, [&](const Stmt& child) { collect_cuts(child, variable, bound_inside, cuts); },
      [&](const Expr& expr) { collect_cuts(expr, variable, cuts); });
  std::erase_if(cuts, [&](const Affine& cut) { return !is_known_outside(cut, bound_inside); });
}

struct Size {
  int statements = 0;
  int loops = 0;
  int comparisons = 0;
};

int count_comparisons(const Expr& expr) {
  auto* b = expr.as<lang::Binary>();
  int count = b && format::is_comparison(b->op) ? 1 : 0;
  lang::for_each_child(expr, [&](const Expr& child) { count += count_comparisons(child); });
  return count;
}

Size size_of(const Stmt& stmt) {
  Size size;
  for_each(stmt, [&](const Stmt& inner) {
    size.loops += inner.as<For>() || inner.as<While>();
    size.statements += inner.as<Assign>() || inner.as<Reset>();
    for_each_child(
        inner, [](const Stmt&) {}, [&](const Expr& expr) { size.comparisons += count_comparisons(expr); });
  });
  return size;
}

/// Both parts together repeat no inner loop and few statements, and one of them lost a test.
bool is_worth_it(const Stmt& whole, const Cut& cut) {
  const Size before = size_of(whole), below = size_of(cut.lower), above = size_of(cut.upper);
  return below.loops + above.loops <= before.loops + 1 &&
         below.statements + above.statements <= before.statements + most_repeated &&
         below.comparisons + above.comparisons < 2 * before.comparisons;
}

/// `left` is how many cuts this loop may still have.
Stmt split_for(const Stmt& stmt, const Context& known, int& left) {
  auto* f = stmt.as<For>();
  if (!f || f->execution == For::Execution::parallel || f->until || left == 0) return stmt;
  std::vector<Affine> cuts;
  std::vector<std::string> bound_inside{f->variable};
  collect_cuts(f->body, f->variable, bound_inside, cuts);
  for (const Affine& at : cuts) {
    const auto cut = cut_loop(stmt, at, known);
    if (!cut || !is_worth_it(stmt, *cut)) continue;
    --left;
    return in_order(stmt, *cut, [&](const Stmt& part) { return split_for(part, known, left); });
  }
  return stmt;
}

Stmt split(const Stmt& stmt, const Context& known) {
  bool then = true;
  const Stmt next = map_children(
      stmt, [&](const Stmt& child) { return split(child, known.within(stmt, std::exchange(then, false))); },
      [](const Expr& expr) { return expr; });
  int left = most_cuts;
  return split_for(next, known, left);
}

}  // namespace

Stmt split_bounds(const Stmt& stmt, math::Solver& solver) { return split(stmt, Context(solver)); }

}  // namespace trellis::loop
