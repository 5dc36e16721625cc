#pragma once
// Keeps the marks of sparse scalars: each becomes false where its scalar is set to its fill, and true with everything
// else that is written to it.
//
//   declare t                    declare t; declare t_set
//   t = 0                   →    t = 0; t_set = false
//   t += A[pA] * x[j]            t += A[pA] * x[j]; t_set ||= true
//
// Loops that reduce the scalar reduce its mark. One that is there before the kernel begins is compared with its fill
// once.

#include <map>
#include <string>

#include "engine/flow/flow.hpp"

namespace trellis::coiterate {

struct Mark {
  std::string name;     ///< of the Boolean
  format::Value fill;   ///< of the scalar
  bool before = false;  ///< the scalar is a tensor of the program
};
/// By the scalars that have one.
using Marks = std::map<std::string, Mark>;

flow::Stmt mark_writes(const flow::Stmt& root, const Marks& marks);

}  // namespace trellis::coiterate
