#include "engine/tensor/column.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "engine/tensor/spill.hpp"

namespace trellis::tensor {
namespace {

/// In front of the elements, as far as alignment asks for.
struct alignas(std::max_align_t) Head {
  std::size_t mapped = 0;  ///< bytes; 0: of ordinary memory
};

}  // namespace

void* allocate_column(std::size_t bytes) noexcept {
  if (bytes > PTRDIFF_MAX - sizeof(Head)) return nullptr;
  const std::size_t all = bytes + sizeof(Head);
  Head* head = nullptr;
  if (is_column_spilled(all)) {
    const int file = open_spilled(all, Room::taken);
    void* const data = file < 0 ? MAP_FAILED : mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0) close(file);  // the addresses keep it
    if (data != MAP_FAILED) head = ::new (data) Head{all};
  } else if (void* const data = std::malloc(all)) {
    head = ::new (data) Head;
  }
  return head ? head + 1 : nullptr;
}

void release_column(void* data) noexcept {
  if (!data) return;
  Head* const head = static_cast<Head*>(data) - 1;
  if (head->mapped > 0) munmap(head, head->mapped);
  else std::free(head);
}

}  // namespace trellis::tensor
