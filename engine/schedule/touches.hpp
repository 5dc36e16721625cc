#pragma once
// What an expression reads, and where: a read in an arm of `c ? a : b`, or behind `c &&`, happens where the condition
// lets it.

#include <map>
#include <string>
#include <vector>

#include "engine/schedule/instances.hpp"

namespace trellis::schedule {

/// What is known where an expression stands.
struct Names {
  std::map<std::string, math::Affine> values;  ///< of names bound by `let`
  std::vector<std::string> opaque;             ///< names whose value is not affine
  struct Scope {
    int id = -1;
    std::size_t shared = 0;
  };
  std::map<std::string, Scope> scopes;  ///< of declared tensors

  /// The affine value of an expression in terms of loops and sizes.
  std::optional<math::Affine> affine(const lang::Expr& expr) const;
  /// The affine comparisons of a condition; what else it says is left out.
  std::vector<math::Constraint> where(const lang::Expr& condition) const;
  std::vector<math::Constraint> where_not(const lang::Expr& condition) const;
  /// Those that are about names with affine values, in terms of them.
  std::vector<math::Constraint> usable(std::vector<math::Constraint> known) const;
  /// Is it affine comparisons and nothing else?
  bool is_affine(const lang::Expr& condition) const;
};

/// Adds the reads of `expr`, repeated ones once.
void add_reads(const lang::Expr& expr, const Names& names, const std::vector<math::Constraint>& guards,
               std::vector<Touch>& into);
/// The access itself as a touch.
Touch touch(Touch::Kind kind, const lang::Access& access, const Names& names);

}  // namespace trellis::schedule
