#include "engine/results/plan.hpp"

#include <algorithm>
#include <iterator>

#include "engine/coiterate/lower.hpp"
#include "engine/results/lower_with_copies.hpp"
#include "engine/results/store_sparsely.hpp"

namespace trellis::results {
namespace {

coiterate::Wishes wishes_of(const Stored& stored) {
  coiterate::Wishes wishes;
  for (const Written& one : stored.written) {
    if (one.how == Written::How::masked || one.how == Written::How::shared) wishes.masked[one.tensor] = one.mask;
    if (one.how == Written::How::scattered) wishes.scattered.insert(one.tensor);
    if (one.how == Written::How::shared) wishes.starting_at_fill.insert(one.tensor);
  }
  const lang::Schedule& schedule = stored.kernel.schedule;
  for (const lang::Schedule::March& march : schedule.marches) wishes.found_as_told.insert(march.tensor);
  for (const lang::Schedule::Find& find : schedule.finds) wishes.found_as_told.insert(find.tensor);
  return wishes;
}

}  // namespace

std::optional<Plan> plan(const Stored& stored, text::Diagnostics& diagnostics) {
  const lang::Kernel& kernel = stored.kernel;
  const coiterate::Wishes wishes = wishes_of(stored);
  Finding found = find_operands(stored.loops, kernel, stored.in_storage, wishes);
  WithCopies with_copies = lower_with_copies(found.loops, stored.in_storage, kernel.name, wishes);
  // What users declare in programs of loops stays as they declared it.
  if (!kernel.loops) with_copies = store_sparsely(std::move(with_copies), stored.in_storage, kernel.name, wishes);
  flow::Scanned scanned = flow::scan_look_ups(with_copies.lowered.flow, kernel, stored.in_storage);
  if (!flow::check_scans(scanned.proofs, kernel, diagnostics)) return std::nullopt;
  if (!check_finds(found, scanned.flow, kernel, diagnostics)) return std::nullopt;
  scanned.flow.tells_steps = kernel.until.has_value();
  std::ranges::move(with_copies.written, std::back_inserter(found.written));
  return Plan{.loops = std::move(with_copies.loops),
              .written = std::move(found.written),
              .choices = std::move(found.choices),
              .scans = std::move(scanned.proofs),
              .lattices = std::move(with_copies.lowered.lattices),
              .flow = std::move(scanned.flow)};
}

}  // namespace trellis::results
