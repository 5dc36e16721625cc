#pragma once
// Positions in storage and expressions of the control flow; flow.hpp has the grammar of all of it.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/format/operation.hpp"
#include "engine/format/scalar.hpp"
#include "engine/text/node.hpp"
#include "engine/text/source.hpp"
#include "engine/text/text.hpp"

namespace trellis::flow {

struct ExprNode;
using Expr = text::Handle<ExprNode>;
struct PositionNode;
using Position = text::Handle<PositionNode>;

// Positions.

// A node that fits stands in one line.
// clang-format off
/// Before the first level: the only position of a scalar.
struct Root { bool operator==(const Root&) const = default; };

/// Why a run-time check can fail, for the message: where in the program, and in which words.
struct Site {
  text::Span span;
  std::string what;  ///< "index a(i) of T"
  bool operator==(const Site&) const { return true; }
};

/// In a dense level: parent * size + coordinate.
struct Direct {
  std::string tensor;
  int level = 0;
  Position parent;
  Expr coordinate;            ///< i64
  std::optional<Site> check;  ///< none: proven to be in range
  bool operator==(const Direct&) const = default;
};

/// The entry that a cursor stands on, or that a search found: the value of a variable. `several`: where coordinates may
/// repeat, the entries from there to `NAME_end`.
struct At {
  std::string name;
  bool several = false;
  bool operator==(const At&) const = default;
};

/// In a block, the entry that a variable holds: the place of a coordinate among its children.
struct Within {
  std::string tensor;
  int level = 0;
  std::string name;
  Expr coordinate;  ///< i64, of the level
  bool operator==(const Within&) const = default;
};

struct PositionNode {
  std::variant<Root, Direct, At, Within> is;
  bool operator==(const PositionNode&) const = default;
};

// Expressions.

struct Constant { format::Value value; bool operator==(const Constant&) const = default; };
/// A size (i64), a real parameter (f64), or a loop's or let's variable.
struct Name {
  enum class Kind { size, real, variable } kind = Kind::variable;
  std::string name;
  bool operator==(const Name&) const = default;
};
struct Value { std::string tensor; Position position; bool operator==(const Value&) const = default; };
/// The position at which the cursor stands if that is at the loop's coordinate, else -1. Only as the value of a `let`.
struct Here { std::string cursor; bool several = false; bool operator==(const Here&) const = default; };
struct Unary { format::UnaryOp op; Expr operand; bool operator==(const Unary&) const = default; };
/// Integer `/` and `%` can fail at run time; the node's span says where.
struct Binary { format::BinaryOp op; Expr left, right; bool operator==(const Binary&) const = default; };
struct Select { Expr condition, then, otherwise; bool operator==(const Select&) const = default; };
struct Cast { Expr operand; bool operator==(const Cast&) const = default; };
struct Call { format::Function function; std::vector<Expr> arguments; bool operator==(const Call&) const = default; };
/// Of one of the flow's own functions.
struct Apply { std::string function; std::vector<Expr> arguments; bool operator==(const Apply&) const = default; };
/// The value, once the first has been evaluated, which may be an error.
struct After { Expr first, value; bool operator==(const After&) const = default; };
/// How many entries a level of an operand stores.
struct Stored { std::string tensor; int level = 0; bool operator==(const Stored&) const = default; };
/// Where the entries of a compressed level below a position begin; of the position behind the last one, where all end.
struct Begin { std::string tensor; int level = 0; Position parent; bool operator==(const Begin&) const = default; };
/// That an entry of a level has.
struct Coordinate { std::string tensor; int level = 0; Expr entry; bool operator==(const Coordinate&) const = default; };
// clang-format on
/// A coordinate of a level, which is an error where it is out of range: that of an index that is asked for whether or
/// not there is anything to be indexed.
struct Checked {
  std::string tensor;
  int level = 0;
  Expr coordinate;  ///< i64
  Site check;
  bool operator==(const Checked&) const = default;
};

struct ExprNode {
  std::variant<Constant, Name, Value, Here, Unary, Binary, Select, Cast, Call, Apply, After, Checked, Stored, Begin,
               Coordinate>
      is;
  format::ScalarType type = format::ScalarType::f64;
  text::Span span;
  bool operator==(const ExprNode& other) const { return type == other.type && is == other.is; }
};

}  // namespace trellis::flow
