#pragma once
// Executes loops directly on tensors, one scalar operation at a time, with format::scalar's arithmetic: the results are
// those of compiled serial code, bit for bit. An Observer sees every step, read and write in execution order and may
// stop at any of them, which is all that stepping, breakpoints, traces and replays of illegal orders need.
//
//   Bindings b{{{"n", 3}}, {{"A", a}, {"L", l}}};      // tensors are shared references: L is updated in place
//   Execution e = interpret(loops, b, {}, &observer);
//
// The stack is as deep as the tree of statements and expressions, never as deep as the execution is long.

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/loop/stmt.hpp"
#include "engine/tensor/tensor.hpp"

namespace trellis::loop {

/// What a nest runs on: values of parameters, and every tensor that it does not declare itself.
struct Bindings {
  std::map<std::string, format::Value> parameters;
  std::map<std::string, tensor::Tensor> tensors;
  std::vector<lang::Function> functions = {};  ///< that expressions apply
};

/// Values of the enclosing loops' variables, outermost first.
using LoopValues = std::vector<std::pair<std::string, std::int64_t>>;

/// Where execution stands. The references are valid during the call only.
struct Moment {
  std::int64_t step;      ///< statements and iterations begun so far, from 1
  const Stmt& statement;  ///< its `id()` is its number when the nest is numbered
  const LoopValues& loops;
};

/// One element that is touched. The references are valid during the call only.
struct Element {
  const std::string& tensor;
  std::span<const std::int64_t> index;
  bool defined;  ///< false for an element of a temporary or poisoned tensor that nothing has written yet
};

/// Sees an execution as it happens. For `t += e`: begin, the reads of e, the read of t, the write of t.
/// `forall` runs its iterations in the loop's direction, like `for`.
class Observer {
 public:
  enum class Go { on, stop };
  virtual ~Observer() = default;

  /// Before each assignment, reset, declaration, condition, let and loop, and before each iteration of a loop (then the
  /// statement is the loop itself and, for `for`, its variable already stands among the values). Stopping here leaves
  /// every earlier effect in place and none of the later ones.
  virtual Go begin(const Moment&) { return Go::on; }
  /// After an iteration of a loop with `until`, before that condition is evaluated: its reads follow.
  virtual void until(const Moment&) {}
  virtual void read(const Moment&, const Element&, const format::Value& /*value*/) {}
  virtual void write(const Moment&, const Element&, const format::Value& /*before*/, const format::Value& /*after*/) {}
  /// `t .= e` as a whole.
  virtual void reset(const Moment&, const std::string& /*tensor*/, const format::Value& /*value*/) {}
  /// A temporary starts afresh: all of its elements are undefined.
  virtual void declare(const Moment&, const std::string& /*tensor*/) {}
};

enum class FaultKind {
  division_by_zero,
  division_overflow,
  index_out_of_range,
  undefined_read,  ///< of a temporary or poisoned tensor's element that nothing has written yet
  unbound,         ///< a tensor or parameter that the bindings lack
  out_of_memory,   ///< a temporary that cannot be allocated
  region_taken,    ///< the format of a result holds one region where the loops make a second: at `index`
  endless          ///< a function of the user takes too many steps
};

struct Fault {
  FaultKind kind;
  text::Span span;      ///< of the expression that has no value
  std::string message;  ///< one line: "index 5 is outside x(5)"
  int statement = -1;   ///< number of the statement
  LoopValues loops;
  std::string tensor;  ///< for faults about an element
  tensor::Index index;
};

struct Options {
  std::int64_t max_steps = 0;  ///< 0: no limit
  /// Tensors that are treated like temporaries: undefined until written.
  std::set<std::string> poisoned;
  enum class Undefined { fault, allow } undefined = Undefined::fault;  ///< what reading an undefined element does
};

struct Execution {
  enum class End { finished, stopped, limit, fault } end = End::finished;
  std::optional<Fault> fault;  ///< the first one; execution ended there
  std::int64_t steps = 0;
  std::int64_t ended_after = 0;  ///< one more than the coordinate after which an `until` held last; 0: none did
};

/// Runs `stmt`, which must pass `verify`.
Execution interpret(const Stmt& stmt, const Bindings& bindings, const Options& options = {},
                    Observer* observer = nullptr);

}  // namespace trellis::loop
