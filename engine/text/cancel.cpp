#include "engine/text/cancel.hpp"
#include "engine/text/cancel_kept.hpp"
#include "engine/text/deadline.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

namespace trellis::text {
namespace {

thread_local const Cancel* current = nullptr;

}  // namespace

Cancel::Wish::~Wish() {
  if (bell >= 0) close(bell);
}

// First the flag, then the bell: whoever asks after it has seen the bell made finds one of them.
void Cancel::request() const noexcept {
  const int saved = errno;
  wish_->requested = true;
  const std::uint64_t one = 1;
  if (const int bell = wish_->bell; bell >= 0) static_cast<void>(write(bell, &one, sizeof one) == sizeof one);
  errno = saved;
}

void Cancel::clear() const {
  wish_->requested = false;
  std::uint64_t rings = 0;
  if (const int bell = wish_->bell; bell >= 0) static_cast<void>(read(bell, &rings, sizeof rings) == sizeof rings);
}

int Cancel::bell() const {
  if (const int made = wish_->bell; made >= 0) return made;
  const int fresh = eventfd(requested() ? 1 : 0, EFD_CLOEXEC | EFD_NONBLOCK);
  int none = -1;
  if (wish_->bell.compare_exchange_strong(none, fresh)) return fresh;
  close(fresh);
  return none;
}

CancelScope::CancelScope(const Cancel& cancel) : cancel_(cancel), outer_(current) { current = &cancel_; }
CancelScope::~CancelScope() { current = outer_; }

CancelKept::CancelKept() : innermost_(current), deadline_(Deadline::innermost_) {}
CancelKept::~CancelKept() {
  current = innermost_;
  Deadline::innermost_ = deadline_;
}

void stop_if_cancelled() {
  wish_the_end_if_late();
  if (current && current->requested()) throw Cancelled{};
}

}  // namespace trellis::text
