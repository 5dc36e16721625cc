#pragma once
// Loops of the control flow: over coordinates, and over what cursors offer. flow.hpp has the grammar of all of it.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/flow/expr.hpp"
#include "engine/format/level.hpp"
#include "engine/math/digit_map.hpp"

namespace trellis::flow {

struct StmtNode;
using Stmt = text::Handle<StmtNode>;

/// A scalar that the iterations of a parallel loop update together: each thread has a part of its own, and in the end
/// the operation makes one of them.
struct Partial {
  std::string tensor;
  format::ReduceOp op;
  bool operator==(const Partial&) const = default;
};
/// The iterations of a parallel loop are for the fibers of a level, one after the other, and in each of them one walk
/// goes along the fiber. Threads get as many fibers and entries together each, so that a fiber may be walked by
/// several: what they update for it, they update together. (Merrill and Garland, Merge-based parallel sparse
/// matrix-vector multiplication, 2016.)
struct MergePath {
  std::string tensor;
  int level = 0;  ///< of the entries
  bool operator==(const MergePath&) const = default;
};
/// A list for each coordinate of a level below a dense one: the fibers whose next entry has it. They wait there until
/// the loop comes by, whose iterations are for the coordinates; at the end of an iteration those in its list move on to
/// their next entries, and the fiber of the iteration's own number, which is finished, begins to wait.
/// (docs/design/recurrences.md#waiting-lists)
struct Lists {
  std::string name;
  std::string tensor;
  int level = 0;
  bool operator==(const Lists&) const = default;
};
/// The fibers that wait at a coordinate, in any order, and their entries there.
struct Among {
  std::string lists;
  Expr coordinate;
  std::string entry;  ///< variable: a position
  bool operator==(const Among&) const = default;
};
/// Where one fiber ends the next begins: the loop's iterations are for the fibers of a level, one after the other, and
/// in each of them a `carried` loop walks the next one, from where its cursor stopped in the iteration before.
struct Carry {
  std::string cursor;
  std::string tensor;
  int level = 0;
  bool operator==(const Carry&) const = default;
};
/// Rows that the entries of a walk choose, fetched from memory some entries before they are needed.
struct Ahead {
  struct Row {
    std::string tensor;
    Position position;  ///< of the row's first element that is needed
    bool operator==(const Row&) const = default;
  };
  std::string coordinate;  ///< variable: the loop's coordinate of the entry to come
  std::vector<Row> rows;
  bool operator==(const Ahead&) const = default;
};

/// Where a loop goes: low <= variable < high; the bounds are evaluated once.
struct Domain {
  Expr low, high;
  enum class Direction { up, down } direction = Direction::up;
  std::optional<Expr> unless = {};  ///< no iteration begins once it holds, as none changes anything
  bool operator==(const Domain&) const = default;
};

/// Who does what is done, and what the iterations do together.
struct Effects {
  enum class Execution { serial, parallel, vector } execution = Execution::serial;
  std::vector<std::string> reduces = {};     ///< tensors that parallel iterations update together
  std::vector<Partial> partials = {};        ///< of these, those of which each thread has a part
  std::optional<MergePath> merge_path = {};  ///< none: iterations are handed out whole
  /// All iterations do this first, which tells how many entries each of them appends, and so where.
  std::optional<Stmt> counting = {};
  bool operator==(const Effects&) const = default;
};

/// How a loop is made faster: nothing that is computed depends on it (`without_pace`), but for the order in which
/// floating sums are added up.
struct Pace {
  int unroll = 1;               ///< so many iterations, or entries with a test behind each, are written out
  int lanes = 1;                ///< in vectors: floating sums are added up in so many parts, as long as there are any
  int jam = 1;                  ///< so many iterations at once, in the loops inside: wanted (flow/unroll_and_jam)
  bool registers = false;       ///< over a tile that a loop around adds to: wanted (flow/hold_in_registers)
  std::int64_t asks_every = 1;  ///< `unless` is asked before each so many iterations
  std::vector<Carry> carries = {};  ///< positions that go on from iteration to iteration
  // Of the walk of an only cursor.
  bool carried = false;  ///< it begins where the one before ended: a loop around carries its position
  std::vector<format::Array> streamed = {};  ///< arrays of the cursor's that come from memory before they are needed
  bool in_pairs = false;                     ///< two entries update elements apart: both are read before one is written
  std::optional<Ahead> ahead = {};
  bool operator==(const Pace&) const = default;
};

/// One iteration for each number, or for each fiber that waits at one. `until`: no iteration after one at whose end it
/// holds.
struct Loop : Domain, Effects, Pace {
  std::string variable;
  Stmt body;
  std::optional<Expr> until = {};
  /// Each iteration is for so many coordinates, of which the variable is the first; those that make no whole iteration
  /// are left.
  int by = 1;
  int after = 1;                    ///< without the coordinates that iterations for so many at once deal with
  std::optional<Among> among = {};  ///< not all coordinates: of the fibers that wait at one
  std::vector<Lists> lists = {};    ///< that its iterations go through
  /// Results all of whose rows it goes through: the end of an iteration is that of a row.
  std::vector<std::string> closes = {};
  bool takes_each() const { return by == 1 && after == 1 && !among; }  ///< one coordinate an iteration, all of them
  bool operator==(const Loop&) const = default;
};

/// What a level of a tensor offers to a loop: its entries below a position, in the loop's direction.
struct Cursor {
  std::string name;  ///< of the variable that holds its position
  std::string tensor;
  int level = 0;
  Position parent;             ///< of a product: of its first level
  std::optional<Expr> exists;  ///< the parent's coordinates are in range; else there is nothing
  bool reversed = false;       ///< the loop's coordinate is offset - stored, else offset + stored,
  std::int64_t stride = 1;     ///< divided by this, and entries where it does not divide are left out;
  /// Where it is more, as many numbers from each multiple of the stride on are of one coordinate, as are all entries
  /// there: a segment, which a loop inside walks.
  std::int64_t width = 1;
  std::int64_t stretch =
      1;        ///< each entry is at so many coordinates: stored is this times its own, and those up to the next
  Expr offset;  ///< i64
  enum class Role { lead, follow } role = Role::lead;
  bool below = false, above = false;  ///< may hold coordinates before the loop's low bound, or from its high bound on
  bool full = false;                  ///< it has an entry for every coordinate of the loop
  /// Beside others that are all needed: how it comes to where another stands. Nothing that is computed depends on it.
  enum class Find { chosen, merge, scan, gallop } find = Find::chosen;
  bool unsorted = false;  ///< its entries are wanted in any order
  /// What a look-up around found at the loop's low bound, or right before it, and at its high bound: neither is sought.
  struct Bound {
    std::string look_up;  ///< by name
    bool past = false;    ///< from behind its coordinate on
    bool there = false;   ///< it is certain to have found an entry
    bool operator==(const Bound&) const = default;
  };
  std::optional<Bound> from = {}, to = {};
  /// A level above the cursor's, through which a product goes as well.
  struct Digit {
    int level = 0;
    std::int64_t unit = 1;  ///< times its digit, added to that of the level below: what is stored, in all else
    math::DigitMap map = {};
    bool operator==(const Digit&) const = default;
  };
  std::vector<Digit> digits = {};                            ///< outermost first; none: it is no product
  math::DigitMap own = {};                                   ///< of a product: the digit that its own level has
  bool unmoved() const;                                      ///< the loop's coordinate is what is stored
  bool plain() const { return unmoved() && !is_product(); }  ///< in one level
  bool is_product() const { return !digits.empty(); }
  bool leaves_digits_out() const;  ///< some of what its levels store is no digit
  int first_level() const { return is_product() ? digits.front().level : level; }
  bool takes_segments() const { return width > 1; }
  bool operator==(const Cursor&) const = default;
};

/// One loop over what the cursors offer: a lattice, its points in the order in which they run.
/// (docs/design/coiteration.md#the-loop-of-a-lattice)
struct Coiterate : Domain, Effects, Pace {
  struct Point {
    std::vector<int> leads;    ///< numbers of cursors; none: every coordinate within the bounds
    std::vector<int> follows;  ///< cursors that are kept at the coordinate too
    bool any = false;          ///< goes on while any lead has entries left, rather than all
    Stmt body;
    /// The variables that the body knows instead of the loop's, where it goes by regions.
    struct Regions {
      std::string first, last;
      bool operator==(const Regions&) const = default;
    };
    std::optional<Regions> regions = {};
    bool together = false;     ///< by regions, with iterations only where all leads are
    text::Origin origin = {};  ///< as of a node: the lattice's point
    bool operator==(const Point& other) const {
      return leads == other.leads && follows == other.follows && any == other.any && body == other.body &&
             regions == other.regions && together == other.together;
    }
  };
  std::string variable;
  std::vector<Cursor> cursors;
  std::vector<Point> points;
  bool by_regions() const;     ///< all of its points, or none
  const Cursor* only() const;  ///< the cursor, where a single one leads alone, entry by entry; else null
  bool operator==(const Coiterate&) const = default;
};

}  // namespace trellis::flow
