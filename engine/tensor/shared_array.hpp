#pragma once
// Memory of arrays. What a kernel in a child process writes has to be shared with it. All else is this process's alone,
// which its children can read as well: then it may have large pages, without which a kernel that streams through a few
// megabytes spends a quarter of its time on looking up addresses. Where an arena is open (arena.hpp), all but scratch
// memory comes from there, with small pages. What is too large for memory lies in a file (spill.hpp).

#include <cstddef>
#include <memory>
#include <optional>

#include "engine/tensor/file_place.hpp"

namespace trellis::tensor {

enum class Room;

/// Who writes to memory: children of this process too, or no one but itself.
enum class Writer { child_process, this_process };

/// Bytes in a mapping of their own, or somebody else's; never empty, so that address 0 never reaches a kernel.
class SharedArray {
 public:
  /// Pages that an earlier array gave back come without a page fault each, which is most of the time in which a kernel
  /// writes a few megabytes. They are zeroed only where that is asked for.
  enum class Content { anything, zeros };
  /// Empty when the system refuses.
  static std::shared_ptr<SharedArray> allocate(std::size_t bytes, Writer writer, Content content = Content::zeros);
  /// Address space alone: memory is taken page by page, as it is touched.
  static std::shared_ptr<SharedArray> reserve(std::size_t bytes, Writer writer, Content content = Content::zeros);
  /// The same, in a file whatever its size, of which `commit` sets the disk's room aside.
  static std::shared_ptr<SharedArray> reserve_in_file(std::size_t bytes);
  /// Of what lies in a file: that its first `bytes` can be written, which is asked for as it is filled. False where the
  /// disk is full; elsewhere nothing happens.
  bool commit(std::size_t bytes) { return file_ < 0 || bytes <= committed_ || take(bytes); }
  /// The same for this process alone.
  static std::shared_ptr<SharedArray> scratch(std::size_t bytes, Content content);
  /// Memory of somebody else, who keeps it where it is while `owner` is held. Nothing is copied: who writes to it, or
  /// has a child write to it (Tensor::share), makes a copy first. Its bytes must stay what they are meanwhile.
  /// `place`: where else these bytes can be read, if they are a file's.
  static std::shared_ptr<SharedArray> borrow(const void* data, std::size_t bytes, std::shared_ptr<const void> owner,
                                             std::optional<FilePlace> place = std::nullopt);
  ~SharedArray();
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  void* data() const { return data_; }
  std::size_t size() const { return size_; }
  /// Whether a child process can write to it so that this one sees it.
  bool shared() const { return shares(kind_); }
  bool borrowed() const { return kind_ == Kind::borrowed; }
  /// The file in which these bytes lie; empty: they are in memory alone.
  const std::optional<FilePlace>& place() const { return place_; }
  /// The bytes of another array, which has as many. Of zeros no memory is taken where there is none so far.
  void copy_from(const SharedArray& other, std::size_t bytes);
  /// Of a new one: how many bytes of it are in memory already, since they served an earlier one.
  std::size_t resident() const { return resident_; }
  /// Gives the pages behind the first `bytes` back; not of what is borrowed.
  void shrink(std::size_t bytes);

 private:
  enum class Kind { shared, own, scratch, arena, borrowed, file };
  static constexpr bool shares(Kind kind) { return kind == Kind::shared || kind == Kind::arena || kind == Kind::file; }
  /// Whether the next array may have what such a one gives back.
  static bool is_handed_on(Kind kind, std::size_t mapped);
  SharedArray(char* data, std::size_t size, Kind kind);
  static std::shared_ptr<SharedArray> map(std::size_t bytes, Kind kind, int flags, Content content = Content::zeros);
  static std::shared_ptr<SharedArray> map_file(std::size_t bytes, Room room);
  bool take(std::size_t bytes);

  char* data_;
  std::size_t size_;
  std::size_t mapped_;         ///< addresses, of which the first size_ bytes may be in memory
  std::size_t most_resident_;  ///< bytes of them that may be in memory
  std::size_t resident_ = 0;
  std::size_t tail_ = 0;  ///< addresses that are kept for the next array
  Kind kind_;
  std::shared_ptr<const void> owner_ = {};  ///< of what is borrowed
  std::optional<FilePlace> place_ = {};
  int file_ = -1;              ///< descriptor of an own file
  std::size_t committed_ = 0;  ///< bytes of it that the disk is known to have
};

}  // namespace trellis::tensor
