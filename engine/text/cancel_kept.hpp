#pragma once
// Work that may be left without its destructors (a jump out of a signal handler) leaves scopes behind.

namespace trellis::text {

class Cancel;
class Deadline;

/// When it goes, the innermost scope of this thread is what it was when it came.
class CancelKept {
 public:
  CancelKept();
  ~CancelKept();
  CancelKept(const CancelKept&) = delete;
  CancelKept& operator=(const CancelKept&) = delete;

 private:
  const Cancel* innermost_;
  Deadline* deadline_;
};

}  // namespace trellis::text
