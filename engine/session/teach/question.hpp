#pragma once
// A question of the quiz, and how the quiz goes.

#include <optional>
#include <string>
#include <vector>

namespace trellis::session {

struct QuizQuestion {
  std::string kind;   ///< "order", "execution", "placement", "lattice"
  std::string about;  ///< "kernel main", "the example cholesky"
  std::string scene;  ///< what to look at, lines
  std::string question;
  std::vector<std::string> choices;  ///< at least two, all different
  std::size_t right = 0;
  std::string reason;  ///< lines
};

/// What is open, and how it went so far.
struct Quiz {
  std::optional<QuizQuestion> open;
  int asked = 0, answered = 0, right = 0;
};

}  // namespace trellis::session
