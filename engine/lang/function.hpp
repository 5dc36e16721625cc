#pragma once
// A user's function at given element types: what a `def` with clauses or a body becomes where it is applied. Scalars
// only: its expressions hold no Access and no Reduce. (A `def f(x) = e` is replaced by its expression instead.)
//
//   step := NAME = expr | while expr { step* } | if expr { step* } else { step* }

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/lang/expr.hpp"

namespace trellis::lang {

struct FunctionStepNode;
using FunctionStep = text::Handle<FunctionStepNode>;

struct FunctionAssign {
  std::string name;
  Expr value;
  bool operator==(const FunctionAssign&) const = default;
};
struct FunctionWhile {
  Expr condition;
  std::vector<FunctionStep> body;
  bool operator==(const FunctionWhile&) const = default;
};
struct FunctionIf {
  Expr condition;
  std::vector<FunctionStep> then, otherwise;
  bool operator==(const FunctionIf&) const = default;
};
struct FunctionStepNode {
  std::variant<FunctionAssign, FunctionWhile, FunctionIf> is;
  text::Span span;
  bool operator==(const FunctionStepNode& other) const { return is == other.is; }
};

/// What the user declared of a function, for reductions and for the algebra of sparse operands.
struct FunctionProperties {
  bool commutative = false;
  bool associative = false;
  bool idempotent = false;
  /// `identity V`, `annihilator V`, each of all operands or, with `at P`, of one of them.
  struct Special {
    format::Value value;
    std::optional<int> position;
    bool operator==(const Special&) const = default;
  };
  std::vector<Special> identities, annihilators;
  /// `constant V at P => R`: with V there, the result is R.
  struct Constant {
    Special when;
    format::Value result;
    bool operator==(const Constant&) const = default;
  };
  std::vector<Constant> constants;
  bool operator==(const FunctionProperties&) const = default;
};

struct Function {
  std::string name;        ///< of the instance, unique: "gcd_i64"
  std::string definition;  ///< of the def: "gcd"
  struct Variable {
    std::string name;
    format::ScalarType type;
    bool operator==(const Variable&) const = default;
  };
  std::vector<Variable> parameters;  ///< assignable, as any local
  std::vector<Variable> locals;
  std::vector<FunctionStep> body;
  Expr result;  ///< after the body; its type is the function's
  FunctionProperties properties;
  /// With these values as operands, where there are any, the result is this expression of the parameters. In the order
  /// of the definition; the first one that fits holds.
  struct Clause {
    std::vector<std::optional<format::Value>> operands;
    Expr result;
    bool operator==(const Clause&) const = default;
  };
  std::vector<Clause> clauses = {};
  text::Span span;           ///< of the def
  text::Origin origin = {};  ///< the def's syntax

  /// What a reduction by it starts from, if it declares that.
  std::optional<format::Value> identity() const;
  /// Values of one operand, counted from 0, that decide the result and are it.
  std::vector<format::Value> annihilators(int place) const;
};

/// The def's name, given that of an instance.
std::string definition_of(const std::string& instance);

}  // namespace trellis::lang
