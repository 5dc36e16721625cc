#pragma once
// Domains as isl sets, and back. Only sources of this folder include this file. Symbolic sizes are ordinary dimensions
// here: "empty" then means "for all sizes", and a lexicographic minimum finds the smallest sizes first. A NULL from isl
// stays NULL and is read as "not known to be empty", the answer that never proves too much.

#include <isl/ctx.h>
#include <isl/set.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/math/affine.hpp"
#include "engine/math/system.hpp"

namespace trellis::math {

struct FreeIsl {
  void operator()(isl_ctx* context) const { isl_ctx_free(context); }
  void operator()(isl_set* set) const { isl_set_free(set); }
};
using OwnedContext = std::unique_ptr<isl_ctx, FreeIsl>;
using OwnedSet = std::unique_ptr<isl_set, FreeIsl>;

/// The points, one dimension a name, that satisfy all constraints; every name in them is among `names`.
OwnedSet to_set(isl_ctx* context, const Names& names, const std::vector<Constraint>& constraints);

/// A union of conjunctions over `names`.
std::vector<std::vector<Constraint>> to_constraints(OwnedSet set, const Names& names);

bool is_empty(const OwnedSet& set);
/// The same of `to_set` of these, in less time where they have quotients.
bool is_empty(isl_ctx* context, const Names& names, const std::vector<Constraint>& constraints);

/// Lexicographically smallest point; any point where a dimension is unbounded below; empty if there is none.
std::optional<std::vector<std::int64_t>> smallest_point(const OwnedSet& set);

}  // namespace trellis::math
