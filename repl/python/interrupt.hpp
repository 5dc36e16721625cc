#pragma once
// Ctrl-C while a kernel runs in this process. Python's own handler only notes the signal, which nobody looks at until
// the kernel is over: during the call ours stands before it, and asks the kernel to end
// (engine/emit/interruptible.hpp).

#include <csignal>
#include <cstdint>

namespace trellis::python {

/// Of the thread that Python's handlers run in; others are left alone. Kernels run one at a time in it.
class Interruptible {
 public:
  /// `fault`: the kernel's.
  explicit Interruptible(std::int32_t* fault);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  struct sigaction before_ {};
  bool stands_ = false;
};

/// With the GIL, after a kernel that was asked to end: raises what Python's handler does, or KeyboardInterrupt.
[[noreturn]] void raise_interrupt();

}  // namespace trellis::python
