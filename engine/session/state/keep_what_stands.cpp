// A program that follows a text: what the text no longer makes goes.
#include <algorithm>
#include <set>

#include "engine/lang/parse.hpp"
#include "engine/session/state/shape.hpp"
#include "engine/session/state/state.hpp"

namespace trellis::session {

bool filled_by(const State& state, const std::string& tensor, const std::string& command) {
  const lang::Program* now = state.declarations.program();
  const lang::TensorInfo* info = now ? now->tensor(tensor) : nullptr;
  if (!info || !state.data.has(tensor) || !state.holds_as_declared(*info)) return false;
  const auto fill = state.actions.fill_of(tensor, state.last_action());
  return fill && lang::to_string(*fill) == command;
}

namespace {

// Those of data that stays are what it says they are.
void forget_sizes_of_data(State& state) {
  state.data.restore(Data::Sizes{});
  state.declarations.touch();
  text::Diagnostics ignored;
  const lang::Program* now = state.program(ignored);
  for (const auto& [name, maker] : *state.data.makers())
    if (const lang::TensorInfo* info = now ? now->tensor(name) : nullptr)
      bind_shape(state, *info, state.data.tensors()->at(name).shape(), ShapeClaim::exact, name, {}, ignored);
}

}  // namespace

void keep_what_stands(State& state, const Fills& before, const Fills& wanted) {
  text::Diagnostics ignored;
  const lang::Program* now = state.program(ignored);
  if (!now) return;
  std::set<SharedText> meanings;
  std::set<const FinishedRun*> runs;
  for (const lang::Kernel& kernel : now->kernels) {
    meanings.insert(state.meaning_of(kernel));
    if (const FinishedRun* run = state.finished(kernel)) runs.insert(run);
  }
  const auto command_in = [](const Fills& fills, const std::string& name) {
    const auto found = fills.find(name);
    return found == fills.end() ? std::string() : found->second;
  };
  const auto stands = [&](const std::string& name, const SharedText& maker) {
    const lang::TensorInfo* info = now->tensor(name);
    if (!info) return false;
    if (const FinishedRun* run = state.run_that_left(name); run && !runs.contains(run)) return false;
    if (!maker.empty()) return meanings.contains(maker) && state.holds_as_declared(*info);
    const std::string command = command_in(wanted, name), earlier = command_in(before, name);
    if (!command.empty()) return filled_by(state, name, command);
    const auto fill = state.actions.fill_of(name, state.last_action());
    return !fill || lang::to_string(*fill) != earlier;
  };
  std::vector<std::string> fallen;
  for (const auto& [name, maker] : *state.data.makers())
    if (!stands(name, maker)) fallen.push_back(name);
  const bool data_falls = std::ranges::any_of(fallen, [&](const std::string& name) { return before.contains(name); });
  for (const std::string& name : fallen) state.data.drop(name);
  state.runs.keep_only(runs);
  state.data.drop_unfilled();
  // Sizes may have come with the data: what is still wanted is filled again, with the sizes that there are then.
  if (!data_falls || state.data.sizes().empty()) return;
  for (const auto& [name, command] : before) state.data.drop(name);
  forget_sizes_of_data(state);
}

}  // namespace trellis::session
