#include "engine/tensor/shared_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

namespace trellis::tensor {

std::shared_ptr<SharedArray> SharedArray::map(std::size_t bytes, int flags) {
  bytes = std::max<std::size_t>(bytes, 1);
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | flags, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  return std::shared_ptr<SharedArray>(new SharedArray(data, bytes));
}

std::shared_ptr<SharedArray> SharedArray::allocate(std::size_t bytes) { return map(bytes, 0); }
std::shared_ptr<SharedArray> SharedArray::reserve(std::size_t bytes) { return map(bytes, MAP_NORESERVE); }

SharedArray::~SharedArray() { munmap(data_, size_); }

void SharedArray::shrink(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::size_t kept = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
  if (kept < size_) {
    char* const tail = static_cast<char*>(data_) + kept;
    // Unmapping alone would keep the pages that were touched until the whole array goes.
    madvise(tail, size_ - kept, MADV_REMOVE);
    munmap(tail, size_ - kept);
  }
  size_ = std::min(size_, std::max<std::size_t>(bytes, 1));
}

}  // namespace trellis::tensor
