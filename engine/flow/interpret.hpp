#pragma once
// Executes control flow over the arrays in which tensors are stored, one scalar operation at a time, with the
// arithmetic of format/scalar: its results are those of a compiled serial kernel, bit for bit. It is slow and obvious.
// An Observer hears every step in execution order and may stop at any of them: stepping and traces need nothing else.
//
//   Execution e = interpret(flow, {{{"n", n}}, {{"A", a}, {"y", y}}}, {}, &observer);     // y is updated in place
//
// Threads run one after another. A parallel loop that counts first does so here too, and what it appends then is
// compared. Beside the faults of kernels there is `unsound`: the flow leaves an array, or says of a cursor what does
// not hold.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/flow/flow.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::flow {

/// What a flow runs on: values of sizes and reals, and every tensor that it does not declare itself. A result in a
/// sparse format that it appends to takes its new arrays when the flow has ended.
struct Bindings {
  std::map<std::string, format::Value> parameters;
  std::map<std::string, tensor::Tensor> tensors;
};

/// Values of the enclosing loops' variables, outermost first.
using LoopValues = std::vector<std::pair<std::string, std::int64_t>>;

/// Where execution stands. The references are valid during the call only.
struct Moment {
  std::int64_t step;  ///< so far, from 1
  const Stmt& statement;
  const LoopValues& loops;
};

/// An entry of a level: the position that it is, and the coordinate that is stored (of a dense level: computed).
struct Entry {
  std::int64_t position = 0, coordinate = 0;
  bool operator==(const Entry&) const = default;
};

/// An element, or an entry of an inner level, by the entries that lead there, outermost level first.
using Trail = std::vector<Entry>;

/// One element that is touched. The references are valid during the call only.
struct Element {
  const Tensor& tensor;
  const Trail& trail;                      ///< empty: a scalar
  std::int64_t place = 0;                  ///< among the values
  bool defined = true;                     ///< false: of a temporary, and nothing has written it yet
  std::vector<std::int64_t> through = {};  ///< by level, where it stands for others as well: their last coordinate
};

/// So many entries before and after the next one are listed.
constexpr std::int64_t near_entries = 8;

/// In the place of the key of what a product leaves out.
constexpr std::int64_t no_key = std::numeric_limits<std::int64_t>::min();

/// Where a cursor is among the entries that it walks.
struct Standing {
  const Cursor& cursor;
  bool alive;                        ///< false: it has run out
  bool here;                         ///< it is at the loop's coordinate
  std::int64_t at, begin, end;       ///< numbers of the next entry, of the first one in storage, and behind the last
  std::int64_t first;                ///< of those that are listed: what is near
  std::vector<std::int64_t> stored;  ///< their coordinates, of regions the last ones
  std::vector<std::int64_t> starts = {};  ///< of regions: the first ones
  std::int64_t from = 0, to = 0;  ///< where it is at the loop's coordinate: all entries that are, to before `to`
  /// Of a product, whose `stored` are keys: the fiber of each level in which it is, outermost first.
  struct Level {
    int level = 0;
    std::int64_t unit = 1;  ///< times its digit: what it adds to the key
    math::DigitMap map = {};
    std::int64_t at = 0, begin = 0, end = 0, first = 0;
    std::vector<std::int64_t> stored = {};
  };
  std::vector<Level> levels = {};  ///< none where it has run out
};

struct Fault;

/// Hears an execution as it happens. Of `t += e`: begin, the reads of e, the read of t, the write of t.
class Observer {
 public:
  enum class Go { on, stop };
  virtual ~Observer() = default;

  /// Before each statement, and before each iteration of a loop or coiteration, whose variable has its value then.
  /// Stopping leaves every earlier effect in place and none of the later ones.
  virtual Go begin(const Moment&) { return Go::on; }

  /// A cursor of a coiteration has these entries to walk, in the loop's direction; or none.
  virtual void opens(const Moment&, const Cursor&, const Trail& /*parent*/, std::int64_t /*first*/,
                     std::int64_t /*last*/) {}
  /// It is at an entry now, which is there at the loop's coordinate.
  virtual void stands(const Moment&, const Cursor&, const Entry&, std::int64_t /*coordinate*/) {}
  virtual void runs_out(const Moment&, const Cursor&) {}
  /// The loop goes on with a point of its lattice, at a coordinate of which it stands next; -1: it has ended.
  virtual void enters(const Moment&, const Coiterate&, int /*point*/, const std::vector<Standing>&) {}
  /// An iteration at a coordinate.
  virtual void at(const Moment&, const Coiterate&, std::int64_t /*coordinate*/, const std::vector<Standing>&) {}
  virtual void tests(const Moment&, const Test&, bool /*here*/) {}
  /// -1: it is not stored.
  virtual void locates(const Moment&, const Locate&, const Entry&) {}

  virtual void read(const Moment&, const Element&, const format::Value&) {}
  virtual void write(const Moment&, const Element&, const format::Value& /*before*/, const format::Value& /*after*/) {}
  virtual void inserts(const Moment&, const Insert&, const Trail&, bool /*fresh*/) {}
  virtual void appends(const Moment&, const Element&, const format::Value&) {}
  virtual void declares(const Moment&, const Tensor&) {}
  virtual void resets(const Moment&, const Tensor&, const format::Value&) {}
  virtual void freezes(const Moment&, const Tensor&) {}
  virtual void fails(const Moment&, const Fault&) {}
};

enum class FaultKind {
  division_by_zero,
  division_overflow,
  index_out_of_range,
  result_too_large,
  unbound,  ///< a tensor or parameter that the bindings lack
  out_of_memory,
  unsound,      ///< a mistake of the compiler
  region_taken  ///< the format of a result holds one region where the flow has appended a second
};

struct Fault {
  FaultKind kind;
  text::Span span;      ///< in the user's program
  std::string message;  ///< one line, in the words of kernels
  int statement = -1;   ///< number of the statement
  LoopValues loops;
};

struct Options {
  std::int64_t most_steps = 0;                    ///< 0: no limit
  std::size_t most_bytes = std::size_t{1} << 26;  ///< of any array of a result in a sparse format
};

struct Execution {
  enum class End { finished, stopped, limit, fault } end = End::finished;
  std::optional<Fault> fault;  ///< execution ended there
  /// Statements and iterations begun, cursors moved, entries tried by a search, elements reset: what the time is
  /// proportional to.
  std::int64_t steps = 0;
  std::int64_t ended_after = 0;  ///< one more than the coordinate after which an `until` held last; 0: none did
};

/// Runs the flow, which must pass `verify`.
Execution interpret(const Flow& flow, const Bindings& bindings, const Options& options = {},
                    Observer* observer = nullptr);

}  // namespace trellis::flow
