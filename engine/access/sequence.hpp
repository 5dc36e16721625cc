#pragma once
// What one level of an operand offers at one loop: an ordered stream of disjoint regions of the loop's coordinate
// (DESIGN, idea 2). A level, behind adapters that turn what is stored into coordinates of the loop (COITERATION rule
// 11):
//
//   A(i)       A.1                        regions as they are stored
//   A(i-2)     A.1 | shift 2              moved
//   A(n-1-i)   A.1 | reverse n - 1        rising becomes falling
//   A(2*i)     A.1 | slice 2              what the step leaves out is passed by
//   A(i/2)     A.1 | stretch 2            a point becomes a run
//
// Any chain of them is one inverse map, in which the emitter and the interpreter read it.

#include <optional>
#include <string>

#include "engine/access/inverse.hpp"
#include "engine/access/level_index.hpp"
#include "engine/format/level.hpp"

namespace trellis::access {

struct Sequence {
  std::string tensor;
  int level = 0;
  format::Facts stored;  ///< of the level
  Inverse inverse;       ///< the loop's coordinate of what is stored
  bool covers = false;   ///< where the level is full, so is the sequence: it reaches over all of the loop
  bool operator==(const Sequence&) const = default;

  /// An entry at every coordinate of the loop.
  bool full() const { return covers && stored.full(); }
  /// Regions may hold more than one coordinate: the loop can go through them at once.
  bool has_regions() const { return stored.region != format::Region::point; }
};

/// What a level whose index varies with the variable offers; nothing where the index cannot be turned around, or an
/// entry would be at several coordinates of which some repeat.
std::optional<Sequence> sequence(const std::string& tensor, int level, const format::Facts& stored,
                                 const lang::Expr& index, const std::string& variable);

/// `A.2 | reverse n - 1 | slice 2`, levels counted from 1.
std::string to_string(const Sequence& sequence);

}  // namespace trellis::access
