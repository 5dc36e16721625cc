#pragma once
// An equation as instructions over a small array of registers: how the reference evaluator computes one element without
// recursion, and can stop at a read whose element is not known yet and resume there.

#include <cstdint>
#include <string>
#include <vector>

#include "engine/check/absence.hpp"
#include "engine/check/nest.hpp"
#include "engine/check/shapes.hpp"
#include "engine/lang/program.hpp"

namespace trellis::check {

union Slot {
  double real;
  std::int64_t integer;
};

inline format::Value value_of(format::ScalarType type, Slot slot) {
  return format::is_floating(type) ? format::Value{type, slot.real, 0} : format::Value{type, 0, slot.integer};
}

inline Slot slot_of(const format::Value& value) {
  Slot slot;
  if (format::is_floating(value.type)) slot.real = value.real;
  else slot.integer = value.integer;
  return slot;
}

/// A quasi-affine form over registers.
struct Form {
  struct Term {
    int reg;
    std::int64_t coefficient;
  };
  struct Part {
    std::int64_t coefficient;
    math::Quotient::Kind kind;
    int numerator;
    std::int64_t divisor;
  };  ///< numerator: a form
  std::int64_t constant = 0;
  std::vector<Term> terms;
  std::vector<Part> parts;
};

enum class Op : std::uint8_t {
  form,        ///< a = forms[b]
  read,        ///< a = element of accesses[b]
  move,        ///< a = b
  place,       ///< the registers from a on = the part of `shapes[b]`, and what is bound, at the registers from c on
  choose,      ///< a = b, as a condition said
  annihilate,  ///< a = what operand c of `functions[operation]`, absent as b, makes of it, and to `target`; else on
  add_real,
  subtract_real,
  multiply_real,
  divide_real,    ///< a = b op c, f64
  unary,          ///< a = op b
  binary,         ///< a = b op c; `other` is c's type
  cast,           ///< a = b, from type `other`
  call,           ///< a = function of the c registers from b on
  jump,           ///< to `target`
  jump_if_false,  ///< a
  repeat,         ///< backwards to `target`, counted in a: too often is a problem
  enter,          ///< level b of `levels`: first value, or to `target` when there is none
  next,           ///< variable a, whose last value is in a+1: next value and to `target`, else on
  test,           ///< conditions[b] holds, else to `target`
  combine,        ///< a = a op b
  sum_real,       ///< a += b, f64
  improve,        ///< argmin, argmax: index a, best a+1, value b, candidate c
  finish          ///< the element is a
};

struct Instruction {
  Op op;
  format::ScalarType type = format::ScalarType::f64;
  format::ScalarType other = format::ScalarType::f64;
  std::uint8_t operation = 0;  ///< UnaryOp, BinaryOp, Function or ReduceOp
  int a = 0, b = 0, c = 0;
  int target = 0;
  text::Span span = {};
};

struct Code {
  /// An affine index, or a register plus an offset: a variable, or a computed index.
  struct Dimension {
    int form = -1;
    int reg = -1;
    std::int64_t offset = 0;
  };
  struct ReadAccess {
    int tensor = 0;
    std::vector<Dimension> dimensions;
    std::vector<std::pair<std::string, int>> scope;  ///< variables that have values there
    text::Span span;
  };
  struct RangeForms {
    int reg = 0;  ///< the variable; the register after it holds its last value
    struct BoundForm {
      int form;
      std::int64_t divisor;
    };
    std::vector<BoundForm> lower, upper;
  };
  struct Condition {
    int form;
    math::Relation relation;
  };  ///< form `relation` 0

  int tensor = 0;                      ///< that the equation defines
  std::vector<std::string> variables;  ///< of the left side: registers 0, 1, …
  struct LeftDimension {
    int reg;
    std::int64_t offset;
  };  ///< reg: the variable's, or -1
  std::vector<LeftDimension> left;
  int timestep = -1;        ///< the register that an early exit limits
  std::vector<int> domain;  ///< conditions under which an element is defined
  std::vector<Instruction> instructions;
  std::vector<Form> forms;
  std::vector<ReadAccess> accesses;
  std::vector<RangeForms> levels;
  std::vector<Condition> conditions;
  struct Operator {
    ShapePlaces places;
    int to = 0;
  };  ///< and how many indices it has
  std::vector<Operator> shapes;
  std::vector<Slot> registers;       ///< initial values: constants are never computed again
  std::vector<Certainty> certainty;  ///< of the registers, at first
  std::vector<const lang::Function*> functions;
  text::Span span;
};

/// Whether it matters which elements are stored; then no operation is one that does not ask.
enum class Absence { ignored, noted };

/// Compiles one equation. A superscript becomes an index in front, one more than the step. `tensors` numbers the names;
/// `parameters` are integer values, `reals` the others.
Code compile(const lang::Program& program, const lang::Equation& equation, const std::vector<std::string>& tensors,
             const Values& parameters, const std::map<std::string, format::Value>& values, Absence absence);

}  // namespace trellis::check
