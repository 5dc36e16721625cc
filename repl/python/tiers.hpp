#pragma once
// Machine code of one kernel: libtcc's at once, and, when it pays, the system's compiler's from a thread, which takes
// its place between two calls.

#include <atomic>
#include <memory>
#include <thread>

#include "engine/run/call.hpp"
#include "repl/python/options.hpp"

namespace trellis::python {

class Tiers {
 public:
  /// Compiles with libtcc, or, with Tier::native, with the system's compiler, for which it waits. Throws Refused.
  Tiers(const emit::Module& module, Tier tier);
  ~Tiers();
  Tiers(const Tiers&) = delete;
  Tiers& operator=(const Tiers&) = delete;

  /// Of a Callable's module.
  trellis_kernel entry() const { return entry_.load(std::memory_order_acquire); }
  bool native() const { return native_.load(std::memory_order_acquire); }
  /// The same code, for a child process or for what the session binds.
  const run::Kernel& kernel() const { return native() ? native_code_ : jit_; }
  /// Begins to compile on a thread, unless that has begun or the tier forbids it.
  void improve();
  /// Ends what is being compiled by any of them, at the end of the process.
  static void stop_all();

 private:
  bool become_native(const text::Cancel& cancel);

  const Tier tier_;
  run::Kernel jit_, native_code_;
  std::atomic<trellis_kernel> entry_{nullptr};
  std::atomic<bool> native_{false};
  bool begun_ = false;
  text::Cancel cancel_;
  std::thread compiler_;
  int process_ = 0;  ///< that has the thread: a child after fork has not
};

}  // namespace trellis::python
