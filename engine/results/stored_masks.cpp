#include "engine/results/stored_masks.hpp"

#include <algorithm>

#include "engine/format/misfit.hpp"
#include "engine/schedule/nests.hpp"

namespace trellis::results {
namespace {

lang::TensorInfo as_pattern(lang::TensorInfo mask) {
  mask.format.name.clear();
  mask.format.pattern = true;
  mask.type = format::ScalarType::boolean;
  mask.fill = format::Value::truth(false);
  mask.promises = {};
  return mask;
}

class StoringMasks {
 public:
  StoringMasks(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program)
      : loops_(loops), found_{program, program, kernel} {}

  StoredMasks run() {
    for (lang::Schedule::Mask& mask : found_.kernel.schedule.masks) {
      const lang::TensorInfo* info = mask.pattern ? found_.program.tensor(*mask.pattern) : nullptr;
      if (!info || mask.by_value || info->format.pattern) continue;
      if (!format::lists_entries(info->format)) mask.by_value = true;
      else if (schedule::mentions(loops_, info->name)) mask.pattern = twin(*info);
      else retype(info->name);
    }
    return std::move(found_);
  }

 private:
  std::string twin(const lang::TensorInfo& mask) {
    for (const lang::TensorInfo& known : found_.program.tensors)
      if (known.entries_of == mask.name) return known.name;
    lang::TensorInfo made = as_pattern(mask);
    made.entries_of = mask.name;
    made.kind = lang::TensorInfo::Kind::pattern;
    made.name += "_entries";
    while (found_.program.tensor(made.name) || found_.program.parameter(made.name) ||
           schedule::mentions(loops_, made.name))
      made.name += "_";
    found_.program.tensors.push_back(made);
    found_.seen.tensors.push_back(made);
    return made.name;
  }

  void retype(const std::string& mask) {
    const auto seen = std::ranges::find(found_.seen.tensors, mask, &lang::TensorInfo::name);
    *seen = as_pattern(*seen);
  }

  const loop::Stmt& loops_;
  StoredMasks found_;
};

}  // namespace

StoredMasks stored_masks(const loop::Stmt& loops, const lang::Kernel& kernel, const lang::Program& program) {
  return StoringMasks(loops, kernel, program).run();
}

}  // namespace trellis::results
