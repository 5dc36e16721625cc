#pragma once
// Where whoever uses a session is: what they look at, step through, learn and answer.

#include <memory>

#include "engine/session/replay/cursor.hpp"
#include "engine/session/state/selection.hpp"
#include "engine/session/teach/lessons.hpp"
#include "engine/session/teach/question.hpp"

namespace trellis::session {

/// Copies of a state share all but the selection.
struct Focus {
  Selection selection;                                          ///< what everyone looks at
  std::shared_ptr<Cursor> cursor = std::make_shared<Cursor>();  ///< in what is replayed
  std::shared_ptr<Learnt> learnt = std::make_shared<Learnt>();  ///< of the tutorial
  std::shared_ptr<Quiz> quiz = std::make_shared<Quiz>();
};

}  // namespace trellis::session
