// What the follower draws of a kernel, each made anew only when what it is drawn from has changed.
#include "engine/session/live/follow.hpp"
#include "engine/session/running/ranks_cuts.hpp"
#include "engine/session/stages/ranks.hpp"

namespace trellis::session {

std::shared_ptr<const DrawnView> Follower::drawn(const lang::Kernel& kernel, const KernelView& view) {
  text::Diagnostics ignored;
  const auto analysis = kernel.loops ? nullptr : session_.state().analysis(kernel, ignored);
  const DrawnFrom from{kernel.name, analysis, view.compiled, view.explained};
  if (const Drawn* known = drawn_.find([&](const Drawn& one) { return one.from == from; })) return known->view;
  const Drawn* last = drawn_.peek([&](const Drawn& one) { return one.from.kernel == kernel.name; });
  auto made = std::make_shared<const DrawnView>(session::drawn(session_.state(), kernel, from, last));
  return drawn_.add({from, std::move(made)}).view;
}

std::shared_ptr<const MaskPicture> Follower::pattern(const lang::Kernel& kernel) {
  State& state = session_.state();
  auto found = found_pattern(state, kernel);
  if (!found) return nullptr;
  if (const Pictured* known = patterns_.find([&](const Pictured& one) { return one.of.same_as(*found); }))
    return known->view;
  auto picture = picture_of(state, *found, drawn_font);
  if (!picture) return nullptr;
  return patterns_.add({std::move(*found), std::make_shared<const MaskPicture>(std::move(*picture))}).view;
}

std::shared_ptr<const PlanPicture> Follower::plan(const lang::Kernel& kernel) {
  // Data belong to the program of the session, which is the text's unless that is wrong.
  if (!accepted_ || !program_) return nullptr;
  State& state = session_.state();
  const PlannedFrom from{program_, kernel.name, data_of(kernel), parameters()};
  if (const PlanDrawn* known = plans_.find([&](const PlanDrawn& one) { return one.from == from; })) return known->view;
  return plans_.add({from, std::make_shared<const PlanPicture>(plan_picture(state, *program_, kernel, drawn_font))})
      .view;
}

std::shared_ptr<const view::RanksPicture> Follower::ranks(const lang::Kernel& kernel) {
  if (!accepted_ || kernel.schedule.distributions.empty()) return nullptr;
  State& state = session_.state();
  text::Diagnostics ignored;
  const auto compilation = state.compilation(kernel, ignored);
  if (!compilation || !compilation->distributed) return nullptr;
  const auto shown = ranks_shown_.find(kernel.name);
  std::vector<std::int64_t> grid = shown == ranks_shown_.end() ? ranks_to_show(state, *compilation) : shown->second;
  // The run of this window, which follows, is one without ranks.
  LastLanes& last = last_lanes_[kernel.name];
  const FinishedRun* run = state.finished(kernel);
  if (run && run->took.lanes) last = {compilation, run->took.lanes};
  const auto lanes = last.of == compilation ? last.lanes : nullptr;
  const RanksFrom from{compilation, grid, data_of(kernel), parameters(), lanes};
  if (const RanksDrawn* known = ranks_.find([&](const RanksDrawn& one) { return one.from == from; }))
    return known->view;
  const auto cuts = cuts_to_show(state, compilation, std::move(grid), kernel.span, ignored);
  if (!cuts) return nullptr;
  auto picture =
      std::make_shared<const view::RanksPicture>(ranks_picture(state, *compilation, *cuts, network_of(state), lanes));
  return ranks_.add({from, std::move(picture)}).view;
}

}  // namespace trellis::session
