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

}  // namespace trellis::run
