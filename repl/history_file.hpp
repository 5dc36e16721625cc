#pragma once
// The entries of earlier runs, in $XDG_STATE_HOME/trellis/history (else ~/.local/state): one a line, line ends written
// as \n. Each entry is added when it is made, so that several sessions at a time, and one that crashes, lose nothing.

#include <string>
#include <vector>

namespace trellis::repl {

class HistoryFile {
 public:
  /// Empty: nothing is kept.
  explicit HistoryFile(std::string path) : path_(std::move(path)) {}

  /// The last entries, oldest first. A file that has grown long is shortened to them.
  std::vector<std::string> read() const;
  void add(const std::string& entry) const;

 private:
  std::string path_;
};

/// `$VARIABLE/trellis/name`, else `~/fallback/trellis/name`; empty when there is neither.
std::string user_path(const char* variable, const char* fallback, const std::string& name);

}  // namespace trellis::repl
