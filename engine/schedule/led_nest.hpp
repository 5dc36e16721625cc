#pragma once
// Loops over what an operand stores, made of those over its indices: the nest that `lead` puts in their place.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::schedule {

/// Loops over an operand's indices, one holding nothing but the other, and what the innermost one holds.
struct Chain {
  std::vector<loop::Stmt> loops;
  loop::Stmt body;
};

class LedNest {
 public:
  /// `variables` index the tensor, by dimension; names of new loops are none of `taken`.
  LedNest(const lang::TensorInfo& tensor, std::vector<std::string> variables, std::vector<std::string> taken);

  /// Of the tensor's layout.
  std::size_t branches() const { return layout_.branches.size(); }
  /// The chain under the conditions of a branch.
  loop::Stmt under(const Chain& chain, std::size_t branch) const;
  /// The chains, one for each branch, as one nest; nothing where a loop's bounds are not affine.
  std::optional<loop::Stmt> nest(const std::vector<Chain>& chains, const loop::Context& known, Moves& moves) const;

 private:
  struct Level {
    std::string variable;
    math::Affine low, size;
  };
  using Domain = std::vector<math::Constraint>;

  std::string name_for(const math::Affine& form);
  loop::Expr condition_of(std::size_t branch) const;
  loop::Stmt body_of(const Chain& chain, std::size_t branch) const;
  std::map<std::string, math::Affine> values(std::size_t branch) const;
  std::optional<Domain> domain_of(const Chain& chain, std::size_t branch) const;
  std::vector<loop::For> bounded(Domain all, const loop::Context& known, const loop::Stmt& like) const;
  loop::Stmt moved(const loop::Stmt& body, std::size_t branch, Moves& moves) const;
  std::vector<std::string> names() const;

  format::Layout layout_;  ///< in terms of the loops' variables
  std::vector<std::string> variables_, taken_;
  std::vector<Level> levels_;
  std::map<std::string, math::Affine> place_;  ///< of a level's coordinate: its variable, from the least coordinate on
};

}  // namespace trellis::schedule
