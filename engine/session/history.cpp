#include "engine/session/history.hpp"

namespace trellis::session {
namespace {

constexpr std::size_t most_steps = 200;

/// Each of its tensors that holds something, as often as the content names it.
template <class Visit>
void for_each_array(const Content& content, const Visit& visit) {
  const auto all = [&](const std::map<std::string, tensor::Tensor>& tensors) {
    for (const auto& [name, value] : tensors)
      if (value) visit(value);
  };
  all(content.tensors);
  for (const auto& [kernel, run] : content.runs) all(run->before.tensors), all(run->after);
}

}  // namespace

void HeldArrays::add(const Content& content) {
  for_each_array(content, [&](const tensor::Tensor& value) {
    Held& one = held_[&value.storage()];
    if (one.times++ > 0) return;
    one.bytes = value.bytes();
    bytes_ += one.bytes;
  });
}

void HeldArrays::remove(const Content& content) {
  for_each_array(content, [&](const tensor::Tensor& value) {
    const auto one = held_.find(&value.storage());
    if (--one->second.times > 0) return;
    bytes_ -= one->second.bytes;
    held_.erase(one);
  });
}

void History::changed(std::string statement, Content before, std::size_t most_bytes) {
  undone_.clear();
  held_.add(before);
  done_.push_back({std::move(statement), std::move(before)});
  while (done_.size() > most_steps || (done_.size() > 1 && held_.bytes() > most_bytes)) {
    held_.remove(done_.front().other);
    done_.pop_front();
  }
}

std::optional<History::Step> History::undo(Content now) {
  if (done_.empty()) return std::nullopt;
  Step step = std::move(done_.back());
  done_.pop_back();
  held_.remove(step.other);
  undone_.push_back({step.statement, std::move(now)});
  return step;
}

std::optional<History::Step> History::redo(Content now) {
  if (undone_.empty()) return std::nullopt;
  Step step = std::move(undone_.back());
  undone_.pop_back();
  held_.add(now);
  done_.push_back({step.statement, std::move(now)});
  return step;
}

}  // namespace trellis::session
