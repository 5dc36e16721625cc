#pragma once
// AddressSanitizer knows what malloc gave, but not what lies in a mapping: it is told that nobody may touch a margin on
// either side of an array, so that a kernel compiled with it cannot leave its arrays unnoticed.

#include <cstddef>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

namespace trellis::tensor {

#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t margin = 4096;
inline void put_fence(char* data, std::size_t bytes) {
  __asan_poison_memory_region(data - margin, margin);
  __asan_poison_memory_region(data + bytes, margin);
}
inline void take_fence(char* data, std::size_t bytes) {
  __asan_unpoison_memory_region(data - margin, margin);
  __asan_unpoison_memory_region(data + bytes, margin);
}
#else
constexpr std::size_t margin = 0;
inline void put_fence(char*, std::size_t) {}
inline void take_fence(char*, std::size_t) {}
#endif

}  // namespace trellis::tensor
