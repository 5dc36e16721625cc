#include "engine/coiterate/known_elements.hpp"

#include <algorithm>
#include <functional>

#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/reduce.hpp"

namespace trellis::coiterate {

void note_assigned(Context& in, const loop::Stmt& s) {
  forget_known(in, s);
  const auto* a = s.as<loop::Assign>();
  const auto* value = a && !a->op ? a->value.as<lang::Constant>() : nullptr;
  if (!value) return;
  const std::vector<lang::Expr>& indices = a->target.as<lang::Access>()->indices;
  if (std::ranges::all_of(indices, [](const lang::Expr& index) { return lang::affine(index).has_value(); }))
    in.known_elements.emplace_back(a->target, value->value);
}

void forget_known(Context& in, const loop::Stmt& s) {
  const std::set<std::string> written = written_in(s);
  std::erase_if(in.known_elements,
                [&](const auto& one) { return written.contains(one.first.template as<lang::Access>()->tensor); });
}

lang::Expr with_known_elements(const Context& in, const lang::Expr& e) {
  const std::function<lang::Expr(const lang::Expr&)> go = [&](const lang::Expr& part) -> lang::Expr {
    for (const auto& [element, value] : in.known_elements)
      if (element == part) return lang::Expr(lang::ExprNode{lang::Constant{value}, part->type, part->span});
    return lang::map_children(part, go);
  };
  return reduce(go(e), surroundings(in));
}

}  // namespace trellis::coiterate
