#pragma once
// The loop IR: loop nests over logical arrays, in the notation that `show loops` prints and `loops { … }` reads.
//
//   stmt   := block | for | while | if | let | declare | assign | lifecycle | note
//   block  := { stmt* }
//   for    := (for | forall) NAME [down] in low:high {mark} block
//   mark   := reduces NAME | parallel | unroll INT | jam INT | registers | vectorize [INT] | find TENSOR HOW | until expr
//   while  := while expr block                  if  := if expr block [else block]
//   let    := let NAME = expr block             declare := tensor NAME(sizes): attributes
//   assign := access (= | .= | += | *= | min= | max= | &&= | ||=) expr
//   exchange := exchange (start | finish | open | combine | receive | pass) INT of NAME [at expr, …]
//               (distribute/spmd.hpp)
//   note   := # text                            (readiness markers, and what a loop's iterations wait for)
//
// `for i in low:high` runs low <= i < high upwards, or the same values downwards with `down`; `until e` ends the loop
// after the first iteration at whose end e holds. Invariants (`verify`): expressions hold no Reduce; every Variable is
// bound by an enclosing for or let, and no name is bound twice on one path; a declared tensor is used only inside the
// block that declares it; bodies are Blocks; both sides of an assignment have one type; `forall` means that no flow
// dependence is carried.

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/format/ranks_call.hpp"
#include "engine/lang/expr.hpp"
#include "engine/lang/program.hpp"
#include "engine/text/function_ref.hpp"
#include "engine/text/node.hpp"

namespace trellis::loop {

using lang::Expr;

struct StmtNode;
using Stmt = text::Handle<StmtNode>;

// A node that fits stands in one line.
// clang-format off
struct Block { std::vector<Stmt> statements; bool operator==(const Block&) const = default; };

struct For {
  std::string variable;
  Expr low, high;  ///< i64
  bool descending = false;
  enum class Kind { serial, forall } kind = Kind::serial;
  std::vector<std::string> reduces;  ///< tensors that iterations of a forall update together
  enum class Execution { serial, parallel, vectorized } execution = Execution::serial;
  int unroll = 1;
  Stmt body;  ///< a Block
  std::optional<Expr> until = {};  ///< a bool; serial loops only
  int lanes = 1;  ///< of a vectorized loop: it adds up sums of floating numbers in so many parts
  int jam = 1;    ///< so many iterations at once, in the loops inside (schedule/jam.hpp)
  bool registers = false;  ///< over a tile that a loop around adds to (schedule/registers.hpp)
  /// A loop around, parallel although its iterations depend on each other: each iteration here first waits until the
  /// one there of the same number is over (schedule/await.hpp). Empty: there is none.
  std::string awaits = {};
  /// Of a parallel loop over the rows of an operand: threads get as many of its entries each, whatever the rows; the
  /// loop inside goes along a row (schedule/deal_out.hpp). Empty: rows are dealt out.
  std::string deals_out = {};
  /// How the entries of operands are come by in it, beside those of others (results/find_operands.hpp).
  std::vector<lang::Schedule::Find> finds = {};
  bool operator==(const For&) const = default;
};
struct While { Expr condition; Stmt body; bool operator==(const While&) const = default; };
struct If { Expr condition; Stmt then; std::optional<Stmt> otherwise; bool operator==(const If&) const = default; };
struct Let { std::string name; Expr value; Stmt body; bool operator==(const Let&) const = default; };
/// A temporary; its elements are undefined until written. It lives to the end of the enclosing block.
struct Declare { lang::TensorInfo tensor; bool operator==(const Declare&) const = default; };
struct Assign {
  Expr target;                         ///< an Access
  std::optional<format::ReduceOp> op;  ///< none: `=`; never argmin or argmax (placement writes those out)
  Expr value;
  bool operator==(const Assign&) const = default;
};
/// `t .= e`: every element becomes e.
struct Reset { std::string tensor; Expr value; bool operator==(const Reset&) const = default; };
struct Lifecycle { bool thaw = false; std::string tensor; bool operator==(const Lifecycle&) const = default; };
/// Of a rank's own loops: what it sends and receives of a tensor, or adds up, by the number of the exchange in the
/// plan.
struct Exchange {
  format::RanksCall call;
  int number = 0;
  std::string tensor;
  std::vector<Expr> keys = {};  ///< i64: where the loops around stand, as far as it matters
  bool operator==(const Exchange&) const = default;
};
/// A comment that means something to the reader: `ready L(i,:k)`.
struct Note { std::string text; bool operator==(const Note&) const { return true; } };
// clang-format on

struct StmtNode {
  std::variant<Block, For, While, If, Let, Declare, Assign, Reset, Lifecycle, Exchange, Note> is;
  text::Span span;
  bool operator==(const StmtNode& other) const { return is == other.is; }
};

Stmt block(std::vector<Stmt> statements, text::Origin origin = {});

/// Same statement with new child statements and expressions; the very same handle when nothing changed.
Stmt map_children(const Stmt& stmt, text::FunctionRef<Stmt(const Stmt&)> on_stmt,
                  text::FunctionRef<Expr(const Expr&)> on_expr);
/// The same, looked at; nothing is rebuilt.
void for_each_child(const Stmt& stmt, text::FunctionRef<void(const Stmt&)> on_stmt,
                    text::FunctionRef<void(const Expr&)> on_expr);

/// Calls `visit` for every statement, parents before children, in program order.
void for_each(const Stmt& stmt, text::FunctionRef<void(const Stmt&)> visit);

/// Numbers the statements first, first + 1, … in pre-order (what `show` and origins of the next stage refer to).
/// Origins stay as they are; expressions keep their own numbers, which are those of the equations.
Stmt number(const Stmt& stmt, int first = 0);

/// Empty when the invariants hold; else what is broken. For assertions in Debug builds and for tests.
std::string verify(const Stmt& stmt, const lang::Program& program);

}  // namespace trellis::loop
