#pragma once
// Arrays that are larger than memory should hold, in files of a folder. The system brings their pages in as they are
// touched, and writes them back when it needs the room:
//
//   spill("/scratch", 4 GB)      an array of 6 GB -> a file there; all others stay where they were
//
// The files have no names, so nothing is left of them, whatever ends this process. Children see what others write.

#include <cstddef>
#include <string>

namespace trellis::tensor {

/// Bytes in a file that this process has open, and that others can open while it does.
struct FilePlace {
  std::string path;
  std::size_t begin = 0;  ///< the first byte's offset
};

/// For arrays from now on, in all threads; an empty folder ends it. Empty on success, else what the system said.
std::string spill(const std::string& folder, std::size_t larger_than);
/// Whether an array of so many bytes goes into a file.
bool is_spilled(std::size_t bytes);
/// How many bytes the folder's disk has left; 0 where nothing is spilled.
std::size_t spill_room();
/// A new file of so many zeros, for reading and writing; below 0 where the system refuses.
int open_spilled(std::size_t bytes);
/// As /proc names it while this process runs.
std::string path_of_descriptor(int file);

}  // namespace trellis::tensor
