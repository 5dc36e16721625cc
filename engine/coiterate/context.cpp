#include "engine/coiterate/context.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::coiterate {

std::string Scope::unused(const std::string& name) const {
  std::string result = name;
  for (int suffix = 2; positions.count(result) || bound.count(result); ++suffix)
    result = name + "_" + std::to_string(suffix);
  return result;
}

Context::Context(const lang::Program& of) : program(of) {
  std::vector<math::Affine> sizes;
  for (const lang::TensorInfo& tensor : of.tensors) sizes.insert(sizes.end(), tensor.shape.begin(), tensor.shape.end());
  scope.ranges = Ranges(sizes);
}

bool Entry::covers(const Read& read) const { return only_if.empty() || contains(only_if, read.conditions); }

}  // namespace trellis::coiterate
