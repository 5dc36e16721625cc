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

/// For arrays from now on, in all threads; an empty folder ends it. Empty on success, else what the system said.
std::string spill(const std::string& folder, std::size_t larger_than);
/// Whether an array of so many bytes goes into a file.
bool is_spilled(std::size_t bytes);
/// Whether a list that is gone when a tensor stands does (column.hpp): several are there at once.
bool is_column_spilled(std::size_t bytes);
/// What all arrays of a tensor may take before one goes into a file; 0 where none does.
std::size_t spills_beyond();
/// What a message about refused memory says of it: "; the folder of --spill has 12.0 MiB left", or nothing.
std::string spill_note();
/// "the memory limit of 1.0 GiB", or where more may lie in files, "the 2.0 GiB that the folder of --spill had left".
std::string limit_text(std::size_t bytes);
/// How many bytes the folder's disk has left; 0 where nothing is spilled.
std::size_t spill_room();
/// Of a file's bytes: the disk has them set aside from the start; or they are taken as they are written, which ends the
/// process where there are none left.
enum class Room { taken, as_written };
/// A new file of so many zeros, for reading and writing; below 0 where the system refuses.
int open_spilled(std::size_t bytes, Room room);
/// Sets bytes of a file aside. False where the disk has none.
bool take_room(int file, std::size_t begin, std::size_t bytes);
/// As /proc names it while this process runs.
std::string path_of_descriptor(int file);

}  // namespace trellis::tensor
