#include "repl/python/interrupt.hpp"

#include <pybind11/pybind11.h>
#include <unistd.h>

#include <atomic>

#include "engine/emit/interruptible.hpp"

namespace trellis::python {
namespace {

std::atomic<std::int32_t*> fault_of_kernel{nullptr};
std::atomic<void (*)(int)> handler_of_python{nullptr};
static_assert(std::atomic<std::int32_t*>::is_always_lock_free && std::atomic<void (*)(int)>::is_always_lock_free);

void ask_to_end(int signal) {
  if (std::int32_t* const fault = fault_of_kernel.load())
    *static_cast<volatile std::int32_t*>(fault) = emit::asked_to_end;
  if (const auto next = handler_of_python.load()) next(signal);
}

bool in_main_thread() {
  thread_local const pid_t thread = gettid();
  static const pid_t process = getpid();
  return thread == process;
}

/// Does the signal go on to a handler of this kind, as Python's is?
bool is_plain_handler(const struct sigaction& action) {
  return !(action.sa_flags & SA_SIGINFO) && action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN;
}

}  // namespace

Interruptible::Interruptible(std::int32_t* fault) {
  if (!in_main_thread() || fault_of_kernel.load()) return;
  struct sigaction ours {};
  ours.sa_handler = ask_to_end;
  sigemptyset(&ours.sa_mask);
  if (sigaction(SIGINT, &ours, &before_) != 0) return;
  if (!is_plain_handler(before_)) {
    sigaction(SIGINT, &before_, nullptr);
    return;
  }
  handler_of_python = before_.sa_handler;
  fault_of_kernel = fault;
  stands_ = true;
}

Interruptible::~Interruptible() {
  if (!stands_) return;
  sigaction(SIGINT, &before_, nullptr);
  fault_of_kernel = nullptr;
}

void raise_interrupt() {
  if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
  throw pybind11::error_already_set();
}

}  // namespace trellis::python
