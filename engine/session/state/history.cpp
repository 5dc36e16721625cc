#include "engine/session/state/history.hpp"

namespace trellis::session {
namespace {

constexpr std::size_t most_steps = 200;

template <class Visit>
void for_each_array(const Tensors& tensors, const Visit& visit) {
  for (const auto& [name, value] : tensors)
    if (value) visit(value);
}

template <class Visit>
void for_each_array(const FinishedRun& run, const Visit& visit) {
  for_each_array(run.before.tensors, visit);
  for_each_array(run.after, visit);
}

}  // namespace

void HeldArrays::add(const tensor::Tensor& value) {
  Held& one = held_[&value.storage()];
  if (one.times++ > 0) return;
  one.bytes = value.bytes();
  bytes_ += one.bytes;
}

void HeldArrays::remove(const tensor::Tensor& value) {
  const auto one = held_.find(&value.storage());
  if (--one->second.times > 0) return;
  bytes_ -= one->second.bytes;
  held_.erase(one);
}

// The arrays of a run, and of tensors, are looked at once, however many contents share them.
void HeldArrays::add(const Content& content) {
  const auto count = [&](const tensor::Tensor& value) { add(value); };
  if (tensors_[&*content.tensors]++ == 0) for_each_array(*content.tensors, count);
  for (const auto& [definition, run] : content.runs)
    if (runs_[run.get()]++ == 0) for_each_array(*run, count);
}

void HeldArrays::remove(const Content& content) {
  const auto forget = [&](const tensor::Tensor& value) { remove(value); };
  if (const auto known = tensors_.find(&*content.tensors); --known->second == 0) {
    tensors_.erase(known);
    for_each_array(*content.tensors, forget);
  }
  for (const auto& [definition, run] : content.runs)
    if (const auto known = runs_.find(run.get()); --known->second == 0) {
      runs_.erase(known);
      for_each_array(*run, forget);
    }
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

void History::forget_last(std::size_t steps) {
  for (; steps > 0 && !done_.empty(); --steps) {
    held_.remove(done_.back().other);
    done_.pop_back();
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
