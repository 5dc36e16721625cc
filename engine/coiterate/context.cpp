#include "engine/coiterate/context.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

std::string Scope::unused(const std::string& name) const {
  std::string result = name;
  for (int suffix = 2; positions.count(result) || bound.count(result) || reserved.count(result); ++suffix)
    result = name + "_" + std::to_string(suffix);
  return result;
}

Context::Context(const lang::Program& of) : program(of) {
  std::vector<math::Affine> sizes;
  for (const lang::TensorInfo& tensor : of.tensors) {
    sizes.insert(sizes.end(), tensor.shape.begin(), tensor.shape.end());
    scope.reserved.insert(tensor.name);
  }
  for (const lang::ParameterInfo& parameter : of.parameters) scope.reserved.insert(parameter.name);
  scope.ranges = Ranges(sizes, of.assumed);
}

void note_reassociated(Context& in, const loop::Stmt& made, const std::string& how) {
  loop::for_each(made, [&](const loop::Stmt& s) {
    const auto* a = s.as<loop::Assign>();
    const bool adds = a && (a->op == format::ReduceOp::sum || a->op == format::ReduceOp::prod);
    if (adds && s.id() >= 0 && format::is_floating(a->value->type))
      in.reassociated.push_back({{{text::Stage::loops, s.id()}}, how});
  });
}

bool Entry::covers(const Read& read) const { return only_if.empty() || contains(only_if, read.conditions); }

}  // namespace trellis::coiterate
