#pragma once
// Lazy arrays as a logic over named fields: what an expression is, before anything is known of how it will be computed.
//
//   expr  := Table(name, fields) | Const | Map(op, expr…) | Agg(reduction, {field}, expr) | Arg(min|max, field, expr)
//          | Shape(op, expr…, from -> to)
//   query := (name, fields, expr, format?)        plan := [query], produces names
//
// A field is an index with one size in the whole plan. An operand that lacks a field repeats along it, so that
// broadcasting, transposition, diagonals and axes of size 1 leave nothing behind (docs/design/arrays.md#fields). The
// notation that `to_string` writes is the language's. Source: Finch, section 6.5 (Finch Logic).
//
// Invariants: operands of Map have one type, as in lang/expr.hpp, and conversions are explicit; `&&`, any and all are
// of bool, every other reduction of numbers, sums and products of floating numbers or of 64 bits; Agg and Arg may
// reduce over fields that their operand lacks.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/format/format.hpp"
#include "engine/format/operation.hpp"
#include "engine/format/scalar.hpp"
#include "engine/lang/expr.hpp"
#include "engine/text/function_ref.hpp"
#include "engine/text/node.hpp"

namespace trellis::lazy {

/// An index: a number that no other field of the process has, and how many values it takes.
struct Field {
  std::int64_t number = 0;
  std::int64_t size = 0;
  auto operator<=>(const Field&) const = default;
};
/// A set: ascending, without repetition.
using Fields = std::vector<Field>;

/// One that nobody else has.
Field fresh_field(std::int64_t size);
Fields as_set(Fields fields);
Fields united(const Fields& a, const Fields& b);
Fields without(const Fields& a, const Fields& b);
Fields common(const Fields& a, const Fields& b);

struct ExprNode;
using Expr = text::Handle<ExprNode>;

// A node that fits stands in one line.
// clang-format off
/// Conversion to a type; `c ? a : b`.
struct Cast { format::ScalarType type; bool operator==(const Cast&) const = default; };
struct Where { bool operator==(const Where&) const = default; };
using Operator = std::variant<format::UnaryOp, format::BinaryOp, format::Function, Cast, Where>;

/// An array that somebody has, or that a query before this one produces. A field that stands twice is a diagonal.
struct Table {
  std::string name;
  format::ScalarType type;
  format::Value fill;
  std::vector<Field> fields;
  bool operator==(const Table&) const = default;
};
struct Const { format::Value value; bool operator==(const Const&) const = default; };
struct Map { Operator op; std::vector<Expr> arguments; bool operator==(const Map&) const = default; };
/// `sum prod min max any all`, over at least one field.
struct Agg { format::ReduceOp op; Fields over; Expr of; bool operator==(const Agg&) const = default; };
/// The first coordinate of `over` with the best value: i64, -1 where there is none.
struct Arg { format::ReduceOp op; Field over; Expr of; bool operator==(const Arg&) const = default; };
/// The language's shape operators (docs/shapes.md): `from` is bound in the parts, `to` is what the result has instead.
/// concat: one of `from` a part. stack: none. slice: numbers are first and step. roll: by how much. pad: how much
/// before and after.
struct Shape {
  lang::Shape::Op op;
  std::vector<Expr> parts;
  std::vector<Field> from, to;
  std::vector<std::int64_t> numbers = {};
  std::optional<format::Value> outside = {};  ///< of pad
  /// What is bound in a part.
  Fields bound_in(std::size_t part) const;
  bool operator==(const Shape&) const = default;
};
// clang-format on

struct ExprNode {
  std::variant<Table, Const, Map, Agg, Arg, Shape> is;
  format::ScalarType type = format::ScalarType::f64;
  Fields fields;         ///< that its value depends on: free ones
  std::size_t hash = 0;  ///< equal nodes have equal ones
  bool operator==(const ExprNode& other) const { return hash == other.hash && type == other.type && is == other.is; }
};

Expr table(std::string name, format::ScalarType type, format::Value fill, std::vector<Field> fields);
Expr constant(format::Value value);
Expr map(Operator op, std::vector<Expr> arguments);
/// The operand itself when there are no fields.
Expr agg(format::ReduceOp op, Fields over, Expr of);
Expr arg(format::ReduceOp op, Field over, Expr of);
Expr shape(Shape node);
/// The operand itself when it has the type, a constant's value in it.
Expr cast(format::ScalarType type, Expr operand);

std::vector<Expr> children(const Expr& expr);
/// The same node with other children; the very same handle when none changed.
Expr with_children(const Expr& expr, const std::vector<Expr>& children);
Expr map_children(const Expr& expr, text::FunctionRef<Expr(const Expr&)> change);
bool depends_on(const Expr& expr, const Field& field);
/// How many nodes, shared ones as often as they stand there.
std::int64_t count_nodes(const Expr& expr);

/// The same over other fields, everywhere: bound ones too, for an array that is used twice must not meet itself
/// (docs/design/arrays.md#fields). What `names` does not have gets a fresh field of the same size.
Expr renamed(const Expr& expr, const std::vector<std::pair<Field, Field>>& names);

/// Equal nodes become one handle, so that what is kept per node is kept once.
Expr shared(const Expr& expr);

struct Query {
  std::string name;
  std::vector<Field> fields;  ///< the result's dimensions, in their order; all free fields of `expr` are among them
  Expr expr;
  std::optional<format::Format> format = {};  ///< none: as the structure says (structure.hpp)
  std::vector<Field> order = {};              ///< loops, outermost first; empty: as the engine orders them
  bool operator==(const Query&) const = default;
};

/// Queries read what those before them produce, by name.
struct Plan {
  std::vector<Query> queries;
  std::vector<std::string> produces;  ///< what is asked for; all else is temporary
};

/// As the language writes it, fields called i, j, k, … in order of appearance.
std::string to_string(const Expr& expr);
std::string to_string(const Query& query);
std::string to_string(const Plan& plan);  ///< a line a query

}  // namespace trellis::lazy
