#pragma once
// The two calls into libgomp that running kernels needs. It is loaded only with native code, hence found at run time.

namespace trellis::run {

struct OpenMp {
  void (*set_threads)(int) = nullptr;     ///< of later parallel regions of the calling process
  int (*pause_resources)(int) = nullptr;  ///< omp_pause_resource_all

  /// Members stay null while libgomp is not loaded.
  static OpenMp find();
  /// Ends waiting threads. Without it, a fork after a parallel region gives a child whose first parallel region hangs.
  void release_threads() const;
};

/// In a child, before libgomp is there: threads look for some 50 µs whether they may go on, and then they sleep. By
/// itself libgomp has them look for milliseconds, while others may wait for the processor that they do it on. On a
/// quiet machine this costs nothing; on a busy one runs of either differ by more than what lies between the two. Who
/// has set OMP_WAIT_POLICY or GOMP_SPINCOUNT is obeyed.
void wait_briefly();

}  // namespace trellis::run
