#pragma once
// Steps that share a buffer: does a read still find its value there, whatever the sizes? Asked of one tree
// (docs/design/placement.md#buffers).

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/place/analysis.hpp"
#include "engine/place/placement.hpp"
#include "engine/place/temporaries.hpp"
#include "engine/text/sequence.hpp"

namespace trellis::place {

class Sharing {
 public:
  Sharing(const Analysis& analysis, const Tree& tree, const std::vector<Initialiser>& initialisers);

  /// Are there implicit copies, and does no equation read what they write?
  bool leaves_copies_unread(const std::string& tensor) const { return contains(unread_, tensor); }

  /// Copies of elements that are at all times what was loaded, by id: each buffer has them from the start.
  bool is_still(int fragment) const { return contains(still_, fragment); }
  std::vector<int> still_copies_of(const std::string& tensor) const;

  int proven = 0;  ///< relations shown to be harmless

  /// What becomes of foralls whose iterations share a buffer: one is in the way, or is a for from then on.
  enum class Foralls { stay, run_in_order };
  void let_foralls(Foralls foralls) { foralls_ = foralls; }
  /// These are no foralls.
  void order(const std::vector<int>& loops) { ordered_.insert(loops.begin(), loops.end()); }
  /// Those that came to be none since the last time.
  std::vector<int> newly_ordered();
  void forget_ordered() { new_.clear(); }

  struct Access {
    int fragment, read;
  };
  std::vector<Access> reads_of(const std::string& tensor, int slots) const;
  std::vector<int> writers_of(const std::string& tensor, int slots) const;

  /// Pairs of a read and a write that comes before it, or in another iteration of a forall.
  std::optional<Overwrite> spoiled(const Access& a, const std::string& tensor, int slots);
  /// Do writes to one buffer come in the order of their steps?
  bool writes_in_order(const std::string& tensor, int slots);
  /// Is the value that is read in the buffer when the iteration of the first `depth` loops around the read begins?
  bool is_there_at_start(const Access& a, const std::string& tensor, std::size_t depth);

 private:
  using Id = Dependences::Id;

  bool has_copies(const std::string& tensor) const;
  bool reads_copies(const std::string& tensor) const;
  /// With one buffer there are no copies, nor where nothing reads them, nor of what never changes.
  bool takes_part(const Fragment& f, int slots) const;
  bool is_forall(int fragment, std::size_t depth);
  /// Iterations of this forall around a fragment share an element: is that in the way, or do they run in order then?
  bool is_in_the_way(int fragment, std::size_t depth);
  /// Of `pairs`, the first of which has to run before the second: some that do not, or that a forall would have to
  /// order; -1: none.
  Id out_of_order(int first, int second, Id pairs);
  bool overwritten_before(const Access& a, int writer, std::size_t shared, std::size_t depth);
  Overwrite describe(const Access& a, int writer, Id pairs);

  const Analysis& analysis_;
  const std::vector<Fragment>& fragments_;
  Dependences& dependences_;
  const Tree& tree_;
  const std::vector<Initialiser>& initialisers_;
  std::map<int, bool> forall_;
  std::vector<std::string> unread_;  ///< tensors
  std::vector<int> still_;           ///< fragments
  Foralls foralls_ = Foralls::stay;
  std::set<int> ordered_, new_;  ///< loops
};

}  // namespace trellis::place
