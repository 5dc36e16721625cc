#pragma once
// A plan as a program of the language: a declaration for each table and result, a kernel for each query. Syntax trees,
// not text and not a resolved Program: ranges, types and shape operators stay the resolver's, which needs no second of
// its kind (docs/design/arrays.md#lowering).

#include "engine/lang/syntax.hpp"
#include "engine/lazy/structure.hpp"

namespace trellis::lazy {

struct Lowered {
  lang::syntax::File file;
  Formats formats;  ///< of all tables and results
};

/// By number of a field, what declarations call its size; they say others as numbers. A plan of which no expression
/// depends on a size that has a name holds for any such size.
using SizeNames = std::map<std::int64_t, std::string>;

/// `operands`: formats of the tables that the plan does not produce; dense where none is given. Kernels are named as
/// their results are, with `make_` before.
Lowered lower(const Plan& plan, const Formats& operands, const SizeNames& sizes = {});

/// What the language can say: a reduction needs an operand with its fields, a shape operator one with what it binds.
Expr sayable(const Expr& expr);

}  // namespace trellis::lazy
