#pragma once
// What `undo`, `redo`, `restore` and `history` go back to: the content of the session before each statement that changed it.
// Contents share their tensors, so a step costs what the statement made anew; the oldest steps go when memory runs short.

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/state.hpp"

namespace trellis::session {

class History {
 public:
  struct Step {
    std::string statement;
    Content other;  ///< of a done step the content before it, of an undone one the content after it
  };

  /// A statement has changed the content, which was `before`. What was undone is forgotten; so are the oldest steps, once
  /// they alone keep more than `most_bytes` of tensors alive.
  void changed(std::string statement, Content before, std::size_t most_bytes);
  /// The content before the last step, or after the one undone last; `now` is kept for the way back. Empty: there is none.
  std::optional<Step> undo(Content now);
  std::optional<Step> redo(Content now);

  const std::vector<Step>& done() const { return done_; }      ///< oldest first
  const std::vector<Step>& undone() const { return undone_; }  ///< the one undone last comes last

  std::map<std::string, Content> snapshots;

 private:
  std::vector<Step> done_, undone_;
};

/// Bytes of the distinct arrays that these contents hold.
std::size_t bytes_of(const std::vector<const Content*>& contents);

}  // namespace trellis::session
