#pragma once
// Statements of the control flow; flow.hpp has the grammar of all of it.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/flow/loops.hpp"
#include "engine/format/ranks_call.hpp"

namespace trellis::flow {

// A node that fits stands in one line.
// clang-format off
struct Seq { std::vector<Stmt> statements; bool operator==(const Seq&) const = default; };
struct While { Expr condition; Stmt body; bool operator==(const While&) const = default; };
struct If { Expr condition; Stmt then; std::optional<Stmt> otherwise; bool operator==(const If&) const = default; };
struct Let { std::string name; Expr value; Stmt body; bool operator==(const Let&) const = default; };
/// A temporary comes to life, undefined, until the end of the enclosing seq.
struct Declare { std::string tensor; bool operator==(const Declare&) const = default; };
/// Every element of the tensor becomes the value.
struct Reset { std::string tensor; Expr value; bool operator==(const Reset&) const = default; };
struct Assign {
  std::string tensor;
  Position position;
  std::optional<format::ReduceOp> op;  ///< none: `=`; never argmin or argmax
  Expr value;
  bool atomic = false;                 ///< several threads do so to the same element
  bool operator==(const Assign&) const = default;
};
/// Does the cursor stand at the loop's coordinate? By regions: does its region hold the iteration's?
struct Test {
  std::string cursor;
  Stmt then;
  std::optional<Stmt> otherwise;
  bool certain = false;  ///< it does, as no other lead can be what the loop stands at
  bool operator==(const Test&) const = default;
};
struct Locate {
  std::string name;
  std::string tensor;
  int level = 0;
  Position parent;
  Expr coordinate;
  std::optional<Expr> exists;  ///< as of a cursor
  bool several = false;        ///< also sets NAME_end
  std::optional<Site> check = {};  ///< none: the coordinate is proven to be in range, or may be outside
  Stmt body = {};
  std::string march = {};  ///< pointers of its own, one for each fiber, that rise with a loop; empty: found
  bool returns = false;    ///< a loop that runs many times: its pointers go back where it begins anew
  /// Also sets NAME_near, the first entry at or behind the coordinate; which end of the fiber that is likely to be.
  enum class Near { no, first, last } near = Near::no;
  bool certain = false;  ///< it is stored, as another operand has said
  /// An array that has the position, at an index: a table around the look-up, or one of the flow's maps.
  struct Held {
    std::string array;
    Expr index;  ///< i64: of a table a coordinate, of a map an entry
    bool operator==(const Held&) const = default;
  };
  std::optional<Held> held = {};
  /// It takes a search, or steps from where the one before has ended.
  bool searches() const { return march.empty() && !held; }
  bool operator==(const Locate&) const = default;
};
/// While the body runs there is a table of the fiber's entries, by coordinate; -1: there is none. Its entries stand
/// still, whatever becomes of their values.
struct Tabulate {
  std::string name;
  std::string tensor;
  int level = 0;
  Position parent;
  std::string map = {};  ///< where the map has the entries, in its other tensor; empty: the entries themselves
  Stmt body = {};
  bool operator==(const Tabulate&) const = default;
};
/// Into a bytemap or hashed level of a temporary.
struct Insert {
  std::string name;
  std::string tensor;
  int level = 0;
  Position parent;
  Expr coordinate;
  std::optional<Site> check;
  Stmt body;
  bool operator==(const Insert&) const = default;
};
/// The next entry of a result: its storage coordinates are larger than all before.
struct Append {
  std::string tensor;
  std::vector<Expr> coordinates;  ///< outermost level first
  Expr value;
  bool prune = false;    ///< a value that is the fill is not stored
  bool counted = false;  ///< nothing is stored yet: there will be one entry more
  /// By level, of runs: the last of the coordinates that share the entry. Empty: each level has one coordinate.
  std::vector<std::optional<Expr>> through = {};
  bool operator==(const Append&) const = default;
};
/// Appends to a scattered result come fiber by fiber in turn, each fiber's in rising order. The body runs twice: first
/// entries are counted, so that it is known where each fiber begins, then they are put where they belong.
struct Scatter {
  std::string tensor;
  std::optional<Stmt> counting = {};  ///< what of the body decides which entries there are; none: all of it
  Stmt body;
  bool operator==(const Scatter&) const = default;
};
/// Nothing more is appended or inserted for now: the entries can be walked in order.
struct Freeze { std::string tensor; bool operator==(const Freeze&) const = default; };
/// Goes on when the iteration of a parallel loop around, of that coordinate, is over: an earlier one.
/// (schedule/await.hpp)
struct Await {
  std::string loop;  ///< its variable
  Expr coordinate;
  bool operator==(const Await&) const = default;
};
/// A rank sends and receives elements of a tensor, or adds parts of it up, by the number of the exchange in its plan.
/// Whoever runs the ranks knows which elements these are (docs/design/distributed.md#calls).
struct Exchange {
  format::RanksCall call;
  int number = 0;
  std::string tensor;           ///< of dense levels
  std::vector<Expr> keys = {};  ///< i64: where the loops around stand, as far as it matters
  bool operator==(const Exchange&) const = default;
};
/// A remark for the reader.
struct Note { std::string text; bool operator==(const Note&) const { return true; } };
// clang-format on

struct StmtNode {
  std::variant<Seq, Loop, Coiterate, Test, Locate, Insert, While, If, Let, Tabulate, Declare, Reset, Freeze, Assign,
               Append, Scatter, Await, Exchange, Note>
      is;
  text::Span span;
  bool operator==(const StmtNode& other) const { return is == other.is; }
};

}  // namespace trellis::flow
