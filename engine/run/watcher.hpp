#pragma once
// A process between this one and a program that this one starts, for as long as the program runs:
//
//   trellis ── watcher ── cc ── cc1, as, ld
//                         └── one process group ┘
//
// The watcher kills that group when its program ends, so that nothing is left of it, and when it hears SIGTERM: from
// this process, or from the system once this process died, however it did. Parent-death signals alone would end `cc`
// but none of what `cc` had started. The watcher is in a group of its own: what ends all of ours, such as a terminal,
// does not end it.

#include <signal.h>
#include <sys/types.h>

namespace trellis::run {

struct Program {
  char* const* command;      ///< ends with null; the first word is looked up in PATH
  char* const* environment;  ///< ends with null
  int output;                ///< a file for its standard output and error; its input is empty
  const char* folder;        ///< removed if this process dies; "": none
  bool aside = false;        ///< whatever else there is to do comes first
};

/// What the watcher finds out, in a page that both processes see.
struct Verdict {
  int error = 0;         ///< errno when the program could not be started
  int status = SIGKILL;  ///< how it ended, as waitpid tells it; as it is here if the watcher did not live to see it
};

/// The life of the watcher, in a child of the thread that waits for it, with every signal blocked.
[[noreturn]] void live_as_watcher(const Program& program, pid_t parent, Verdict& verdict);

}  // namespace trellis::run
