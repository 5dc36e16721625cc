#include "engine/results/store.hpp"

#include "engine/loop/arrange.hpp"
#include "engine/loop/in_storage.hpp"
#include "engine/results/apply_masks.hpp"
#include "engine/results/insert_workspaces.hpp"
#include "engine/results/share_results.hpp"
#include "engine/results/stored_masks.hpp"

namespace trellis::results {

std::optional<Stored> store(const loop::Stmt& loops, const lang::Program& program, const lang::Kernel& kernel,
                            math::Solver& solver, text::Diagnostics& diagnostics) {
  StoredMasks masks = stored_masks(loops, kernel, program);
  const auto [by_element, as_stored] = masks_apart(masks.kernel.schedule.masks, masks.seen);
  lang::Kernel masked = masks.kernel;
  masked.schedule.masks = by_element;
  auto stored = loop::in_storage(apply_masks(loops, masked, masks.seen), masks.seen, solver, diagnostics);
  if (!stored) return std::nullopt;
  const lang::Program& in_storage = stored->program;
  masked.schedule.masks = as_stored;
  const loop::Stmt arranged = loop::arrange(stored->loops, in_storage, solver);
  const loop::Stmt shared = share_results(arranged, masked, in_storage, solver);
  auto insertion = insert_workspaces(apply_masks(shared, masked, in_storage), masked, in_storage, solver, diagnostics);
  if (!insertion) return std::nullopt;
  return Stored{.program = std::move(masks.program),
                .in_storage = std::move(stored->program),
                .kernel = std::move(masks.kernel),
                .loops = std::move(insertion->loops),
                .written = std::move(insertion->written)};
}

}  // namespace trellis::results
