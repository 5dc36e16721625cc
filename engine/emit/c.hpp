#pragma once
// The part of C99 that the emitter writes, as a tree, and its printer.
//
//   function := TYPE NAME(parameter*) block
//   stmt     := block | declaration | assignment | evaluate | for | while | if | return | continue | break | goto | label | pragma
//   expr     := TOKEN | unary | binary | conditional | cast | call | index
//
// The printer puts the parentheses that precedence asks for, and those that gcc -Wall wants to see.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/text/node.hpp"
#include "engine/text/text.hpp"

namespace trellis::emit::c {

struct ExprNode;
using Expr = text::Handle<ExprNode>;
struct StmtNode;
using Stmt = text::Handle<StmtNode>;

// A node that fits stands in one line.
// clang-format off
/// A name or a literal.
struct Token { std::string text; bool operator==(const Token&) const = default; };
struct Unary { std::string op; Expr operand; bool operator==(const Unary&) const = default; };
struct Binary { std::string op; Expr left, right; bool operator==(const Binary&) const = default; };
struct Conditional { Expr condition, then, otherwise; bool operator==(const Conditional&) const = default; };
struct Cast { std::string type; Expr operand; bool operator==(const Cast&) const = default; };
struct Call { std::string function; std::vector<Expr> arguments; bool operator==(const Call&) const = default; };
struct Index { Expr array, index; bool operator==(const Index&) const = default; };

struct ExprNode {
  std::variant<Token, Unary, Binary, Conditional, Cast, Call, Index> is;
  bool operator==(const ExprNode&) const = default;
};

struct Block { std::vector<Stmt> statements; bool operator==(const Block&) const = default; };
/// `type name = value;` where type may end in `*`; `extent`, if any, makes it an array.
struct Declaration {
  std::string type, name;
  std::optional<Expr> extent, value;
  bool operator==(const Declaration&) const = default;
};
struct Assignment { Expr target; std::string op; Expr value; bool operator==(const Assignment&) const = default; };
struct Evaluate { Expr expr; bool operator==(const Evaluate&) const = default; };
/// `for (int64_t variable = first; condition; step)`. Without `first` the variable is one that was declared before.
struct For {
  std::string variable;  ///< what its head declares; without `first` it goes on from where a variable stands
  std::optional<Expr> first;
  Expr condition;
  std::string step;
  Stmt body;
  bool operator==(const For&) const = default;
};
struct While { Expr condition; Stmt body; bool operator==(const While&) const = default; };
struct If { Expr condition; Stmt then; std::optional<Stmt> otherwise; bool operator==(const If&) const = default; };
struct Return { std::optional<Expr> value; bool operator==(const Return&) const = default; };
struct Continue { bool operator==(const Continue&) const = default; };
struct Break { bool operator==(const Break&) const = default; };
struct Goto { std::string label; bool operator==(const Goto&) const = default; };
/// At the end of a block.
struct Label { std::string name; bool operator==(const Label&) const = default; };
struct Pragma { std::string text; bool operator==(const Pragma&) const = default; };
// clang-format on

struct StmtNode {
  std::variant<Block, Declaration, Assignment, Evaluate, For, While, If, Return, Continue, Break, Goto, Label, Pragma>
      is;
  bool operator==(const StmtNode&) const = default;
};

struct Function {
  std::string type;  ///< "static int"
  std::string name;
  std::vector<std::string> parameters;  ///< "const double *restrict A"
  Stmt body;                            ///< a Block
};

template <class Node>
Expr expr(Node node, text::Origin origin = {}) {
  return Expr(ExprNode{std::move(node)}, std::move(origin));
}
template <class Node>
Stmt stmt(Node node, text::Origin origin = {}) {
  return Stmt(StmtNode{std::move(node)}, std::move(origin));
}
Expr token(std::string text);
Expr number(std::int64_t value);  ///< a decimal literal that fits an int
Expr binary(std::string op, Expr left, Expr right);
Expr call(std::string function, std::vector<Expr> arguments);

/// Is it an int in C whatever the type it stands for: a plain literal, or made of such? Then `1 << 40` would go wrong.
bool is_plain_literal(const Expr& expr);

/// Spans are of stage `c`, numbered in printing order: of expressions that have origins, and of all statements.
text::Text print(const std::vector<Function>& functions);

}  // namespace trellis::emit::c
