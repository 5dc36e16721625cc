#include "engine/session/interrupt.hpp"

#include <atomic>

#include "engine/run/kernel.hpp"

namespace trellis::session {
namespace {

std::atomic<bool> requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

void request_interrupt() {
  requested = true;
  run::interrupt();
}

bool interrupted() { return requested; }

void clear_interrupt() { requested = false; }

}  // namespace trellis::session
