#include "engine/results/lower_with_copies.hpp"

#include <set>

#include "engine/coiterate/offers.hpp"
#include "engine/flow/look_ups.hpp"
#include "engine/results/copy_operand.hpp"

namespace trellis::results {
namespace {

/// Are all entries of it tried each time, or is all of it sought, coordinate by coordinate, again and again?
bool is_sought_too_often(const flow::LookUp& one, const coiterate::Wishes& wishes) {
  if (one.scans()) return one.again;
  return one.searches() && one.against_storage() && one.repeated && !wishes.found_as_told.contains(one.tensor);
}

/// Of the first operand that is; `tried` holds those that need no second try.
std::optional<OperandCopy> next_copy(const loop::Stmt& loops, const flow::Flow& flow, const lang::Program& program,
                                     const coiterate::Wishes& wishes, std::set<std::string>& tried) {
  const std::set<std::string> written = coiterate::written_in(loops);
  for (const flow::LookUp& one : flow::look_ups(flow).all) {
    const lang::TensorInfo* const operand = written.count(one.tensor) ? nullptr : program.tensor(one.tensor);
    if (!operand || !is_sought_too_often(one, wishes) || !tried.insert(one.tensor).second) continue;
    if (auto copy = copy_operand(loops, *operand, operand->name + "_w", WorkspaceKind::hash, program)) return copy;
  }
  return std::nullopt;
}

}  // namespace

WithCopies lower_with_copies(loop::Stmt loops, const lang::Program& program, const std::string& kernel,
                             const coiterate::Wishes& wishes) {
  WithCopies all{std::move(loops), {}, {}};
  all.lowered = coiterate::lower(all.loops, program, kernel, wishes);
  std::set<std::string> tried;
  while (auto copy = next_copy(all.loops, all.lowered.flow, program, wishes, tried)) {
    all.loops = loop::number(copy->loops);
    all.written.push_back(std::move(copy->written));
    all.lowered = coiterate::lower(all.loops, program, kernel, wishes);
  }
  return all;
}

}  // namespace trellis::results
