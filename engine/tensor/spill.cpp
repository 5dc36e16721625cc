#include "engine/tensor/spill.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "engine/tensor/arena.hpp"

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

std::size_t spill_room() {
  Spilling& all = spilling();
  struct statvfs disk;
  if (all.folder.empty() || statvfs(all.folder.c_str(), &disk) != 0) return 0;
  return static_cast<std::size_t>(disk.f_bavail) * disk.f_frsize;
}

int open_spilled(std::size_t bytes) {
  Spilling& all = spilling();
  const int file = open_in(all.folder);
  if (file < 0 || ftruncate(file, static_cast<off_t>(bytes)) == 0) return file;
  close(file);
  return -1;
}

std::string path_of_descriptor(int file) { return "/proc/" + std::to_string(getpid()) + "/fd/" + std::to_string(file); }

}  // namespace trellis::tensor
