#pragma once
// Resolved loop programs: what `loops { … }` of a kernel means, with names, types and ranges settled. Loop IR and the
// reference interpreter both start here; reductions still stand in expressions.
//
//   action := block | declare | for | while | if | let | assign | reset | lifecycle
//
// (docs/design/language.md#loop-programs)
//
// Invariants: every Variable is bound by an enclosing for, let or Reduce, and no name twice on one path; a declared
// tensor is used only in the block that declares it; both sides of an assignment have one type; every variable of a
// Reduce has a lower and an upper bound in parameters, outer variables and the variables before it.

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::lang::action {

// A node that fits stands in one line.
// clang-format off
struct Block { Actions actions; bool operator==(const Block&) const = default; };
/// A tensor that lives to the end of the block and starts as its fill each time.
struct Declare { TensorInfo tensor; bool operator==(const Declare&) const = default; };
/// `variable in low:high`; the bounds, any i64 values, are evaluated once.
struct For {
  std::string variable;
  Expr low, high;
  bool descending = false;
  enum class Kind { serial, forall } kind = Kind::serial;
  std::vector<std::string> reduces;
  enum class Execution { serial, parallel, vectorized } execution = Execution::serial;
  int unroll = 1;
  Actions body;
  std::optional<Expr> until = {};  ///< no iteration after one at whose end it holds
  int lanes = 1;                   ///< vectorized: sums of floating numbers are added up in so many parts
  int jam = 1;                     ///< so many iterations at once, in the loops inside
  bool registers = false;          ///< over a tile that is held in registers
  bool operator==(const For&) const = default;
};
struct While { Expr condition; Actions body; bool operator==(const While&) const = default; };
struct If { Expr condition; Actions then, otherwise; bool operator==(const If&) const = default; };
struct Let { std::string name; Expr value; Actions body; bool operator==(const Let&) const = default; };
struct Assign {
  Expr target;                         ///< an Access
  std::optional<format::ReduceOp> op;  ///< none: `=`; never argmin, argmax or a user's
  Expr value;
  bool operator==(const Assign&) const = default;
};
/// `t .= e`: every element becomes e, which is evaluated once.
struct Reset { std::string tensor; Expr value; bool operator==(const Reset&) const = default; };
struct Lifecycle { bool thaw = false; std::string tensor; bool operator==(const Lifecycle&) const = default; };
// clang-format on

struct Node {
  std::variant<Block, Declare, For, While, If, Let, Assign, Reset, Lifecycle> is;
  text::Span span;
  bool operator==(const Node& other) const { return is == other.is; }
};

/// The expressions of this action itself, in the order in which they are evaluated.
std::vector<Expr> expressions(const Action& action);
/// The bodies, in order.
std::vector<const Actions*> bodies(const Action& action);
/// The action, then those inside it.
void for_each(const Action& action, const std::function<void(const Action&)>& visit);

}  // namespace trellis::lang::action

namespace trellis::lang {

/// Names, types and ranges of a loop program over the tensors of `program`. Every problem is reported; the result is
/// empty when there was one.
std::optional<Actions> resolve(const syntax::Loops& loops, const Program& program, text::Diagnostics& diagnostics);

}  // namespace trellis::lang
