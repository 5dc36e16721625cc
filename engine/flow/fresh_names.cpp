#include "engine/flow/fresh_names.hpp"

namespace trellis::flow {

FreshNames::FreshNames(const Flow& flow) : taken_(bound_in(flow.root)) {
  taken_.insert(flow.sizes.begin(), flow.sizes.end());
  taken_.insert(flow.reals.begin(), flow.reals.end());
  for (const Tensor& tensor : flow.tensors) taken_.insert(tensor.name);
}

std::string FreshNames::numbered(const std::string& wish) const {
  std::string name = wish;
  for (int number = 2; taken_.contains(name); ++number) name = wish + "_" + std::to_string(number);
  return name;
}

std::string FreshNames::underlined(std::string wish) const {
  while (taken_.contains(wish)) wish += "_";
  return wish;
}

}  // namespace trellis::flow
