#include "engine/tensor/spill.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "engine/tensor/arena.hpp"
#include "engine/tensor/human_bytes.hpp"

namespace trellis::tensor {
namespace {

/// Without a lock: a child that is forked while another thread holds one would wait for ever.
struct Spilling {
  std::string folder;  ///< empty: everything stays in memory
  std::size_t larger_than = 0;
};

Spilling& spilling() {
  static Spilling& all = *new Spilling;  // arrays may outlive it
  return all;
}

int open_in(const std::string& folder) {
  const int file = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
  if (file >= 0 || errno == ENOENT || errno == ENOTDIR || errno == EACCES) return file;
  std::string name = folder + "/trellis-XXXXXX";  // where the file system has no files without names
  const int named = mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) unlink(name.c_str());
  return named;
}

}  // namespace

std::string spill(const std::string& folder, std::size_t larger_than) {
  if (!folder.empty()) {
    const int file = open_in(folder);
    if (file < 0) return std::strerror(errno);
    close(file);
  }
  Spilling& all = spilling();
  all.folder = folder;
  all.larger_than = larger_than;
  return "";
}

bool is_spilled(std::size_t bytes) {
  if (Arena::of_process()) return false;  // children that were forked before would not see it
  Spilling& all = spilling();
  return !all.folder.empty() && bytes > all.larger_than;
}

bool is_column_spilled(std::size_t bytes) {
  constexpr std::size_t least = std::size_t{1} << 16, at_once = 16;
  const Spilling& all = spilling();
  return !all.folder.empty() && bytes > std::max(least, all.larger_than / at_once);
}

std::size_t spills_beyond() { return spilling().folder.empty() ? 0 : spilling().larger_than; }

std::string spill_note() {
  return spilling().folder.empty() ? "" : "; the folder of --spill has " + human_bytes(spill_room()) + " left";
}

std::string limit_text(std::size_t bytes) {
  return spilling().folder.empty() || bytes <= spilling().larger_than
             ? "the memory limit of " + human_bytes(bytes)
             : "the " + human_bytes(bytes) + " that the folder of --spill had left";
}

std::size_t spill_room() {
  Spilling& all = spilling();
  struct statvfs disk;
  if (all.folder.empty() || statvfs(all.folder.c_str(), &disk) != 0) return 0;
  return static_cast<std::size_t>(disk.f_bavail) * disk.f_frsize;
}

bool take_room(int file, std::size_t begin, std::size_t bytes) {
  // File systems that cannot say beforehand find out later.
  return bytes == 0 || fallocate(file, 0, static_cast<off_t>(begin), static_cast<off_t>(bytes)) == 0 ||
         errno == EOPNOTSUPP;
}

int open_spilled(std::size_t bytes, Room room) {
  const int file = open_in(spilling().folder);
  if (file < 0) return file;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0 && (room == Room::as_written || take_room(file, 0, bytes)))
    return file;
  close(file);
  return -1;
}

std::string path_of_descriptor(int file) { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file); }

}  // namespace trellis::tensor
