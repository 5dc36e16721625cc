#include "engine/distribute/nest.hpp"

namespace trellis::distribute {

Nest::Nest(const loop::Stmt& of, const lang::Program& program, math::Solver& solver)
    : loops(loop::number(of)), analysed(schedule::analyse(loops, program, solver)) {
  loop_of.emplace_back();  // loops count from 1
  loop::for_each(loops, [&](const loop::Stmt& s) {
    statements[s.id()] = s;
    if (s.as<loop::For>() || s.as<loop::While>()) loop_of.push_back(s);
  });
  for (const lang::TensorInfo& info : program.tensors) tensors[{info.name, -1}] = info;
  for (const schedule::Site& site : sites()) {
    const auto* declare = statements.at(site.statement).as<loop::Declare>();
    for (const schedule::Touch& touch : site.touches) {
      if (declare && touch.tensor == declare->tensor.name && writes(touch)) {
        tensors[tensor_of(touch)] = declare->tensor;
        declared[site.statement] = tensor_of(touch);
      } else if (writes(touch)) written.insert(tensor_of(touch));
    }
  }
}

std::optional<std::int64_t> offset_from(const std::optional<math::Affine>& index, const std::string& variable) {
  if (!index || !index->quotients.empty() || index->terms.size() != 1) return std::nullopt;
  if (index->terms.front() != std::pair<std::string, std::int64_t>(variable, 1)) return std::nullopt;
  return index->constant;
}

math::Affine base_of(const math::Affine& size) {
  if (size.is_constant()) return size;
  math::Affine base = size;
  base.constant = 0;
  return base;
}

}  // namespace trellis::distribute
