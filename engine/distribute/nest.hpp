#pragma once
// The statements of a kernel as the rules on ranks ask about them: sites with what they touch, the loops around each,
// and which tensors iterations of a loop have of their own.

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/distribute/plan.hpp"
#include "engine/math/solver.hpp"
#include "engine/schedule/dependences.hpp"

namespace trellis::distribute {

struct Nest {
  Nest(const loop::Stmt& loops, const lang::Program& program, math::Solver& solver);

  loop::Stmt loops;  ///< numbered
  schedule::Nest analysed;
  std::map<int, loop::Stmt> statements;  ///< by number
  std::vector<loop::Stmt> loop_of;       ///< by Around::id
  std::map<Tensor, lang::TensorInfo> tensors;
  std::map<int, Tensor> declared;  ///< by the number of the statement that does
  std::set<Tensor> written;

  const std::vector<schedule::Site>& sites() const { return analysed.sites; }
  int number_of(const schedule::Around& around) const { return loop_of[static_cast<std::size_t>(around.id)].id(); }
};

inline Tensor tensor_of(const schedule::Touch& touch) { return {touch.tensor, touch.scope}; }
inline bool writes(const schedule::Touch& touch) { return touch.kind != schedule::Touch::Kind::read; }

/// The constant c where the index is v + c.
std::optional<std::int64_t> offset_from(const std::optional<math::Affine>& index, const std::string& variable);
/// The size without its constant; of a constant itself.
math::Affine base_of(const math::Affine& size);

}  // namespace trellis::distribute
