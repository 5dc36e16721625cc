#pragma once
// May a loop walk the entries of a temporary that it stores into? It may where whatever it stores lies ahead of it: it
// will come by there. So a sparse slice can grow while it is read.
//
//   for k in 0:j { U(k,j) = A(k,j) - t(k); for i in k+1:j+1 { t(i) += L(i,k)*U(k,j) } }      i > k: yes
//
// docs/design/recurrences.md#live-workspaces.

#include <functional>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/affine.hpp"

namespace trellis::coiterate {

/// `read` is indexed by the loop's variable alone. `non_negative` says what holds wherever the loops around run.
bool grows_ahead(const loop::For& f, const lang::Access& read,
                 const std::function<bool(const math::Affine&)>& non_negative);

}  // namespace trellis::coiterate
