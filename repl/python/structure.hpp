#pragma once
// Which results are sparse, out of what is stored of operands whatever their sizes and data: those of which some
// element need not be stored, as it is their fill wherever operands store nothing.
//
//   C(i,j) = A(i,j) * B(i,j)          absent where A or B is          sparse, if one of them is
//   C(i,j) = A(i,j) + B(i,j)          where both are                  sparse, if both are
//   C(i,k) = sum(j)(A(i,j)*B(j,k))    two lists may have no j         sparse, if both are
//   y(i)   = sum(j)(A(i,j)*x(j))      each row may have entries       dense, as are all results of rank 0 and 1
//                                                                     that a reduction makes
// A sum of fills that are not 0 depends on a size: its result is dense.

#include <map>
#include <optional>
#include <string>

#include "engine/lang/program.hpp"

namespace trellis::python {

/// By sparse result of the kernel, what it is where nothing is stored.
std::map<std::string, format::Value> sparse_results(const lang::Program& program, const lang::Kernel& kernel);

}  // namespace trellis::python
