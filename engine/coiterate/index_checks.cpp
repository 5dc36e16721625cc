#include "engine/coiterate/index_checks.hpp"

#include "engine/coiterate/lower_tensors.hpp"
#include "engine/coiterate/positions.hpp"
#include "engine/coiterate/recursion.hpp"

namespace trellis::coiterate {

bool is_checked_apart(Context& in, const lang::Access& access, int level) {
  return index_check(in, access, level_index(access, *info(in, access.tensor), level)) &&
         !descend(in, access, level).missing.empty();
}

Stmt checked_apart(Context& in, const loop::Stmt& s, const lang::Access& access, int level,
                   const std::optional<Expr>& asked, const std::function<Stmt(const Expr&)>& inner) {
  const lang::Expr& index = level_index(access, *info(in, access.tensor), level);
  const auto made = [&](auto node) { return Expr(ExprNode{std::move(node), format::ScalarType::i64, index->span}); };
  const std::string& of = tensor(in, access.tensor).name;
  Expr value = made(Checked{of, level, lower_expr(in, index), *index_check(in, access, index)});
  if (asked) value = made(Select{*asked, value, integer(0)});
  const Scoped scope(in.scope);
  const std::string at = in.scope.introduce(of + "_index");
  return make(in, Let{at, value, inner(name(at))}, s);
}

Stmt placed(Context& in, const lang::Access& access, int level, const Expr& coordinate, std::vector<Conditions> only_if,
            const std::function<Stmt()>& inner) {
  const Descent parent = descend(in, access, level);
  const Direct place{tensor(in, access.tensor).name, level, parent.position, coordinate, {}};
  const Scoped entries(in.entries);
  in.entries[level_key(access, *info(in, access.tensor), level)] = {Position(PositionNode{place}), parent.missing,
                                                                    std::move(only_if)};
  return inner();
}

}  // namespace trellis::coiterate
