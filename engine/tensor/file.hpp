#pragma once
// Whole files in and out. Reading unpacks gzip by content; writing goes to a temporary name in the same folder
// that is renamed at the end, so that nobody ever sees half a file. Failures are Diagnostics.

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "engine/tensor/cancelled.hpp"
#include "engine/tensor/column.hpp"
#include "engine/text/diagnostic.hpp"

namespace trellis::tensor {

/// One record of a file that holds several: by number, from 1, or by name.
struct RecordChoice {
  std::int64_t number = 1;
  std::string name;  ///< "" when it is chosen by number
  text::Span span;
};

/// Which file, which statement asks for it, and how much its contents may take, in memory or, where it may lie there,
/// on the disk.
struct FileRequest {
  std::string path;
  text::Span span;
  std::size_t limit_bytes;
  std::optional<RecordChoice> record = std::nullopt;
  Cancelled cancelled = {};
  int threads = 1;  ///< that may read lines side by side
  /// What takes more than memory holds stays where it is, if it can; empty: memory holds `limit_bytes`.
  std::optional<std::size_t> memory_bytes = std::nullopt;
  /// Called now and then while a large file is read, with its MiB so far, and how many there are.
  std::function<void(std::int64_t read, std::int64_t all)> told = {};
};

/// What a file holds, which lies in another one where it is large (column.hpp).
struct FileBytes {
  Column<char> bytes;
  operator std::string_view() const { return {bytes.data(), bytes.size()}; }
};

/// E0400: cannot be read. E0402: damaged gzip data. E0410: unpacks to more than the limit. E0506: cancelled.
std::optional<FileBytes> read_file(const FileRequest& request, text::Diagnostics& diagnostics);

/// Why the path cannot be opened as a file; empty if it can.
std::string unreadable(const std::string& path);

/// ".mtx" of "a/b.MTX.gz": the last extension in lower case, gzip's own left out.
std::string extension(std::string_view path);

/// Whether the name asks for gzip.
bool is_gzip_name(std::string_view path);

/// Buffered output that appears under its name only on `commit`; otherwise leaves no trace, even of a process that is
/// killed, where the file system has files without a name. Compressed when the name ends in .gz. A file that was there
/// keeps its permissions, and links that lead to it stay; one that is read-only stays as it is.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  /// Flushes to the device and renames. Empty on success, else what the system said.
  std::string commit();

 private:
  void open(mode_t mode);
  void give_name();
  void flush();
  void fail();
  void discard();

  std::string path_;
  std::string temporary_;  ///< empty when there is nothing to remove
  std::string buffer_;
  std::string failure_;
  int descriptor_ = -1;
  void* gzip_ = nullptr;  ///< zlib's handle, when the file is compressed
};

}  // namespace trellis::tensor
