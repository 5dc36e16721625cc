#include "engine/tensor/arena.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace trellis::tensor {
namespace {

// A result reserves as much as it may ever need, often half of the machine's memory for each of its arrays.
// ThreadSanitizer keeps most addresses for itself.
constexpr std::size_t all_bytes =
#ifdef __SANITIZE_THREAD__
    std::size_t{256} << 30;
#else
    std::size_t{16} << 40;
#endif

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t whole_pages(std::size_t bytes) { return (bytes + page_size() - 1) / page_size() * page_size(); }

Arena* arena = nullptr;  // never closed: arrays may live as long as the process

}  // namespace

bool Arena::open() {
  if (arena) return true;
  void* const begin =
      mmap(nullptr, all_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (begin == MAP_FAILED) return false;
  madvise(begin, all_bytes, MADV_DONTDUMP);
  arena = new Arena(static_cast<char*>(begin), all_bytes);
  return true;
}

Arena* Arena::of_process() { return arena; }

char* Arena::take(std::size_t bytes) {
  if (bytes > bytes_) return nullptr;
  bytes = whole_pages(bytes);
  const std::lock_guard hold(mutex_);
  const auto gap = std::find_if(gaps_.begin(), gaps_.end(), [&](const auto& g) { return g.second >= bytes; });
  if (gap == gaps_.end()) return nullptr;
  const auto [begin, length] = *gap;
  gaps_.erase(gap);
  if (length > bytes) gaps_.emplace(begin + bytes, length - bytes);
  return begin;
}

void Arena::give_back(char* begin, std::size_t bytes) {
  bytes = whole_pages(bytes);
  madvise(begin, bytes, MADV_REMOVE);  // whoever takes them next finds zeros
  const std::lock_guard hold(mutex_);
  auto next = gaps_.lower_bound(begin);
  if (next != gaps_.end() && next->first == begin + bytes) {
    bytes += next->second;
    next = gaps_.erase(next);
  }
  if (next != gaps_.begin() && std::prev(next)->first + std::prev(next)->second == begin)
    std::prev(next)->second += bytes;
  else gaps_.emplace_hint(next, begin, bytes);
}

bool Arena::holds(const void* place) const {
  const auto at = reinterpret_cast<std::uintptr_t>(place), begin = reinterpret_cast<std::uintptr_t>(begin_);
  return at >= begin && at - begin < bytes_;
}

bool Arena::hide() const { return mprotect(begin_, bytes_, PROT_NONE) == 0; }

bool Arena::show(const void* begin, std::size_t bytes, Access access) const {
  const std::size_t before = static_cast<std::size_t>(static_cast<const char*>(begin) - begin_) % page_size();
  char* const first = const_cast<char*>(static_cast<const char*>(begin)) - before;
  const int allowed = access == Access::write ? PROT_READ | PROT_WRITE : PROT_READ;
  return mprotect(first, whole_pages(before + std::max<std::size_t>(bytes, 1)), allowed) == 0;
}

}  // namespace trellis::tensor
