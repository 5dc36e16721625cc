#include "engine/session/history.hpp"

#include <set>

namespace trellis::session {
namespace {

constexpr std::size_t most_steps = 200;

std::optional<History::Step> move_step(std::vector<History::Step>& from, std::vector<History::Step>& to, Content now) {
  if (from.empty()) return std::nullopt;
  History::Step step = std::move(from.back());
  from.pop_back();
  to.push_back({step.statement, std::move(now)});
  return step;
}

}  // namespace

std::size_t bytes_of(const std::vector<const Content*>& contents) {
  std::set<const void*> seen;
  std::size_t sum = 0;
  const auto add = [&](const std::map<std::string, tensor::Tensor>& tensors) {
    for (const auto& [name, value] : tensors)
      if (value && seen.insert(&value.storage()).second) sum += value.bytes();
  };
  for (const Content* content : contents) {
    add(content->tensors);
    for (const auto& [kernel, run] : content->runs) add(run->before.tensors), add(run->after);
  }
  return sum;
}

void History::changed(std::string statement, Content before, std::size_t most_bytes) {
  undone_.clear();
  done_.push_back({std::move(statement), std::move(before)});
  const auto kept = [&] {
    std::vector<const Content*> all;
    for (const Step& step : done_) all.push_back(&step.other);
    return bytes_of(all);
  };
  while (done_.size() > most_steps || (done_.size() > 1 && kept() > most_bytes)) done_.erase(done_.begin());
}

std::optional<History::Step> History::undo(Content now) { return move_step(done_, undone_, std::move(now)); }
std::optional<History::Step> History::redo(Content now) { return move_step(undone_, done_, std::move(now)); }

}  // namespace trellis::session
