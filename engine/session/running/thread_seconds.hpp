#pragma once
// How long this thread has computed: a budget by it does not depend on what other programs do.

#include <time.h>

namespace trellis::session {

inline double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace trellis::session
