#pragma once
// An index is asked for whether or not the access has an entry above it: that of `C(i,p(i))` in every row. So where the
// entry above may be missing, the index is checked before its level is gone down to.
//
//   let pC_at = checked p[i]
//     …                            C's level is at pC_at

#include <functional>
#include <optional>

#include "engine/coiterate/context.hpp"

namespace trellis::coiterate {

/// Is the index of a level checked before the level is gone down to, as what is above it may be missing?
bool is_checked_apart(Context& in, const lang::Access& access, int level);
/// The statement after that check, which knows the index by a name; only where it is `asked` for at all.
Stmt checked_apart(Context& in, const loop::Stmt& s, const lang::Access& access, int level,
                   const std::optional<Expr>& asked, const std::function<Stmt(const Expr&)>& inner);
/// Inside, the access stands at this coordinate of a dense level.
Stmt placed(Context& in, const lang::Access& access, int level, const Expr& coordinate, std::vector<Conditions> only_if,
            const std::function<Stmt()>& inner);

}  // namespace trellis::coiterate
