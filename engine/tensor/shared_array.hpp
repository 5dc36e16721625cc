#pragma once
// Memory that a kernel in a child process writes and the session reads.

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
  ~SharedArray();
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  void* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Gives the pages behind the first `bytes` back.
  void shrink(std::size_t bytes);

 private:
  SharedArray(void* data, std::size_t size) : data_(data), size_(size) {}
  static std::shared_ptr<SharedArray> map(std::size_t bytes, int flags);

  void* data_;
  std::size_t size_;
};

}  // namespace trellis::tensor
