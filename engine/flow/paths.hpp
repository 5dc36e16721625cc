#pragma once
// The coordinates that a position stands for, whoever found it: an entry that a cursor stands on is at the loop's
// coordinate, one that was looked up is where it was asked for. What estimates and reports know an element by.

#include <map>
#include <string>
#include <vector>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

/// Coordinates of levels, outermost first.
using Path = std::vector<Expr>;

/// "A(i,j)"; "A(i,:)" above the last level.
std::string element_text(const Tensor& tensor, const Path& path);

class Paths {
 public:
  /// What a statement binds, before its children are visited.
  void enter(const Coiterate& loop);
  void enter(const Loop& loop);  ///< among fibers that wait
  void enter(const Let& let);
  void enter(const Locate& locate) { entries_[locate.name] = below(locate.parent, locate.coordinate); }
  void enter(const Insert& insert) { entries_[insert.name] = below(insert.parent, insert.coordinate); }

  Path of(const Position& position) const;
  Path below(const Position& parent, const Expr& coordinate) const;
  /// Of the entry that a variable holds; empty when there is none.
  const Path& of_entry(const std::string& name) const;

 private:
  Expr written(const Expr& coordinate) const;

  std::map<std::string, Path> entries_;  ///< by the variable that holds a position
  std::map<std::string, Expr> checked_;  ///< by the variable that holds a coordinate
};

}  // namespace trellis::flow
