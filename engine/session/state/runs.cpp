#include "engine/session/state/runs.hpp"

#include <algorithm>

namespace trellis::session {

void Runs::finish(const SharedText& definition, FinishedRun run) {
  all_[definition] = std::make_shared<const FinishedRun>(std::move(run));
}

const FinishedRun* Runs::of(const SharedText& definition) const {
  const auto found = all_.find(definition);
  return found == all_.end() ? nullptr : found->second.get();
}

bool Runs::ever(const std::string& kernel) const {
  return std::ranges::any_of(all_, [&](const auto& run) { return run.second->kernel == kernel; });
}

const FinishedRun* Runs::that_left(const std::string& tensor, const tensor::Tensor& value) const {
  for (const auto& [definition, run] : all_)
    if (const auto left = run->after.find(tensor);
        left != run->after.end() && &left->second.storage() == &value.storage())
      return run.get();
  return nullptr;
}

void Runs::keep_only(const std::set<const FinishedRun*>& runs) {
  std::erase_if(all_, [&](const auto& run) { return !runs.contains(run.second.get()); });
}

}  // namespace trellis::session
