#include "engine/tensor/shared_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace trellis::tensor {
namespace {

struct Mapping {
  void* data = nullptr;
  std::size_t size = 0, resident = 0;
};

/// What arrays of this process gave back, for the next ones of the same size.
class Spares {
 public:
  static constexpr std::size_t most_bytes = std::size_t{128} << 20;

  /// False: there is no room for it.
  bool put(const Mapping& mapping) {
    const std::lock_guard hold(mutex_);
    if (mapping.resident > most_bytes - resident_) return false;
    resident_ += mapping.resident;
    mappings_.push_back(mapping);
    return true;
  }

  /// The one with most pages, or null.
  void* take(std::size_t size) {
    const std::lock_guard hold(mutex_);
    auto best = mappings_.end();
    for (auto m = mappings_.begin(); m != mappings_.end(); ++m)
      if (m->size == size && (best == mappings_.end() || m->resident > best->resident)) best = m;
    if (best == mappings_.end()) return nullptr;
    void* const data = best->data;
    resident_ -= best->resident;
    mappings_.erase(best);
    return data;
  }

 private:
  std::mutex mutex_;
  std::vector<Mapping> mappings_;
  std::size_t resident_ = 0;
};

Spares& spares() {
  static Spares all;
  return all;
}

std::size_t whole_pages(std::size_t bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
}

}  // namespace

std::shared_ptr<SharedArray> SharedArray::map(std::size_t bytes, int flags) {
  bytes = std::max<std::size_t>(bytes, 1);
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
  if (data == MAP_FAILED) return nullptr;
  return std::shared_ptr<SharedArray>(new SharedArray(data, bytes, (flags & MAP_SHARED) != 0));
}

std::shared_ptr<SharedArray> SharedArray::allocate(std::size_t bytes) { return map(bytes, MAP_SHARED); }
std::shared_ptr<SharedArray> SharedArray::reserve(std::size_t bytes) { return map(bytes, MAP_SHARED | MAP_NORESERVE); }

std::shared_ptr<SharedArray> SharedArray::scratch(std::size_t bytes) {
  if (void* const data = spares().take(bytes)) return std::shared_ptr<SharedArray>(new SharedArray(data, bytes, false));
  const auto array = map(bytes, MAP_PRIVATE | MAP_NORESERVE);
  if (array) madvise(array->data_, array->size_, MADV_HUGEPAGE);  // advice: refused, it costs time alone
  return array;
}

SharedArray::~SharedArray() {
  // An array that nobody has shrunk may have any number of its pages in memory.
  const bool known = size_ < mapped_;
  if (!shared_ && known && spares().put({data_, mapped_, whole_pages(size_)})) return;
  munmap(data_, mapped_);
}

void SharedArray::shrink(std::size_t bytes) {
  const std::size_t kept = whole_pages(bytes);
  if (kept < mapped_) {
    char* const tail = static_cast<char*>(data_) + kept;
    // Unmapping alone would keep the pages that were touched until the whole array goes.
    madvise(tail, mapped_ - kept, shared_ ? MADV_REMOVE : MADV_DONTNEED);
    if (shared_) {
      munmap(tail, mapped_ - kept);
      mapped_ = kept;
    }
  }
  size_ = std::min(size_, std::max<std::size_t>(bytes, 1));
}

}  // namespace trellis::tensor
