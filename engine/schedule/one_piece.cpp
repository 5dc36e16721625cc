#include "engine/schedule/one_piece.hpp"

#include <algorithm>
#include <functional>

#include "engine/schedule/reorder.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::schedule {

using loop::For;
using loop::Stmt;

namespace {

/// Loops around one of the variables, outermost first, that lead to the tensor.
void path_to(const Stmt& stmt, const std::string& tensor, Variables& path) {
  bool done = false;
  loop::for_each_child(
      stmt,
      [&](const Stmt& child) {
        if (done || !mentions(child, tensor)) return;
        done = true;
        if (const auto* f = child.as<For>()) path.push_back(f->variable);
        path_to(child, tensor, path);
      },
      [](const loop::Expr&) {});
}

}  // namespace

Unfit Purpose::unfit(const std::string& why) const {
  return {code, cannot + why, "its indices are variables, A(i,j), in one nest of loops"};
}

std::variant<Variables, Unfit> variables_of(const Stmt& loops, const std::string& tensor, const Purpose& purpose,
                                            Reads reads) {
  std::vector<lang::Access> found;
  const std::function<void(const loop::Expr&)> collect = [&](const loop::Expr& e) {
    if (const auto* access = e.as<lang::Access>(); access && access->tensor == tensor) found.push_back(*access);
    lang::for_each_child(e, collect);
  };
  loop::for_each(loops, [&](const Stmt& s) {
    if (const auto* a = s.as<loop::Assign>()) collect(a->target), collect(a->value);
    if (const auto* i = s.as<loop::If>()) collect(i->condition);
    if (const auto* l = s.as<loop::Let>()) collect(l->value);
  });
  if (found.empty()) return purpose.unfit("no loop reads it");
  if (found.front().indices.empty()) return purpose.unfit("it has no index");
  Variables names;
  for (const lang::Expr& index : found.front().indices) {
    const auto* v = index.as<lang::Variable>();
    if (!v || contains(names, v->name))
      return purpose.unfit("it is indexed by " + lang::to_string(index) + (v ? " twice" : ""));
    names.push_back(v->name);
  }
  if (reads == Reads::alike &&
      std::ranges::any_of(found, [&](const lang::Access& a) { return a.indices != found.front().indices; }))
    return purpose.unfit("it is read at several indices");
  return names;
}

Transformed in_one_piece(const Stmt& loops, const std::string& tensor, const Variables& variables,
                         const Purpose& purpose, math::Solver& solver) {
  Variables path;
  if (const auto* f = loops.as<For>()) path.push_back(f->variable);
  path_to(loops, tensor, path);
  const auto outermost = std::ranges::find_if(path, [&](const std::string& v) { return contains(variables, v); });
  Variables order, rest;
  for (auto at = outermost; at != path.end(); ++at) (contains(variables, *at) ? order : rest).push_back(*at);
  if (order.size() != variables.size()) return purpose.unfit("a loop over one of its indices is missing");
  std::ranges::reverse(order);  // another order takes the nest apart
  order.insert(order.end(), rest.begin(), rest.end());
  return order.size() > 1 ? reorder(loops, order, solver, Beside::apart) : Moved{loops, {}};
}

}  // namespace trellis::schedule
