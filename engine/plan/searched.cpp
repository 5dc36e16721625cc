#include "engine/plan/searched.hpp"

#include <algorithm>

#include "engine/text/sequence.hpp"

namespace trellis::plan {
namespace {

bool can_be_turned(const format::Format& format) {
  return !format.layout && std::ranges::all_of(format.levels, [](const format::Level& level) {
    return level.name == "dense" || level.name == "compressed";
  });
}

}  // namespace

std::set<std::string> searched(const lang::Program& program, const lang::Kernel& kernel, const flow::LookUps& now,
                               text::FunctionRef<bool(const flow::LookUp&)> so) {
  const std::vector<std::string> results = kernel.results();
  std::set<std::string> tensors;
  for (const flow::LookUp& one : now.all) {
    const lang::TensorInfo* info = program.tensor(one.tensor);
    if (so(one) && info && info->derived_from().empty() && !info->pad && can_be_turned(info->format) &&
        !contains(results, one.tensor))
      tensors.insert(one.tensor);
  }
  return tensors;
}

}  // namespace trellis::plan
