#pragma once
// What the user says about how a kernel runs, resolved from the schedule commands
// (docs/design/language.md#schedule-commands).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/text/source.hpp"

namespace trellis::lang {

/// A loop of an order: over a variable, `j`, or over its tiles, `j/96`.
struct LoopName {
  std::string name;
  bool descending = false;
  auto operator<=>(const LoopName&) const = default;
};

/// Outermost first; prints as `j k i-`.
using Order = std::vector<LoopName>;
std::string to_string(const Order& order);
/// From `j/96 j k i-`, also with commas as in `--set order=j,k,i-`; empty if it is not a list of names.
std::optional<Order> parse_order(const std::string& text);

/// What a loop over tiles goes over: the values of a variable, so many in a tile.
struct TileName {
  std::string variable;
  std::int64_t size = 0;
  bool operator==(const TileName&) const = default;
};
/// Of `j/96`; empty for the name of any other loop.
std::optional<TileName> tile_of(const std::string& loop);
std::string tile_text(const std::string& variable, std::int64_t size);
/// The variable that a loop goes over, or over the tiles of which it goes.
std::string variable_of(const std::string& loop);
/// What the loop is called where it has to be one word: `j_96`, and a variable as it is.
std::string loop_variable(const std::string& loop);
bool has_tiles(const Order& order);

/// One transformation of the loops that the order gave. They are applied as written, each to what the one before left.
///
///   split i into io ii 32     loops {i}, into {io, ii}, factors {32}
///   tile i j 32 32            loops {i, j}, factors {32, 32}
///   skew i j [2]              loops {i, j}, factors {2}: j then counts j + 2 i
///   reorder ii j io           loops {ii, j, io}, outermost first
///   unroll i 4                loops {i}, factors {4}
///   jam i 4                   loops {i}, factors {4}: four iterations at once, in the loops inside
///   registers i j             loops {i, j}: the tile that they go over, in registers while a loop around adds to it
///   pack A                    tensor A: in strips as wide as the tiles in registers, while the kernel runs
///   fused                     products are added to sums without being rounded first
///   vectorize j [8]           loops {j}, factors {8}: sums of floating numbers in so many parts
///   parallel i                loops {i}
///   parallel A                tensor A: its entries evenly, whatever its rows
///   lead A                    tensor A: loops over what it stores, in its order
///   narrow H E i16            tensors H and E: their steps are kept and computed in 16 bits
struct ScheduleStep {
  enum class Kind {
    split,
    tile,
    skew,
    reorder,
    unroll,
    jam,
    registers,
    pack,
    fused,
    vectorize,
    parallel,
    lead,
    narrow
  } kind;
  std::vector<std::string> loops;
  std::vector<std::string> into;
  std::vector<std::int64_t> factors;
  text::Span span;                        ///< the command
  std::vector<text::Span> loop_spans;     ///< of each of `loops`
  std::string tensor = {};                ///< of `lead` and `pack`, and of `parallel` instead of loops
  std::vector<std::string> tensors = {};  ///< of `narrow`
  bool operator==(const ScheduleStep& o) const {
    return kind == o.kind && loops == o.loops && into == o.into && factors == o.factors && tensor == o.tensor &&
           tensors == o.tensors;
  }
};
/// As the language writes it.
std::string to_string(const ScheduleStep& step);

/// May vectors add up a sum in so many parts? They are added two by two at the end.
bool is_lanes(std::int64_t count);
/// What to say of any other number.
std::string lanes_wanted(std::int64_t count);

/// May so many iterations be jammed, which is as often as the body is written?
bool is_jam(std::int64_t count);
std::string jam_wanted(std::int64_t count);

struct Schedule {
  std::optional<Order> order;
  text::Span order_span;
  std::vector<text::Span> loop_spans;  ///< of each loop in `order`, where the user wrote it
  std::vector<ScheduleStep> steps;
  /// Timestep tensors that must keep one buffer.
  struct Inplace {
    std::string tensor;
    text::Span span;
    bool operator==(const Inplace& o) const { return tensor == o.tensor; }
  };
  std::vector<Inplace> inplace;

  /// `mask L M`: compute L only where M stores something, or with `values` where it is not at its fill; `mask L !M`:
  /// only where that does not hold. `mask L auto` has no pattern before symbolic/with_patterns.hpp.
  struct Mask {
    std::string tensor;
    std::optional<std::string> pattern;
    text::Span span;
    bool automatic = false;
    bool complement = false;
    bool by_value = false;
    bool operator==(const Mask& o) const {
      return tensor == o.tensor && pattern == o.pattern && automatic == o.automatic && complement == o.complement &&
             by_value == o.by_value;
    }
  };
  std::vector<Mask> masks;
  /// `workspace w for L(i,:) bytemap`: what L collects while the loops outside those over `inner` stand still.
  struct Workspace {
    std::string name, tensor;
    std::vector<int> inner;  ///< dimensions written as `:`
    enum class Kind { dense, bytemap, hash, sort } kind;
    text::Span span;
    std::vector<std::string> indices = {};  ///< as written, one for each dimension
    bool operator==(const Workspace& o) const {
      return name == o.name && tensor == o.tensor && inner == o.inner && kind == o.kind;
    }
  };
  std::vector<Workspace> workspaces;
  /// `march L i`: look-ups along i by pointers that rise with the outermost loop.
  struct March {
    std::string tensor, variable;
    text::Span span;
    bool operator==(const March& o) const { return tensor == o.tensor && variable == o.variable; }
  };
  std::vector<March> marches;
  /// `supernodes S of L relax 48`: columns of L whose rows are alike are a panel; S is true at the first of each.
  struct Supernodes {
    std::string tensor;
    std::string partition;              ///< S; of `supernodes L` a name of its own
    std::optional<std::int64_t> relax;  ///< of so many columns at most, which store zeros too (tensor/supernodes.hpp)
    text::Span span;
    std::string panels = {};  ///< the entries of L with those zeros, once symbolic/with_patterns.hpp has it
    bool diagonal = false;    ///< L has elements there
    /// What is found with S: in row s the numbers of the supernodes that update number s.
    std::string updates() const { return partition + "_updates"; }
    bool operator==(const Supernodes& o) const {
      return tensor == o.tensor && partition == o.partition && relax == o.relax && panels == o.panels &&
             diagonal == o.diagonal;
    }
  };
  std::vector<Supernodes> supernodes = {};
  /// `find B scan`: how the entries of B are come by where another operand leads.
  struct Find {
    std::string tensor;
    enum class How { merge, scan, gallop, binary, table, hash, automatic } how;
    text::Span span;
    bool operator==(const Find& o) const { return tensor == o.tensor && how == o.how; }
  };
  std::vector<Find> finds = {};
  /// `distribute i over p by A`: the iterations of a loop, each where what it writes lives (distribute/plan.hpp).
  struct Distribution {
    std::string loop, ranks;
    std::string by = {};  ///< the tensor whose rows and entries together are cut evenly; empty: even cuts
    text::Span span = {}, loop_span = {}, ranks_span = {}, by_span = {};
    std::int64_t cyclic = 0;  ///< in blocks of so many, which ranks take in turn; 0: one part each
    bool parts = false;       ///< rows are numbered anew, by parts of that tensor's graph: `by parts A`
    bool operator==(const Distribution& o) const {
      return loop == o.loop && ranks == o.ranks && by == o.by && cyclic == o.cyclic && parts == o.parts;
    }
  };
  std::vector<Distribution> distributions = {};
  /// `pipeline j 256`: ranks hand on what they have computed behind every 256 iterations of the loop over j.
  struct Pipeline {
    std::string loop;
    std::int64_t block = 1;
    text::Span span = {}, loop_span = {};
    bool operator==(const Pipeline& o) const { return loop == o.loop && block == o.block; }
  };
  std::vector<Pipeline> pipelines = {};
  /// `wavefront t j 2`: steps are counted along fronts, step t of element j being step t + 2 j.
  struct Wavefront {
    std::string time, space;
    std::int64_t factor = 1;
    text::Span span;
    bool operator==(const Wavefront& o) const { return time == o.time && space == o.space && factor == o.factor; }
  };
  std::vector<Wavefront> wavefronts = {};
  bool planned = true;  ///< `plan off`: no other program than the equations as they are written
};
/// As the language writes them.
std::string to_string(const Schedule::Mask& mask);
std::string to_string(const Schedule::Workspace& workspace);
std::string to_string(const Schedule::March& march);
std::string to_string(const Schedule::Supernodes& supernodes);
std::string_view name_of(Schedule::Find::How how);
std::string to_string(const Schedule::Find& find);
std::string to_string(const Schedule::Distribution& distribution);
std::string to_string(const Schedule::Pipeline& pipeline);
std::string to_string(const Schedule::Wavefront& wavefront);

}  // namespace trellis::lang
