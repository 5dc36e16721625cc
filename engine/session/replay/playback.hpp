#pragma once
// Boards that move along an execution, forwards and back, at the price of the steps between: what a window shows while
// someone drags through twenty thousand steps.
//
//   Playback p(recorded);  p.go_to(15);  p.boards().at("V")     the same as boards_after(recorded, 15)["V"]
//   p.go_to(14);                                                takes one step back

#include "engine/session/replay/recorded.hpp"

namespace trellis::session {

class Playback {
 public:
  /// At its beginning. The execution outlives it.
  explicit Playback(const Recorded& recorded);
  /// At most as many as there are.
  void go_to(std::size_t steps);
  std::size_t at() const { return done_.size(); }
  const Boards& boards() const { return boards_; }

 private:
  /// What an element was before a step changed it.
  struct Change {
    Board* board = nullptr;
    std::size_t element = 0;
    std::optional<format::Value> value;
    bool stored = false;
  };
  void set(Board& board, std::size_t element, const std::optional<format::Value>& value, bool stored);
  void step(const explore::Trace::Step& step);
  void back();

  const Recorded* recorded_;
  Boards boards_;
  std::vector<Change> changes_;
  std::vector<std::size_t> done_;  ///< by step: how many changes there were before it
};

}  // namespace trellis::session
