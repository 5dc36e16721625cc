#pragma once
// A short execution written down, statement by statement, so that it can be stepped forwards and back, and drawn.
//
//   for i in 0:2 { s += x(i) }       1. i=0: reads x(0), s; writes s = …     2. i=1: reads x(1), s; writes s = …
//
// Legal orders are traced on their compiled loops, illegal ones on place_ignoring's, with the results undefined to
// begin with: then reads come too early of elements that nothing has written, and of those that are not complete.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <functional>

#include "engine/flow/interpret.hpp"
#include "engine/loop/interpret.hpp"

namespace trellis::explore {

struct Trace {
  struct Touch {
    std::string tensor;
    tensor::Index index;
    format::Value value;
    bool early = false;       ///< a read of an element that nothing has written yet, or that is written again later
    tensor::Index last = {};  ///< of a run: the element up to which all are touched; empty: there is one
    bool covers(const tensor::Index& element) const;
    void each_element(const std::function<void(const tensor::Index&)>& visit) const;
  };
  struct Step {
    int statement = -1;  ///< number in the nest
    loop::LoopValues loops;
    std::vector<Touch> reads;  ///< in the order of their first reads, each element once
    std::optional<Touch> write;
    std::string starts;                        ///< a temporary that begins afresh, or a tensor that is reset as a whole
    std::optional<format::Value> filled = {};  ///< what all elements become then; empty: they are undefined
    std::string ends = {};                     ///< of control flow: a result that has all of its entries now
    std::vector<std::size_t> premises = {};    ///< of an illegal order: on what its value and its being done rest
  };
  /// A `let`, or a condition, or the `until` of a loop, that was evaluated: what is written inside, or in the
  /// iterations behind it, rests on what it reads.
  struct Premise {
    std::size_t step = 0;             ///< so many steps were taken before
    std::vector<std::size_t> around;  ///< premises that it stands in
    std::vector<Touch> reads;
    bool decides = false;             ///< a condition: elements inside may also be left as they are
    std::vector<Touch> targets = {};  ///< those, where no tensor tells their indices
  };
  std::vector<Step> steps;
  std::vector<Premise> premises;  ///< of illegal orders only, in the order in which they are evaluated
  bool complete = false;          ///< false: there was more than that
  std::optional<loop::Fault> fault;
};

/// Interprets the nest on the bindings, whose results are changed, for at most `most` statements. Reads are early only
/// where some tensor is poisoned, which the results of an illegal order are; then premises are written down as well, at
/// most as many as statements.
Trace trace(const loop::Stmt& nest, const loop::Bindings& bindings, const std::set<std::string>& poisoned,
            std::size_t most);

/// Executes control flow in the same way, statement by statement; what is inserted or appended is written.
Trace trace(const flow::Flow& flow, const flow::Bindings& bindings, std::size_t most);

}  // namespace trellis::explore
