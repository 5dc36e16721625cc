#pragma once
// A program before it is text: little enough structure to print it and to cut pieces out of it.

#include <string>
#include <vector>

namespace trellis::randomised {

/// `open`, then the children with `separator` between them, then `close`.
struct Tree {
  std::string open;
  std::vector<Tree> children;
  std::string separator;
  std::string close;
};

Tree leaf(std::string text);
Tree join(std::string open, std::vector<Tree> children, std::string separator, std::string close);
/// `i,j,k`.
std::string list(const std::vector<std::string>& names);

struct DraftEquation {
  std::string left;
  Tree right;
  std::vector<std::string> constraints;
};

struct Draft {
  std::vector<std::string> declarations;
  std::vector<DraftEquation> equations;
  std::vector<Tree> actions = {};  ///< of a loop program, which stands instead of equations
  std::vector<std::string> schedule = {};
};

std::string to_string(const Draft& draft);

/// All drafts that are one cut smaller: without an equation, a constraint, a term, an action, a schedule command or a
/// declaration, or with a part in place of the whole.
std::vector<Draft> smaller(const Draft& draft);

/// Cuts as long as `fails` still holds. `fails(draft)` must be true.
template <class Fails>
Draft shrink(Draft draft, Fails&& fails) {
  for (bool progress = true; progress;) {
    progress = false;
    for (Draft& candidate : smaller(draft)) {
      if (!fails(candidate)) continue;
      draft = std::move(candidate);
      progress = true;
      break;
    }
  }
  return draft;
}

}  // namespace trellis::randomised
