#pragma once
// Makes results in sparse formats writable. Behind this pass each of them is only appended to: `C(…) = e`, without an operator,
// in strictly rising storage order, from an empty C on; what is read of it is finished by then (append_obstacle). Where the
// loops write otherwise, they write a workspace that takes values in any order, and a copy appends from there:
//
//   for i { for k { for j { C(i,j) += A(i,k)*B(k,j) } } }        C: csr
//   →   for i { tensor C_w(n): {bytemap}; C_w .= 0; for k { for j { C_w(j) += A(i,k)*B(k,j) } }; for j { C(i,j) = C_w(j) } }
//
// An operand that a `workspace` command is about is copied into one (copy_operand.hpp).
// Tensors that are all dense are left as they are, and so are loops that write no others.

#include <optional>
#include <string>
#include <vector>

#include "engine/lang/schedule.hpp"
#include "engine/loop/stmt.hpp"
#include "engine/math/solver.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::schedule {

/// How one tensor is written.
struct Written {
  std::string tensor;
  enum class How {
    append,    ///< as the loops stand
    slices,    ///< each slice is collected and then appended; of a single element, in a scalar
    whole,     ///< all of it is
    instead,   ///< a temporary is stored in another format, which takes values in any order
    copied     ///< not at all: it is read, and in part from a copy
  } how = How::append;
  std::vector<lang::TensorInfo> workspaces = {};
  std::string reason = {};  ///< why not simpler: "C(0,0) is written again at i=0, k=1, j=0"; empty when appended
};
/// A line: "C: each C(i,:) is collected in C_w(n): {bytemap}, because …".
std::string to_string(const Written& written, const lang::Program& program);

struct Insertion {
  loop::Stmt loops;
  std::vector<Written> written;  ///< in the order in which the loops mention them
};

/// `loops` after the schedule. Empty when a `workspace` command does not fit, which is reported.
std::optional<Insertion> insert_workspaces(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program,
                                           math::Solver& solver, text::Diagnostics& diagnostics);

}  // namespace trellis::schedule
