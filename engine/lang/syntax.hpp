#pragma once
// The syntax tree: what was written, and where. docs/design/language.md#grammar is its grammar; every rule of it has a
// struct here, except that parentheses leave no trace (`print` puts them back where they are needed).
//
//   file      := statement*
//   statement := TensorDecl | ParamDecl | RanksDecl | LayoutDecl | Definition | Equation | Until | Loops | Kernel | Command
//   action    := TensorDecl | For | While | If | Let | Lifecycle | Assign            (inside loops)
//   expr      := Number | Character | Truth | Infinity | Missing | Tuple | Reference | Unary | Binary | Select

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/format/operation.hpp"
#include "engine/math/affine.hpp"
#include "engine/text/node.hpp"
#include "engine/text/source.hpp"

namespace trellis::lang::syntax {

using text::Span;

struct ExprNode;
using Expr = text::Handle<ExprNode>;

/// A name where it stands; equality ignores the place.
struct Name {
  std::string text;
  Span span;
  bool operator==(const Name& other) const { return text == other.text; }
};

// A node that fits stands in one line.
// clang-format off
struct Number { std::string spelling; bool operator==(const Number&) const = default; };       ///< INT or FLOAT, as written
struct Character { std::uint8_t code = 0; bool operator==(const Character&) const = default; };  ///< 'A'
struct Truth { bool value = false; bool operator==(const Truth&) const = default; };
struct Infinity { bool operator==(const Infinity&) const = default; };
struct Missing { bool operator==(const Missing&) const = default; };
/// Two or more expressions in parentheses.
struct Tuple { std::vector<Expr> items; bool operator==(const Tuple&) const = default; };

/// range = expr [":" expr [":" expr]], then optionally `-> NAME` or `-> tuple`.
struct Argument {
  Expr value;                ///< the index, or the lower end
  std::optional<Expr> high;  ///< exclusive
  std::optional<Expr> step;
  std::vector<Expr> arrow;   ///< empty: none; one NAME, or the tuple's items
  bool arrow_is_tuple = false;
  bool operator==(const Argument&) const = default;
};

/// NAME ["[" step "]"] ["(" arguments ")" ["(" body ")"]]: an access, a call, a reduction or a shape operator.
struct Reference {
  Name name;
  std::optional<Expr> step;
  std::optional<std::vector<Argument>> arguments;  ///< `s()` differs from `s`
  std::optional<Expr> body;
  bool operator==(const Reference&) const = default;
};

struct Unary { format::UnaryOp op; Expr operand; bool operator==(const Unary&) const = default; };
struct Binary { format::BinaryOp op; Expr left, right; bool operator==(const Binary&) const = default; };
struct Select { Expr condition, then, otherwise; bool operator==(const Select&) const = default; };

struct ExprNode {
  std::variant<Number, Character, Truth, Infinity, Missing, Tuple, Reference, Unary, Binary, Select> is;
  Span span;
  bool operator==(const ExprNode& other) const { return is == other.is; }
};

/// The expressions directly below, in the order in which they are written.
template <class F>
void for_each_child(const ExprNode& node, F&& visit) {
  std::visit(text::overloaded{
                 [&](const Tuple& tuple) {
                   for (const Expr& item : tuple.items) visit(item);
                 },
                 [&](const Reference& reference) {
                   if (reference.step) visit(*reference.step);
                   if (reference.arguments)
                     for (const Argument& argument : *reference.arguments) {
                       visit(argument.value);
                       if (argument.high) visit(*argument.high);
                       if (argument.step) visit(*argument.step);
                       for (const Expr& name : argument.arrow) visit(name);
                     }
                   if (reference.body) visit(*reference.body);
                 },
                 [&](const Unary& unary) { visit(unary.operand); },
                 [&](const Binary& binary) {
                   visit(binary.left);
                   visit(binary.right);
                 },
                 [&](const Select& select) {
                   visit(select.condition);
                   visit(select.then);
                   visit(select.otherwise);
                 },
                 [](const auto&) {}},
             node.is);
}

/// A literal of `fill` and of clauses: ["-"] (INT | FLOAT | inf) | CHAR | true | false.
struct Literal { Expr value; bool operator==(const Literal&) const = default; };

// ---- declarations --------------------------------------------------------------------------------------------

struct Options { std::vector<Name> values; bool operator==(const Options&) const = default; };  ///< NAME or INT each
struct LevelSpec { Name name; Options options; bool operator==(const LevelSpec&) const = default; };
struct NamedAttribute { Name name; Options options; bool operator==(const NamedAttribute&) const = default; };
struct LevelsAttribute { std::vector<LevelSpec> levels; bool operator==(const LevelsAttribute&) const = default; };
struct OrderAttribute { std::vector<Expr> dimensions; bool operator==(const OrderAttribute&) const = default; };
struct FillAttribute { Literal value; bool operator==(const FillAttribute&) const = default; };
/// `over (p, :)`: by dimension of the tensor one of ranks, or none.
struct OverAttribute { std::vector<std::optional<Name>> dimensions; Span span; bool operator==(const OverAttribute& o) const { return dimensions == o.dimensions; } };
using Attribute = std::variant<NamedAttribute, LevelsAttribute, OrderAttribute, FillAttribute, OverAttribute>;

struct TensorDecl {
  Name name;
  std::vector<Expr> shape;
  std::vector<Attribute> attributes;
  bool operator==(const TensorDecl&) const = default;
};
struct ParamDecl { Name name; Expr value; bool operator==(const ParamDecl&) const = default; };
/// `ranks p`, `ranks p(4) q`: the dimensions of the grid of ranks; 0: as many as a run has.
struct RanksDecl {
  struct Dimension { Name name; std::optional<std::int64_t> count = {}; bool operator==(const Dimension&) const = default; };
  std::vector<Dimension> dimensions;
  bool operator==(const RanksDecl&) const = default;
};
/// sum rel sum {rel sum}: `k < j < i` is two relations and three sides.
struct Constraint {
  std::vector<Expr> sides;
  std::vector<math::Relation> relations;
  Span span;
  bool operator==(const Constraint& o) const { return sides == o.sides && relations == o.relations; }
};
struct LayoutDecl {
  Name name;
  std::vector<Name> parameters;
  std::vector<Expr> from, to;
  std::vector<LevelSpec> levels;
  std::vector<Constraint> constraints;  ///< of what is stored
  bool operator==(const LayoutDecl&) const = default;
};

// ---- definitions ---------------------------------------------------------------------------------------------

struct StepNode;
using Step = text::Handle<StepNode>;
struct Body { std::vector<Step> steps; bool operator==(const Body&) const = default; };
struct StepWhile { Expr condition; Body body; bool operator==(const StepWhile&) const = default; };
struct StepIf { Expr condition; Body then; std::optional<Body> otherwise; bool operator==(const StepIf&) const = default; };
struct StepAssign { Name name; Expr value; bool operator==(const StepAssign&) const = default; };
struct StepValue { Expr value; bool operator==(const StepValue&) const = default; };
struct StepNode {
  std::variant<StepWhile, StepIf, StepAssign, StepValue> is;
  Span span;
  bool operator==(const StepNode& other) const { return is == other.is; }
};

struct Pattern { std::variant<Name, Literal> is; bool operator==(const Pattern&) const = default; };
struct Clause {
  std::vector<Pattern> patterns;
  std::variant<Expr, Body> result;
  bool operator==(const Clause&) const = default;
};
/// NAME [expr [NAME INT] ["=>" literal]]: `commutative`, `identity 0`, `constant 0 at 1 => 0`.
struct Property {
  Name name;
  std::optional<Expr> value;
  std::optional<Name> at;
  std::int64_t position = 0;  ///< with `at`
  std::optional<Literal> result;
  bool operator==(const Property&) const = default;
};
struct Definition {
  Name name;
  std::vector<Name> parameters;
  std::variant<Expr, std::vector<std::variant<Clause, Property>>> body;
  bool operator==(const Definition&) const = default;
};

// ---- equations -----------------------------------------------------------------------------------------------

struct Equation {
  Expr left;  ///< a Reference without body
  Expr right;
  std::vector<Constraint> constraints;
  bool operator==(const Equation&) const = default;
};
struct Until { Expr condition; bool operator==(const Until&) const = default; };

// ---- loop programs -------------------------------------------------------------------------------------------

struct ActionNode;
using Action = text::Handle<ActionNode>;
struct Block { std::vector<Action> actions; bool operator==(const Block&) const = default; };

struct LoopVariable {
  Name name;
  bool down = false;
  std::optional<Expr> low, high;  ///< `in low:high`
  bool operator==(const LoopVariable&) const = default;
};
struct LoopMark {
  enum class Kind { reduces, parallel, unroll, jam, registers, vectorize, until } kind;
  Name name;                           ///< reduces
  std::int64_t count = 0;              ///< unroll, jam; vectorize: of sums side by side, 0 where none is said
  std::optional<Expr> condition = {};  ///< until
  bool operator==(const LoopMark&) const = default;
};
struct For {
  bool forall = false;
  std::vector<LoopVariable> variables;
  std::vector<LoopMark> marks;
  Block body;
  bool operator==(const For&) const = default;
};
struct While { Expr condition; Block body; bool operator==(const While&) const = default; };
struct If { Expr condition; Block then; std::optional<Block> otherwise; bool operator==(const If&) const = default; };
struct Let { std::vector<std::pair<Name, Expr>> bindings; Block body; bool operator==(const Let&) const = default; };
struct Lifecycle { bool thaw = false; Name tensor; bool operator==(const Lifecycle&) const = default; };
/// `target = e`, `.= e`, `+= e` …, `gcd= e`, `choose(-1)= e`.
struct Assign {
  Expr target;
  std::string update;            ///< "=", ".=", "+=", "||=", … or a name
  std::optional<Expr> argument;  ///< of a named update
  Expr value;
  bool operator==(const Assign&) const = default;
};
struct ActionNode {
  std::variant<TensorDecl, For, While, If, Let, Lifecycle, Assign> is;
  Span span;
  bool operator==(const ActionNode& other) const { return is == other.is; }
};
struct Loops { Block body; bool operator==(const Loops&) const = default; };

// ---- statements ----------------------------------------------------------------------------------------------

struct StatementNode;
using Statement = text::Handle<StatementNode>;

struct Kernel { Name name; std::vector<Statement> statements; bool operator==(const Kernel&) const = default; };

/// A word of a command: a token as it was written. Brackets are words of their own.
struct Word {
  enum class Kind { name, number, string, symbol, character };
  Kind kind = Kind::name;
  std::string text;  ///< as written; of a string, what it says: without quotes and escapes
  Span span;
  /// True when no blank separates this word from the one before: `i-`, `j=3`.
  bool joined = false;
  bool operator==(const Word& o) const { return kind == o.kind && text == o.text; }
};
/// `order j k i-`, `load A "x.mtx"`, `run`: a first word, then words. An expression alone is `print` of it.
struct Command {
  Name name;
  std::vector<Word> words;
  /// Of `print`: what its words say. Of a name alone, such as `x`: what it says when no command has that name.
  std::optional<Expr> value = {};
  bool operator==(const Command&) const = default;
};

struct StatementNode {
  std::variant<TensorDecl, ParamDecl, RanksDecl, LayoutDecl, Definition, Equation, Until, Loops, Kernel, Command> is;
  Span span;
  bool operator==(const StatementNode& other) const { return is == other.is; }
};

struct File { std::vector<Statement> statements; bool operator==(const File&) const = default; };
// clang-format on

}  // namespace trellis::lang::syntax
