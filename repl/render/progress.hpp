#pragma once
// One line on the terminal, over and over, for what takes longer than half a second: how far it is, and for how long it
// has run. Nothing where nobody looks.

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "repl/render/terminal.hpp"

namespace trellis::repl {

class Progress {
 public:
  explicit Progress(const Terminal& terminal);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void tell(const std::string& line);
  /// Writes to standard output where the line is; the line comes back below.
  void write_above(const std::string& text);
  /// Wipes the line, before something else is written; what follows starts anew.
  void end();
  /// Somebody reads: no line, and no time passes, until `go_on`.
  void pause();
  void go_on();
  /// Seconds since the start, without pauses.
  double seconds() const;

 private:
  void watch();
  void draw();
  using Clock = std::chrono::steady_clock;

  Terminal terminal_;
  Clock::time_point started_ = Clock::now();
  Clock::time_point since_ = started_;
  std::mutex mutex_;
  std::condition_variable ended_;
  std::string told_;
  bool shown_ = false, paused_ = false, stopping_ = false;
  Clock::time_point paused_since_;
  std::thread watcher_;
};

}  // namespace trellis::repl
