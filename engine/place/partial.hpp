#pragma once
// A loop tree while it grows, and the questions that the search asks about it. Unplaced fragments of the component at
// hand stand at the end of the path that they have entered.

#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "engine/place/dependences.hpp"
#include "engine/place/tree.hpp"

namespace trellis::place {

using Path = std::vector<int>;       ///< loop ids, outermost first
using Component = std::vector<int>;  ///< fragment ids
using Picks = std::vector<int>;      ///< a variable for each fragment of a component

/// Dependences of a component on a statement that stands below the same body.
struct Outside {
  Child child;
  int writer, reader;
  Dependences::Id pairs;
};

class Partial {
 public:
  explicit Partial(Dependences& dependences);

  Tree tree;

  /// Dependences of two fragments of one component that are equal on the loops that both have entered.
  Dependences::Id live(int f, int g);
  bool is_cyclic(const Component& c);
  std::vector<Outside> outside_of(const Component& c, const Path& path);

  /// Which children of a body must come before which, by the dependences that are equal on the loops around them.
  std::set<std::pair<Child, Child>> precedence(const Path& path);
  /// The children of the body that some of these must come behind, themselves included.
  std::set<Child> before(const std::set<Child>& some, const Path& path);
  /// Orders the children of a body so that dependences are respected, ties by source, now that a fragment has come into
  /// the last of them or into a loop; true if that changed something.
  bool linearise(const Path& path, int fresh);

  bool shares_tensor(int f, int loop) const;
  /// Does the loop walk a dimension of the same extent as this variable?
  bool shares_extent(int f, int variable, int loop) const;
  /// Would the component and what is in the loop run in some common iteration?
  bool meets(const Component& c, const Picks& picks, int loop, const Path& path);
  /// Would the component and what is in the loop share a loop that `until` ends, though one of them does not walk its
  /// steps?
  bool ends_early(const Component& c, const Picks& picks, int loop, const Path& path) const;
  bool carries(int loop, const Path& path);
  bool would_carry(const Component& c, const std::vector<Outside>& inside, const Picks& picks);
  bool carries_inside(const Component& c, const Picks& picks);
  /// Fragment k of the component and one of those before it, of which one would read what the other writes later, that
  /// is in iterations that compare so; empty: there is none.
  Component clashing(const Component& c, const Picks& picks, std::size_t k, math::Relation later);

 private:
  /// Is there a placed fragment in the loop of which that is so?
  bool any_in_loop(int loop, const std::function<bool(int)>& test) const;
  bool is_placed_last(int fragment, const Path& path) const;
  const Fragment& fragment(int f) const { return fragments_[static_cast<std::size_t>(f)]; }

  Dependences& dependences_;
  const std::vector<Fragment>& fragments_;
  bool any_exits_;  ///< is some fragment a condition for an early exit?
};

}  // namespace trellis::place
