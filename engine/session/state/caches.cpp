#include "engine/session/state/caches.hpp"

#include <algorithm>
#include <set>

#include "engine/lang/push_shapes.hpp"
#include "engine/loop/print.hpp"
#include "engine/loop/read.hpp"

namespace trellis::session {

namespace {

/// Are they the same but for how they run?
bool same_equations(const lang::Kernel& a, const lang::Kernel& b) {
  const auto same = [](const lang::Equation& one, const lang::Equation& other) {
    return one.left.same(other.left) && one.right.same(other.right);
  };
  const auto same_action = [](const lang::Action& one, const lang::Action& other) { return one.same(other); };
  if (a.until.has_value() != b.until.has_value() || a.loops.has_value() != b.loops.has_value()) return false;
  return std::ranges::equal(a.equations, b.equations, same) && a.schedule.masks == b.schedule.masks &&
         (!a.until || a.until->condition.same(b.until->condition)) &&
         (!a.loops || std::ranges::equal(*a.loops, *b.loops, same_action));
}

std::string printed_meaning(const lang::Program& program, const lang::Kernel& kernel) {
  std::string key = kernel.name + "\n" + lang::print_equations(program, kernel).characters;
  if (kernel.loops) key += loop::to_string(loop::read(*kernel.loops, program));
  for (const lang::Schedule::Mask& mask : kernel.schedule.masks) key += to_string(mask) + "\n";
  const std::vector<std::string> all = tensors_of(kernel);
  const std::set<std::string> used(all.begin(), all.end());
  for (const lang::TensorInfo& tensor : program.tensors) {
    if (!used.contains(tensor.name)) continue;
    key += tensor.name + ":" + std::string(format::name_of(tensor.type)) + format::to_string(tensor.fill);
    for (const math::Affine& size : tensor.shape) key += "," + math::to_string(size);
  }
  return key;
}

std::string printed_definition(const lang::Program& program, const lang::Kernel& kernel, const SharedText& meaning) {
  std::string key = meaning.str();
  for (const std::string& name : tensors_of(kernel))
    if (const lang::TensorInfo* tensor = program.tensor(name)) key += "@" + format::to_string(tensor->format);
  key += "\n" + lang::proven_sizes(program);
  return key;
}

}  // namespace

Caches::Known* Caches::find(const lang::Program& program, const lang::Kernel& kernel) const {
  const lang::Kernel* own = program.kernel(kernel.name);
  if (!own || (own != &kernel && !same_equations(*own, kernel))) return nullptr;
  return &known_[kernel.name];
}

SharedText Caches::meaning_of(const lang::Program& program, const lang::Kernel& kernel) const {
  Known* found = find(program, kernel);
  if (!found) return SharedText(printed_meaning(program, kernel));
  if (found->meaning.empty()) found->meaning = SharedText(printed_meaning(program, kernel));
  return found->meaning;
}

SharedText Caches::definition_of(const lang::Program& program, const lang::Kernel& kernel) const {
  Known* found = find(program, kernel);
  if (!found) return SharedText(printed_definition(program, kernel, meaning_of(program, kernel)));
  if (found->definition.empty())
    found->definition = SharedText(printed_definition(program, kernel, meaning_of(program, kernel)));
  return found->definition;
}

std::shared_ptr<CompiledKernel> Caches::compiled(const lang::Program& program, const lang::Kernel& kernel) {
  Known* found = find(program, kernel);
  if (!found) return compiled_.of(program, kernel);
  if (!found->compiled) found->compiled = compiled_.of(program, kernel);
  return found->compiled;
}

}  // namespace trellis::session
