#pragma once
// What a flow looks up rather than walks to, and how often: facts about its Locate nodes and the loops around them.
//
//   for j { for i { y(i) += A(i,j)*x(j) } }    A: csr      A(i,j) is looked up for each (j,i), against its storage:
//                                                          it lies below i, whose loop is inside of that over j

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/flow/flow.hpp"

namespace trellis::flow {

struct LookUp {
  std::string tensor;
  std::string element;             ///< "A(i,j)"; "A(i,:)" above the last level
  std::vector<std::string> loops;  ///< around it, outermost first
  format::Facts facts;             ///< of the level
  std::string outer, inner;        ///< loops whose levels are stored the other way round; empty when there are none
  double times = 0;                ///< roughly
  std::optional<double> counted;   ///< exactly how often, where the loops are dense and their sizes are known
  text::Span span;
  bool marches = false;  ///< by pointers that rise with a loop
  bool held = false;     ///< an array has where it is
  bool again = false;    ///< several times below one entry of the level above
  /// Loops over all coordinates ask for it, for the very same ones each time that another loop around comes to them.
  bool repeated = false;

  bool against_storage() const { return !inner.empty(); }
  /// Takes a bisection.
  bool searches() const { return facts.locate == format::Locate::binary && !marches && !held; }
  /// Tries entry after entry.
  bool scans() const { return facts.locate == format::Locate::none; }
};

struct LookUps {
  std::vector<LookUp> all;  ///< each element in the same loops once

  /// How often it searches against storage.
  double avoidable() const;
};

/// A loop over all coordinates counts as 1000 iterations, unless its bounds are constants or known sizes, one over
/// entries as 10.
LookUps look_ups(const Flow& flow, const std::map<std::string, std::int64_t>& sizes = {});

}  // namespace trellis::flow
