#pragma once
// A layout's forms, with an access's indices in the places of its dimensions: what a level is asked for.

#include <map>
#include <string>
#include <vector>

#include "engine/format/layout.hpp"
#include "engine/lang/program.hpp"

namespace trellis::access {

class Composition {
 public:
  Composition(const format::Layout& layout, const std::vector<lang::Expr>& indices);

  /// In the fewest terms where all indices are affine.
  lang::Expr operator()(const math::Affine& form) const;
  lang::Expr operator()(const math::Constraint& constraint) const;

 private:
  std::map<std::string, lang::Expr> values_;
  std::map<std::string, math::Affine> forms_;
  std::vector<std::string> variables_;
  bool all_affine_ = true;
};

/// The index of each level, as a branch of the tensor's layout has it.
std::vector<lang::Expr> level_indices(const Composition& composed, const lang::TensorInfo& info,
                                      const format::Layout::Branch& branch);
/// The same of the elements that the first branch stores; without a layout, of all.
std::vector<lang::Expr> level_indices(const lang::Access& access, const lang::TensorInfo& info);

}  // namespace trellis::access
