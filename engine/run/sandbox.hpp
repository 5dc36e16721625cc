#pragma once
// Runs a function in a child process with limits. Whatever it does to its own memory, or how it ends, this process is
// unharmed; results come back through shared mappings. Never use OpenMP in this process before: the child's first
// parallel region would wait for threads that were not copied (openmp.hpp).

#include <cstddef>
#include <cstdint>
#include <functional>

#include "engine/run/wait.hpp"

namespace trellis::run {

struct SandboxLimits {
  double seconds;
  std::size_t memory;  ///< bytes beyond what this process has
  text::Cancel cancel = {};
};

Ending run_in_child(const std::function<void()>& body, const SandboxLimits& limits);

/// Temporaries of kernels get the pages again that others have left: what the system clears anew for each of them takes
/// a quarter of a small factorisation. For a process that ends soon enough and gives all back, as children do.
void keep_freed_pages();

/// The child alone, which may take so many bytes beyond what this process has; -1: errno says why there is none.
pid_t fork_child(const std::function<void()>& body, std::size_t memory);
/// Of such a child: `returned` when the body came to its end.
Ending ending_of_child(const Ending& ending);

/// Half of the machine's memory.
std::size_t default_memory_limit();

/// Under AddressSanitizer and ThreadSanitizer memory cannot be limited: their shadows are mappings of terabytes.
constexpr bool limits_memory =
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    false;
#else
    true;
#endif

}  // namespace trellis::run
