#include "engine/session/replay/playback.hpp"

#include <algorithm>

namespace trellis::session {
namespace {

Board blank(const tensor::Index& shape) {
  std::size_t count = 1;
  for (const std::int64_t size : shape) count *= static_cast<std::size_t>(size);
  return {shape, std::vector<std::optional<format::Value>>(count)};
}

/// Of a tensor that the kernel finds.
Board board_of(const Recorded& recorded, const std::string& name, const tensor::Tensor& tensor) {
  const bool fresh = recorded.fresh.contains(name), sparse = recorded.sparse.contains(name);
  Board board = fresh ? blank(tensor.shape()) : session::board_of(tensor);
  if (sparse)
    tensor::for_each_index(
        tensor.shape(), [&](const tensor::Index& index) { board.stored.push_back(!fresh && tensor.find(index) >= 0); });
  return board;
}

}  // namespace

Board board_of(const tensor::Tensor& tensor) {
  Board board{tensor.shape(), {}};
  tensor::for_each_index(tensor.shape(),
                         [&](const tensor::Index& index) { board.elements.emplace_back(tensor.get(index)); });
  return board;
}

Playback::Playback(const Recorded& recorded) : recorded_(&recorded) {
  for (const auto& [name, tensor] : recorded.before.tensors) boards_[name] = board_of(recorded, name, tensor);
  // Temporaries are as large as what is written of them.
  std::map<std::string, tensor::Index> shapes;
  for (const explore::Trace::Step& step : recorded.trace.steps)
    if (step.write && !recorded.before.tensors.contains(step.write->tensor)) {
      tensor::Index& shape = shapes[step.write->tensor];
      shape.resize(step.write->index.size(), 0);
      for (std::size_t d = 0; d < shape.size(); ++d) shape[d] = std::max(shape[d], step.write->index[d] + 1);
    }
  for (const auto& [name, shape] : shapes) {
    Board& board = boards_[name] = blank(shape);
    if (recorded.sparse.contains(name)) board.stored.assign(board.elements.size(), false);
  }
}

void Playback::go_to(std::size_t steps) {
  const auto& all = recorded_->trace.steps;
  steps = std::min(steps, all.size());
  while (at() < steps) step(all[at()]);
  while (at() > steps) back();
}

// Only what changes is written down, so that emptying a buffer costs what was put into it.
void Playback::set(Board& board, std::size_t element, const std::optional<format::Value>& value, bool stored) {
  const bool was_stored = !board.stored.empty() && board.stored[element];
  stored = stored && !board.stored.empty();
  if (board.elements[element] == value && was_stored == stored) return;
  changes_.push_back({&board, element, board.elements[element], was_stored});
  board.elements[element] = value;
  if (!board.stored.empty()) board.stored[element] = stored;
}

void Playback::step(const explore::Trace::Step& step) {
  done_.push_back(changes_.size());
  if (const auto begun = boards_.find(step.starts); begun != boards_.end())
    for (std::size_t e = 0; e < begun->second.elements.size(); ++e) set(begun->second, e, step.filled, false);
  if (const auto ended = boards_.find(step.ends); ended != boards_.end()) {
    Board& board = ended->second;
    const format::Value fill = recorded_->before.tensors.at(step.ends).fill();
    for (std::size_t e = 0; e < board.elements.size(); ++e)
      if (!board.elements[e]) set(board, e, fill, !board.stored.empty() && board.stored[e]);
  }
  if (!step.write) return;
  Board& board = boards_.at(step.write->tensor);
  step.write->each_element(
      [&](const tensor::Index& element) { set(board, board.offset(element), step.write->value, true); });
}

void Playback::back() {
  for (; changes_.size() > done_.back(); changes_.pop_back()) {
    const Change& change = changes_.back();
    change.board->elements[change.element] = change.value;
    if (!change.board->stored.empty()) change.board->stored[change.element] = change.stored;
  }
  done_.pop_back();
}

Boards boards_after(const Recorded& recorded, std::size_t steps) {
  Playback playback(recorded);
  playback.go_to(steps);
  return playback.boards();
}

}  // namespace trellis::session
