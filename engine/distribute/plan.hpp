#pragma once
// Where a kernel runs on several ranks, which share nothing but messages: who has which elements, who computes which
// iterations, and what has to be sent, for all sizes, all numbers of ranks and all cuts. A value, which `show ranks`
// prints; docs/design/distributed.md has the rules.
//
//   ranks p   distribute i over p      forall i in 1:n - 1 { y(i) = x(i-1) + x(i+1) }
//
//   y, x: cut over p     loop i: where y(i) lives     before it: x(lo_p - 1) and x(hi_p), as far as they are there
//
// A rank knows where its own part begins and ends, lo_p and hi_p, which are two more sizes: 0 <= lo_p <= hi_p <= n.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"
#include "engine/loop/stmt.hpp"

namespace trellis::distribute {

/// How dimensions of one size are cut along one dimension of ranks: 0 = c(0) <= … <= c(P) = base + extra, where c(1) to
/// c(P-1) are those of `base`: sizes that differ by a number have the same cuts but for the last one.
struct Partition {
  std::string ranks;
  math::Affine base;       ///< the size without its constant; of a constant itself
  std::int64_t extra = 0;  ///< >= 0
  std::string low, high;   ///< the sizes that a rank's own part is between: low <= x < high
  /// In blocks of so many, which ranks take in turn: x/cyclic%parts = low, the rank's number among so many; 0: none.
  std::int64_t cyclic = 0, parts = 0;
  bool operator==(const Partition&) const = default;
};

/// A tensor of the program, or one that a statement declares.
struct Tensor {
  std::string name;
  int scope = -1;  ///< as of schedule::Touch
  auto operator<=>(const Tensor&) const = default;
};

/// By dimension the number of a partition; -1: not cut.
using Home = std::vector<int>;

/// Of a loop over v: it runs here where low <= v + offset < high.
struct Deal {
  int partition = 0;
  std::int64_t offset = 0;
  bool operator==(const Deal&) const = default;
};

/// One message to or from each rank, of which every rank knows all: the elements are those that the sections say.
struct Exchange {
  enum class Kind {
    ghosts,   ///< what a rank reads and does not own comes from its owners, before the statement
    written,  ///< what a rank writes and does not own goes to its owners, after it
    sums      ///< each rank adds up a part from the operation's identity; owners add the parts in the order of ranks
  } kind = Kind::ghosts;
  Tensor tensor;
  int statement = -1;               ///< its number in the loops
  std::vector<std::string> around;  ///< variables of loops around the statement that the sections are about
  /// Disjoint, over element_name(0), element_name(1), …, in sizes, ends of parts and `around`.
  std::vector<math::Domain> sections = {};
  std::optional<format::ReduceOp> op = {};  ///< of sums
  std::vector<std::string> reads = {};      ///< accesses that need it, as they are written
  std::string pattern = {};                 ///< "halo 1", "from one", "all to all", "through A", "sections"
  std::optional<std::int64_t> halo = {};    ///< of that pattern: how wide
  std::vector<std::string> along = {};      ///< of what goes to owners: the ranks among which it is dealt out
  /// Ghosts within a pipeline: owners send them behind the statement, to ranks that take them before they run it.
  bool onward = false;
  std::vector<std::string> lists = {};  ///< tensors of which coordinates say which elements these are
};

/// The name of a dimension of an element in sections, which is no name of the language.
std::string element_name(std::size_t dimension);

/// A loop over blocks (pipeline.hpp). Ranks run what it holds, a loop that is dealt out, one behind the other.
struct Pipeline {
  int nest = -1;            ///< the number of that loop
  std::string ranks;        ///< along which it is dealt out
  std::int64_t block = 1;   ///< iterations
  bool descending = false;  ///< the last rank begins
  bool operator==(const Pipeline&) const = default;
};

/// A size of which rows have other numbers on ranks than the user gives them: one part of a matrix's graph behind the
/// other (renumber.hpp). All dimensions of that size, of all tensors that the loops read or write by rows: others stay
/// as they are, whose formats may have no room for another numbering.
struct Renumbered {
  std::string ranks, by;
  math::Affine size;
  std::vector<std::string> tensors = {};
  std::vector<std::string> sums = {};  ///< of floating numbers, whose terms come in another order: what they go to
  bool operator==(const Renumbered&) const = default;
};

struct Plan {
  std::vector<lang::RanksInfo> grid;
  std::vector<std::string> by = {};  ///< of each dimension of the grid, whose rows and entries are cut evenly; or empty
  std::vector<std::int64_t> cyclic = {};  ///< of each dimension of the grid, in blocks of so many in turn; 0: it is not
  loop::Stmt loops;                       ///< numbered
  std::vector<Partition> partitions;
  std::map<Tensor, Home> homes;            ///< those that are cut
  std::map<int, Deal> dealt;               ///< by the number of the loop
  std::map<int, Pipeline> pipelines = {};  ///< by the number of the loop over blocks
  std::map<Tensor, lang::TensorInfo> tensors;
  std::map<int, Tensor> declared;                       ///< by the number of the statement that declares it
  std::map<int, std::vector<math::Constraint>> guards;  ///< statements that only owners run, by number
  std::vector<Exchange> exchanges;                      ///< in the order of their statements
  std::vector<Renumbered> renumbered = {};

  const Home* home(const Tensor& tensor) const;
  bool is_dealt(int statement) const { return dealt.contains(statement); }
  /// A loop that ranks share, or one over blocks of it.
  bool is_shared(int statement) const { return is_dealt(statement) || pipelines.contains(statement); }
};

/// What holds for the ends of parts, 0 <= low <= high <= size, or a rank's turn, 0 <= low < parts.
std::vector<math::Constraint> part_constraints(const std::vector<Partition>& partitions);
/// low <= coordinate < high, or coordinate/cyclic%parts = low.
std::vector<math::Constraint> inside(const Partition& partition, const math::Affine& coordinate);
/// The elements that a rank owns, over element_name.
math::Domain own_elements(const Plan& plan, const Home& home);

}  // namespace trellis::distribute
