#pragma once
// The interpreter's inside: its running state, and expressions and statements as closures over it. Names are resolved
// to slots once, when the closures are made; nothing is looked up while they run.

#include <functional>

#include "engine/loop/interpret.hpp"

namespace trellis::loop {

/// A dense tensor, or a dense copy of a sparse one; with, for those that may be undefined, which elements have been
/// written.
struct Cell {
  std::string name;
  tensor::Tensor tensor;
  bool tracked = false;
  std::vector<bool> defined;
  bool written = false;
};

struct Machine {
  std::vector<format::Value> variables;
  std::vector<Cell> cells;
  LoopValues loops;
  Stmt current;
  Observer* observer = nullptr;
  Options options;
  Execution execution;
  bool halted = false;

  Moment moment() const { return {execution.steps, current, loops}; }
  /// Counts a step of `stmt`; false when execution ends here.
  bool begin(const Stmt& stmt);
  void fail(Fault fault);
  /// A defined element's value, after the checks; on a fault, 0.
  format::Value read(int cell, const tensor::Index& index, text::Span span);
  void write(int cell, const tensor::Index& index, std::optional<format::ReduceOp> op, const format::Value& value,
             text::Span span);
  void reset(int cell, const format::Value& value);

 private:
  bool in_range(const Cell& cell, const tensor::Index& index, text::Span span);
};

using Evaluate = std::function<format::Value(Machine&)>;
using Indices = std::function<void(Machine&, tensor::Index&)>;

/// What names mean where an expression or statement stands.
struct Names {
  std::map<std::string, int> variables;
  std::map<std::string, int> cells;
  const std::map<std::string, format::Value>* parameters = nullptr;
  const std::vector<lang::Function>* functions = nullptr;
};

Evaluate compile(const Expr& expr, const Names& names);
Indices compile_indices(const lang::Access& access, const Names& names);

}  // namespace trellis::loop
