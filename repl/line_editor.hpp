#pragma once
// Reads entries from a terminal, with editing, history and completion: libedit behind a face of our own.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trellis::repl {

class LineEditor {
 public:
  /// What may stand in place of `line[begin, cursor)`, each with what closes it (a blank, a quote).
  struct Candidates {
    std::size_t begin = 0;
    std::vector<std::string> words;
    std::string closing;  ///< behind a word that is the only one
  };
  using Complete = std::function<Candidates(std::string_view line, std::size_t cursor)>;

  /// `paste` sees what was pasted at once before it goes into the line.
  LineEditor(Complete complete, std::function<std::string(const std::string&)> paste);
  ~LineEditor();
  LineEditor(const LineEditor&) = delete;
  LineEditor& operator=(const LineEditor&) = delete;

  struct Line {
    enum class Ending {
      entered,
      cancelled,
      closed,
      key
    } ending = Ending::entered;  ///< Enter, Ctrl-C, Ctrl-D, one of `keys`
    std::string text;            ///< without the line end; of `key` the key
  };
  /// Lines that were recalled or pasted may hold line ends. A line that would begin with one of `keys` ends with it at
  /// once; with any, Enter on an empty line is one.
  Line read(const std::string& prompt, std::string_view keys = {});

  /// Bytes that were typed while something else read: they come before what is typed from here on.
  void unread(std::string_view bytes);
  /// A key that has been heeded turns out to have been the first letter of a line if something follows within half a
  /// second that goes on with it.
  void reconsider(char key, std::function<bool(char)> goes_on);

  /// An entry for the arrow keys, of one line or of several.
  void remember(const std::string& entry);

  /// For a handler of SIGINT: the line being read, if any, is cancelled. Safe in a signal handler.
  static void interrupt();

 private:
  Line read_once(const std::string& prompt);
  Line read_plainly(const std::string& prompt, std::string before);
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace trellis::repl
