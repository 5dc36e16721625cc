#pragma once
// Memory that a kernel in a child process writes and the session reads; and memory for kernels in this process, which need
// not share it and so may have large pages, and the same ones again.

#include <cstddef>
#include <memory>

namespace trellis::tensor {

/// Bytes in MAP_SHARED | MAP_ANONYMOUS memory, zeroed; never empty, so that address 0 never reaches a kernel.
class SharedArray {
 public:
  /// Empty when the system refuses.
  static std::shared_ptr<SharedArray> allocate(std::size_t bytes);
  /// Address space alone: memory is taken page by page, as it is touched.
  static std::shared_ptr<SharedArray> reserve(std::size_t bytes);
  /// The same for this process alone, with anything in it: pages that an earlier array gave back come without a page fault
  /// each, which is half of the time in which a kernel appends a few megabytes.
  static std::shared_ptr<SharedArray> scratch(std::size_t bytes);
  ~SharedArray();
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  void* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Gives the pages behind the first `bytes` back.
  void shrink(std::size_t bytes);

 private:
  SharedArray(void* data, std::size_t size, bool shared) : data_(data), size_(size), mapped_(size), shared_(shared) {}
  static std::shared_ptr<SharedArray> map(std::size_t bytes, int flags);

  void* data_;
  std::size_t size_;
  std::size_t mapped_;  ///< addresses, of which the first size_ bytes may be in memory
  bool shared_;
};

}  // namespace trellis::tensor
