#pragma once
// The sizes of a call, out of the shapes of its operands: solved once as steps, so that a call only adds and compares.
//
//   A(n, m+1), x(m)     n = A.shape[0]; m = A.shape[1] - 1; x.shape[0] must be m

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "engine/lang/program.hpp"

namespace trellis::python {

/// A form over sizes, by their numbers.
struct Form {
  std::int64_t constant = 0;
  std::vector<std::pair<int, std::int64_t>> terms;  ///< number of the size, coefficient
  math::Affine written;                             ///< what holds when `simple` does not
  bool simple = true;                               ///< neither products nor quotients
};

class SizePlan {
 public:
  SizePlan() = default;
  /// `operands`: infos in the order in which their shapes come.
  SizePlan(const lang::Program& program, const std::vector<const lang::TensorInfo*>& operands);

  /// The sizes by number. False when shapes disagree, or a size is not told by any shape; `values` is scratch then.
  bool solve(std::span<const std::int64_t* const> shapes, std::vector<std::int64_t>& values) const;

  Form form(const math::Affine& affine) const;
  std::int64_t value(const Form& form, const std::vector<std::int64_t>& values) const;
  /// -1: there is no such size.
  int number(const std::string& name) const;

 private:
  struct Step {
    int operand, dimension;
    Form size;  ///< to be compared with, or, of a size that is solved, the rest of the form
    int solves = -1;
  };
  std::map<std::string, int> numbers_;
  std::vector<std::int64_t> given_;
  std::vector<Step> steps_;
  std::vector<math::Constraint> assumed_;
  bool complete_ = true;
};

}  // namespace trellis::python
