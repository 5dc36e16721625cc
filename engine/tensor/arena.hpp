#pragma once
// One range of addresses, shared with each process that is forked once it is open, for the arrays that come later:
//
//   open ── fork ──► server            the same bytes at the same addresses, whoever of them writes,
//     │                └── child       so that a pointer is all that has to be handed over
//     └── take, write
//
// Of addresses there are plenty; memory is taken page by page, as it is touched, and returned by `give_back`.

#include <cstddef>
#include <map>
#include <mutex>

namespace trellis::tensor {

class Arena {
 public:
  enum class Access { read, write };

  /// Once in a process, before it has threads. False when the system refuses the addresses.
  static bool open();
  /// Null where none is open.
  static Arena* of_process();

  /// Zeroed whole pages; null when no gap is long enough. From any thread, as all that follows.
  char* take(std::size_t bytes);
  /// All or the end of what was taken, from the beginning of a page on.
  void give_back(char* begin, std::size_t bytes);
  bool holds(const void* place) const;

  /// For the calling process alone: nothing of the arena can be touched any more, and of that again the pages that hold
  /// `bytes`. False when the system refuses.
  bool hide() const;
  bool show(const void* begin, std::size_t bytes, Access access) const;

 private:
  Arena(char* begin, std::size_t bytes) : begin_(begin), bytes_(bytes), gaps_{{begin, bytes}} {}

  char* const begin_;
  const std::size_t bytes_;
  std::mutex mutex_;
  std::map<char*, std::size_t> gaps_;  ///< no two touch
};

}  // namespace trellis::tensor
