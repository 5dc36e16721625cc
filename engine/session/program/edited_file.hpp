#pragma once
// A file that is edited while a session holds it. It is read in pieces: whole lines, with the statements on them.
//
//   1  tensor A(n): csr           piece 1
//   2  y(i) = A(i,j) * x(j)       piece 2
//
// A line that is put in between moves piece 2 to line 3. It stays the same source with the same statements, so that all
// spans in it stay as they are.
//
// Pieces that an edit has dropped are kept for a while, since the next one may bring them back.

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "engine/lang/syntax.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::session {

class EditedFile {
 public:
  explicit EditedFile(std::string name) : name_(std::move(name)) {}

  const std::string& name() const { return name_; }
  /// What holds the whole text; -1: nothing was read yet.
  int source() const { return source_; }

  /// The statements of the text as it is now. Empty: it has syntax errors, which are reported as of the file. Sources
  /// that `declared`, the program so far, points into are kept.
  std::optional<lang::syntax::File> read(text::Sources& sources, std::string content,
                                         const lang::syntax::File& declared, text::Diagnostics& diagnostics);

 private:
  struct Piece {
    int source = -1;
    std::string content;
    std::vector<lang::syntax::Statement> statements;
  };
  struct Lines {
    int first = 0, last = 0;
  };
  static std::vector<Lines> lines_with_statements(const text::Sources& sources, const lang::syntax::File& whole);
  Piece take(text::Sources& sources, const std::string& content, int first_line);
  void forget_old(text::Sources& sources, const lang::syntax::File& declared);

  std::string name_;
  int source_ = -1;
  std::vector<Piece> pieces_;
  std::deque<Piece> dropped_;  ///< the last one first
};

}  // namespace trellis::session
