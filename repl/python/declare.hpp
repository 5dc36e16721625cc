#pragma once
// What a program says of tensors that nobody declared: which they are, and which of their dimensions have one size.
//
//   y(i) = A(i,j) * x(j)      operands A x, results y;  A(n, m), x(m): a variable that is an index alone has one size
//
// Declarations come with the objects of a call, whose ranks, types and formats are known then; sizes are names here.

#include <map>
#include <string>
#include <vector>

#include "engine/lang/syntax.hpp"

namespace trellis::python {

struct Undeclared {
  std::vector<std::string> operands;  ///< read before anything writes them, in order of appearance; declared ones too
  std::vector<std::string> results;   ///< written, in order of appearance
  std::vector<std::string> declared;  ///< by a statement of the program
  /// By tensor that is not declared, a name for the size of each dimension; as many as it has indices. A tensor that
  /// stands without indices is not in it.
  std::map<std::string, std::vector<std::string>> sizes;

  bool is_declared(const std::string& name) const;
};

Undeclared undeclared(const lang::syntax::File& file);

/// The sizes of a tensor of so many dimensions, those that the program says nothing of named after the tensor.
std::vector<std::string> sizes_of(const Undeclared& names, const std::string& tensor, int rank);

}  // namespace trellis::python
