#include "engine/lang/fresh_name.hpp"

#include "engine/text/sequence.hpp"

namespace trellis::lang {

std::string fresh_name(const Program& program, const Kernel& kernel, std::string name) {
  const std::vector<std::string> variables = kernel.variables();
  const auto taken = [&] {
    return program.tensor(name) || program.parameter(name) || program.function(name) || program.kernel(name) ||
           contains(variables, name);
  };
  while (taken()) name += "_";
  return name;
}

}  // namespace trellis::lang
