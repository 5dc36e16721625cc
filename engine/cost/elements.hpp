#pragma once
// Which element an access is to, as coordinates of loop variables, whatever cursors, look-ups and lets stand in
// between.

#include <map>
#include <set>
#include <string>

#include "engine/cost/nest.hpp"
#include "engine/flow/paths.hpp"

namespace trellis::cost {

class Elements {
 public:
  /// What a statement binds, before its children are visited.
  void enter(const flow::Coiterate& loop) { paths_.enter(loop); }
  void enter(const flow::Locate& locate) { paths_.enter(locate); }
  void enter(const flow::Insert& insert) { paths_.enter(insert); }
  void enter(const flow::Let& let);
  void leave(const flow::Let& let);
  /// A variable that a loop by regions knows instead of its own.
  void enter_region(const std::string& name, const std::string& variable) { moves_with_[name] = {variable}; }

  flow::Path of(const flow::Position& position) const { return paths_.of(position); }
  const flow::Path& of_entry(const std::string& name) const { return paths_.of_entry(name); }

  /// `bytes`: instead of the element's own; 0: those.
  Access access(const flow::Tensor& tensor, const flow::Path& path, double bytes = 0) const;
  /// The loop variables that the expression moves with, by way of lets and elements too.
  void collect(const flow::Expr& expr, std::set<std::string>& into) const;

 private:
  std::optional<math::Affine> affine(const flow::Expr& expr) const;

  flow::Paths paths_;
  std::map<std::string, math::Affine> forms_;                ///< of lets
  std::map<std::string, std::set<std::string>> moves_with_;  ///< of other lets, and of regions' ends
};

}  // namespace trellis::cost
