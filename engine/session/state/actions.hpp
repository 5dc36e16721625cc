#pragma once
// What made the tensors of a session: its loads, fills and runs, in order. `undo` goes back and other statements
// follow, so they form a tree; a content names its last action, which leads back to the first.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/lang/syntax.hpp"
#include "engine/session/state/shared_text.hpp"
#include "engine/text/source.hpp"

namespace trellis::session {

struct Action {
  lang::syntax::Statement statement;      ///< replays wherever it stands: files have absolute names
  std::map<std::string, SharedText> ran;  ///< by kernel, what it computed then: see State::meanings
};

class Actions {
 public:
  static constexpr int none = -1;

  /// The number of the new one, which comes behind `last`.
  int add(int last, Action action);
  /// What filled the tensor last: load, random, fill_with; a kernel may have gone on from there.
  std::optional<lang::syntax::Statement> fill_of(const std::string& tensor, int last) const;
  /// From the first to `last`.
  std::vector<Action> until(int last) const;

 private:
  struct Node {
    Action action;
    int before;
  };
  std::vector<Node> nodes_;
};

/// load, random, fill_with: what may stand beside declarations, inside a kernel too.
bool fills_tensors(const lang::syntax::Statement& statement);

/// Whether the command, if it changes anything, changes tensors itself: load, random, fill_with, prune, run. What
/// others run first is recorded kernel by kernel.
bool makes_tensors(const lang::syntax::Statement& statement);

/// `run KERNEL`.
lang::syntax::Statement run_of(const std::string& kernel, text::Span at);

/// `random A density 0.1` of `random A(4, 4): csr density 0.1`; other commands are what they are.
lang::syntax::Command without_shape(lang::syntax::Command command);

/// As it replays from any file: names of files are absolute.
lang::syntax::Statement replayable(const text::Sources& sources, const lang::syntax::Statement& statement);

}  // namespace trellis::session
