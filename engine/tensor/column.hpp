#pragma once
// Lists that grow as a file is read or entries are sorted, and are gone when the tensor stands: in memory, or, beyond a
// small part of what memory may hold, in a file (spill.hpp), so that together they stay well below it.

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace trellis::tensor {

/// Bytes in memory, or in a file without a name; null when either is refused. Their content is anything.
void* allocate_column(std::size_t bytes) noexcept;
void release_column(void* data) noexcept;

template <class T>
struct ColumnAllocator {
  using value_type = T;
  static_assert(alignof(T) <= alignof(std::max_align_t));

  ColumnAllocator() = default;
  template <class Other>
  ColumnAllocator(const ColumnAllocator<Other>&) {}

  T* allocate(std::size_t count) {
    void* const data = allocate_column(count * sizeof(T));
    if (!data) throw std::bad_alloc();
    return static_cast<T*>(data);
  }
  void deallocate(T* data, std::size_t) { release_column(data); }
  /// Elements without a value stay as they come: to write zeros first would be a pass over the file.
  template <class Element>
  void construct(Element* at) {
    ::new (static_cast<void*>(at)) Element;
  }
  template <class Element, class... Arguments>
  void construct(Element* at, Arguments&&... arguments) {
    ::new (static_cast<void*>(at)) Element(std::forward<Arguments>(arguments)...);
  }
  template <class Other>
  bool operator==(const ColumnAllocator<Other>&) const {
    return true;
  }
};

/// `Column<int>(n)` and `resize(n)` leave what is new as it is: `(n, 0)` where that matters.
template <class T>
using Column = std::vector<T, ColumnAllocator<T>>;

}  // namespace trellis::tensor
