#pragma once
// The exact relations between instances of two fragments, computed once for all orders, and the questions that
// placement asks about them. A relation restricted to pairs that agree on the loops around them is known by its number,
// so that questions of different orders share their answers.

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/lang/schedule.hpp"
#include "engine/math/relations.hpp"
#include "engine/math/solver.hpp"
#include "engine/place/element_tuples.hpp"
#include "engine/place/fragment.hpp"

namespace trellis::place {

struct Analysis;

class Dependences {
 public:
  /// What relates an instance of the first fragment to one of the second.
  enum class Kind {
    flow,        ///< the first writes what the second reads
    initialise,  ///< the first is an accumulation, and its element (a point of `initialised`) is read by the second
    update,      ///< both update one element
    any          ///< all pairs
  };
  using Id = math::Relations::Id;
  /// A variable of the first fragment and one of the second, as positions in their domains.
  using Pair = std::pair<int, int>;

  Dependences(std::vector<math::Constraint> assumptions, Fragments fragments);

  const Fragments& fragments() const { return fragments_; }
  math::Solver& solver() { return solver_; }

  bool depends(int writer, int reader) const { return std::ranges::binary_search(dependents_[at(writer)], reader); }
  /// For each fragment those that depend on it, ascending.
  const std::vector<std::vector<int>>& dependents() const { return dependents_; }
  /// The fragments that may depend on one, and those that it may depend on: of most pairs names alone say that they do
  /// not. Ascending.
  const std::vector<int>& readers_of(int writer) const { return readers_[at(writer)]; }
  const std::vector<int>& writers_of(int reader) const { return writers_[at(reader)]; }
  /// Is what the reader reads there, by its read of this number, written by an instance of the writer?
  bool meets(int writer, int reader, int read);
  /// The pairs of the relation that are equal in all of `equal`.
  Id pairs(Kind kind, int first, int second, std::vector<Pair> equal);
  /// The pairs of flow through one read.
  Id through(int writer, int reader, int read);

  // One buffer for several steps of a tensor: its elements are those of dimension 1 and beyond.

  /// Pairs of a read and a write, of one element but different steps, where the write takes the place of what is read:
  /// with one slot every later step does, else the one that many steps later. An instance that reads and then writes is
  /// no pair.
  Id overwrites(int reader, int read, int writer, int slots);
  /// Pairs of two writes, the first of the earlier step, in the same sense.
  Id rewrites(int earlier, int later, int slots);
  /// Pairs of a write and a read, of one element, where the write's step is the one read or an earlier one.
  Id supplies(int writer, int reader, int read);

  /// Of these, the ones that compare as said in one more pair of variables.
  Id where(Id id, int first, Pair variables, math::Relation relation);
  bool any(Id id) { return !relations_.is_empty(id); }
  bool any(Kind kind, int first, int second, const std::vector<Pair>& equal) {
    return any(pairs(kind, first, second, equal));
  }
  /// Of these, the ones that are equal in all of `on`.
  Id agreeing(Id id, int first, std::vector<Pair> on);
  /// The writer's variables, each marked with ', then the reader's.
  std::vector<math::Domain> domains(Id id) { return relations_.domains(id); }

  /// Forgets pairs of flow, for a replay that is to violate them; never done to what an analysis shares.
  void drop(int writer, int reader, Id pairs);
  /// Forgets the flow through all other reads of the reader; as above, never done to what is shared.
  void keep_only(int writer, int reader, const std::vector<int>& reads);

  /// The compiler's own choice of an order by the results that are masked, as far as it was asked for (choose_order).
  std::map<std::set<std::string>, std::optional<lang::Order>> chosen;

  /// What the same fragments are with tiles, as long as anybody has use for it (place/tiles.hpp).
  std::map<std::vector<std::string>, std::weak_ptr<const Analysis>> tilings;

  /// An instance of each side and the sizes, the smallest there is.
  struct Witness {
    math::Assignment sizes;
    std::vector<std::int64_t> first, second;  ///< values of the fragments' variables
  };
  std::optional<Witness> smallest(Id id, int first, int second);
  /// The smallest instance of `writer` whose element the reader reads where some of its variables have given values.
  std::optional<Witness> smallest_written(int writer, int reader, const math::Assignment& reading);

 private:
  static std::size_t at(int fragment) { return static_cast<std::size_t>(fragment); }
  const Fragment& fragment(int id) const { return fragments_.fragments[at(id)]; }
  void set_depends(int writer, int reader, bool whether);
  Witness witness(const math::Assignment& point, int first, int second) const;
  static constexpr int every_read = -1;
  Id base(Kind kind, int first, int second, int read = every_read);
  /// Pairs of points of two domains, over the variables of both fragments, the first one's marked.
  math::Domain both_of(const Fragment& first, const math::Domain& from, const Fragment& second,
                       const math::Domain& to) const;
  std::vector<math::Domain> pieces(Kind kind, const Fragment& first, const Fragment& second, int only = every_read);
  /// Of the pairs of a fragment's points and another one's, those that some tiles give.
  std::vector<math::Domain> in_tiles(std::vector<math::Domain> pairs, const Fragment& first, const math::Domain& points,
                                     const Fragment& second);

  Id lexicographic(Id id, const std::vector<Pair>& digits, math::Relation relation);

  Fragments fragments_;
  ElementTuples tuples_;
  math::Solver solver_;
  math::Relations relations_;
  enum class Sharing { overwrites, rewrites, supplies };
  Id shared(Sharing sharing, int first, int second, int read, int slots);
  std::map<std::tuple<Id, int, int, math::Relation>, Id> compared_;
  std::map<std::array<int, 4>, Id> bases_;
  std::map<std::array<int, 5>, Id> shared_;
  std::vector<std::vector<int>> dependents_, readers_, writers_;
};

}  // namespace trellis::place
