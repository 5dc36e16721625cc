#pragma once
// The interpreter's inside: its running state, and functions that execute over it. Expressions and positions are in
// evaluate.cpp, statements in execute.cpp, what walks sequences in execute_coiterate.cpp, where a cursor stands in
// cursor_iterator.hpp.

#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/flow/interpret.hpp"
#include "engine/flow/store.hpp"

namespace trellis::flow {

/// A position, and how it was come to: one of some entries where coordinates may repeat.
struct Spot {
  std::int64_t position = 0;
  std::optional<std::int64_t> end = std::nullopt;  ///< with it, the entries from `position` on
  Trail trail = {};
};

/// Leaves everything: what is to be said stands in `Machine::execution`.
struct Halted {};

class CursorIterator;

struct Machine {
  Machine(const Flow& of, const Options& limits, Observer* hears) : flow(of), options(limits), observer(hears) {}

  const Flow& flow;
  const Options& options;
  Observer* const observer;
  std::map<std::string, format::Value> parameters;
  std::unordered_map<std::string, format::Value> variables;
  std::unordered_map<std::string, Spot> spots;  ///< positions that have names
  std::unordered_map<std::string, std::shared_ptr<Store>> stores;
  std::unordered_map<std::string, const CursorIterator*> walks;  ///< by the cursor's name
  std::map<std::string, std::vector<std::int64_t>> marches;      ///< pointers, one for each fiber
  /// Fibers that wait, by coordinate, the last that came first; and the next entry of each.
  struct Waiting {
    std::map<std::int64_t, std::vector<std::int64_t>> at;
    std::map<std::int64_t, std::int64_t> next;
  };
  std::map<std::string, Waiting> lists;
  LoopValues loops;
  Stmt current;
  Execution execution;
  bool counting = false;  ///< an iteration's entries are counted, not stored
  std::int64_t counted = 0;

  Moment moment() const { return {execution.steps, current, loops}; }
  void begin(const Stmt& stmt);
  void spend(std::int64_t steps);
  [[noreturn]] void fail(FaultKind kind, text::Span span, const std::string& message);
  Store& store(const std::string& tensor);
};

/// What a name means until the end of a block; then what it meant outside.
template <class What>
class Bound {
 public:
  Bound(std::unordered_map<std::string, What>& names, const std::string& name, What value)
      : names_(names), name_(name) {
    if (const auto found = names.find(name); found != names.end()) outside_ = std::move(found->second);
    names[name] = std::move(value);
  }
  ~Bound() {
    if (outside_) names_[name_] = std::move(*outside_);
    else names_.erase(name_);
  }
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;
  void set(What value) { names_[name_] = std::move(value); }

 private:
  std::unordered_map<std::string, What>& names_;
  const std::string name_;
  std::optional<What> outside_;
};

format::Value evaluate(Machine& m, const Expr& e);
std::int64_t evaluate_integer(Machine& m, const Expr& e);
/// Where `end` is set, the caller takes all of those entries.
Spot evaluate(Machine& m, const Position& position);
/// A coordinate; a fault where it is checked and outside the level.
std::int64_t evaluate_coordinate(Machine& m, const Expr& e, const std::optional<Site>& check, const Store& store,
                                 int level);
/// The same of an element of a tensor, with how it is come to where its position was computed, if anybody listens.
Spot element_at(Machine& m, const std::string& tensor, const Position& position);
format::Value read_element(Machine& m, const std::string& tensor, const Spot& spot);
/// Entries of a level below a position.
Range fiber(Store& store, int level, const Spot& parent);

void execute(Machine& m, const Stmt& s);
void execute(Machine& m, const Coiterate& c, const Stmt& s);
/// By all results so far.
std::int64_t appended_entries(Machine& m);

}  // namespace trellis::flow
