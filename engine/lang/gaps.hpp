#pragma once
// Which elements of an equation's result need not be stored, out of what is stored of operands, whatever their sizes
// and data: those that are one value wherever operands store nothing (docs/design/arrays.md#structure).
//
//   C(i,j) = A(i,j) * B(i,j)          absent where A or B is          has gaps, if one of them has
//   C(i,j) = A(i,j) + B(i,j)          where both are                  has gaps, if both have
//   C(i,k) = sum(j)(A(i,j)*B(j,k))    two lists may have no j         has gaps, if both have
//   y(i)   = sum(j)(A(i,j)*x(j))      each row may have entries       none, as have all results of rank 0 and 1
//                                                                     that a reduction makes
// A sum of fills that are not 0 depends on a size: it has none.

#include <optional>

#include "engine/lang/program.hpp"

namespace trellis::lang {

/// Whether some elements of a tensor need not be stored.
bool has_gaps(const format::Format& format);

/// What elements are where the result has gaps; empty: it has none. In what formats the program has its operands, and
/// without shape operators (push_shapes.hpp).
std::optional<format::Value> value_in_gaps(const Program& program, const Equation& equation);

}  // namespace trellis::lang
