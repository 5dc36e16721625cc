#pragma once
// What `undo`, `redo`, `restore` and `history` go back to: the content of the session before each statement that
// changed it. Contents share their tensors, so a step costs what the statement made anew; the oldest steps go when
// memory runs short.

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/state/content.hpp"

namespace trellis::session {

/// The distinct arrays that contents hold, counted as contents come and go: what they take together is known at once.
class HeldArrays {
 public:
  void add(const Content& content);
  void remove(const Content& content);
  std::size_t bytes() const { return bytes_; }

 private:
  struct Held {
    std::size_t bytes = 0, times = 0;
  };
  void add(const tensor::Tensor& value);
  void remove(const tensor::Tensor& value);

  std::map<const void*, Held> held_;
  std::map<const Tensors*, std::size_t> tensors_;   ///< how often contents share each
  std::map<const FinishedRun*, std::size_t> runs_;  ///< how often contents name each
  std::size_t bytes_ = 0;
};

class History {
 public:
  struct Step {
    std::string statement;
    Content other;  ///< of a done step the content before it, of an undone one the content after it
  };

  /// A statement has changed the content, which was `before`. What was undone is forgotten; so are the oldest steps,
  /// once they alone keep more than `most_bytes` of tensors alive.
  void changed(std::string statement, Content before, std::size_t most_bytes);
  /// The last steps never were.
  void forget_last(std::size_t steps);
  /// The content before the last step, or after the one undone last; `now` is kept for the way back. Empty: there is
  /// none.
  std::optional<Step> undo(Content now);
  std::optional<Step> redo(Content now);

  const std::deque<Step>& done() const { return done_; }       ///< oldest first
  const std::vector<Step>& undone() const { return undone_; }  ///< the one undone last comes last

  std::map<std::string, Content> snapshots;

 private:
  std::deque<Step> done_;
  std::vector<Step> undone_;
  HeldArrays held_;  ///< by `done_`
};

}  // namespace trellis::session
