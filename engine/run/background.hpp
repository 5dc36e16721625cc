#pragma once
// The native back end beside whatever else a session does: modules are compiled one after the other on a thread, at the
// lowest priority, and are there when they are asked for again.
//
//   session   run: jit ── run: jit ── run: native
//   thread        want ─── cc ─── taken ┘
//
// Nothing of it outlives the object: a compiler that is under way is ended, with all that it has started.

#include <deque>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "engine/run/kernel.hpp"

namespace trellis::run {

class Background {
 public:
  Background() = default;
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Compiles the module, unless that is under way or waits for its turn. A compiler has `seconds`. False: one has
  /// failed, and is not tried again.
  bool want(const emit::Module& module, double seconds);
  /// What has been compiled since the last call; or why it was not, which ends all.
  std::vector<std::variant<Kernel, CompileError>> take();
  /// Ends what is under way and forgets what waits: whoever waits for a compiler himself has the processor alone.
  void stop();

 private:
  struct Wish {
    emit::Module module;
    double seconds;
  };
  void work();

  std::mutex mutex_;
  std::thread thread_;
  bool works_ = false;  ///< the thread looks for another wish yet
  bool failed_ = false;
  std::deque<Wish> wishes_;  ///< the first is under way while it works
  std::vector<std::variant<Kernel, CompileError>> done_;
  text::Cancel cancel_;
};

}  // namespace trellis::run
