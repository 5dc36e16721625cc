#include "engine/tensor/shared_array.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/tensor/arena.hpp"
#include "engine/tensor/fence.hpp"
#include "engine/tensor/spill.hpp"

namespace trellis::tensor {
namespace {

struct Mapping {
  char* data = nullptr;
  std::size_t size = 0, resident = 0;
};

/// What arrays gave back, for the next ones of the same size: the pages that a run touched serve the next run. Where
/// another thread is at it, the system serves: a child that was forked meanwhile would wait for ever.
class Spares {
 public:
  static constexpr std::size_t most_bytes = std::size_t{128} << 20;

  /// False: there is no room for it.
  bool put(const Mapping& mapping) {
    const std::unique_lock hold(mutex_, std::try_to_lock);
    if (!hold || mapping.resident > most_bytes - resident_) return false;
    resident_ += mapping.resident;
    mappings_.push_back(mapping);
    return true;
  }

  /// The one with most pages, if there is any.
  Mapping take(std::size_t size) {
    const std::unique_lock hold(mutex_, std::try_to_lock);
    if (!hold) return {};
    auto best = mappings_.end();
    for (auto m = mappings_.begin(); m != mappings_.end(); ++m)
      if (m->size == size && (best == mappings_.end() || m->resident > best->resident)) best = m;
    if (best == mappings_.end()) return {};
    const Mapping taken = *best;
    resident_ -= taken.resident;
    mappings_.erase(best);
    return taken;
  }

 private:
  std::mutex mutex_;
  std::vector<Mapping> mappings_;
  std::size_t resident_ = 0;
};

/// Of memory that children see, or of this process alone. Never taken apart: arrays may outlive them.
Spares& spares(bool shared) {
  static Spares& own = *new Spares;
  static Spares& seen = *new Spares;
  return shared ? seen : own;
}

/// Addresses behind what results hold that children appended to: kept for the next run, up to so many. A result
/// reserves as much as it may ever need.
class Tails {
 public:
  static constexpr std::size_t most_bytes =
#ifdef __SANITIZE_THREAD__  // which keeps most addresses for itself
      std::size_t{16} << 30;
#else
      std::size_t{1} << 40;
#endif
  bool keep(std::size_t bytes) {
    if (kept_.fetch_add(bytes) + bytes <= most_bytes) return true;
    kept_ -= bytes;
    return false;
  }
  void give_back(std::size_t bytes) { kept_ -= bytes; }

 private:
  std::atomic<std::size_t> kept_ = 0;
};
Tails tails;

/// Small arrays come and go by the thousand, and each that goes back to the system has every processor forget its
/// addresses. What was given back serves the next ones of its size. Where another thread is at it, the system serves: a
/// child that was forked meanwhile would wait for ever.
class SmallArrays {
 public:
  static constexpr std::size_t largest = std::size_t{64} << 10;

  bool put(char* data, std::size_t size) {
    const std::unique_lock hold(mutex_, std::try_to_lock);
    if (!hold || size > largest || size > most_bytes - kept_) return false;
    kept_ += size;
    of_size_[size / unit].push_back(data);
    return true;
  }

  /// As they were left; null when there is none.
  char* take(std::size_t size) {
    const std::unique_lock hold(mutex_, std::try_to_lock);
    if (!hold || size > largest || of_size_[size / unit].empty()) return nullptr;
    char* const data = of_size_[size / unit].back();
    of_size_[size / unit].pop_back();
    kept_ -= size;
    return data;
  }

 private:
  static constexpr std::size_t unit = 4096, most_bytes = std::size_t{16} << 20;  ///< of which pages are multiples
  std::mutex mutex_;
  std::array<std::vector<char*>, largest / unit + 1> of_size_;
  std::size_t kept_ = 0;
};

/// Never taken apart: arrays may outlive it.
SmallArrays& small_arrays() {
  static SmallArrays& all = *new SmallArrays;
  return all;
}

std::size_t rounded(std::size_t bytes, std::size_t unit) {
  return (std::max<std::size_t>(bytes, 1) + unit - 1) / unit * unit;
}

constexpr std::size_t large_page = std::size_t{2} << 20;
/// Below that, most of the page would be left empty. A vector that is gathered from gains most: its reads are anywhere
/// in it.
constexpr std::size_t fewest_for_large_pages = large_page / 2;

std::size_t addresses_for(std::size_t bytes, bool shared) {
  const bool large = !shared && bytes >= fewest_for_large_pages;
  return rounded(bytes, large ? large_page : static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
}

/// Large pages begin at multiples of their size. Address space that is only reserved begins with small ones: to zero a
/// large page takes longer than to compute most results that would leave it nearly empty.
char* map_aligned(std::size_t size, int flags) {
  const std::size_t all = size + large_page + 2 * margin;
  void* const found = mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
  if (found == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(found);
  const std::size_t before = rounded(reinterpret_cast<std::uintptr_t>(found) + margin, large_page) -
                             reinterpret_cast<std::uintptr_t>(found) - margin;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + size + 2 * margin, large_page - before);
  char* const data = begin + before + margin;
  const std::size_t small = (flags & MAP_NORESERVE) != 0 ? std::min(size, large_page) : 0;
  madvise(data + small, size - small, MADV_HUGEPAGE);  // advice: refused, it costs time alone
  return data;
}

char* map_anywhere(std::size_t size, int flags) {
  void* const found = mmap(nullptr, size + 2 * margin, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | flags, -1, 0);
  return found == MAP_FAILED ? nullptr : static_cast<char*>(found) + margin;
}

}  // namespace

SharedArray::SharedArray(char* data, std::size_t size, Kind kind)
    : data_(data), size_(size), mapped_(addresses_for(size, shares(kind))), most_resident_(mapped_), kind_(kind) {}

bool SharedArray::is_handed_on(Kind kind, std::size_t mapped) {
  return kind == Kind::scratch || (kind == Kind::shared && mapped > SmallArrays::largest);
}

std::shared_ptr<SharedArray> SharedArray::map(std::size_t bytes, Kind kind, int flags, Content content) {
  if (bytes > PTRDIFF_MAX) return nullptr;
  bytes = std::max<std::size_t>(bytes, 1);
  if (kind != Kind::scratch && is_spilled(bytes))
    return map_file(bytes, (flags & MAP_NORESERVE) != 0 ? Room::as_written : Room::taken);
  Arena* const arena = kind == Kind::scratch ? nullptr : Arena::of_process();
  if (char* const data = arena ? arena->take(addresses_for(bytes, true) + 2 * margin) : nullptr) {
    put_fence(data + margin, bytes);
    return std::shared_ptr<SharedArray>(new SharedArray(data + margin, bytes, Kind::arena));
  }
  const bool shared = kind == Kind::shared;
  const std::size_t size = addresses_for(bytes, shared);
  const Mapping spare = is_handed_on(kind, size) ? spares(shared).take(size) : Mapping();
  char* data = spare.data;
  if (data && content == Content::zeros) std::memset(data, 0, spare.resident);
  if (!data && kind == Kind::own) data = small_arrays().take(size);
  if (data && kind == Kind::own) std::memset(data, 0, size);
  if (!data && shared) data = map_anywhere(size, flags | MAP_SHARED);
  if (!data && !shared)
    data = bytes >= fewest_for_large_pages ? map_aligned(size, flags | MAP_PRIVATE)
                                           : map_anywhere(size, flags | MAP_PRIVATE);
  if (!data) return nullptr;
  put_fence(data, bytes);
  std::shared_ptr<SharedArray> array(new SharedArray(data, bytes, kind));
  array->resident_ = spare.resident;
  return array;
}

std::shared_ptr<SharedArray> SharedArray::map_file(std::size_t bytes, Room room) {
  const int file = open_spilled(bytes, room);
  if (file < 0) return nullptr;
  void* const data = mmap(nullptr, addresses_for(bytes, true), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (data == MAP_FAILED) return close(file), nullptr;
  std::shared_ptr<SharedArray> array(new SharedArray(static_cast<char*>(data), bytes, Kind::file));
  array->file_ = file;
  if (room == Room::taken) array->committed_ = bytes;
  array->place_ = FilePlace{path_of_descriptor(file)};
  return array;
}

std::shared_ptr<SharedArray> SharedArray::allocate(std::size_t bytes, Writer writer, Content content) {
  return map(bytes, writer == Writer::child_process ? Kind::shared : Kind::own, 0, content);
}
std::shared_ptr<SharedArray> SharedArray::reserve(std::size_t bytes, Writer writer, Content content) {
  return map(bytes, writer == Writer::child_process ? Kind::shared : Kind::own, MAP_NORESERVE, content);
}
std::shared_ptr<SharedArray> SharedArray::reserve_in_file(std::size_t bytes) {
  return bytes > PTRDIFF_MAX ? nullptr : map_file(std::max<std::size_t>(bytes, 1), Room::as_written);
}
std::shared_ptr<SharedArray> SharedArray::scratch(std::size_t bytes, Content content) {
  return map(bytes, Kind::scratch, MAP_NORESERVE, content);
}

std::shared_ptr<SharedArray> SharedArray::borrow(const void* data, std::size_t bytes, std::shared_ptr<const void> owner,
                                                 std::optional<FilePlace> place) {
  static char nothing[64];  // for arrays without elements, which may be at no address
  char* const begin = data ? const_cast<char*>(static_cast<const char*>(data)) : nothing;
  std::shared_ptr<SharedArray> array(new SharedArray(begin, bytes, Kind::borrowed));
  array->owner_ = std::move(owner);
  array->place_ = std::move(place);
  return array;
}

void SharedArray::copy_from(const SharedArray& other, std::size_t bytes) {
  if (kind_ != Kind::file) {
    std::memcpy(data_, other.data_, bytes);
    return;
  }
  static constexpr char zeros[4096] = {};
  for (std::size_t at = 0; at < bytes; at += sizeof zeros) {
    const std::size_t some = std::min(sizeof zeros, bytes - at);
    if (std::memcmp(other.data_ + at, zeros, some) != 0) std::memcpy(data_ + at, other.data_ + at, some);
  }
}

bool SharedArray::take(std::size_t bytes) {
  constexpr std::size_t step = std::size_t{8} << 20;  // a call to the system each
  const std::size_t end = std::min(rounded(bytes, step), rounded(size_, 1));
  if (!take_room(file_, committed_, end - committed_)) return false;
  committed_ = end;
  return true;
}

SharedArray::~SharedArray() {
  if (borrowed()) return;
  if (kind_ == Kind::file) {
    munmap(data_, mapped_);
    close(file_);
    return;
  }
  take_fence(data_, size_);
  tails.give_back(tail_);
  if (is_handed_on(kind_, mapped_) && spares(shared()).put({data_, mapped_, most_resident_})) return;
  if (kind_ == Kind::own && small_arrays().put(data_, mapped_)) return;
  if (kind_ == Kind::arena) Arena::of_process()->give_back(data_ - margin, mapped_ + 2 * margin);
  else munmap(data_ - margin, mapped_ + 2 * margin);
}

void SharedArray::shrink(std::size_t bytes) {
  assert(!borrowed());
  if (kind_ == Kind::file) {
    const std::size_t kept = addresses_for(bytes, true);
    if (kept < mapped_) {
      munmap(data_ + kept, mapped_ - kept);
      [[maybe_unused]] const int refused =
          ftruncate(file_, static_cast<off_t>(kept));  // room on the disk is all it costs
      mapped_ = kept;
    }
    size_ = std::min(size_, std::max<std::size_t>(bytes, 1));
    return;
  }
  take_fence(data_, size_);
  const std::size_t kept = addresses_for(bytes, shared());
  if (kept < mapped_) {
    char* const tail = data_ + kept;
    // Unmapping alone would keep the shared pages that were touched until the whole array goes.
    madvise(tail, mapped_ - kept, shared() ? MADV_REMOVE : MADV_DONTNEED);
    if (kind_ == Kind::arena) Arena::of_process()->give_back(tail + margin, mapped_ - kept);
    tails.give_back(tail_);
    tail_ = kind_ == Kind::shared && tails.keep(mapped_ - kept) ? mapped_ - kept : 0;
    const bool stays = kind_ == Kind::scratch || tail_ > 0;
    if (!stays && kind_ != Kind::arena) munmap(tail + margin, mapped_ - kept);
    if (!stays) mapped_ = kept;
    most_resident_ = kept;
  }
  size_ = std::min(size_, std::max<std::size_t>(bytes, 1));
  put_fence(data_, size_);
}

}  // namespace trellis::tensor
