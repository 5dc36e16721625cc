#include "engine/place/read_kept.hpp"

#include "engine/access/compose.hpp"
#include "engine/loop/context.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {

namespace {

using format::Layout;
using lang::Expr;

/// The element that a branch has, as the first one stores it.
Expr kept(const Expr& read, const Layout& layout, const Layout::Branch& branch, const access::Composition& applied) {
  std::map<std::string, math::Affine> levels;
  for (std::size_t l = 0; l < branch.to.size(); ++l) levels[format::level_coordinate(l)] = branch.to[l];
  lang::Access element = *read.as<lang::Access>();
  for (std::size_t d = 0; d < element.indices.size(); ++d)
    element.indices[d] = applied(layout.branches.front().back[d].substitute(levels));
  return Expr(lang::ExprNode{std::move(element), read->type, read->span}, read.origin(), read.id());
}

Expr holds(const std::vector<math::Constraint>& all, const access::Composition& applied) {
  std::vector<Expr> conditions;
  for (const math::Constraint& c : all) conditions.push_back(applied(c));
  return loop::conjunction(conditions);
}

Expr read_kept(const Expr& expr, const lang::Program& program, const std::vector<std::string>& results) {
  const Expr inside = lang::map_children(expr, [&](const Expr& child) { return read_kept(child, program, results); });
  const auto* access = inside.as<lang::Access>();
  const lang::TensorInfo* info = access && contains(results, access->tensor) ? program.tensor(access->tensor) : nullptr;
  if (!info || access->step || !info->format.layout || info->format.layout->branches.size() < 2) return inside;
  const Layout& layout = *info->format.layout;
  const access::Composition applied(layout, access->indices);
  Expr all = kept(inside, layout, layout.branches.back(), applied);
  for (std::size_t b = layout.branches.size() - 1; b-- > 0;)
    all = Expr(lang::ExprNode{
        lang::Select{holds(layout.branches[b].where, applied), kept(inside, layout, layout.branches[b], applied), all},
        inside->type, inside->span});
  return all;
}

}  // namespace

lang::Kernel read_kept(const lang::Program& program, lang::Kernel kernel) {
  const std::vector<std::string> results = kernel.results();
  for (lang::Equation& equation : kernel.equations) equation.right = read_kept(equation.right, program, results);
  return kernel;
}

}  // namespace trellis::place
