// Bounds of those who count from 1: `y(i) = x(i) : 1 <= i <= n` of x(n) leaves x(0) out, and has no x(n).

#include <algorithm>

#include "engine/lang/resolve/resolve.hpp"
#include "engine/lang/resolve/walk.hpp"

namespace trellis::lang::resolving {

using math::Affine;
using math::Relation;

namespace {

/// What is not negative where the link holds; none of an equation or inequation.
std::optional<Affine> slack(const math::Constraint& c) {
  switch (c.relation) {
    case Relation::less: return c.right - c.left - Affine(1);
    case Relation::less_equal: return c.right - c.left;
    case Relation::greater: return c.left - c.right - Affine(1);
    case Relation::greater_equal: return c.left - c.right;
    default: return std::nullopt;
  }
}

/// Does the chain speak of this index and of sizes alone?
bool is_about(const Resolution& resolution, const syntax::Constraint& c, const std::string& name) {
  return std::ranges::all_of(c.sides, [&](const syntax::Expr& side) {
    const std::vector<std::string> names = syntax::names_in(side);
    return std::ranges::all_of(names, [&](const std::string& n) { return n == name || resolution.is_parameter(n); });
  });
}

}  // namespace

void warn_if_beyond(Resolution& resolution, const Draft& draft, const WrittenLink& link, const std::string& name,
                    const Range& range) {
  const auto left_over = slack(link.constraint);
  const bool is_step = draft.step && draft.step->name == name;
  if (is_step || !left_over || !(*left_over == range.size - Affine::name(name))) return;
  text::Diagnostic& d = resolution.diagnostics.warning(
      "W0215", link.span,
      to_string(link.constraint) + " leaves nothing out: " + name + " ends at " + to_string(range.size - Affine(1)),
      "indices count from 0");
  const std::string of = range.tensor.empty() ? "the length of this slice"
                                              : "dimension " + std::to_string(range.dimension) + " of " + range.tensor;
  d.notes.push_back({range.span, to_string(range.size) + " elements, " + of});
  if (!draft.source) return;
  syntax::Equation without = *draft.source;
  std::erase_if(without.constraints,
                [&](const syntax::Constraint& c) { return c.span == link.span && is_about(resolution, c, name); });
  if (without.constraints.size() < draft.source->constraints.size())
    offer_instead(resolution, draft, without, "every " + name, d);
}

}  // namespace trellis::lang::resolving
