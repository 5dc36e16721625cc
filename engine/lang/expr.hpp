#pragma once
// Resolved, typed scalar expressions: what equations, fragments and loops compute with.
//
//   expr := Constant | Parameter | Variable | Access | Unary | Binary | Select | Cast | Call | Apply | Reduce | Shape
//         | Stored
//
// Invariants (`verify`): both operands of Binary have one type (except shifts), Select's arms too; conversions are
// explicit Casts; comparisons and logic are bool; Variable, Stored and integer Parameter are i64, real Parameter is
// f64; every index of an Access is i64. Loops hold no Reduce: placement has turned each into an accumulation. Nor do
// fragments hold a Shape: its operands are read at other indices instead (push_shapes.hpp).

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/format/scalar.hpp"
#include "engine/math/affine.hpp"
#include "engine/text/function_ref.hpp"
#include "engine/text/node.hpp"
#include "engine/text/source.hpp"
#include "engine/text/text.hpp"

namespace trellis::lang {

struct ExprNode;
using Expr = text::Handle<ExprNode>;

struct Constant {
  format::Value value;
  /// What an operand is where it stores nothing: 0 * inf is 0 then, and not-a-number where somebody wrote the 0.
  bool absent = false;
  bool operator==(const Constant& other) const { return value == other.value; }
};
// A node that fits stands in one line.
// clang-format off
struct Parameter { std::string name; bool operator==(const Parameter&) const = default; };
/// An index variable, or a name bound by `let`.
struct Variable { std::string name; bool operator==(const Variable&) const = default; };
/// `tensor(indices)`, or `tensor[step](indices)`; a scalar has no indices.
struct Access {
  std::string tensor;
  std::vector<Expr> indices;
  std::optional<Expr> step;  ///< timestep tensors only
  bool operator==(const Access&) const = default;
};
struct Unary { format::UnaryOp op; Expr operand; bool operator==(const Unary&) const = default; };
struct Binary { format::BinaryOp op; Expr left, right; bool operator==(const Binary&) const = default; };
struct Select { Expr condition, then, otherwise; bool operator==(const Select&) const = default; };
/// To the node's own type.
struct Cast { Expr operand; bool operator==(const Cast&) const = default; };
struct Call { format::Function function; std::vector<Expr> arguments; bool operator==(const Call&) const = default; };
/// Of a user's function, by the name of its instance in Program::functions.
struct Apply { std::string function; std::vector<Expr> arguments; bool operator==(const Apply&) const = default; };
/// Over the points of `domain` (its variables are bound here; its constraints include their ranges, and may name outer
/// variables). argmin and argmax have one variable and type i64; `body` keeps its own type.
struct Reduce {
  format::ReduceOp op;
  math::Domain domain;
  Expr body;
  std::string function = {};  ///< with ReduceOp::user: the instance
  bool operator==(const Reduce&) const = default;
};

/// One element of what a shape operator makes of its operands. `from` is bound in `parts`: all of them in the one part
/// there is; of `concat` one a part, of `stack` none.
struct Shape {
  enum class Op { collapse, split, reshape, concat, stack, slice, roll, pad } op;
  std::vector<Expr> parts;
  std::vector<std::string> from;
  std::vector<math::Affine> from_sizes;
  std::vector<Expr> to;  ///< the element's indices
  std::vector<math::Affine> to_sizes;
  /// slice: first, end, step; roll: by how much, as written, and that modulo the size; pad: how much before, and after.
  std::vector<math::Affine> numbers = {};
  std::optional<Expr> outside = {};  ///< pad: the value there
  bool operator==(const Shape&) const = default;
};
inline constexpr std::array<std::string_view, 8> shape_op_names = {
    "collapse", "split", "reshape", "concat", "stack", "slice", "roll", "pad"};
std::string_view name_of(Shape::Op op);
/// How many entries a level of an operand stores. Loops alone ask for it, to choose between ways to compute the same.
struct Stored { std::string tensor; int level = 0; bool operator==(const Stored&) const = default; };
// clang-format on
std::optional<Shape::Op> shape_op(std::string_view name);

struct ExprNode {
  std::variant<Constant, Parameter, Variable, Access, Unary, Binary, Select, Cast, Call, Apply, Reduce, Shape, Stored>
      is;
  format::ScalarType type = format::ScalarType::f64;
  text::Span span;
  bool operator==(const ExprNode& other) const { return type == other.type && is == other.is; }
};

/// Same node with new children, in order; the very same handle when no child changed.
/// Children: operands, indices, the step, the reduction's body, a shape operator's parts, indices and value outside.
Expr map_children(const Expr& expr, text::FunctionRef<Expr(const Expr&)> change);
void for_each_child(const Expr& expr, text::FunctionRef<void(const Expr&)> visit);

/// The integer expression as a quasi-affine form, if it is one (`+ -`, `*` by a constant, `/` and `%` by a positive
/// constant).
std::optional<math::Affine> affine(const Expr& expr);
/// And back: i64 Variables for `variables`, Parameters for every other name.
Expr to_expr(const math::Affine& affine, const std::vector<std::string>& variables);
/// A comparison (or conjunction of them) of affine sides as constraints; empty if it is not one.
std::optional<std::vector<math::Constraint>> affine_condition(const Expr& condition);
Expr to_expr(const math::Constraint& constraint, const std::vector<std::string>& variables);

/// Replaces free Variables by expressions. A replacement of a name that a reduction's domain mentions must be affine,
/// and must not mention what that reduction, or a shape operator, binds.
Expr substitute(const Expr& expr, const std::vector<std::pair<std::string, Expr>>& replacements);

Expr constant(format::Value value, bool absent = false);
Expr integer(std::int64_t value);  ///< an i64 Constant
Expr variable(std::string name);
Expr binary(format::BinaryOp op, Expr left, Expr right);  ///< type derived
Expr cast(format::ScalarType type, Expr operand);         ///< the operand itself when it has that type

/// Free Variables, in order of first appearance (a reduction's domain counts, what it or a shape operator binds does
/// not).
std::vector<std::string> free_variables(const Expr& expr);
/// The invariant that does not hold, if any.
std::optional<std::string> verify(const Expr& expr);

/// With the fewest parentheses; parses back to the same syntax. Nodes that have a number are spans of `stage`.
void print(text::TextBuilder& out, const Expr& expr, text::Stage stage = text::Stage::equations);
std::string to_string(const Expr& expr);

}  // namespace trellis::lang
