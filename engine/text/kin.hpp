#pragma once
// What belongs together, from equation to C and back. Every node names its origins, the nodes that it was made of. The
// kin of a node are the nodes that it came from and the nodes that came from it; where a stage has none of these, as
// the lattice and the control flow were both made of loops, what came from the same origins takes their place, and of a
// stage that its line of descent has passed by, as loops are not made of the graph, what the last stage before became.
//
//   kin.add(text)             the nodes of a printed stage, each of which knows its origins
//   kin.of({c, 12})           equations:0, fragments:1, loops:3, lattice:4, flow:9, c:12

#include <map>
#include <set>
#include <vector>

#include "engine/text/text.hpp"

namespace trellis::text {

class Kin {
 public:
  void add(const NodeId& node, const Origin& origin);
  void add(const Text& text);

  /// The node itself among them.
  std::set<NodeId> of(const NodeId& node) const;

  /// What lights up where the pointer is over nested nodes, innermost first.
  struct Lit {
    std::set<NodeId> strong;  ///< kin of the innermost
    std::set<NodeId> weak;    ///< where other stages hardly know that one: kin of the first node around it that they do
  };
  Lit lit(const std::vector<NodeId>& nested) const;

 private:
  using Links = std::map<NodeId, std::set<NodeId>>;
  void add_passed_by(const NodeId& node, std::set<NodeId>& kin) const;
  static std::set<NodeId> reach(const std::set<NodeId>& start, const Links& links);
  Links origins_, made_;
};

/// The nodes whose spans lie around a character, innermost first.
std::vector<NodeId> nodes_at(const Text& text, std::uint32_t offset);

}  // namespace trellis::text
